"""Ctrl-C, a full disk or a power cut in the middle of writing leaves the file that was there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from sampling.benchmark.question_files import write_json_lines
from sampling.study.files import write_whole


def test_a_text_is_written_with_its_folder_and_its_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file.csv"
    write_whole(path, "ខ្មែរ\r\n\n")
    assert path.read_bytes() == "ខ្មែរ\r\n\n".encode()


def test_an_interruption_while_rows_are_made_leaves_the_old_rows(tmp_path: Path) -> None:
    def rows() -> Iterator[Mapping[str, Any]]:
        yield {"sample_id": "new"}
        raise KeyboardInterrupt

    path = tmp_path / "questions.jsonl"
    write_json_lines(path, [{"sample_id": "old"}])
    with pytest.raises(KeyboardInterrupt):
        write_json_lines(path, rows())
    assert path.read_text(encoding="utf-8") == '{"sample_id": "old"}\n'
    assert list(tmp_path.iterdir()) == [path]


def test_an_interruption_while_bytes_are_written_leaves_the_old_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(self: Path, text: str, **_: Any) -> None:
        self.write_bytes(text.encode()[: len(text) // 2])
        raise KeyboardInterrupt

    path = tmp_path / "manifest.json"
    write_whole(path, "old")
    monkeypatch.setattr(Path, "write_text", half)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, "new and longer")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
