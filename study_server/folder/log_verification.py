"""Checks the event log: in the database, in its export, and the one against the other."""

from __future__ import annotations

from sampling.record.event_log import Event, check_chain, check_prefix, read_events
from sampling.record.verdicts import State, Verdict, verdict
from sampling.study.folder import StudyFolder
from study_server.folder.existing_database import is_there, reading_existing
from study_server.store.schema.events import read_log


def verify_log(study: StudyFolder) -> Verdict:
    """Check that no event was changed, taken out, put in or cut off.

    A log that was cut off at its end is intact in itself: an export made before finds it.
    """
    exported = _exported(study)
    kept = _kept(study)
    if kept is None and not exported:
        return Verdict("log", State.ABSENT, "no database and no responses/events.jsonl yet")
    differences = [f"responses/events.jsonl: {one}" for one in check_chain(exported)]
    holds = f"{len(exported)} events in the export, each following from the last"
    if kept is not None:
        differences += [f"database: {one}" for one in check_chain(kept)]
        differences += [f"database: {one}" for one in check_prefix(exported, kept)]
        holds = f"{len(kept)} events, each following from the last"
        holds += ", and every exported one is there" if exported else ""
    return verdict("log", holds, differences)


def events_of_study(study: StudyFolder) -> tuple[Event, ...]:
    """Give the log: the database's, or else the exported one."""
    kept = _kept(study)
    return _exported(study) if kept is None else kept


def _exported(study: StudyFolder) -> tuple[Event, ...]:
    path = study.responses_file.with_name("events.jsonl")
    return read_events(path) if path.exists() else ()


def _kept(study: StudyFolder) -> tuple[Event, ...] | None:
    """Read the database's log, or nothing where there is no database."""
    if not is_there(study):
        return None
    with reading_existing(study) as session:
        return tuple(read_log(session))
