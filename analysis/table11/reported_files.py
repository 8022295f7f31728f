"""Reads the percentages to be checked and writes the verdicts, both as CSV."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from analysis.table11.reported import Possibility, possible_counts
from sampling.study.errors import Problems, StudyError

COLUMNS = ("name", "value", "n")


def check_reported_file(path: Path) -> str:
    """Read CSV `name,value,n` and give CSV `name,value,n,verdict,k,rounding`.

    Several possible counts print as `first-last`: they are always neighbours.

    Raises
    ------
    StudyError
        With every row that cannot be read.
    """
    rows = _read_rows(path)
    problems = Problems()
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow([*COLUMNS, "verdict", "k", "rounding"])
    for line, row in rows:
        where = f"{path.name} line {line}"
        count = (row["n"] or "").strip().replace(",", "")
        if not (count.isascii() and count.isdigit()):
            problems.add(where, f"n = {row['n']!r} is not a positive whole number")
            continue
        try:
            found = possible_counts(row["value"] or "", int(count))
        except ValueError as error:
            problems.add(where, str(error))
            continue
        writer.writerow([row["name"], row["value"], row["n"], *_verdict(found)])
    problems.raise_if_any()
    return output.getvalue()


def _verdict(found: Possibility) -> list[str]:
    if not found.possible:
        return ["impossible", "", ""]
    first, last = found.counts[0], found.counts[-1]
    counts = str(first) if first == last else f"{first}-{last}"
    return ["possible", counts, "; ".join(found.roundings)]


def _read_rows(path: Path) -> list[tuple[int, dict[str, str | None]]]:
    """Read the rows with their line numbers; BOM and CRLF are simply accepted."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise StudyError(
            f"{path}: not found; name a CSV file with the columns name,value,n"
        ) from None
    except UnicodeDecodeError:
        raise StudyError(f"{path.name}: not UTF-8 text; save it as UTF-8") from None
    reader = csv.DictReader(io.StringIO(text, newline=""))
    missing = [column for column in COLUMNS if column not in (reader.fieldnames or ())]
    if missing:
        raise StudyError(
            f"{path.name} line 1: no column {', '.join(missing)}; the header must be name,value,n"
        )
    return [(reader.line_num, row) for row in reader]
