"""Overall scores under several weightings: answers, questions, categories, strata."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import pandas as pd

from analysis.predictions.joining import QuestionIndex
from analysis.scoring.exact import (
    exact_mean,
    exact_mean_of_groups,
    exact_question_means,
    percent_or_empty,
)
from analysis.scoring.scored import ScoredStudy
from analysis.table11.breakdowns import COLUMNS, TEXT_COLUMNS, Evaluator, evaluators, extra_cells

Row = dict[str, str]
ANSWERS = "answers"


@dataclass(frozen=True)
class Strata:
    """The stratum of each question, and how many questions of the benchmark each stratum has."""

    of_question: Mapping[str, str]
    size: Mapping[str, int]


def strata_of_manifest(manifest: Mapping[str, Any]) -> Strata:
    """Take the strata of `sample/manifest.json`."""
    names = {number: str(number) for number in range(len(manifest["strata"]))}
    return Strata(
        of_question={
            sample_id: names[number]
            for number, stratum in enumerate(manifest["strata"])
            for sample_id in stratum["drawn"]
        },
        size={names[number]: stratum["N"] for number, stratum in enumerate(manifest["strata"])},
    )


def strata_of_benchmark(fields: Sequence[str], index: QuestionIndex) -> Strata | None:
    """Count the strata in the benchmark itself, where a sample came without its manifest.

    None where a field of the strata is none of a question's, the benchmark is not there, or it
    does not hold every question of the sample.
    """
    known = all(hasattr(question, field) for question in index.questions[:1] for field in fields)
    if not (index.complete and known and index.sample <= set(index.by_id)):
        return None
    labels = {
        question.sample_id: " / ".join(str(getattr(question, field)) for field in fields)
        for question in index.questions
    }
    size = Counter(labels.values())
    drawn = {sample_id: labels[sample_id] for sample_id in sorted(index.sample)}
    return Strata(of_question=drawn, size={name: size[name] for name in sorted(size)})


def overall_scores(scored: ScoredStudy, strata: Strata | None = None) -> list[Row]:
    """Average each evaluator's scores in every way that has a meaning.

    `answers`: every answer weighs the same (the headline). `questions`: every question.
    `categories`: every category (the headline of texts). Where the strata are known also
    `balanced`, every stratum weighs the same, and `benchmark`, a stratum weighs as many questions
    as the benchmark has in it.
    """
    rows = []
    for one in evaluators(scored):
        for group, mean in _weightings(one, scored, strata):
            cells = {
                name: percent_or_empty(mean(one.frame[column]))
                for name, column in (COLUMNS | TEXT_COLUMNS).items()
                if column in one.frame
            }
            rows.append(
                {
                    "evaluator": one.name,
                    "condition": one.condition,
                    "group": group,
                    "n": str(len(one.frame)),
                    **(extra_cells(one.frame, scored) if group == ANSWERS else {}),
                    **cells,
                }
            )
    return rows


def _weightings(
    one: Evaluator, scored: ScoredStudy, strata: Strata | None
) -> Iterator[tuple[str, Callable[[pd.Series], Fraction | None]]]:
    """Yield each way to average an evaluator's scores."""
    ids = one.frame["sample_id"]
    category = ids.map(scored.questions["category"])
    together = pd.Series("", index=ids.index, dtype="str")
    yield ANSWERS, exact_mean
    yield "questions", partial(_of_questions, ids=ids, groups=together, sizes={})
    yield "categories", partial(exact_mean_of_groups, groups=category)
    if strata is not None:
        stratum = ids.map(strata.of_question)
        yield "balanced", partial(_of_questions, ids=ids, groups=stratum, sizes={})
        yield "benchmark", partial(_of_questions, ids=ids, groups=stratum, sizes=strata.size)


def _of_questions(
    scores: pd.Series, ids: pd.Series, groups: pd.Series, sizes: Mapping[str, int]
) -> Fraction | None:
    """Average questions within groups, then the groups by their sizes (1 where none is given)."""
    means = exact_question_means(scores, ids, groups)
    weights = {group: sizes.get(group, 1) for group in means}
    total = sum((mean * weights[group] for group, mean in means.items()), Fraction(0))
    return total / sum(weights.values()) if means else None
