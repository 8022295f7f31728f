"""What lies on disk: modes of files, and nothing secret among what is published."""

from __future__ import annotations

import re
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import inspect, text

from study_server.store.schema.backup import backup
from study_server.store.schema.database import reading

Study = Callable[..., Any]
ROOT = Path(__file__).parents[3]
SECRET_FILES = re.compile(r"(\.key|\.pem|\.p12|\.env|\.db|links\.csv)$|(^|/)secrets/")
SECRET_TEXT = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_\w{36}|\bsk-\w{40}"
)


def test_database_log_and_copy_are_readable_by_their_owner_alone(
    small_study: Study, tmp_path: Path
) -> None:
    study = small_study()
    visit = study.visit("P01")
    visit.answer("Khmer")
    backup(study.engine, tmp_path / "copy.db")
    files = [*study.study.root.glob("study.db*"), tmp_path / "copy.db"]
    assert {"study.db", "study.db-wal", "copy.db"} <= {one.name for one in files}
    for file in files:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name


def test_a_stolen_database_opens_no_session_and_names_nobody(small_study: Study) -> None:
    study = small_study()
    study.visit("P01").answer("Khmer")
    with reading(study.engine) as session:
        dump = "\n".join(
            str(row)
            for table in inspect(study.engine).get_table_names()
            for row in session.execute(text(f'SELECT * FROM "{table}"'))
        )
    for token in study.links.values():
        assert token not in dump
    assert "a secret for tests" not in dump
    assert "127.0.0.1" not in dump


def test_the_repository_holds_no_secret() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    names = [name for name in listed.stdout.split("\0") if name]
    assert not [name for name in names if SECRET_FILES.search(name)]
    here = Path(__file__).name
    for name in names:
        file = ROOT / name
        if file.is_file() and file.name != here and file.stat().st_size < 1_000_000:
            found = SECRET_TEXT.search(file.read_bytes().decode("utf-8", "replace"))
            assert found is None, name
