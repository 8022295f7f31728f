"""Scores of a transcription: normalised edit similarity and character F1 over token lists.

Scores of one answer against its key: exact match, precision, recall, F1, Jaccard, W1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rapidfuzz.distance import Levenshtein

from sampling.answers.normalization import NormalizedAnswer, ScoringStatus
from sampling.answers.transcription import tokenize
from sampling.answers.vocabularies import AnswerFormat
from sampling.study.definition import TextTable


@dataclass(frozen=True)
class TranscriptionScore:
    """How near a transcription is to its reference, each measure an exact fraction in [0, 1].

    `ned` is a similarity (1 is equal), as the benchmark reports it under that name.
    """

    ned: Fraction
    precision: Fraction
    recall: Fraction
    char_f1: Fraction


NOTHING = TranscriptionScore(Fraction(0), Fraction(0), Fraction(0), Fraction(0))


def score_transcription(
    answer: NormalizedAnswer, key: NormalizedAnswer, rules: TextTable
) -> TranscriptionScore:
    """Score a normalised transcription against its normalised reference.

    Parameters
    ----------
    answer, key : NormalizedAnswer
        Of the text format, read under the same policy. The key must be valid.
    rules : TextTable
        `[text]` of the study.

    Returns
    -------
    TranscriptionScore
        All 0 for an invalid answer; an empty answer is valid and scores 0 as well.

    Examples
    --------
    >>> from sampling.answers.normalization import ScoringStatus
    >>> key, answer = (NormalizedAnswer(ScoringStatus.VALID, text) for text in ("子＝孫", "子=孫"))
    >>> str(score_transcription(answer, key, TextTable()).ned)
    '2/3'
    """
    if not isinstance(answer.value, str) or not isinstance(key.value, str):
        return NOTHING
    given, reference = tokenize(answer.value, rules), tokenize(key.value, rules)
    overlap = sum((Counter(given) & Counter(reference)).values())
    if not overlap:
        return TranscriptionScore(
            edit_similarity(given, reference), Fraction(0), Fraction(0), Fraction(0)
        )
    return TranscriptionScore(
        ned=edit_similarity(given, reference),
        precision=Fraction(overlap, len(given)),
        recall=Fraction(overlap, len(reference)),
        char_f1=Fraction(2 * overlap, len(given) + len(reference)),
    )


def edit_similarity(first: Sequence[str], second: Sequence[str]) -> Fraction:
    """Give 1 − Levenshtein distance / the longer length, over token lists.

    Two empty lists are equal: 1.

    >>> str(edit_similarity("甲乙丙丁", "丁丙乙甲"))
    '0'
    >>> str(edit_similarity("", ""))
    '1'
    """
    longer = max(len(first), len(second))
    if not longer:
        return Fraction(1)
    return 1 - Fraction(Levenshtein.distance(list(first), list(second)), longer)


def macro_mean(groups: Mapping[str, Sequence[Fraction]]) -> Fraction:
    """Average the groups' means, each group counting the same whatever its size.

    Parameters
    ----------
    groups : mapping of group name to scores
        Every group must hold at least one score; leave an empty group out.

    Returns
    -------
    Fraction
        The overall score of a transcription benchmark: the unweighted mean over its media.

    Raises
    ------
    ValueError
        When there is no group, or one without scores.

    Examples
    --------
    >>> str(macro_mean({"seals": [Fraction(1)], "stele": [Fraction(0), Fraction(0), Fraction(0)]}))
    '1/2'
    """
    if not groups or not all(groups.values()):
        raise ValueError("every group needs at least one score")
    means = [sum(scores, Fraction(0)) / len(scores) for scores in groups.values()]
    return sum(means, Fraction(0)) / len(means)


ONE = Fraction(1)
ZERO = Fraction(0)


@dataclass(frozen=True)
class Score:
    """How near an answer is to its key, each measure an exact fraction in [0, 1].

    `within_one` is None unless the answer is a count; `ned` and `char_f1` unless it is a text.
    """

    exact_match: Fraction
    precision: Fraction
    recall: Fraction
    f1: Fraction
    jaccard: Fraction
    within_one: Fraction | None = None
    ned: Fraction | None = None
    char_f1: Fraction | None = None


def score(answer: NormalizedAnswer, key: NormalizedAnswer, answer_format: AnswerFormat) -> Score:
    """Score a normalised answer against a normalised key.

    Label, yes-or-no and count answers are sets of one, so that F1 equals exact match. An
    invalid answer scores 0 everywhere and stays in every denominator.

    Parameters
    ----------
    answer, key : NormalizedAnswer
        The key must be valid.
    answer_format : AnswerFormat
        Any but text, which `analysis.scoring.scores` scores.

    Returns
    -------
    Score
        Two empty sets agree fully; an empty set against another scores 0.

    Notes
    -----
    Precision |A∩K|/|A|, recall |A∩K|/|K|, F1 2|A∩K|/(|A|+|K|), Jaccard |A∩K|/|A∪K|; W1 is
    whether a count is off by one at most (the benchmark's appendices C and D).

    Examples
    --------
    >>> from sampling.answers.normalization import NormalizedAnswer, ScoringStatus
    >>> answer = NormalizedAnswer(ScoringStatus.VALID, ("cracks", "stains"))
    >>> key = NormalizedAnswer(ScoringStatus.VALID, ("cracks",))
    >>> found = score(answer, key, AnswerFormat.MULTI)
    >>> str(found.exact_match), str(found.precision), str(found.f1)
    ('0', '1/2', '2/3')
    """
    counted = answer_format is AnswerFormat.COUNT
    if answer.status is ScoringStatus.INVALID:
        return Score(ZERO, ZERO, ZERO, ZERO, ZERO, ZERO if counted else None)
    found = score_sets(_as_set(answer.value), _as_set(key.value))
    if not counted:
        return found
    near = isinstance(answer.value, int) and isinstance(key.value, int)
    within = ONE if near and abs(answer.value - key.value) <= 1 else ZERO  # type: ignore[operator]
    return Score(found.exact_match, found.precision, found.recall, found.f1, found.jaccard, within)


def score_sets(answer: frozenset[str | int], key: frozenset[str | int]) -> Score:
    """Score one set of labels against another.

    >>> nothing = frozenset()
    >>> str(score_sets(nothing, nothing).f1), str(score_sets(frozenset("a"), nothing).f1)
    ('1', '0')
    """
    shared = len(answer & key)
    if not answer and not key:
        return Score(ONE, ONE, ONE, ONE, ONE)
    if not shared:
        return Score(ZERO, ZERO, ZERO, ZERO, ZERO)
    return Score(
        exact_match=ONE if answer == key else ZERO,
        precision=Fraction(shared, len(answer)),
        recall=Fraction(shared, len(key)),
        f1=Fraction(2 * shared, len(answer) + len(key)),
        jaccard=Fraction(shared, len(answer | key)),
    )


def _as_set(value: str | int | tuple[str, ...] | None) -> frozenset[str | int]:
    if value is None:
        return frozenset()
    return frozenset(value) if isinstance(value, tuple) else frozenset((value,))
