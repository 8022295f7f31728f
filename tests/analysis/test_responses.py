"""Reading responses: what is broken stops with its line, what is odd is flagged."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from analysis.scoring.responses import FIELDS, parse_responses, read_responses
from sampling.study.errors import StudyError

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


def line(**changes: object) -> bytes:
    return json.dumps({**ROW, **changes}).encode() + b"\n"


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
    text = "\ufeff".encode() + line().rstrip() + b"\r\n\r\n" + line(participant="P02").rstrip()
    path.write_bytes(text)
    assert read_responses(path)["participant"].to_list() == ["P01", "P02"]
    assert read_responses(path)["line"].to_list() == [1, 3]


def test_every_broken_line_is_named_at_once() -> None:
    broken = [line(), b'{"sample_id": "q1"\n', b"[1]\n", line(participant="")]
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
        parse_responses([b'{"sample_id": "q1", "participant": "P1"\n', b'"status": "answered"}\n'])


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
    same = "a participant is written in another way, and taken as the same in 1 row (line 2)"
    assert found.warnings == (f"responses.jsonl: {same}",)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("raw_response", "\ud800", "holds half of a surrogate pair, which is no text"),
        ("sample_id", ["q1"], "'sample_id' must be text, not ['q1']"),
        ("participant", True, "'participant' must be text, not True"),
    ],
)
def test_what_is_no_text_is_named_with_its_line(field: str, value: object, said: str) -> None:
    with pytest.raises(StudyError) as caught:
        parse_responses([line(), line(**{field: value})])
    assert str(caught.value) == f"responses.jsonl line 2: {said}"


@pytest.mark.parametrize("value", ["9" * 5_000, "[" * 100_000 + "]" * 100_000])
def test_json_beyond_every_limit_is_named_with_its_line(value: str) -> None:
    broken = line().replace(b'"Khmer"', value.encode())
    with pytest.raises(StudyError, match=r"^responses.jsonl line 2: not valid JSON: "):
        parse_responses([line(), broken])


def test_a_line_that_is_not_utf8_is_named() -> None:
    with pytest.raises(StudyError, match=r"^responses.jsonl line 2: is not UTF-8 text"):
        parse_responses([line(), line().replace(b"Khmer", b"Khm\xe9r")])


def test_equal_answers_share_one_object_and_unlike_ones_none() -> None:
    raws = [["a", "b"], ["a", "b"], [1], [True], ["1"], "1", 1]
    found = parse_responses(
        [line(participant=f"P{index}", raw_response=raw) for index, raw in enumerate(raws)]
    ).frame["raw_response"]
    assert found[0] is found[1]
    assert list(map(repr, found)) == list(map(repr, raws))


def test_no_row_gives_an_empty_frame() -> None:
    assert list(parse_responses([]).frame.columns) == [*FIELDS, "line"]
    assert parse_responses([]).frame.empty


def test_a_missing_file_names_the_command_that_writes_it(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="lontar export"):
        read_responses(tmp_path / "responses" / "responses.jsonl")
