"""What goes wrong: sizes of counting errors, commonest confusions, kinds of error by category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pandas as pd

from analysis.scoring.percentages import percent
from analysis.scoring.scored import ScoredStudy
from analysis.table11.evaluators import Evaluator, answer_evaluators
from sampling.answers.normalization import ScoringStatus
from sampling.answers.vocabularies import AnswerFormat

Row = dict[str, str]
INVALID = "invalid"


def line_count_errors(scored: ScoredStudy) -> list[Row]:
    """Count how far each count is from its key: one row an absolute error, then the invalid.

    `signed_mean` and `absolute_mean` are over the valid answers of the evaluator, as exact
    decimals with two places; both are the same in each of its rows.
    """
    rows: list[Row] = []
    for one, answers in _answers(scored, {AnswerFormat.COUNT.value}):
        errors = [int(answer) - int(key) for answer, key, valid in answers if valid]
        sizes = Counter(abs(error) for error in errors)
        total = len(answers)
        found = [(str(size), sizes[size]) for size in range(max(sizes, default=-1) + 1)]
        found.append((INVALID, total - len(errors)))
        rows.extend(
            {
                "evaluator": one.name,
                "condition": one.condition,
                "absolute_error": size,
                "n": str(count),
                "percent": percent(Fraction(count, total)),
                "signed_mean": _two_places(sum(errors), len(errors)),
                "absolute_mean": _two_places(sum(map(abs, errors)), len(errors)),
            }
            for size, count in found
            if total
        )
    return rows


def confusions(scored: ScoredStudy) -> list[Row]:
    """List which answers are given for which keys, the commonest first within a category.

    For sets of labels each missed and each added label is a row of its own (`kind`), since
    whole sets seldom repeat; otherwise a row is a key and the wrong answer given for it.
    """
    labelled = {format_.value for format_ in AnswerFormat} - {AnswerFormat.TEXT.value}
    rows: list[Row] = []
    for one in answer_evaluators(scored):
        counted: Counter[tuple[str, str, str, str]] = Counter()
        merged = _merged(one, scored, labelled)
        for category, answer, key, status in zip(
            merged["category"],
            merged["normalized"],
            merged["ground_truth"],
            merged["scoring_status"],
            strict=True,
        ):
            valid = status != ScoringStatus.INVALID.value
            counted.update((str(category), *found) for found in _confused(answer, key, valid))
        ordered = sorted(counted.items(), key=lambda item: (item[0][0], -item[1], item[0]))
        rows.extend(
            {
                "evaluator": one.name,
                "condition": one.condition,
                "category": category,
                "kind": kind,
                "ground_truth": truth,
                "answer": answer,
                "n": str(count),
            }
            for (category, kind, truth, answer), count in ordered
        )
    return rows


def _confused(answer: object, key: object, valid: bool) -> Iterator[tuple[str, str, str]]:
    """Yield (kind, key, answer) for what is wrong in one answer."""
    if not valid:
        yield INVALID, _shown(key), ""
    elif isinstance(key, tuple) and isinstance(answer, tuple):
        yield from (("missed", str(label), "") for label in sorted(set(key) - set(answer)))
        yield from (("added", "", str(label)) for label in sorted(set(answer) - set(key)))
    elif answer != key:
        yield "confused", _shown(key), _shown(answer)


def error_counts(scored: ScoredStudy) -> list[Row]:
    """Count, by category, what is right, partly right, wrong, outside the vocabulary, invalid.

    The first three and `invalid` add up to `n`; `out_of_vocabulary` is among them.
    """
    rows: list[Row] = []
    for one in answer_evaluators(scored):
        category = one.frame["sample_id"].map(scored.questions["category"])
        for name, part in one.frame.groupby(category, sort=True):
            invalid = part["scoring_status"] == ScoringStatus.INVALID.value
            right = part["exact_match"] == 1
            partly = ~right & (part["f1"] > 0)
            wrong = ~right & ~partly & ~invalid
            outside = part["scoring_status"] == ScoringStatus.VALID_OOV.value
            counts = {
                "n": len(part),
                "right": int(right.sum()),
                "partly_right": int(partly.sum()),
                "wrong": int(wrong.sum()),
                "invalid": int(invalid.sum()),
                "out_of_vocabulary": int(outside.sum()),
            }
            rows.append(
                {"evaluator": one.name, "condition": one.condition, "category": str(name)}
                | {key: str(count) for key, count in counts.items()}
            )
    return rows


def invalid_reasons(scored: ScoredStudy) -> list[Row]:
    """Count the reasons for which answers are invalid."""
    rows: list[Row] = []
    for one in answer_evaluators(scored):
        reasons = Counter(reason for reason in one.frame["invalid_reason"] if reason)
        rows.extend(
            {
                "evaluator": one.name,
                "condition": one.condition,
                "reason": reason,
                "n": str(count),
            }
            for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
        )
    return rows


def _answers(
    scored: ScoredStudy, formats: set[str]
) -> Iterator[tuple[Evaluator, list[tuple[Any, Any, bool]]]]:
    """Yield each evaluator's answers of some formats, with key and whether they are valid."""
    for one in answer_evaluators(scored):
        merged = _merged(one, scored, formats)
        valid = merged["scoring_status"] != ScoringStatus.INVALID.value
        yield one, list(zip(merged["normalized"], merged["ground_truth"], valid, strict=True))


def _merged(one: Evaluator, scored: ScoredStudy, formats: set[str]) -> pd.DataFrame:
    """Put each answer beside its question."""
    wanted = scored.questions[scored.questions["answer_format"].isin(formats)]
    columns = ["sample_id", "normalized", "scoring_status"]
    return one.frame[columns].merge(
        wanted[["category", "ground_truth"]], left_on="sample_id", right_index=True, how="inner"
    )


def _shown(value: object) -> str:
    """Print a normalised answer: labels of a set joined by `; `."""
    return "; ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _two_places(total: int, count: int) -> str:
    """Print a mean with two decimals, half up, or nothing when there is none."""
    return percent(Fraction(total, count * 100)) if count else ""
