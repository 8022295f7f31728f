"""Keeps a sample and a plan from being overwritten once people rely on them."""

from __future__ import annotations

from pathlib import Path

from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder
from study_server.store.asking.begun import has_answers


def refuse_when_begun(study: StudyFolder, what: str) -> None:
    """Raise a `StudyError` when the study is frozen or its database holds answers."""
    if study.freeze_file.exists():
        raise StudyError(
            f"{study.freeze_file.name}: the study is frozen, so its {what} stays as it is; "
            "start another study folder for another design"
        )
    if has_answers(study.database_file):
        raise StudyError(
            f"{study.database_file.name}: people have answered, so the {what} stays as it is; "
            "changes while it runs are made on the coordinator's pages"
        )


def overwrite_notice(path: Path) -> str | None:
    """Say that a file will be written over, if it is there."""
    return f"note: {path.parent.name}/{path.name} is written again" if path.exists() else None
