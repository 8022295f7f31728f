"""Takes out of a bundle what joins answers of one person: their codes and whatever follows them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

POOLED = ("participant", "submitted_on", "active_seconds")


def is_pooled(folder: Path) -> bool:
    """Tell whether the answers of a bundle stand without the people who gave them."""
    with (folder / "responses.jsonl").open(encoding="utf-8") as rows:
        first = next(rows, "").strip()
    return bool(first) and "participant" not in json.loads(first)


def pooled_rows(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Leave out who gave each answer, on which day and how fast.

    A person's index, their days and their pace join their answers as a code does, so that indices
    are given anew: within a question the answers stand in the order of their own text.

    Parameters
    ----------
    rows : rows of `responses.jsonl`, whose fields stay in their order

    Examples
    --------
    >>> given = {"sample_id": "q", "participant": "R2", "response_index": 1, "raw_response": "yes"}
    >>> other = {"sample_id": "q", "participant": "R1", "response_index": 2, "raw_response": "no"}
    >>> [tuple(row.values()) for row in pooled_rows([given, other])]
    [('q', 1, 'no'), ('q', 2, 'yes')]
    """
    by_question: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        kept = {name: value for name, value in row.items() if name not in POOLED}
        by_question[row["sample_id"]].append(kept)
    return [
        {**row, "response_index": index}
        for sample_id in sorted(by_question)
        for index, row in enumerate(
            sorted(
                by_question[sample_id],
                key=lambda row: json.dumps(
                    [row["raw_response"], {**row, "response_index": 0}], ensure_ascii=False
                ),
            ),
            start=1,
        )
    ]
