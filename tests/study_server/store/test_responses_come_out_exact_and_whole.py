"""Export, backup and erasure: one snapshot, exact values, nothing left behind."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner
from sqlalchemy import func, select

from sampling.study.errors import StudyError
from study_server.cli import lontar
from study_server.folder.response_files import safe_cell
from study_server.folder.verification import left_in_exports
from study_server.store.answering.answers import Submission, submit
from study_server.store.answering.skips import skip
from study_server.store.answering.withdrawal import withdraw
from study_server.store.asking.participants import finish, record_step
from study_server.store.assigning.slots import current_slot
from study_server.store.schema.backup import backup
from study_server.store.schema.database import open_engine, reading, transaction
from study_server.store.schema.tables import AnswerTable, SetAsideTable
from study_server.store.steering.exporting import read_responses

Study = Callable[..., Any]
ODD = ["=HYPERLINK(1)", "+1", "-2", "@x", "None", "NA", "007", "a,b;c", 'say "x"', "line\r\nbreak",
       "ខ្មែរ", "עברית"]  # fmt: skip


@pytest.fixture
def answered(small_study_anywhere: Study, noon: datetime) -> Any:
    """Three people; the first two answer everything, the third leaves one out and withdraws."""
    study = small_study_anywhere(people=3)
    with transaction(study.engine) as session:
        for person in (1, 2, 3):
            record_step(session, person, state="active")
            for number in range(6):
                slot = current_slot(session, person)
                sent = Submission(
                    slot.public_id, f"{person}-{number}", ODD[number], comment=ODD[number + 6]
                )
                if (person, number) == (3, 0):
                    skip(session, person, slot.public_id, "s", "=too dark", noon)
                else:
                    submit(session, person, sent, noon)
        withdraw(session, 3, noon, "participant:P03")
    return study


def run(study: Any, *arguments: str) -> str:
    done = CliRunner().invoke(lontar, ["-C", str(study.study.root), *arguments])
    assert done.exit_code == 0, done.output
    return done.output


def test_every_row_of_every_status_is_exported_with_its_exact_value(answered: Any) -> None:
    run(answered, "export")
    lines = answered.study.responses_file.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert Counter(row["status"] for row in rows) == {"answered": 12, "withdrawn": 5, "skipped": 1}
    assert sorted(row["raw_response"] for row in rows if row["participant"] == "P01") == sorted(
        ODD[:6]
    )
    assert all((row["response_index"] is None) == (row["status"] != "answered") for row in rows)
    assert {row["shown_at"][-1] for row in rows if row["shown_at"]} == {"Z"}


def test_the_table_is_safe_in_a_spreadsheet_and_reads_back_the_same(answered: Any) -> None:
    run(answered, "export")
    file = answered.study.responses_file.with_suffix(".csv")
    with file.open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    frame = pd.read_csv(file, keep_default_na=False)
    for column in ("raw_response", "comment", "reason"):
        assert [row[column] for row in rows] == frame[column].tolist()
        assert not any(row[column].startswith(("=", "+", "-", "@")) for row in rows)
    with reading(answered.engine) as session:
        exact = [row["comment"] for row in read_responses(session)]
    assert [row["comment"].removeprefix("'") for row in rows] == [text or "" for text in exact]


def test_the_flow_counts_people_and_answers(answered: Any) -> None:
    run(answered, "export")
    flow = json.loads(answered.study.responses_file.with_name("flow.json").read_text())
    assert flow["responses"] == {
        "needed": 18, "answered": 12, "skipped": 1, "withdrawn": 5, "surplus": 0
    }  # fmt: skip
    assert flow["participants"]["withdrawn"] == 1


def test_codes_are_in_a_table_of_their_own_for_its_owner_only(
    answered: Any, noon: datetime
) -> None:
    file = answered.study.completion_codes_file
    run(answered, "export")
    assert not file.exists()
    with transaction(answered.engine) as session:
        for person, code in ((1, "AB2CD3EF4G"), (2, "HJ5KL6MN7P"), (3, "QR8ST9UV2W")):
            finish(session, person, code, noon)
    run(answered, "export")
    with file.open(encoding="utf-8", newline="") as opened:
        rows = [tuple(row.values()) for row in csv.DictReader(opened)]
    at = "2026-03-01T12:00:00Z"
    assert [(*row[:3], row[3][:19] + "Z", row[4]) for row in rows] == [
        ("AB2CD3EF4G", "P01", "6", at, "active"),
        ("HJ5KL6MN7P", "P02", "6", at, "active"),
        ("QR8ST9UV2W", "P03", "5", at, "withdrawn"),
    ]
    assert file.stat().st_mode & 0o077 == 0
    others = [one for one in file.parent.iterdir() if one != file]
    assert len(others) == 4
    assert not any("AB2CD3EF4G" in one.read_text(encoding="utf-8") for one in others)


def test_a_code_that_outlives_its_owner_is_found_and_written_away(
    small_study: Study, noon: datetime
) -> None:
    study = small_study()
    with transaction(study.engine) as session:
        finish(session, 1, "AB2CD3EF4G", noon)
    run(study, "export")
    run(study, "erase", "P01", "--yes", "--reason", "asked by mail")
    (left,) = left_in_exports(study.study)
    assert left.startswith("responses/completion_codes.csv: the code of P01, who was erased on ")
    run(study, "export")
    assert not study.study.completion_codes_file.exists()


def test_exporting_twice_writes_the_same_bytes(answered: Any) -> None:
    run(answered, "export")
    first = answered.study.responses_file.read_bytes()
    run(answered, "export")
    assert answered.study.responses_file.read_bytes() == first


def test_erasing_leaves_no_trace_in_database_export_or_later_backup(answered: Any) -> None:
    secret = "the only place with these words"
    with transaction(answered.engine) as session:
        session.execute(
            AnswerTable.__table__.update()
            .where(AnswerTable.participant_id == 2)
            .values(comment=secret)
        )
    run(answered, "erase", "P02", "--yes", "--reason", "asked by mail")
    run(answered, "export")
    run(answered, "backup", str(answered.study.root / "copy.db"))
    answered.engine.dispose()
    for file in answered.study.root.rglob("*"):
        if file.is_file():
            assert secret.encode() not in file.read_bytes(), file.name
    with reading(answered.engine) as session:
        assert session.scalar(select(func.count()).select_from(AnswerTable)) == 6
        events = session.connection().exec_driver_sql(
            "SELECT action FROM event WHERE subject = 'participant:P02'"
        )
        assert "participant.erased" in [row[0] for row in events]


def test_a_backup_is_one_consistent_file_that_can_be_restored(
    answered: Any, tmp_path: Path, noon: datetime
) -> None:
    file = tmp_path / "backup.db"
    rows = backup(answered.engine, file)
    assert rows > 40
    assert file.stat().st_mode & 0o777 == 0o600
    with transaction(answered.engine) as session:
        session.execute(AnswerTable.__table__.delete())
    copy = open_engine(f"sqlite:///{file}")
    with reading(copy) as session:
        assert len(read_responses(session)) == 18
    # Restored: the study goes on from the copy.
    with transaction(copy) as session:
        assert withdraw(session, 1, noon, "test")
    copy.dispose()


def test_a_backup_never_writes_over_a_file_unasked(answered: Any, tmp_path: Path) -> None:
    file = tmp_path / "backup.db"
    file.write_text("something else")
    with pytest.raises(StudyError, match="--force"):
        backup(answered.engine, file)
    assert file.read_text() == "something else"
    backup(answered.engine, file, force=True)
    with sqlite3.connect(file) as opened:
        assert opened.execute("SELECT count(*) FROM answer").fetchone() == (12,)
    opened.close()


@pytest.mark.parametrize("text", ODD)
def test_a_cell_is_text_whatever_it_starts_with(text: str) -> None:
    cell = safe_cell(text)
    assert isinstance(cell, str)
    assert cell.removeprefix("'") == text
    assert cell[0] not in "=+-@"


def test_a_withdrawal_frees_every_slot_and_keeps_the_rows(answered: Any) -> None:
    with reading(answered.engine) as session:
        kept = session.scalars(select(SetAsideTable.status)).all()
        assert Counter(kept) == {"withdrawn": 5, "skipped": 1}
        assert current_slot(session, 3) is None
