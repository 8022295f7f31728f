"""Invented words: syllables put together from the letters of a script, without meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sampling.study.keyed import digest


@dataclass(frozen=True)
class Syllabary:
    """What syllables of a script are made of.

    `clusters` are consonants joined into conjuncts or stacks, `vowels` and `finals` are signs
    (an entry may be empty: the inherent vowel, an open syllable), `closed_vowels` those that a
    final may follow. `initial_clusters` says whether a word may begin with one. `stop` ends a
    sentence and `verse_stop` a verse, `space` goes between words. `digits` are the numerals 0 to
    9, and `digits_script` the script whose typeface has them.
    """

    consonants: tuple[str, ...]
    clusters: tuple[str, ...]
    vowels: tuple[str, ...]
    closed_vowels: tuple[str, ...]
    finals: tuple[str, ...]
    stop: str
    verse_stop: str
    digits: str
    digits_script: str
    space: str = " "
    initial_clusters: bool = True


def _stacks(joiner: str, *pairs: str) -> tuple[str, ...]:
    """Join the letters of each group with the script's joiner."""
    return tuple(joiner.join(pair) for pair in pairs)


_OPEN = ("", "", "", "")

_TAMIL_DIGITS = "௦௧௨௩௪௫௬௭௮௯"

SYLLABARIES = {
    "balinese": Syllabary(
        consonants=tuple("ᬓᬕᬗᬘᬚᬜᬢᬤᬦᬧᬩᬫᬬᬭᬮᬯᬲᬳ"),
        clusters=_stacks(
            "᭄", "ᬓᬢ", "ᬦᬤ", "ᬧᬭ", "ᬲᬢ", "ᬗᬕ", "ᬫᬩ", "ᬢᬯ", "ᬓᬬ", "ᬦᬢ", "ᬮᬧ", "ᬕᬭ", "ᬲᬯ", "ᬩᬬ", "ᬦᬚ"
        ),
        vowels=("", "", "ᬶ", "ᬸ", "ᬾ", "ᭀ", "ᬵ", "ᭂ", "ᬷ"),
        closed_vowels=("", "ᬶ", "ᬸ", "ᬾ"),
        finals=(*_OPEN, "ᬂ", "ᬄ", "ᬃ"),
        stop="᭞",
        verse_stop="᭟",
        digits="᭐᭑᭒᭓᭔᭕᭖᭗᭘᭙",
        digits_script="balinese",
        space="",
    ),
    "grantha": Syllabary(
        consonants=tuple("𑌕𑌖𑌗𑌙𑌚𑌜𑌞𑌣𑌤𑌥𑌦𑌧𑌨𑌪𑌬𑌭𑌮𑌯𑌰𑌲𑌵𑌶𑌸𑌹"),
        clusters=_stacks(
            "𑍍",
            "𑌕𑌤",
            "𑌨𑌤",
            "𑌸𑌤",
            "𑌤𑌯",
            "𑌪𑌰",
            "𑌕𑌷",
            "𑌜𑌞",
            "𑌤𑌵",
            "𑌦𑌧",
            "𑌮𑌬",
            "𑌸𑌵",
            "𑌤𑌤𑌵",
            "𑌕𑌰",
            "𑌰𑌮",
            "𑌨𑌦",
        ),
        vowels=("", "", "𑌾", "𑌿", "𑍀", "𑍁", "𑍂", "𑍇", "𑍈", "𑍋", "𑍌"),
        closed_vowels=("", "𑌾", "𑌿", "𑍁"),
        finals=(*_OPEN, "𑌂", "𑌃"),
        stop="।",
        verse_stop="॥",
        digits=_TAMIL_DIGITS,
        digits_script="tamil",
    ),
    "kannada": Syllabary(
        consonants=tuple("ಕಖಗಚಜಞಟಡಣತದಧನಪಬಭಮಯರಲವಶಸಹಳ"),
        clusters=_stacks(
            "್",
            "ಕಕ",
            "ತತ",
            "ನನ",
            "ಲಲ",
            "ಸತ",
            "ಪರ",
            "ಕಷ",
            "ತಯ",
            "ರಕ",
            "ರಯ",
            "ಮಮ",
            "ದಧ",
            "ನದ",
            "ಗಗ",
            "ಸತರ",
            "ಳಳ",
        ),
        vowels=("", "", "ಾ", "ಿ", "ೀ", "ು", "ೂ", "ೆ", "ೇ", "ೈ", "ೊ", "ೋ", "ೌ"),
        closed_vowels=("", "ಾ", "ಿ", "ು"),
        finals=(*_OPEN, "ಂ", "ಃ"),
        stop="।",
        verse_stop="॥",
        digits="೦೧೨೩೪೫೬೭೮೯",
        digits_script="kannada",
    ),
    "khmer": Syllabary(
        consonants=tuple("កខគងចជញដតថទធនបផពភមយរលវសហអ"),
        clusters=_stacks(
            "្",
            "កត",
            "បរ",
            "សត",
            "គរ",
            "ចន",
            "តវ",
            "មល",
            "ពញ",
            "ខម",
            "ឆល",
            "ដប",
            "សតរ",
            "ថង",
            "លប",
            "ធម",
            "ភន",
        ),
        vowels=("", "", "ា", "ិ", "ី", "ឹ", "ុ", "ូ", "ួ", "ើ", "េ", "ែ", "ៃ", "ោ", "ៅ"),
        closed_vowels=("", "ា", "ុ"),
        finals=(*_OPEN, "ំ", "ះ"),
        stop="។",
        verse_stop="៕",
        digits="០១២៣៤៥៦៧៨៩",
        digits_script="khmer",
        space="",
    ),
    "malayalam": Syllabary(
        consonants=tuple("കഖഗചജഞടഡണതദധനപബഭമയരലവശസഹളറ"),
        clusters=_stacks(
            "്",
            "കക",
            "ങക",
            "ചച",
            "ഞച",
            "ടട",
            "ണട",
            "തത",
            "നത",
            "നന",
            "പപ",
            "മപ",
            "മമ",
            "ലല",
            "കഷ",
            "സത",
            "തയ",
            "പര",
            "സവ",
        ),
        vowels=("", "", "ാ", "ി", "ീ", "ു", "ൂ", "െ", "േ", "ൈ", "ൊ", "ോ"),
        closed_vowels=("", "ാ", "ി", "ു", "െ"),
        finals=(*_OPEN, "ം", "ൻ", "ർ", "ൽ", "ൾ"),
        stop="।",
        verse_stop="॥",
        digits="൦൧൨൩൪൫൬൭൮൯",
        digits_script="malayalam",
        initial_clusters=False,
    ),
    "sundanese": Syllabary(
        consonants=tuple("ᮊᮌᮍᮎᮏᮑᮒᮓᮔᮕᮘᮙᮚᮛᮜᮝᮞᮠ"),
        clusters=("ᮊᮡ", "ᮕᮢ", "ᮊᮣ", "ᮒᮢ", "ᮞᮡ", "ᮘᮢ", "ᮌᮢ", "ᮕᮣ", "ᮓᮡ"),
        vowels=("", "", "ᮤ", "ᮥ", "ᮦ", "ᮧ", "ᮨ", "ᮩ"),
        closed_vowels=("", "ᮤ", "ᮥ", "ᮦ"),
        finals=(*_OPEN, "ᮀ", "ᮁ", "ᮂ", "ᮔ᮪", "ᮊ᮪"),
        stop="᳀",
        verse_stop="᳁",
        digits="᮰᮱᮲᮳᮴᮵᮶᮷᮸᮹",
        digits_script="sundanese",
    ),
    "tamil": Syllabary(
        consonants=tuple("கசஞடணதநபமயரலவழளறன"),
        clusters=_stacks(
            "்",
            "கக",
            "ஙக",
            "சச",
            "ஞச",
            "டட",
            "ணட",
            "தத",
            "நத",
            "பப",
            "மப",
            "மம",
            "லல",
            "னன",
            "றற",
            "யய",
            "கஷ",
        ),
        vowels=("", "", "ா", "ி", "ீ", "ு", "ூ", "ெ", "ே", "ை", "ொ", "ோ"),
        closed_vowels=("", "ா", "ி", "ு", "ை"),
        finals=(*_OPEN, "ம்", "ன்", "ல்", "ர்", "ள்"),
        stop="।",
        verse_stop="॥",
        digits=_TAMIL_DIGITS,
        digits_script="tamil",
        initial_clusters=False,
    ),
}


def word(script: str, *key: str) -> str:
    """Make up a word of two to four syllables; the same key gives the same word.

    >>> word("khmer", "seed", "1") == word("khmer", "seed", "1")
    True
    """
    letters = SYLLABARIES[script]
    chosen = iter(digest("word", script, *key))
    first = _syllable(letters, chosen, clusters=letters.initial_clusters)
    rest = (_syllable(letters, chosen, clusters=True) for _ in range(1 + next(chosen) % 3))
    return first + "".join(rest)


def number(script: str, value: int) -> tuple[str, str]:
    """Write a number in the script's own numerals: the text, and the script to shape it with.

    >>> number("grantha", 27)
    ('௨௭', 'tamil')
    """
    letters = SYLLABARIES[script]
    return "".join(letters.digits[int(digit)] for digit in str(value)), letters.digits_script


def _syllable(letters: Syllabary, chosen: Iterator[int], *, clusters: bool) -> str:
    """Join an onset, a vowel and a final; about one onset in three is a conjunct or a stack."""
    joined = next(chosen) % 3 == 0 and clusters
    onset = _pick(letters.clusters if joined else letters.consonants, chosen)
    final = _pick(letters.finals, chosen)
    return onset + _pick(letters.closed_vowels if final else letters.vowels, chosen) + final


def _pick(parts: tuple[str, ...], chosen: Iterator[int]) -> str:
    return parts[next(chosen) % len(parts)]
