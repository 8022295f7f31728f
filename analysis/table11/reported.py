"""Models known only by the numbers of a paper: printed as reported, never recomputed.

Published percentages: which counts, if any, could have been printed so for their n.
Reads the percentages to be checked and writes the verdicts, both as CSV.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

from analysis.scoring.exact import percent
from analysis.table11.breakdowns import COLUMNS, TEXT_COLUMNS
from analysis.table11.table11 import REPORTED, Table11, Table11Row
from sampling.study.definition import ModelTable
from sampling.study.errors import Problems, StudyError, did_you_mean

_PERCENTAGE = re.compile(r"(?P<whole>\d+)(?:\.(?P<decimals>\d+))?\s*%?")


class Rounding(StrEnum):
    """The ways of rounding that a printed number may come from; cutting off is none."""

    HALF_UP = "half up"
    HALF_EVEN = "half even"
    HALF_DOWN = "half down"


@dataclass(frozen=True)
class Possibility:
    """Which counts out of n print as a value, and under which rounding.

    `counts` is empty when no count does; `roundings` are those under which some count does.
    """

    counts: tuple[int, ...]
    roundings: tuple[Rounding, ...]

    @property
    def possible(self) -> bool:
        return bool(self.counts)


def possible_counts(value: str, n: int) -> Possibility:
    """Find every count k in 0..n whose percentage prints as `value`.

    Parameters
    ----------
    value : a percentage as it was printed, trailing zeros included: its decimals count
    n : the denominator, at least 1

    Returns
    -------
    Possibility
        Exact rational arithmetic throughout: 100 k / n lies within half a unit of the last
        printed place, and a tie goes the way the rounding says.

    Raises
    ------
    ValueError
        If `value` is not a plain decimal number or `n` is not positive.

    References
    ----------
    The GRIM test of Brown and Heathers (2017), Social Psychological and Personality Science 8(4).

    Examples
    --------
    >>> possible_counts("87.50", 768).counts
    (672,)
    >>> possible_counts("86.0", 768).possible
    False
    >>> [str(way) for way in possible_counts("90.63", 32).roundings]
    ['half up']
    """
    printed = _PERCENTAGE.fullmatch(value.strip())
    if printed is None:
        raise ValueError(f"{value!r} is not a percentage such as 86.0")
    if n < 1:
        raise ValueError(f"n = {n} is not a positive whole number")
    decimals = printed["decimals"] or ""
    units = int(printed["whole"] + decimals)
    unit = Fraction(1, 10 ** len(decimals))
    low = (units - Fraction(1, 2)) * unit * n / 100
    high = (units + Fraction(1, 2)) * unit * n / 100
    counts: set[int] = set()
    roundings = []
    for rounding in Rounding:
        found = _counts_between(low, high, n, *_closed_ends(rounding, units))
        if found:
            roundings.append(rounding)
            counts.update(found)
    return Possibility(tuple(sorted(counts)), tuple(roundings))


def _closed_ends(rounding: Rounding, units: int) -> tuple[bool, bool]:
    """Tell whether a tie at the lower and at the upper end prints as this value."""
    if rounding is Rounding.HALF_UP:
        return True, False
    if rounding is Rounding.HALF_DOWN:
        return False, True
    return units % 2 == 0, units % 2 == 0


def _counts_between(
    low: Fraction, high: Fraction, n: int, low_closed: bool, high_closed: bool
) -> range:
    """List the whole numbers in 0..n between two ends, each end taken or not."""
    first = math.ceil(low)
    last = math.floor(high)
    if first == low and not low_closed:
        first += 1
    if last == high and not high_closed:
        last -= 1
    return range(max(first, 0), min(last, n) + 1)


CHECKED_COLUMNS = ("name", "value", "n")


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
    writer.writerow([*CHECKED_COLUMNS, "verdict", "k", "rounding"])
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
    head = reader.fieldnames or ()
    missing = [column for column in CHECKED_COLUMNS if column not in head]
    if missing:
        named = ", ".join(f"{column!r}{did_you_mean(column, head)}" for column in missing)
        raise StudyError(
            f"{path.name} line 1: no column {named}; the header must be name,value,n "
            f"(it is {','.join(head)})"
        )
    return [(reader.line_num, row) for row in reader]


OVERALL = "overall"
METRICS = (*COLUMNS, *TEXT_COLUMNS)


def with_reported(table: Table11, models: Sequence[ModelTable], groups: Collection[str]) -> Table11:
    """Add a row for each model that has aggregates and no predictions, in the given order.

    No gap is taken to such a row: its number is not over the same questions. `groups` are the
    names that some table has a row for; a note says which typed-in groups are none of them.

    Raises
    ------
    StudyError
        With every metric that is not one of ours.
    """
    only_reported = [model for model in models if model.predictions is None]
    check_aggregates(models)
    lost = tuple(
        f"{fault}; its numbers are in no table." for fault in unknown_groups(models, groups)
    )
    if not only_reported:
        return replace(table, notes=(*table.notes, *lost))
    order = {model.name: place for place, model in enumerate(models)}
    rows = [*table.rows[1:], *(_row(model, table) for model in only_reported)]
    rows.sort(key=lambda row: order.get(row.model or row.evaluator, len(order)))
    names = ", ".join(model.name for model in only_reported)
    note = (
        f"Reported, not recomputed: {names}. These numbers were typed in and are not over the "
        "sampled questions, so no gap to them is taken."
    )
    return replace(table, rows=(table.rows[0], *rows), notes=(*table.notes, note, *lost))


def reported_breakdown(
    models: Iterable[ModelTable], groups: Iterable[str], display: Mapping[str, str]
) -> list[dict[str, str]]:
    """Lay out the numbers that were typed in for some groups, such as the categories.

    A group may be typed under its own name or under the one that tables print.
    """
    known = sorted(set(groups))
    return [
        {
            "evaluator": model.name,
            "condition": REPORTED,
            "group": display.get(group, group),
            **{metric: percent(share(value)) for metric, value in metrics.items()},
        }
        for model in models
        for group in known
        if (metrics := model.aggregates.get(group, model.aggregates.get(display.get(group, group))))
    ]


def check_aggregates(models: Iterable[ModelTable]) -> None:
    """Refuse metrics that no table has, naming the nearest, and values beyond 0 to 100."""
    problems = Problems()
    for model in models:
        for group, metrics in model.aggregates.items():
            where = f"study.toml [[models]] {model.name!r} aggregates {group!r}"
            for metric, value in metrics.items():
                if metric not in METRICS:
                    hint = did_you_mean(metric, METRICS) or f" (known: {', '.join(METRICS)})"
                    problems.add(where, f"unknown metric {metric!r}{hint}")
                elif not 0 <= value <= 100:
                    problems.add(where, f"{metric} = {value} is no percentage from 0 to 100")
    problems.raise_if_any()


def unknown_groups(models: Iterable[ModelTable], groups: Collection[str]) -> list[str]:
    """Name the typed-in groups that are none of the given ones, each with the nearest.

    >>> model = ModelTable(name="M", aggregates={"overall": {}, "seal": {}})
    >>> unknown_groups([model], ["seals"])
    ["M: no group is called 'seal' (did you mean 'seals'?)"]
    """
    known = {OVERALL, *groups}
    return [
        f"{model.name}: no group is called {group!r}{did_you_mean(group, sorted(known))}"
        for model in models
        for group in model.aggregates
        if group not in known
    ]


def share(value: float) -> Fraction:
    """Take a percentage as it was typed.

    >>> share(52.08)
    Fraction(651, 1250)
    """
    return Fraction(str(value)) / 100


def _row(model: ModelTable, table: Table11) -> Table11Row:
    values = model.aggregates.get(OVERALL, {})
    return Table11Row(
        evaluator=model.name,
        kind=REPORTED,
        counts={},
        means={
            one.name: share(values[one.name]) if one.name in values else None
            for one in table.measures
        },
        question_means={},
        group=model.group,
    )
