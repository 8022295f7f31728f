"""Compares a study with its freeze, and the freeze with what the log tells of it."""

from __future__ import annotations

from sampling.record.event_log import Event
from sampling.record.freeze import Freeze, event_deviations, part_deviations, read_freeze
from sampling.record.freeze_parts import current_parts
from sampling.record.verdicts import State, Verdict, verdict
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder
from study_server.folder.existing_database import is_there
from study_server.folder.log_verification import events_of_study

FROZEN = "study.frozen"


def verify_freeze(study: StudyFolder) -> Verdict:
    """Compare a study with its freeze; a freeze that the log tells of and is gone differs.

    Raises
    ------
    StudyError
        When `freeze.json` was edited, or is not the one that the log tells of.
    """
    freeze = read_freeze(study.freeze_file)
    told = [event for event in events_of_study(study) if event.action == FROZEN]
    if freeze is None and told:
        day = told[-1].at[:10]
        raise StudyError(
            f"freeze.json: is gone, and the log says that the study was frozen on {day}; "
            "restore it from a backup"
        )
    if freeze is None:
        return Verdict("freeze", State.ABSENT, "not frozen; `lontar freeze` fixes it by digest")
    if told:
        _check_told(study, freeze, told[-1])
    found = part_deviations(freeze, current_parts(study))
    found += event_deviations(freeze, events_of_study(study))
    differences = [f"{one.part}: {one.sentence}" for one in found]
    return verdict("freeze", f"as frozen on {freeze.frozen_at[:10]}", differences)


def _check_told(study: StudyFolder, freeze: Freeze, told: Event) -> None:
    """Refuse a freeze of another digest than the log's last, unless the log is an older export."""
    whole = is_there(study) or freeze.frozen_at <= told.at
    if whole and told.details.get("digest") != freeze.digest:
        raise StudyError(
            f"freeze.json: is not the freeze of {told.at[:10]} that the log tells of, whose digest "
            f"is {told.details.get('digest')}; restore it from a backup"
        )
