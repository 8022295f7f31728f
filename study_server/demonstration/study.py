"""The demonstration's studies as folders: made once, recognised and taken up again.

What the simulated participants know: read from the study's files by their process alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from importlib import resources
from pathlib import Path

from sampling.answers.vocabulary_files import read_vocabularies
from sampling.assignment.plan import read_plan
from sampling.benchmark.question_files import read_keys, read_questions
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder, open_study
from sampling.synthetic.answers import Answer, simulate_answer
from sampling.synthetic.benchmark import (
    write_roster,
    write_synthetic_benchmark,
    write_try_it_benchmark,
)
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
    vocabularies = read_vocabularies(study.vocabularies_file, rule=study.reading_rule)
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


MARKER = ".lontar-demo"
SEED = "lontar demonstration"
GUEST = "Guest"


def prepare_folder(folder: Path) -> None:
    """Make the folder, or recognise an earlier demonstration; never touch anything else.

    Raises
    ------
    StudyError
        When the folder holds something that no demonstration has put there.
    """
    if folder.exists() and not folder.is_dir():
        raise StudyError(f"{folder}: is a file; name a folder for the demonstration")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARKER).is_file():
        raise StudyError(
            f"{folder}: exists and holds no demonstration, so nothing was done; "
            "name another folder, `lontar demo DIR`"
        )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARKER).write_text("Made by `lontar demo`, which may take it up again.\n")


def make_study(folder: Path, progress: Callable[[int, int], None]) -> StudyFolder:
    """Draw the folios and write the study's first files, unless a sample was drawn already."""
    if not (folder / "sample" / "manifest.json").is_file():
        write_synthetic_benchmark(folder, SEED, progress=progress)
        (folder / "study.toml").write_bytes(_template("study.toml"))
        write_roster(folder / "participants.csv")
    return open_study(folder)


def make_try_it(folder: Path) -> None:
    """Write the benchmark and the files of the ten-question study."""
    if not (folder / "sample" / "manifest.json").is_file():
        write_try_it_benchmark(folder, SEED)
        (folder / "study.toml").write_bytes(_template("try-it.toml"))
        (folder / "participants.csv").write_text(f"participant,annotator_ids\n{GUEST},\n")


def answered_before(study: StudyFolder) -> set[tuple[str, str]]:
    """List (participant, sample_id) of the answers an export holds, if there was one."""
    if not study.responses_file.is_file():
        return set()
    rows = map(json.loads, study.responses_file.read_text(encoding="utf-8").splitlines())
    return {(row["participant"], row["sample_id"]) for row in rows if row["status"] == "answered"}


def _template(name: str) -> bytes:
    return (resources.files("templates") / "demonstration" / name).read_bytes()
