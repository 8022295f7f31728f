"""Brings a study's files after questions that were replaced while people answered.

The server holds no keys, so that it replaces a question in the database alone. Here, on the
machine of the coordinator, the sample is drawn again with the faulty questions left out.
"""

from __future__ import annotations

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from sampling.assignment.plan_files import write_plan
from sampling.benchmark.question_files import read_questions
from sampling.draw.manifest import read_manifest, recorded_faults
from sampling.draw.sample_files import draw_study, write_sample
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder
from study_server.folder.study_content import read_study_content
from study_server.store.asking.sync import take_digests
from study_server.store.schema.database import reading, transaction
from study_server.store.schema.events import read_log
from study_server.store.steering.replacement import current_plan, sampled_questions


def write_replacements(engine: Engine, study: StudyFolder) -> int:
    """Write `sample/` and `plan/` again if the database asks other questions; count the changes.

    Raises
    ------
    StudyError
        When the manifest or the benchmark is not there, or no longer gives the same questions.
    """
    with reading(engine) as session:
        asked = sampled_questions(session)
        replaced, plan = _faults(session), current_plan(session)
    on_disk = {question.sample_id for question in read_questions(study.questions_file)}
    changed = asked - on_disk
    if not changed:
        return 0
    manifest = read_manifest(study.manifest_file)
    if manifest is None:
        raise StudyError(
            "sample/manifest.json: not found, so the keys of replaced questions cannot be drawn; "
            "restore it, then run `lontar export` again"
        )
    known = recorded_faults(manifest)
    faulty = [*known, *(one for one in replaced if one not in known)]
    drawn = draw_study(study, faulty)
    if {question.sample_id for question in drawn.sample.questions} != asked:
        raise StudyError(
            "sample: the benchmark does not give the questions that were asked; "
            "put its files back as they were when the sample was drawn"
        )
    write_sample(study, drawn)
    if study.assignment_file.exists():
        write_plan(study.assignment_file, plan)
    digests = read_study_content(study).digests
    with transaction(engine) as session:
        take_digests(session, digests)
    return len(changed)


def _faults(session: Session) -> list[tuple[str, str]]:
    """List the questions that were replaced, in that order, with the reasons given."""
    return [
        (event.subject.removeprefix("question:"), event.reason)
        for event in read_log(session)
        if event.action == "question.replaced"
    ]
