"""Whether the study is frozen, and what differs since: the files, and what was steered."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from sampling.record.freeze import (
    Deviation,
    Freeze,
    event_deviations,
    make_freeze,
    part_deviations,
    read_freeze,
    write_freeze,
)
from sampling.record.freeze_parts import current_parts
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder, open_study
from study_server.store.assigning.run_state import load_run_state
from study_server.store.schema.events import append_event, read_log, utc_text
from study_server.store.steering.coordination import Decision
from study_server.store.steering.dashboard import answer_count
from study_server.web.configuration import RunningStudy


@dataclass(frozen=True)
class Frozen:
    """`at` is None while the study is not frozen."""

    at: datetime | None
    deviations: tuple[Deviation, ...] = ()


def frozen_state(session: Session, study: RunningStudy) -> Frozen:
    """Compare the study's folder and log with its freeze; the keys are never read here."""
    folder = study_folder(study)
    freeze = None if folder is None else read_freeze(folder.freeze_file)
    if folder is None or freeze is None:
        return Frozen(None)
    now = current_parts(folder, with_keys=False)
    found = part_deviations(freeze, now, with_keys=False)
    missing = load_run_state(session).closing
    found += event_deviations(freeze, tuple(read_log(session)), missing)
    return Frozen(datetime.fromisoformat(freeze.frozen_at), tuple(found))


def freeze_study(
    session: Session,
    folder: StudyFolder,
    decision: Decision,
    *,
    with_keys: bool,
    scores: str | None = None,
) -> str:
    """Write `freeze.json` and its event; give the digest.

    A freeze may be made again until the first answer, and stands from then on.
    """
    freeze = new_freeze(session, folder, decision, with_keys=with_keys, scores=scores)
    append_event(
        session,
        decision.at,
        decision.actor,
        "study.frozen",
        "study",
        decision.reason,
        {"digest": freeze.digest, "answers_before": freeze.answers_before},
    )
    write_freeze(folder.freeze_file, freeze)
    return freeze.digest


def new_freeze(
    session: Session,
    folder: StudyFolder,
    decision: Decision,
    *,
    with_keys: bool,
    scores: str | None = None,
) -> Freeze:
    """Make the freeze that would be written, or say why none may be."""
    answers = answer_count(session)
    earlier = read_freeze(folder.freeze_file)
    if earlier is not None and answers:
        raise StudyError(
            f"freeze.json: frozen at {earlier.frozen_at}, and people have answered since; "
            "differences are shown as deviations"
        )
    at = utc_text(decision.at)
    return make_freeze(folder, at, answers, with_keys=with_keys, scores=scores)


def study_folder(study: RunningStudy) -> StudyFolder | None:
    """Open the folder that the server was started in, where there is one."""
    root = study.configuration.study_root
    return None if root is None or not (root / "study.toml").exists() else open_study(root)
