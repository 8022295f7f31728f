"""JSON lines: the same rows however many are parsed at once, and each broken line named."""

from __future__ import annotations

import json

import pytest

from sampling.study.errors import Problems, StudyError
from sampling.tables.json_lines import json_lines

ROWS = [b'{"a": 1}\n', b'{"a": "\\n}"}\r\n', b"\n", b'{"a": [{}, {}]}\n', b'{"b": null}']


def read(lines: list[bytes], at_once: int = 1000) -> list[tuple[int, object]]:
    problems = Problems()
    found = [
        pair
        for chunk in json_lines(lines, "x.jsonl", problems, at_once)
        for pair in zip(chunk.numbers, chunk.rows, strict=True)
    ]
    problems.raise_if_any()
    return found


@pytest.mark.parametrize("at_once", [1, 2, 3, 5, 1000])
def test_rows_and_their_lines_do_not_depend_on_how_many_are_read_at_once(at_once: int) -> None:
    assert read(ROWS, at_once) == [
        (1, {"a": 1}),
        (2, {"a": "\n}"}),
        (4, {"a": [{}, {}]}),
        (5, {"b": None}),
    ]


def test_the_last_of_two_equal_names_counts_in_either_way() -> None:
    twice = b'{"a": 1, "a": 2}\n'
    assert read([twice, twice]) == [(1, {"a": 2}), (2, {"a": 2})]
    assert read([twice, b"\n"]) == [(1, {"a": 2})]


def test_numbers_of_any_size_stay_exact() -> None:
    value = 2**80 + 1
    assert read([json.dumps({"a": value}).encode()]) == [(1, {"a": value})]


@pytest.mark.parametrize(
    "lines",
    [
        [b'{"a": 1\n', b'"b": 2}\n'],
        [b'{"a": 1}, {"a": 2}\n', b'{"a": 3}\n'],
        [b'{"a": [1\n', b"2]}\n", b'{"a": 1}, {"b": 2}\n'],
    ],
)
def test_objects_and_lines_must_be_one_to_one(lines: list[bytes]) -> None:
    with pytest.raises(StudyError, match=r"x.jsonl line 1: not valid JSON"):
        read(lines)


def test_bytes_that_are_half_a_character_are_refused_alone_and_among_others() -> None:
    half = b'{"a": "\xed\xa0\x80"}\n'
    for lines in ([half], [b'{"a": 1}\n', half]):
        with pytest.raises(StudyError, match="is not UTF-8 text"):
            read(lines)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"a": 1, b: 2}', "column 10: a name in double quotes must stand here"),
        (b'{"a": nope}', "column 7: a value is missing, or is a text without double quotes"),
        (b'{"a": "x" "b": 1}', "column 11: a comma is missing, or a bracket"),
        (b'{"a": "x}', "column 7: the text that begins here has no closing quote"),
        (b'{"a": "C:\\data"}', "column 10: a backslash inside a text is written"),
    ],
)
def test_a_broken_line_is_told_in_the_words_of_who_wrote_it(line: bytes, said: str) -> None:
    with pytest.raises(StudyError) as caught:
        read([line])
    assert f"x.jsonl line 1: not valid JSON at {said}" in str(caught.value)
