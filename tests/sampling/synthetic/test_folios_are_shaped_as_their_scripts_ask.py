"""Folios are shaped as their scripts ask: conjuncts, subjoined letters, reordered vowels."""

from __future__ import annotations

import pytest

from sampling.synthetic.letters import SYLLABARIES, number, word
from sampling.synthetic.shaping import outline, shape, typeface


def glyph_names(text: str, script: str) -> list[str]:
    font = typeface(script)
    return [font.glyph_to_string(glyph.glyph_id) for glyph in shape(text, script).glyphs]


@pytest.mark.parametrize("script", sorted(SYLLABARIES))
def test_no_word_needs_a_glyph_the_typeface_lacks(script: str) -> None:
    for count in range(400):
        text = word(script, "test", str(count))
        assert all(glyph.glyph_id != 0 for glyph in shape(text, script).glyphs), text


@pytest.mark.parametrize("script", sorted(SYLLABARIES))
def test_no_word_is_drawn_with_a_dotted_circle(script: str) -> None:
    # HarfBuzz puts U+25CC under a sign that cannot stand where it is.
    dotted = typeface(script).get_nominal_glyph(0x25CC)
    for count in range(400):
        text = word(script, "test", str(count))
        assert all(glyph.glyph_id != dotted for glyph in shape(text, script).glyphs), text


@pytest.mark.parametrize("script", sorted(SYLLABARIES))
def test_stops_and_numerals_have_glyphs(script: str) -> None:
    letters = SYLLABARIES[script]
    for text, in_script in (
        (letters.stop, script),
        (letters.verse_stop, script),
        number(script, 1234567890),
    ):
        assert all(glyph.glyph_id != 0 for glyph in shape(text, in_script).glyphs)


@pytest.mark.parametrize(
    ("script", "consonant", "vowel"),
    [
        ("balinese", "ᬓ", "ᬾ"),
        ("grantha", "𑌕", "𑍇"),
        ("khmer", "ក", "េ"),
        ("malayalam", "ക", "െ"),
        ("sundanese", "ᮊ", "ᮦ"),
        ("tamil", "க", "ெ"),
    ],
)
def test_a_vowel_written_after_its_consonant_is_drawn_before_it(
    script: str, consonant: str, vowel: str
) -> None:
    alone = typeface(script).get_nominal_glyph(ord(consonant))
    drawn = [glyph.glyph_id for glyph in shape(consonant + vowel, script).glyphs]
    assert len(drawn) == 2
    assert drawn[1] == alone


@pytest.mark.parametrize(
    ("script", "text"),
    [
        # A second consonant after the joiner takes its subjoined or joined form.
        ("balinese", "ᬓ᭄ᬢ"),
        ("grantha", "𑌸𑍍𑌤"),
        ("kannada", "ಕ್ತ"),
        ("khmer", "ក្ត"),
        ("malayalam", "ക്ക"),
        ("tamil", "க்ஷ"),
    ],
)
def test_joined_consonants_are_drawn_as_one_stack_or_conjunct(script: str, text: str) -> None:
    font = typeface(script)
    plain = [font.get_nominal_glyph(ord(letter)) for letter in text]
    joined = shape(text, script)
    drawn = [glyph.glyph_id for glyph in joined.glyphs]
    assert drawn != plain
    # The joiner itself, which would show as a vowel killer, is gone.
    assert plain[1] not in drawn
    assert len({glyph.cluster for glyph in joined.glyphs}) == 1


def test_khmer_coeng_ro_goes_before_the_consonant_it_is_under() -> None:
    stack = shape("ក្រ", "khmer")
    ka = typeface("khmer").get_nominal_glyph(ord("ក"))
    assert [glyph.glyph_id for glyph in stack.glyphs][-1] == ka


def test_kannada_initial_ra_is_drawn_behind_what_it_is_read_before() -> None:
    ka = typeface("kannada").get_nominal_glyph(ord("ಕ"))
    drawn = [glyph.glyph_id for glyph in shape("ರ್ಕ", "kannada").glyphs]
    assert drawn[0] == ka
    assert len(drawn) == 2


def test_a_subjoined_letter_hangs_below_the_line() -> None:
    stack = shape("ក្ត", "khmer")
    lowest = min(
        points[:, 1].min() + glyph.y
        for glyph in stack.glyphs
        for points in outline("khmer", glyph.glyph_id)
    )
    assert lowest < -0.15


def test_a_letter_with_a_hole_has_contours_in_both_directions() -> None:
    turns = set()
    for points in outline("latin", typeface("latin").get_nominal_glyph(ord("O"))):
        x, y = points[:, 0], points[:, 1]
        turns.add(bool(x[:-1] @ y[1:] - x[1:] @ y[:-1] > 0))
    assert turns == {True, False}


def test_a_missing_font_file_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sampling.synthetic.shaping._FILES", {"absent": "absent.woff"})
    with pytest.raises(Exception, match=r"absent\.woff is missing .* reinstall"):
        typeface("absent")
