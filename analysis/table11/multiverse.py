"""The multiverse: Table 11's exact match and gaps under every defensible choice of exclusion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import pandas as pd

from analysis.scoring.answer_order import answer_order
from analysis.scoring.percentages import percent_or_empty
from analysis.scoring.scored import ScoredStudy
from analysis.table11.conflicts import KeyMakers
from analysis.table11.table11 import Measure, mean_of, measures_of
from sampling.study.definition import StudyDefinition

FIRST_POSITIONS = 5


@dataclass(frozen=True)
class Choice:
    """One way to analyse: what was left out, what is left, and what comes out.

    `mean` is people's exact match (normalised edit similarity in a text study); `gaps` maps a
    model to the difference on the questions that both answered, None where there are none.
    """

    name: str
    responses: int
    questions: int
    mean: Fraction | None
    gaps: Mapping[str, Fraction | None]


def multiverse(
    scored: ScoredStudy, definition: StudyDefinition, makers: KeyMakers | None = None
) -> list[Choice]:
    """Compute the headline under each choice, the one of Table 11 first.

    Parameters
    ----------
    scored : ScoredStudy
    definition : says how many responses make a question complete, and which answers are too fast
    makers : who had a part in keys, where the study's files tell

    Returns
    -------
    list of Choice
        A choice that leaves nothing out, or everything, is not listed; nor is one that leaves out
        the same answers as another before it.
    """
    people = scored.responses
    headline = measures_of(scored.questions)[0]
    lenient = replace(headline, column=f"lenient_{headline.column}")
    choices = [
        _choice("all responses (Table 11)", people, scored, headline),
        _choice(
            "protocol-consistent scoring" if headline.macro else "lenient scoring",
            people,
            scored,
            lenient,
        ),
    ]
    known: set[bytes] = set()
    for name, kept in _subsets(people, definition, makers):
        answers = people.index.isin(kept.index).tobytes()
        if 0 < len(kept) < len(people) and answers not in known:
            choices.append(_choice(name, kept, scored, headline))
        known.add(answers)
    return choices


def multiverse_rows(choices: Sequence[Choice]) -> list[dict[str, str]]:
    """Lay the choices out for `multiverse.csv`: one row a choice and model."""
    return [
        {
            "choice": choice.name,
            "n": str(choice.responses),
            "n_questions": str(choice.questions),
            "human": percent_or_empty(choice.mean),
            "model": model,
            "gap": percent_or_empty(gap),
        }
        for choice in choices
        for model, gap in (choice.gaps or {"": None}).items()
    ]


def _subsets(
    people: pd.DataFrame, definition: StudyDefinition, makers: KeyMakers | None
) -> Iterator[tuple[str, pd.DataFrame]]:
    responses_per_question = definition.assignment.responses_per_question
    too_fast_seconds = definition.server.too_fast_seconds
    sizes = people.groupby("sample_id")["participant"].transform("size")
    yield (
        f"only questions with {responses_per_question} responses",
        people[sizes == responses_per_question],
    )
    fast = people["active_seconds"] < too_fast_seconds
    yield f"without answers under {too_fast_seconds:g} s", people[~fast]
    order = answer_order(people, definition.assignment.questions_per_session)
    yield (
        f"without each person's first {FIRST_POSITIONS} answers",
        people[~(order.position <= FIRST_POSITIONS)],
    )
    if makers is not None:
        yield from _without_key_makers(people, makers)
    for participant in sorted(set(people["participant"])):
        yield f"without {participant}", people[people["participant"] != participant]


def _without_key_makers(
    people: pd.DataFrame, makers: KeyMakers
) -> Iterator[tuple[str, pd.DataFrame]]:
    """Leave out answers of those who had a part in keys, by the rule and by wider ones."""
    pairs = pd.Series(
        list(zip(people["participant"], people["sample_id"], strict=True)), index=people.index
    )
    for name, answers in (
        ("without answers that the rule of exclusion forbids", makers.forbidden),
        ("without answers to a question whose key the person had a part in", makers.own_question),
        ("without answers about an image whose keys the person had a part in", makers.own_image),
    ):
        yield name, people[~pairs.isin(answers)]
    yield (
        "without participants who have an annotator id (the benchmark's team)",
        people[~people["participant"].isin(makers.team)],
    )


def _choice(name: str, people: pd.DataFrame, scored: ScoredStudy, measure: Measure) -> Choice:
    categories = scored.questions["category"]
    gaps = {}
    for model, predictions in scored.predictions.items():
        shared = set(people["sample_id"]) & set(predictions["sample_id"])
        human = mean_of(people[people["sample_id"].isin(shared)], measure, categories)
        machine = mean_of(predictions[predictions["sample_id"].isin(shared)], measure, categories)
        gaps[model] = None if human is None or machine is None else human - machine
    mean = mean_of(people, measure, categories)
    return Choice(name, len(people), people["sample_id"].nunique(), mean, gaps)
