"""Who is compared: people, and each model in each of its prompt conditions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from analysis.scoring.scored import ScoredStudy
from analysis.table11.table11 import HUMAN


@dataclass(frozen=True)
class Evaluator:
    """People or one model in one condition, with the scored rows.

    `condition` is empty for people; `headline` is whether Table 11 takes these rows.
    """

    name: str
    condition: str
    frame: pd.DataFrame
    headline: bool = True


def evaluators(scored: ScoredStudy) -> Iterator[Evaluator]:
    """Yield people first, then the models in order, each with its headline condition first.

    The headline of a model with several declared runs is their mean; each run is a condition.
    """
    yield Evaluator(HUMAN, "", scored.responses)
    for name, headline in scored.predictions.items():
        held = {
            condition: frame
            for (model, condition), frame in scored.conditions.items()
            if model == name
        }
        first = next((one for one, frame in held.items() if frame is headline), "")
        yield Evaluator(name, first, headline)
        for condition in sorted(held):
            if condition != first:
                yield Evaluator(name, condition, held[condition], headline=False)


def answer_evaluators(scored: ScoredStudy) -> Iterator[Evaluator]:
    """Yield the evaluators whose rows are answers: each run of a model, but not their mean."""
    for one in evaluators(scored):
        if one.headline and (runs := scored.repeats.get(one.name)):
            yield Evaluator(one.name, runs[0], scored.conditions[one.name, runs[0]])
        elif one.headline or one.condition != scored.repeats.get(one.name, ("",))[0]:
            yield one
