"""What the simulated participants know: read from the study's files by their process alone."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from sampling.plan_files import read_plan
from sampling.question_files import read_keys, read_questions
from sampling.study_folder import StudyFolder
from sampling.vocabulary_files import read_vocabularies
from study_server.demonstration.answering import Intention
from study_server.demonstration.simulated import SimulatedPerson, simulated_answer


def read_intentions(
    study: StudyFolder,
    people: tuple[SimulatedPerson, ...],
    answered: AbstractSet[tuple[str, str]],
) -> dict[str, list[Intention]]:
    """Give what each person will be asked, in the plan's order, and will say.

    `answered` holds (participant, sample_id) of what an earlier run has answered already.
    """
    vocabularies = read_vocabularies(study.vocabularies_file)
    questions = {question.sample_id: question for question in read_questions(study.questions_file)}
    keys = {key.sample_id: key for key in read_keys(study.keys_file)}
    skills = {person.pseudonym: person for person in people}
    seed = study.definition.study.seed
    intentions: dict[str, list[Intention]] = {person.pseudonym: [] for person in people}
    for slot in sorted(
        read_plan(study.assignment_file), key=lambda slot: (slot.participant, slot.position)
    ):
        if (slot.participant, slot.sample_id) in answered:
            continue
        question = questions[slot.sample_id]
        answer = simulated_answer(
            skills[slot.participant], keys[slot.sample_id], vocabularies[question.category], seed
        )
        intentions[slot.participant].append(Intention(slot.sample_id, question.question_en, answer))
    return intentions
