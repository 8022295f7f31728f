"""What a practice question's page says after the answer: `feedback` in the file of its keys."""

from __future__ import annotations

from pathlib import Path

from sampling.study.errors import Problems
from sampling.tables.row_files import read_rows


def read_feedback(path: Path) -> dict[str, str]:
    """Read the sentence of every `sample_id` that has one.

    Raises
    ------
    StudyError
        With every problem at once: a missing file, broken lines, feedback that is no text.
    """
    problems = Problems()
    sentences = {}
    for place, row in read_rows(path, problems).places():
        sentence = row.get("feedback")
        if sentence is None:
            continue
        if not isinstance(sentence, str):
            problems.add(place, f"'feedback' must be text, not {sentence!r}", "feedback is no text")
        elif sentence.strip():
            sentences[str(row.get("sample_id"))] = sentence.strip()
    problems.raise_if_any()
    return sentences
