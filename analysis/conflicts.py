"""The audit of exclusions: answers given by somebody who had a part in that question's key."""

from __future__ import annotations

from analysis.question_index import read_question_index
from analysis.scored import ScoredStudy
from sampling.annotators import read_annotators
from sampling.exclusions import excluded_pairs
from sampling.question_files import read_questions
from sampling.roster import read_roster
from sampling.study_folder import StudyFolder


def conflicting_answers(study: StudyFolder, scored: ScoredStudy) -> list[tuple[str, str]] | None:
    """List (participant, question) of every answer that the exclusion rule forbids.

    None where the study has no annotators file or no roster: then nothing can be said.
    """
    annotators = study.annotators_file
    if annotators is None or not annotators.is_file() or not study.roster_file.is_file():
        return None
    table = study.definition.assignment
    images = {}
    if table.exclude_scope == "image":
        asked = read_question_index(study).questions
        images = {question.sample_id: question.image_name for question in asked}
    barred = excluded_pairs(
        read_roster(study.roster_file),
        read_annotators(annotators),
        read_questions(study.questions_file),
        table.exclude_roles,
        table.exclude_scope,
        images,
    )
    responses = scored.responses
    given = zip(responses["participant"], responses["sample_id"], strict=True)
    return sorted(set(given) & barred)
