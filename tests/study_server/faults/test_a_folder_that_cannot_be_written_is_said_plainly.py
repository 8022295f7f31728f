"""A study on a read-only disk: one message at the start, a 503 while it runs."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from sampling.study.errors import StudyError
from sampling.study.folder import open_study
from study_server.folder.loading import prepare_database

Study = Callable[..., Any]
AsNobody = Callable[[Callable[[], str]], str]


@pytest.fixture
def closed_to_writing() -> Callable[[Path], None]:
    """A function that lets everybody read a folder and all above it, and nobody write to it."""

    def close(folder: Path) -> None:
        for parent in folder.parents:
            if parent.stat().st_uid == os.geteuid() and parent != Path("/"):
                parent.chmod(parent.stat().st_mode | 0o555)
        for file in sorted(folder.rglob("*"), reverse=True):
            file.chmod(0o555 if file.is_dir() else 0o444)
        folder.chmod(0o555)

    return close


def test_a_database_that_cannot_be_made_is_one_message_with_the_remedy(
    make_small_study: Callable[..., Path],
    tmp_path: Path,
    closed_to_writing: Callable[[Path], None],
    as_nobody: AsNobody,
    noon: datetime,
) -> None:
    study = open_study(make_small_study(tmp_path / "study"))
    # Once where it works, so that nothing has to be imported by somebody without rights.
    prepare_database(open_study(make_small_study(tmp_path / "other")), noon).dispose()
    closed_to_writing(study.root)

    def prepare() -> str:
        try:
            prepare_database(study, noon)
        except StudyError as error:
            return str(error)
        return "prepared"

    said = as_nobody(prepare)
    assert "study.db: the database cannot be opened for writing" in said
    assert "its folder may be written to" in said


def test_a_study_whose_disk_turns_read_only_answers_503_and_shows_no_trace(
    small_study: Study,
    tmp_path: Path,
    closed_to_writing: Callable[[Path], None],
    as_nobody: AsNobody,
) -> None:
    study = small_study()
    visit = study.visit("P01")
    form = {name: visit.field(name) for name in ("slot", "key", "csrf_token")}
    study.engine.dispose()
    study.app().extensions["lontar"].engine.dispose()
    closed_to_writing(study.study.root)

    def send() -> str:
        visit.client.application.config["PROPAGATE_EXCEPTIONS"] = False
        reply = visit.client.post("/question", data={**form, "answer": "Khmer"})
        return f"{reply.status_code} {reply.get_data(as_text=True)}"

    said = as_nobody(send)
    assert said.startswith("503 "), said[:300]
    assert "Nothing was saved" in said
