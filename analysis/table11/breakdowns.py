"""Scores by group: category, collection, task type, cardinality, participant, and overall.

Who is compared: people, and each model in each of its prompt conditions.
`transcriptions.csv`: every evaluator's texts, as scored and as the protocol means them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import pandas as pd

from analysis.scoring.exact import exact_mean, percent_or_empty
from analysis.scoring.scored import ScoredStudy
from analysis.table11.table11 import HUMAN, TEXT_MEASURES, mean_of, measures_of
from sampling.answers.normalization import ScoringStatus
from sampling.answers.vocabularies import AnswerFormat


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


Row = dict[str, str]
# Printed column and the score it is the mean of.
COLUMNS = {
    "em": "exact_match",
    "precision": "precision",
    "recall": "recall",
    "f1": "f1",
    "jaccard": "jaccard",
    "w1": "within_one",
}
LENIENT_COLUMNS = {"lenient_em": "lenient_exact_match", "lenient_f1": "lenient_f1"}
TEXT_COLUMNS = {
    "ned": "ned",
    "char_f1": "char_f1",
    "lenient_ned": "lenient_ned",
    "lenient_char_f1": "lenient_char_f1",
}
GROUPINGS = {
    "by_category": "category",
    "by_collection": "script_name",
    "by_task_type": "question_type",
    "by_cardinality": "cardinality",
}


def breakdown(scored: ScoredStudy, field: str, names: Mapping[str, str] | None = None) -> list[Row]:
    """Average every score within the groups of a question field, for every evaluator.

    `names` gives the name that is printed for a group. Groups stand in its order, those that it
    does not name after them, sorted; a group that an evaluator has no answer in is left out.
    A model's further conditions have the gain of its headline one over them, group by group.
    """
    named = names or {}
    of_question = scored.questions[field].map(lambda value: named.get(value, value))
    place = in_order(named)
    found = list(evaluators(scored))
    headlines = {one.name: one for one in found if one.headline}
    return [
        _row(one, group, part, scored) | dict(_gains(one.headline, part, headlines[one.name].frame))
        for one in found
        for group, part in sorted(
            (
                (str(group), part)
                for group, part in one.frame.groupby(one.frame["sample_id"].map(of_question))
            ),
            key=lambda found: place(found[0]),
        )
    ]


def in_order(names: Mapping[str, str]) -> Callable[[str], tuple[int, str]]:
    """Give a sort key for printed names: as they are declared, the others after them, sorted.

    >>> sorted(["b", "Seal", "a", "Oracle"], key=in_order({"o": "Oracle", "s": "Seal"}))
    ['Oracle', 'Seal', 'a', 'b']
    """
    places = {name: place for place, name in enumerate(names.values())}
    return lambda name: (places.get(name, len(places)), name)


def by_participant(scored: ScoredStudy) -> list[Row]:
    """Average each participant's answers, and each model on that participant's questions."""
    rows = []
    people = list(scored.responses.groupby("participant", sort=True))
    for one in evaluators(scored):
        for participant, answered in people:
            if one.name == HUMAN:
                part = answered
            else:
                part = one.frame[one.frame["sample_id"].isin(set(answered["sample_id"]))]
            rows.append(_row(one, str(participant), part, scored))
    return rows


def _row(one: Evaluator, group: str, part: pd.DataFrame, scored: ScoredStudy) -> Row:
    return {
        "evaluator": one.name,
        "condition": one.condition,
        "group": group,
        "n": str(len(part)),
        **{name: percent_or_empty(mean) for name, mean in means(part).items()},
        **extra_cells(part, scored),
    }


def means(part: pd.DataFrame) -> dict[str, Fraction | None]:
    """Average the six scores of the contract exactly."""
    return {name: exact_mean(part[column]) for name, column in COLUMNS.items()}


def extra_cells(part: pd.DataFrame, scored: ScoredStudy) -> Row:
    """Give the columns after the contract's: counts, invalid answers, lenient scores, texts."""
    formats = part["sample_id"].map(scored.questions["answer_format"])
    counts = part[(formats == AnswerFormat.COUNT.value).to_numpy(dtype=bool)]
    cells = {
        "n_w1": str(len(counts)),
        "count_exact": percent_or_empty(exact_mean(counts["exact_match"])),
        "n_invalid": count_invalid(part["scoring_status"]),
        **{
            name: percent_or_empty(exact_mean(part[column]))
            for name, column in LENIENT_COLUMNS.items()
        },
    }
    return cells | {
        name: percent_or_empty(exact_mean(part[column]))
        for name, column in TEXT_COLUMNS.items()
        if column in part
    }


def count_invalid(statuses: pd.Series) -> str:
    """Count the invalid answers; empty where the rows are no answers but means of runs."""
    if len(statuses) and not statuses.astype(bool).any():
        return ""
    return str(int((statuses == ScoringStatus.INVALID.value).sum()))


def conditions(scored: ScoredStudy) -> list[Row]:
    """Show each prompt condition of each model and the headline condition's gain over it.

    Gains are exact differences on the questions that were answered in both. Scores of texts are
    means of the categories' means, as in Table 11.
    """
    found = list(evaluators(scored))
    headlines = {one.name: one for one in found if one.headline}
    categories = scored.questions["category"]
    rows = []
    for one in found:
        if one.name == HUMAN:
            continue
        base = headlines[one.name]
        shared = set(one.frame["sample_id"]) & set(base.frame["sample_id"])
        row = {"evaluator": one.name, "condition": one.condition, "n": str(len(one.frame))}
        shown = _shown_means(one.frame, categories)
        row |= {name: percent_or_empty(mean) for name, mean in shown.items()}
        row["headline_condition"] = base.condition
        row["n_shared"] = "" if one.headline else str(len(shared))
        row |= dict(_gains(one.headline, one.frame, base.frame, categories))
        rows.append(row)
    return rows


def _gains(
    headline: bool,
    frame: pd.DataFrame,
    base: pd.DataFrame,
    categories: pd.Series[str] | None = None,
) -> Iterator[tuple[str, str]]:
    """Yield how much better the headline's answers are than these, to the same questions."""
    if headline:
        yield from ((f"{name}_gain", "") for name in ("em", "f1", "w1"))
        return
    shared = set(frame["sample_id"]) & set(base["sample_id"])
    first = _shown_means(base[base["sample_id"].isin(shared)], categories)
    second = _shown_means(frame[frame["sample_id"].isin(shared)], categories)
    for name, high in first.items():
        low = second[name]
        gain = None if low is None or high is None else high - low
        yield f"{name}_gain", percent_or_empty(gain)


def _shown_means(
    frame: pd.DataFrame, categories: pd.Series[str] | None
) -> dict[str, Fraction | None]:
    """Average the scores that are compared; of texts the categories' means, where given."""
    found = {name: exact_mean(frame[COLUMNS[name]]) for name in ("em", "f1", "w1")}
    for measure in TEXT_MEASURES:
        if measure.column in frame:
            found[measure.name] = (
                exact_mean(frame[measure.column])
                if categories is None
                else mean_of(frame, measure, categories)
            )
    return found


def model_groups(scored: ScoredStudy, groups: Mapping[str, str]) -> list[Row]:
    """Average the models of each declared group, each model weighing the same."""
    rows = []
    of_category, measures = scored.questions["category"], measures_of(scored.questions)
    for group in sorted(set(groups.values())):
        members = [name for name in scored.predictions if groups.get(name) == group]
        ems = _known(means(scored.predictions[name])["em"] for name in members)
        rows.append(
            {
                "group": group,
                "n_models": str(len(members)),
                "em_mean": percent_or_empty(_mean(ems)),
                "em_lowest": percent_or_empty(min(ems, default=None)),
                "em_highest": percent_or_empty(max(ems, default=None)),
                **{
                    f"{text.name}_mean": percent_or_empty(
                        _mean(
                            _known(
                                mean_of(scored.predictions[name], text, of_category)
                                for name in members
                            )
                        )
                    )
                    for text in TEXT_MEASURES
                    if text in measures
                },
                "models": "; ".join(members),
            }
        )
    return rows


def _known(means: Iterable[Fraction | None]) -> list[Fraction]:
    return [mean for mean in means if mean is not None]


def _mean(values: Sequence[Fraction]) -> Fraction | None:
    return sum(values, Fraction(0)) / len(values) if values else None


def transcriptions(scored: ScoredStudy) -> list[Row]:
    """Average each evaluator's scores of texts, the categories weighing the same.

    `ned` and `char_f1` are the benchmark's own scores. `consistent_ned` and `consistent_char_f1`
    are secondary: runs of damage squares are one, declared variants of a character are the same.
    `n_empty` counts the texts that hold nothing that is scored, such as those of people who could
    read nothing; they score 0 and stay in every mean.
    """
    texts = scored.questions.index[scored.questions["answer_format"] == AnswerFormat.TEXT.value]
    categories = scored.questions["category"]
    rows = []
    for one in answer_evaluators(scored):
        frame = one.frame[one.frame["sample_id"].isin(texts)]
        if frame.empty:
            continue
        consistent = [
            replace(measure, column=f"lenient_{measure.column}") for measure in TEXT_MEASURES
        ]
        rows.append(
            {
                "evaluator": one.name,
                "condition": one.condition,
                "n": str(len(frame)),
                "n_empty": str(sum(answer == "" for answer in frame["normalized"])),
                **{
                    measure.name: percent_or_empty(mean_of(frame, measure, categories))
                    for measure in TEXT_MEASURES
                },
                **{
                    f"consistent_{measure.name}": percent_or_empty(
                        mean_of(frame, measure, categories)
                    )
                    for measure in consistent
                },
            }
        )
    return rows
