"""What the simulated participants know: read from the study's files by their process alone."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from sampling.answers.vocabulary_files import read_vocabularies
from sampling.assignment.plan_files import read_plan
from sampling.benchmark.question_files import read_keys, read_questions
from sampling.study.folder import StudyFolder
from sampling.synthetic.answers import Answer, simulate_answer
from study_server.demonstration.answering import Intention

# How often each sees right what is of average difficulty.
SKILLS: Mapping[str, float] = {
    "P01": 0.95,
    "P02": 0.93,
    "P03": 0.92,
    "P04": 0.90,
    "P05": 0.88,
    "P06": 0.86,
    "P07": 0.83,
    "P08": 0.76,
}


def read_intentions(
    study: StudyFolder,
    skills: Mapping[str, float],
    answered: AbstractSet[tuple[str, str]] = frozenset(),
) -> dict[str, list[Intention]]:
    """Give what each person will be asked, in the plan's order, and will say.

    `answered` holds (participant, sample_id) of what an earlier run has answered already.
    """
    vocabularies = read_vocabularies(study.vocabularies_file)
    questions = {question.sample_id: question for question in read_questions(study.questions_file)}
    keys = {key.sample_id: key for key in read_keys(study.keys_file)}
    intentions: dict[str, list[Intention]] = {person: [] for person in skills}
    for slot in sorted(read_plan(study.assignment_file), key=lambda slot: slot.position):
        if (slot.participant, slot.sample_id) in answered:
            continue
        question = questions[slot.sample_id]
        answer = simulate_answer(
            question,
            keys[slot.sample_id],
            vocabularies[question.category],
            skills[slot.participant],
            f"{study.definition.study.seed} {slot.participant}",
        )
        intentions[slot.participant].append(
            Intention(slot.sample_id, question.question_en, as_sent(answer))
        )
    return intentions


def as_sent(answer: Answer) -> tuple[str, ...]:
    """Give the values that a form sends under the name `answer`.

    >>> as_sent(12), as_sent(("cracks", "stains"))
    (('12',), ('cracks', 'stains'))
    """
    return answer if isinstance(answer, tuple) else (str(answer),)
