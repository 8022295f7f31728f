"""Compares printed tables cell by cell: what a file says with what was made again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

Cells = Mapping[str, str]


def table_differences(
    name: str, said: Sequence[Cells], again: Sequence[Cells], key: Sequence[str]
) -> Iterator[str]:
    """Say where a table is not what was made again, in the columns that were.

    Parameters
    ----------
    name : of the file
    said, again : rows of the file and rows made again; the file may have further columns
    key : columns that tell the rows apart

    Examples
    --------
    >>> list(table_differences("a.csv", [{"who": "A", "em": "1"}], [{"who": "A", "em": "2"}],
    ...                        ["who"]))
    ['a.csv: A: em is 1, made again it is 2']
    """
    held = {_name(row, key): row for row in said}
    wanted = {_name(row, key): row for row in again}
    if len(held) < len(said):
        yield f"{name}: a row stands twice"
    for row in sorted(held.keys() - wanted.keys()):
        yield f"{name}: has a row {row!r} that is not there when it is made again"
    for row, cells in wanted.items():
        if row not in held:
            yield f"{name}: has no row {row!r}"
            continue
        for column, now in cells.items():
            before = held[row].get(column)
            if before is None:
                yield f"{name}: has no column {column}"
            elif before != now:
                what = f"{name}: {row}: {column} is {_shown(before)}"
                yield f"{what}, made again it is {_shown(now)}"


def _name(row: Cells, key: Sequence[str]) -> str:
    return ", ".join(row.get(column) or "" for column in key if row.get(column))


def _shown(cell: str) -> str:
    return cell or "empty"
