"""Reads what a plan rests on: the sample, the roster, and who may not answer what."""

from __future__ import annotations

from dataclasses import dataclass

from sampling.answers.transcription import text_lengths
from sampling.assignment.exclusions import excluded_pairs, explain_unmatched, unmatched_ids
from sampling.assignment.participants import Participant
from sampling.assignment.roster import read_roster
from sampling.benchmark.annotators import read_annotators
from sampling.benchmark.benchmark import read_benchmark
from sampling.benchmark.question_files import read_keys, read_questions
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder
from sampling.study.questions import Question


@dataclass(frozen=True)
class PlanInputs:
    """The sample, the people, and the pairs (pseudonym, sample_id) that are excluded."""

    questions: tuple[Question, ...]
    participants: tuple[Participant, ...]
    excluded: frozenset[tuple[str, str]]


def read_plan_inputs(study: StudyFolder) -> PlanInputs:
    """Read a study's sample and roster, and work out the exclusions of `[assignment]`."""
    if not study.questions_file.exists():
        raise StudyError("sample/questions.jsonl: not found; draw the sample with `lontar sample`")
    questions = read_questions(study.questions_file)
    participants = read_roster(study.roster_file)
    return PlanInputs(questions, participants, find_excluded(study, questions, participants))


def exclusion_notes(study: StudyFolder, inputs: PlanInputs) -> list[str]:
    """Say which annotator ids exclude nobody, or that the annotators file as a whole does not."""
    if study.annotators_file is None:
        return []
    unmatched = unmatched_ids(inputs.participants, read_annotators(study.annotators_file))
    notes = [f"note: {line}" for line in explain_unmatched(unmatched)]
    if inputs.excluded:
        return notes
    whole = (
        f"note: {study.annotators_file.name} keeps nobody from any question: no annotator_ids of "
        f"{study.roster_file.name} stand in it beside a question of the sample; "
        "`lontar check` says more"
    )
    return [*notes, whole]


def read_lengths(study: StudyFolder) -> dict[str, int] | None:
    """Read how long each question's reference text is, where `cost = "length"` asks for it.

    For commands on the coordinator's machine only: the server never reads keys.
    """
    if study.definition.assignment.cost == "count":
        return None
    return text_lengths(read_keys(study.keys_file), study.definition.text)


def find_excluded(
    study: StudyFolder, questions: tuple[Question, ...], participants: tuple[Participant, ...]
) -> frozenset[tuple[str, str]]:
    """Find who made, or saw, which key; with the scope `image`, through the whole benchmark."""
    if study.annotators_file is None:
        return frozenset()
    table = study.definition.assignment
    annotations = read_annotators(study.annotators_file)
    images = {question.sample_id: question.image_name for question in questions}
    if table.exclude_scope == "image":
        images |= {
            record.question.sample_id: record.question.image_name
            for record in read_benchmark(study).records
        }
    return excluded_pairs(
        participants, annotations, questions, table.exclude_roles, table.exclude_scope, images
    )
