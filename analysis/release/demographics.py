"""Who the participants were, in counts that point at nobody."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

from sampling.assignment.participants import same_identity
from sampling.study.errors import StudyError


def demographic_counts(rows: list[dict[str, str]], k: int) -> list[tuple[str, str, str]]:
    """Count each attribute's values, one attribute at a time, none under k people.

    Values held by fewer than k people are joined as "other"; if even together they are fewer than
    k, the attribute's smallest shown value joins them, so that no count can be worked out from the
    total. The people column is never looked at.

    Returns
    -------
    list of (attribute, value, count)
        "fewer than k" in place of the count where the whole group is smaller than k.

    >>> people = [{"participant": str(n), "years": "10+" if n < 5 else "5-9"} for n in range(6)]
    >>> demographic_counts(people, 3)
    [('years', 'other', '6')]
    """
    result = []
    attributes = [name for name in (rows[0] if rows else {}) if name != "participant"]
    for attribute in attributes:
        counts = Counter(row[attribute].strip() or "not stated" for row in rows)
        shown = {value: count for value, count in counts.items() if count >= k}
        rest = sum(counts.values()) - sum(shown.values())
        while 0 < rest < k and shown:
            smallest = min(shown, key=lambda value: (shown[value], value))
            rest += shown.pop(smallest)
        result += [(attribute, value, str(count)) for value, count in sorted(shown.items())]
        if rest:
            result.append((attribute, "other", str(rest) if rest >= k else f"fewer than {k}"))
    return result


def read_demographics(path: Path, participants: set[str]) -> list[dict[str, str]]:
    """Read the coordinator's table of coarse attributes, one row a participant."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise StudyError(
            f"{path.name}: not found; study.toml [release] demographics names it"
        ) from None
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    if not rows or "participant" not in rows[0]:
        raise StudyError(f"{path.name} line 1: no column participant")
    known = {same_identity(name) for name in participants}
    unknown = [row["participant"] for row in rows if same_identity(row["participant"]) not in known]
    if unknown:
        raise StudyError(f"{path.name}: not in the roster: {', '.join(sorted(unknown))}")
    return [{name: value or "" for name, value in row.items() if name} for row in rows]
