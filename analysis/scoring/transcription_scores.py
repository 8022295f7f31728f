"""Scores of a transcription: normalised edit similarity and character F1 over token lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rapidfuzz.distance import Levenshtein

from sampling.answers.normalization import NormalizedAnswer
from sampling.answers.transcription import tokenize
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
