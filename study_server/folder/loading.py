"""Brings a study's files after questions that were replaced while people answered.

The server holds no keys, so that it replaces a question in the database alone. Here, on the
machine of the coordinator, the sample is drawn again with the faulty questions left out.

Brings a study's database up to date with its folder: migrated, loaded, ready to be served.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from sampling.assignment.plan import write_plan
from sampling.benchmark.question_files import read_questions
from sampling.draw.manifest import read_manifest, recorded_faults
from sampling.draw.sample_files import draw_study, write_sample
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder
from study_server.folder.study_content import check_content, read_study_content
from study_server.store.asking.participants import hold_everyone, read_quotas
from study_server.store.asking.sync import holds_responses, is_loaded, synchronize, take_digests
from study_server.store.schema.database import database_url, open_engine, reading, transaction
from study_server.store.schema.events import read_log
from study_server.store.schema.migration import migrate
from study_server.store.steering.coordination import Decision
from study_server.store.steering.replacement import current_plan, sampled_questions
from study_server.store.steering.replanning import replan_study


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


def prepare_database(study: StudyFolder, at: datetime) -> Engine:
    """Migrate the study's database and load what its files ask.

    Where people answer already, a roster with other people or quotas is planned for at once.

    Raises
    ------
    StudyError
        With every problem of the files at once, or what may no longer change and did.
    """
    content = read_study_content(study)
    engine = open_engine(database_url(study.database_file))
    migrate(engine)
    with reading(engine) as session:
        # What may no longer change is refused below, whatever is wrong with it besides.
        may_load = not is_loaded(session, content) and not holds_responses(session)
    if may_load:
        check_content(study, content)
    with transaction(engine) as session:
        hold_everyone(session)
        before = read_quotas(session)
        synchronize(session, content, at)
        after = read_quotas(session)
        if after != before and holds_responses(session):
            decision = Decision(at, "command line", "the roster changed")
            replan_study(session, decision, level=not after.keys() <= before.keys())
    return engine
