"""What invalid answers cost: the gap under strict and lenient reading, before normalisation."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from analysis.scoring.exact_means import exact_mean
from analysis.scoring.percentages import percent_or_empty
from analysis.scoring.scored import ScoredStudy
from analysis.table11.evaluators import answer_evaluators
from analysis.table11.table11 import HUMAN
from sampling.answers.normalization import ScoringStatus
from sampling.answers.transport import unwrap

Row = dict[str, str]


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
