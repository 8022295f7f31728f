"""A plan comes back as it was written, and every line that cannot be read is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampling.assignment.plan import Slot, read_plan, write_plan
from sampling.study.errors import StudyError

HEAD = "participant,sample_id,response_index,session,position\n"


def test_a_plan_comes_back_sorted_as_it_was_written(tmp_path: Path) -> None:
    slots = (
        Slot("P01", "q2", 1, 1, 1),
        Slot("P01", 'q,"1"', 2, 1, 2),
        Slot("P02", "ខ្មែរ", 3, 2, 1),
    )
    write_plan(tmp_path / "assignment.csv", reversed(slots))
    assert read_plan(tmp_path / "assignment.csv") == slots


def test_columns_may_stand_in_any_order_and_blank_lines_say_nothing(tmp_path: Path) -> None:
    file = tmp_path / "assignment.csv"
    file.write_bytes(
        b"\xef\xbb\xbfposition,note,sample_id,participant,session,response_index\r\n"
        b"7,late,q1,P01,2,3\r\n\r\n,,,,,\r\n"
    )
    assert read_plan(file) == (Slot("P01", "q1", 3, 2, 7),)


def test_every_line_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    file = tmp_path / "assignment.csv"
    file.write_text(HEAD + "P01,q1,0,1,1\n,q2,1,1,2\nP01,q3,1,one\n", encoding="utf-8")
    with pytest.raises(StudyError) as caught:
        read_plan(file)
    told = str(caught.value)
    assert "assignment.csv line 2: response_index '0' is not a whole number from 1" in told
    assert "assignment.csv line 3: no participant or no sample_id" in told
    assert "assignment.csv line 4: session 'one' is not a whole number from 1" in told
    assert "assignment.csv line 4: position '' is not a whole number from 1" in told


def test_missing_columns_and_a_missing_file_are_said(tmp_path: Path) -> None:
    file = tmp_path / "assignment.csv"
    with pytest.raises(StudyError, match="lontar assign"):
        read_plan(file)
    file.write_text("participant,sample_id\n", encoding="utf-8")
    with pytest.raises(
        StudyError, match="line 1: no column 'response_index', 'session', 'position'"
    ):
        read_plan(file)
