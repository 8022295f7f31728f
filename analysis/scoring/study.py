"""Reading a study folder from its files alone and scoring everything in it by one scorer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.scoring.answer_order import with_planned_order
from analysis.scoring.basis import read_basis, read_question_index
from analysis.scoring.models import ScoredModel, score_models
from analysis.scoring.responses import ANSWERED, ResponseRows, read_response_rows
from analysis.scoring.scored import ScoredStudy, ScoringBasis, score_columns
from sampling.answers.normalization import ScoringStatus
from sampling.assignment.plan import read_plan
from sampling.assignment.roster import Participant, read_roster, same_identity
from sampling.input_checks import attempt
from sampling.study.errors import Problems, StudyError
from sampling.study.files import collection_paused
from sampling.study.folder import StudyFolder

SHOWN_LINES = 5
MOST_NAMED = 2


@collection_paused()
def score_study(study: StudyFolder) -> ScoredStudy:
    """Read the sample, the responses and every model's predictions, and score them.

    Raises
    ------
    StudyError
        When a file is missing or broken, a key is not in its vocabulary, a response is to a
        question outside the sample, or one participant answered a question twice. The faults of
        the responses and of every model are told at once.
    """
    try:
        basis = read_basis(study)
    except StudyError as error:
        problems = Problems()
        problems.extend(error)
        attempt(problems, lambda: read_response_rows(study.responses_file))
        problems.raise_if_any()
        raise
    problems = Problems()
    people = attempt(problems, lambda: _responses(study, basis))
    models = attempt(problems, lambda: _models(study, basis))
    problems.raise_if_any()
    responses, flags = people or (pd.DataFrame(), ())
    models = models or ()
    return ScoredStudy(
        questions=basis.questions,
        responses=responses,
        predictions={model.name: model.by_condition[model.headline] for model in models},
        conditions={
            (model.name, condition): frame
            for model in models
            for condition, frame in model.by_condition.items()
        },
        repeats={model.name: model.repeats for model in models if len(model.repeats) > 1},
        outside={model.name: model.outside for model in models},
        warnings=(
            *flags,
            *(warning for model in models for warning in model.warnings),
        ),
        vocabularies=basis.vocabularies,
        text_rules=basis.text_rules,
    )


def _responses(study: StudyFolder, basis: ScoringBasis) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Read and score the responses, with what is odd about them."""
    name = study.responses_file.name
    rows = read_response_rows(study.responses_file)
    responses = score_responses(rows, basis, name)
    if study.assignment_file.is_file():
        responses = with_planned_order(responses, read_plan(study.assignment_file))
    roster = read_roster(study.roster_file) if study.roster_file.is_file() else ()
    planned = study.definition.assignment.responses_per_question
    return responses, (
        *rows.warnings,
        *_strangers(responses, roster, name, study.roster_file.name),
        *odd_answers(responses, name),
        *_odd_indices(responses, planned, name),
        *_other_numbers(responses, basis, planned),
    )


def _models(study: StudyFolder, basis: ScoringBasis) -> tuple[ScoredModel, ...]:
    """Score the models, if there are any; only they need the ids of the whole benchmark."""
    models = study.definition.models
    if all(model.predictions is None for model in models):
        return ()
    index = read_question_index(study)
    headline = study.definition.analysis.condition
    return score_models(models, study.root, index, basis, headline)


@collection_paused()
def score_responses(rows: ResponseRows, basis: ScoringBasis, name: str) -> pd.DataFrame:
    """Score the answered responses, sorted by question and response index.

    Raises
    ------
    StudyError
        When nothing was answered, or with every response to a question outside the sample and
        every second answer of one participant to one question.
    """
    answered = rows.frame[rows.frame["status"] == ANSWERED]
    if answered.empty:
        raise StudyError(f"{name}: no answered response; nothing can be analysed yet")
    positions = basis.questions.index.get_indexer(pd.Index(answered["sample_id"]))
    _check_answered(answered, positions, name)
    order = np.lexsort((answered["line"], answered["response_index"], positions))
    answered = answered.iloc[order].reset_index(drop=True)
    positions = positions[order].astype(np.int64)
    scored = score_columns(answered["raw_response"].to_list(), positions, basis)
    return pd.concat([answered.drop(columns="status"), scored], axis=1)


def _strangers(
    responses: pd.DataFrame, roster: Sequence[Participant], name: str, roster_name: str
) -> list[str]:
    """Flag answers of people who are not in the roster, where there is one, without names."""
    known = {same_identity(person.pseudonym) for person in roster}
    if not known:
        return []
    strangers = {one for one in set(responses["participant"]) if same_identity(one) not in known}
    lines = responses["line"][responses["participant"].isin(strangers)].sort_values()
    if not len(lines):
        return []
    who = "1 person is" if len(strangers) == 1 else f"{len(strangers)} people are"
    return [
        f"{name}: {who} not in {roster_name}, and analysed like the others (line {_shown(lines)})"
    ]


def odd_answers(responses: pd.DataFrame, name: str) -> list[str]:
    """Flag the answers that cannot be read and those with a label outside the vocabulary."""
    flags = []
    for status, one, several, what in (
        (ScoringStatus.INVALID, "cannot be read and is", "cannot be read and are", "scored wrong"),
        (ScoringStatus.VALID_OOV, "holds", "hold", "a label outside the vocabulary"),
    ):
        lines = responses["line"][responses["scoring_status"] == status.value].sort_values()
        if len(lines):
            verb = f"1 answer {one}" if len(lines) == 1 else f"{len(lines)} answers {several}"
            flags.append(f"{name}: {verb} {what} (line {_shown(lines)})")
    return flags


def _odd_indices(responses: pd.DataFrame, planned: int, name: str) -> list[str]:
    """Flag answers whose `response_index` is beyond those planned or stands twice."""
    flags = []
    index = responses["response_index"]
    repeated = responses.duplicated(["sample_id", "response_index"]) & index.notna()
    for odd, what in (
        (index > planned, f"response_index is beyond the {planned} planned"),
        (repeated, "a question has the response_index twice"),
    ):
        lines = responses["line"][odd].sort_values()
        if len(lines):
            rows = "1 row" if len(lines) == 1 else f"{len(lines)} rows"
            flags.append(f"{name}: {what} in {rows} (line {_shown(lines)})")
    return flags


def _shown(lines: pd.Series) -> str:
    """List the first few lines."""
    return ", ".join(map(str, lines[:SHOWN_LINES])) + (", ..." * (len(lines) > SHOWN_LINES))


def _other_numbers(responses: pd.DataFrame, basis: ScoringBasis, planned: int) -> list[str]:
    """Flag questions that have another number of answers than planned."""
    held = responses["sample_id"].value_counts().reindex(basis.questions.index, fill_value=0)
    other = held[held != planned].value_counts().sort_index()
    if other.empty:
        return []
    shown = ", ".join(f"{questions} with {answers}" for answers, questions in other.items())
    return [f"not every question has the {planned} answers planned: {shown}"]


def _check_answered(answered: pd.DataFrame, positions: NDArray[np.int64], name: str) -> None:
    problems = Problems()
    rows = answered[["line", "sample_id", "participant"]]
    for line, question, _ in rows[positions < 0].itertuples(index=False):
        what = f"question {question!r} is not in sample/questions.jsonl"
        problems.add(f"{name} line {line}", what, "responses to questions outside the sample")
    pairs = pd.DataFrame({"question": positions, "participant": answered["participant"].array})
    repeated = pairs.duplicated().to_numpy() & (positions >= 0)
    again = rows[repeated]
    for line, question, person in again.itertuples(index=False):
        what = f"{person} answered question {question!r} twice"
        if len(again) > MOST_NAMED:
            first, one = again["participant"].iloc[0], again["sample_id"].iloc[0]
            what = f"the same person answered the same question twice (first: {first}, {one!r})"
        problems.add(f"{name} line {line}", what, "second answers of one person")
    problems.raise_if_any()
