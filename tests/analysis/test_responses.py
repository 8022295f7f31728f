"""Reading responses: what is broken stops with its line, what is odd is flagged."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from analysis import responses
from analysis.responses import parse_responses, read_responses
from sampling.errors import StudyError

ROW = {
    "sample_id": "q1",
    "participant": "P01",
    "response_index": 1,
    "status": "answered",
    "raw_response": "Khmer",
    "shown_at": "2026-09-01T08:54:19Z",
    "submitted_at": "2026-09-01T08:55:10Z",
    "active_seconds": 42.5,
}
UNKNOWN_STATUS = (
    "unknown status, not scored (known: answered, skipped, withdrawn, surplus) in 1 row (line 6)"
)


def line(**changes: object) -> str:
    return json.dumps({**ROW, **changes}) + "\n"


def test_a_row_keeps_its_answer_as_it_was_given() -> None:
    raws = ["nan", "None", "", 5, 5.0, True, ["a", "b"], None, {"answer": "x"}]
    found = parse_responses(
        [line(participant=f"P{index}", raw_response=raw) for index, raw in enumerate(raws)]
    )
    assert found.frame["raw_response"].to_list() == raws
    assert [type(value) for value in found.frame["raw_response"]] == [type(raw) for raw in raws]
    assert found.warnings == ()


def test_a_byte_order_mark_crlf_and_blank_lines_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "responses.jsonl"
    text = "\ufeff" + line().rstrip() + "\r\n\r\n" + line(participant="P02").rstrip()
    path.write_bytes(text.encode("utf-8"))
    assert read_responses(path)["participant"].to_list() == ["P01", "P02"]
    assert read_responses(path)["line"].to_list() == [1, 3]


def test_every_broken_line_is_named_at_once() -> None:
    broken = [line(), '{"sample_id": "q1"\n', "[1]\n", line(participant="")]
    with pytest.raises(StudyError) as caught:
        parse_responses(broken)
    assert [problem.partition(":")[0] for problem in caught.value.problems] == [
        "responses.jsonl line 2",
        "responses.jsonl line 3",
        "responses.jsonl line 4",
    ]
    assert "without 'participant'" in caught.value.problems[2]


def test_a_record_over_two_lines_is_not_put_together() -> None:
    with pytest.raises(StudyError, match="line 1: not valid JSON"):
        parse_responses(['{"sample_id": "q1", "participant": "P1"\n', '"status": "answered"}\n'])


def test_odd_values_are_flagged_with_their_lines_and_never_stop() -> None:
    found = parse_responses(
        [
            line(),
            line(shown_at="yesterday"),
            line(active_seconds=-3),
            line(active_seconds="fast"),
            line(submitted_at="2026-09-01T08:00:00Z"),
            line(status="anwsered"),
            line(response_index=None),
        ]
    )
    assert len(found.frame) == 7
    assert [warning.removeprefix("responses.jsonl: ") for warning in found.warnings] == [
        "active_seconds is not a number in 1 row (line 4)",
        "shown_at is not an ISO 8601 time in 1 row (line 2)",
        UNKNOWN_STATUS,
        "active_seconds is negative in 1 row (line 3)",
        "submitted_at is before shown_at in 1 row (line 5)",
        "an answered row has no response_index in 1 row (line 7)",
    ]
    assert np.isnan(found.frame["active_seconds"][3])


def test_a_person_written_in_two_ways_is_one_person() -> None:
    found = parse_responses([line(), line(sample_id="q2", participant="p01 ")])
    assert found.frame["participant"].to_list() == ["P01", "P01"]
    assert found.warnings == ("responses.jsonl: participant 'p01 ' is taken as 'P01'",)


def test_chunks_give_the_same_frame_as_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [line(participant=f"P{number:02d}", response_index=number) for number in range(1, 8)]
    whole = parse_responses(rows).frame
    monkeypatch.setattr(responses, "LINES_AT_ONCE", 3)
    assert parse_responses(rows).frame.equals(whole)


def test_no_row_gives_an_empty_frame() -> None:
    assert list(parse_responses([]).frame.columns) == [*responses.FIELDS, "line"]
    assert parse_responses([]).frame.empty


def test_a_missing_file_names_the_command_that_writes_it(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="lontar export"):
        read_responses(tmp_path / "responses" / "responses.jsonl")
