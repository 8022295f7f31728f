"""What goes wrong: sizes of counting errors, commonest confusions, kinds of error by category.

What invalid answers cost: the gap under strict and lenient reading, before normalisation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import pandas as pd

from analysis.scoring.exact import exact_mean, percent, percent_or_empty
from analysis.scoring.scored import ScoredStudy
from analysis.table11.breakdowns import Evaluator, answer_evaluators
from analysis.table11.table11 import HUMAN
from sampling.answers.model_output import unwrap
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


def gap_decomposition(scored: ScoredStudy) -> list[Row]:
    """Split each EM gap into what remains under lenient reading and what reading leniently gives.

    A form cannot give an invalid answer and a model can, so a part of the gap may be about
    formatting: gap = [human - model, lenient] + [model, lenient - strict]. All on the questions
    that both answered; `em_valid` is over the model's valid answers alone, and `gap_valid` the
    gap to it, on the questions of these.
    """
    rows = []
    human = scored.responses
    for one in answer_evaluators(scored):
        if one.name == HUMAN:
            continue
        shared = set(one.frame["sample_id"]) & set(human["sample_id"])
        model = one.frame[one.frame["sample_id"].isin(shared)]
        people = exact_mean(human[human["sample_id"].isin(shared)]["exact_match"])
        strict = exact_mean(model["exact_match"])
        lenient = exact_mean(model["lenient_exact_match"])
        invalid = (model["scoring_status"] == ScoringStatus.INVALID.value).to_numpy(dtype=bool)
        valid = model[~invalid]
        of_valid = human[human["sample_id"].isin(set(valid["sample_id"]))]
        em_valid = exact_mean(valid["exact_match"])
        cells = {
            "human_em": people,
            "model_em": strict,
            "model_em_lenient": lenient,
            "gap": _minus(people, strict),
            "gap_lenient": _minus(people, lenient),
            "gap_from_reading": _minus(lenient, strict),
            "invalid": Fraction(int(invalid.sum()), len(model)) if len(model) else None,
            "em_valid": em_valid,
            "gap_valid": _minus(exact_mean(of_valid["exact_match"]), em_valid),
        }
        rows.append(
            {
                "evaluator": one.name,
                "condition": one.condition,
                "n_questions": str(len(shared)),
                "n_invalid": str(int(invalid.sum())),
                **{name: percent_or_empty(value) for name, value in cells.items()},
            }
        )
    return rows


def normalization_effect(scored: ScoredStudy) -> list[Row]:
    """Show EM before normalisation, under the strict policy and under the lenient one.

    `em_before` compares what was given, character by character, with the key as it is written
    (a set of labels as a list in any order, or joined by a comma and a space); `em_unwrapped`
    the same after a code fence or `{"answer": ...}` is taken off.
    """
    rows = []
    for one in answer_evaluators(scored):
        column = "raw_response" if one.name == HUMAN else "raw_prediction"
        keys = one.frame["sample_id"].map(scored.questions["ground_truth"])
        cells = {
            "em_before": written_like(one.frame[column], keys),
            "em_unwrapped": written_like(map(unwrap, one.frame[column]), keys),
            "em": exact_mean(one.frame["exact_match"]),
            "em_lenient": exact_mean(one.frame["lenient_exact_match"]),
        }
        rows.append(
            {
                "evaluator": one.name,
                "condition": one.condition,
                "n": str(len(one.frame)),
                **{name: percent_or_empty(value) for name, value in cells.items()},
            }
        )
    return rows


def written_like(answers: Iterable[Any], keys: Iterable[Any]) -> Fraction | None:
    """Give the share of answers that are their keys without any normalisation."""
    same = [is_written_like(answer, key) for answer, key in zip(answers, keys, strict=True)]
    return Fraction(sum(same), len(same)) if same else None


def is_written_like(raw: Any, key: Any) -> bool:
    """Tell whether a raw answer is its key without any normalisation.

    >>> is_written_like("Khmer", "Khmer"), is_written_like("khmer", "Khmer")
    (True, False)
    >>> is_written_like(["b", "a"], ("a", "b")), is_written_like("a, b", ("a", "b"))
    (True, True)
    >>> is_written_like("4", 4), is_written_like(4, 4), is_written_like(True, 1)
    (True, True, False)
    """
    if isinstance(raw, bool):
        return False
    if isinstance(key, tuple):
        if isinstance(raw, list):
            return sorted(map(str, raw)) == sorted(key)
        return bool(raw == ", ".join(key))
    return str(raw) == str(key) if isinstance(raw, str | int) else False


def _minus(first: Fraction | None, second: Fraction | None) -> Fraction | None:
    return None if first is None or second is None else first - second
