"""Brings a study's database up to date with its folder: migrated, loaded, ready to be served."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Engine

from sampling.study.folder import StudyFolder
from study_server.folder.content_checks import check_content
from study_server.folder.study_content import read_study_content
from study_server.store.asking.participants import hold_everyone, read_quotas
from study_server.store.asking.sync import holds_responses, is_loaded, synchronize
from study_server.store.schema.database import database_url, open_engine, reading, transaction
from study_server.store.schema.migration import migrate
from study_server.store.steering.coordination import Decision
from study_server.store.steering.replanning import replan_study


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
