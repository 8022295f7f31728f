"""Table 11: human and models side by side, every number an exact fraction until it is printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

import pandas as pd

from analysis.scoring.exact import (
    exact_mean,
    exact_mean_of_groups,
    exact_question_means,
    percent_or_empty,
)
from analysis.scoring.runs import missing_as_wrong
from analysis.scoring.scored import ScoredStudy
from analysis.table11.pair_agreement import category_agreement, macro_agreement
from sampling.answers.vocabularies import AnswerFormat

HUMAN = "Human"
# The kind of a row whose numbers were typed in from a paper.
REPORTED = "reported"
# The kind of the row under a model's own in which the answers it did not give are wrong ones.
MISSING_WRONG = "missing_wrong"


@dataclass(frozen=True)
class Measure:
    """One column of Table 11: a score, its short name, and how to average it.

    `macro` averages the categories' means instead of the answers.
    """

    column: str
    name: str
    title: str
    count: str
    macro: bool = False


LABEL_MEASURES = (
    Measure("exact_match", "em", "EM", "n_em"),
    Measure("f1", "f1", "F1", "n_em"),
    Measure("within_one", "w1", "W1", "n_w1"),
)
TEXT_MEASURES = (
    Measure("ned", "ned", "NED", "n_text", macro=True),
    Measure("char_f1", "char_f1", "Char. F1", "n_text", macro=True),
)


@dataclass(frozen=True)
class Table11Row:
    """One evaluator. Every mapping goes from a measure's name; None is "does not apply".

    `gaps` are human minus model on the questions that both answered: `shared_questions` of
    them, with `shared_responses` human answers. `question_means` average each question first.
    `model` is whose row it is where that is not the evaluator's own name.
    """

    evaluator: str
    kind: str
    counts: Mapping[str, int]
    means: Mapping[str, Fraction | None]
    question_means: Mapping[str, Fraction | None]
    agreement: Fraction | None = None
    gaps: Mapping[str, Fraction | None] = field(default_factory=dict)
    question_gaps: Mapping[str, Fraction | None] = field(default_factory=dict)
    shared_questions: int | None = None
    shared_responses: int | None = None
    group: str | None = None
    model: str | None = None


@dataclass(frozen=True)
class Table11:
    """The table, its measures and the notes that belong under it.

    `balanced` is whether every question has the same number of answers: only then is it the
    table of the paper, and are the mean over answers and over questions the same.
    """

    measures: tuple[Measure, ...]
    rows: tuple[Table11Row, ...]
    balanced: bool
    notes: tuple[str, ...]


def build_table11(scored: ScoredStudy, groups: Mapping[str, str] | None = None) -> Table11:
    """Compute Table 11.

    Parameters
    ----------
    scored : ScoredStudy
    groups : mapping of model name to its group, optional

    Returns
    -------
    Table11
        The human row first (mean over answers, never a majority), then the models in the order
        of `scored.predictions`. Gaps are exact differences on the shared questions. Under a model
        that did not answer every question stands a row in which those answers are wrong.

    Examples
    --------
    >>> questions = pd.DataFrame(
    ...     {"category": ["Script"] * 2, "answer_format": ["single"] * 2}, index=["q1", "q2"])
    >>> scores = {"exact_match": [1.0, 0.0], "f1": [1.0, 0.0], "within_one": [float("nan")] * 2}
    >>> people = pd.DataFrame({"sample_id": ["q1", "q2"], "normalized": ["a", "b"], **scores})
    >>> table = build_table11(ScoredStudy(questions, people, {"A model": people[1:]}))
    >>> [str(row.means["em"]) for row in table.rows], str(table.rows[1].gaps["em"])
    (['1/2', '0', '0'], '0')
    """
    measures = measures_of(scored.questions)
    human = _human_row(scored, measures)
    models = [
        row
        for name, frame in scored.predictions.items()
        for row in _model_rows(scored, name, frame, measures, (groups or {}).get(name))
    ]
    per_question = scored.responses["sample_id"].value_counts()
    answers = per_question.reindex(scored.questions.index, fill_value=0)
    balanced = answers.nunique() <= 1
    notes = _notes(scored, models, answers)
    return Table11(measures, (human, *models), balanced, tuple(notes))


def measures_of(questions: pd.DataFrame) -> tuple[Measure, ...]:
    """Choose the measures: those of texts where something is transcribed, else of labels."""
    formats = set(questions["answer_format"])
    text = AnswerFormat.TEXT.value
    if formats == {text}:
        return TEXT_MEASURES
    return LABEL_MEASURES + TEXT_MEASURES if text in formats else LABEL_MEASURES


def mean_of(frame: pd.DataFrame, measure: Measure, categories: pd.Series[str]) -> Fraction | None:
    """Average one measure over rows, or over the categories' means where it is macro."""
    if measure.macro:
        return exact_mean_of_groups(frame[measure.column], frame["sample_id"].map(categories))
    return exact_mean(frame[measure.column])


def question_mean_of(
    frame: pd.DataFrame, measure: Measure, categories: pd.Series[str]
) -> Fraction | None:
    """Average each question's answers first, then the questions (within categories if macro)."""
    ids = frame["sample_id"]
    groups = ids.map(categories) if measure.macro else pd.Series("all", index=frame.index)
    means = exact_question_means(frame[measure.column], ids, groups)
    return sum(means.values(), Fraction(0)) / len(means) if means else None


def counts_of(frame: pd.DataFrame, measures: tuple[Measure, ...]) -> dict[str, int]:
    """Count the answers that each measure is taken over."""
    return {measure.count: int(frame[measure.column].notna().sum()) for measure in measures}


def _human_row(scored: ScoredStudy, measures: tuple[Measure, ...]) -> Table11Row:
    categories = scored.questions["category"]
    return Table11Row(
        evaluator=HUMAN,
        kind="human",
        counts=counts_of(scored.responses, measures),
        means={one.name: mean_of(scored.responses, one, categories) for one in measures},
        question_means={
            one.name: question_mean_of(scored.responses, one, categories) for one in measures
        },
        agreement=macro_agreement(category_agreement(scored)),
    )


def missing_name(model: str) -> str:
    """Name the row in which a model's missing answers count as wrong."""
    return f"{model} (missing counted as wrong)"


def _model_rows(
    scored: ScoredStudy,
    name: str,
    frame: pd.DataFrame,
    measures: tuple[Measure, ...],
    group: str | None,
) -> list[Table11Row]:
    """Compute a model's row and, where answers are missing, the one that counts them as wrong."""
    row = _model_row(scored, name, frame, measures, group)
    filled = missing_as_wrong(scored, name)
    if filled is None:
        return [row]
    whole = _model_row(scored, missing_name(name), filled, measures, group)
    return [row, replace(whole, kind=MISSING_WRONG, model=name)]


def _model_row(
    scored: ScoredStudy,
    name: str,
    frame: pd.DataFrame,
    measures: tuple[Measure, ...],
    group: str | None,
) -> Table11Row:
    categories = scored.questions["category"]
    shared = set(frame["sample_id"]) & set(scored.responses["sample_id"])
    human = scored.responses[scored.responses["sample_id"].isin(shared)]
    model = frame[frame["sample_id"].isin(shared)]
    return Table11Row(
        evaluator=name,
        kind="model",
        counts=counts_of(frame, measures),
        means={one.name: mean_of(frame, one, categories) for one in measures},
        question_means={one.name: mean_of(frame, one, categories) for one in measures},
        gaps={
            one.name: _difference(mean_of(human, one, categories), mean_of(model, one, categories))
            for one in measures
        },
        question_gaps={
            one.name: _difference(
                question_mean_of(human, one, categories), mean_of(model, one, categories)
            )
            for one in measures
        },
        shared_questions=len(shared),
        shared_responses=len(human),
        group=group,
    )


def _difference(first: Fraction | None, second: Fraction | None) -> Fraction | None:
    return None if first is None or second is None else first - second


def _notes(scored: ScoredStudy, models: list[Table11Row], answers: pd.Series[int]) -> list[str]:
    """Say what a reader must know: unequal numbers of answers, models on fewer questions."""
    notes = []
    if answers.nunique() > 1:
        spread = answers.value_counts().sort_index()
        held = ", ".join(f"{count} with {number}" for number, count in spread.items())
        notes.append(
            f"Questions have unequal numbers of answers ({held}): scores are means over answers, "
            "from which means over questions differ. This is not the paper's Table 11."
        )
    for row in models:
        if row.kind == MISSING_WRONG:
            continue
        missing = len(scored.questions) - row.counts.get("n_em", row.counts.get("n_text", 0))
        if missing or row.shared_questions != len(scored.questions):
            notes.append(
                f"{row.evaluator} answered {len(scored.questions) - missing} of "
                f"{len(scored.questions)} questions; its gaps are taken on the "
                f"{row.shared_questions} questions that both answered "
                f"({row.shared_responses} human answers)."
            )
        notes += _notes_on_runs(scored, row.evaluator)
    if any(row.kind == MISSING_WRONG for row in models):
        notes.append(
            "Missing counted as wrong: every question that the model was to answer, 0 for each "
            "answer that it did not give."
        )
    return notes


def _notes_on_runs(scored: ScoredStudy, name: str) -> list[str]:
    """Say that a row is a mean over runs, what each came to, and which of them lack answers."""
    runs = scored.repeats.get(name, ())
    if not runs:
        return []
    frames = scored.runs_of(name)
    measure = measures_of(scored.questions)[0]
    categories = scored.questions["category"]
    each = ", ".join(
        percent_or_empty(mean_of(frame, measure, categories)) or "none" for frame in frames
    )
    lacking = [len(scored.questions) - len(frame) for frame in frames]
    missing = f" Answers missing by run: {', '.join(map(str, lacking))}." if any(lacking) else ""
    note = f"{name}: the mean over {len(runs)} declared runs ({measure.title} {each})."
    return [f"{note}{missing}"]
