"""Which questions somebody who joins may not answer, by the benchmark's list of annotators."""

from __future__ import annotations

from sampling.assignment.participants import Participant
from sampling.assignment.plan_inputs import find_excluded
from sampling.benchmark.question_files import read_questions
from sampling.study.errors import StudyError
from study_server.coordinator.frozen import study_folder
from study_server.web.configuration import RunningStudy


def excluded_questions(study: RunningStudy, pseudonym: str, annotator_ids: str) -> frozenset[str]:
    """Find the questions, of the sample and its reserve, whose keys this person had a part in.

    `annotator_ids` are separated by `;`. Without the study's folder nobody can tell, so that a
    person with annotator ids is refused.
    """
    names = frozenset(name.strip() for name in annotator_ids.split(";") if name.strip())
    folder = study_folder(study)
    if folder is None:
        if names:
            raise StudyError(
                "the study's folder is not on this machine, so exclusions cannot be looked up; "
                "add the person to participants.csv and start the server again"
            )
        return frozenset()
    files = (folder.questions_file, folder.reserve_file)
    questions = tuple(one for file in files if file.exists() for one in read_questions(file))
    person = Participant(pseudonym.strip(), names)
    return frozenset(sample_id for _, sample_id in find_excluded(folder, questions, (person,)))
