"""Swaps between people that bring categories, collections and cells to their fair shares.

The plan as one great flow, for studies that an integer program is too slow for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from sampling.assignment.feasibility import candidate_pairs
from sampling.assignment.flow import Flags, Integers, narrow_indices
from sampling.assignment.targets import Bounds, Design
from sampling.study.keyed import digest, shuffled

CANDIDATES = (12, 48)


def solve_flow(design: Design, seed: str) -> Flags:
    """Assign people to questions by maximum flows with ever looser bounds.

    Parameters
    ----------
    design : Design
        n questions, P people.
    seed : str
        Ranks the dozen candidates that each question is first given.

    Returns
    -------
    (n, P) bool
        Who answers what. Quotas, exclusions and distinctness hold; nobody has more than the upper
        bounds of load, category and cell where such a flow exists. Lower bounds and collections
        are left to `sampling.plan.large_plans`.

    Raises
    ------
    ValueError
        When it is impossible, which `sampling.assignment.feasibility` tells beforehand.

    Notes
    -----
    Question, person in a cell, person in a category, person: the capacities of the last three
    kinds of arc are upper bounds. Dinic's algorithm, through scipy.
    """
    for number in (*CANDIDATES, len(design.people)):
        rows, columns = candidate_pairs(design.allowed, number, seed, "candidates")
        for loosened in range(4):
            chosen = _attempt(design, rows, columns, loosened)
            if chosen is not None:
                return chosen
    raise ValueError("these people cannot give every answer")


def _attempt(design: Design, rows: Integers, columns: Integers, loosened: int) -> Flags | None:
    """Solve one flow; cells, categories and equal loads are unbounded from 1, 2 and 3 on."""
    questions, people = len(design.questions), len(design.people)
    categories, cells = design.by_category.most.shape[1], design.by_cell.most.shape[1]
    category_of_cell = np.zeros(cells, dtype=np.int64)
    category_of_cell[design.cell] = design.category
    in_cell = questions + np.arange(people * cells).reshape(people, cells)
    in_category = questions + people * cells + np.arange(people * categories)
    in_category = in_category.reshape(people, categories)
    in_load = questions + people * (cells + categories) + np.arange(people)
    source, sink = in_load[-1] + 1, in_load[-1] + 2
    everything = np.full(1, design.responses * questions)
    arcs = [
        (np.full(questions, source), np.arange(questions), np.full(questions, design.responses)),
        (rows, in_cell[columns, design.cell[rows]], np.ones(len(rows), dtype=np.int64)),
        (
            in_cell.ravel(),
            in_category[:, category_of_cell].ravel(),
            design.by_cell.most.ravel() if loosened < 1 else np.repeat(everything, in_cell.size),
        ),
        (
            in_category.ravel(),
            np.repeat(in_load, categories),
            design.by_category.most.ravel()
            if loosened < 2
            else np.repeat(everything, in_category.size),
        ),
        (
            in_load,
            np.full(people, sink),
            design.load.most if loosened < 3 else design.limits,
        ),
    ]
    heads, tails, room = (np.concatenate(parts) for parts in zip(*arcs, strict=True))
    graph = csr_array((room.astype(np.int32), (heads, tails)), shape=(sink + 1, sink + 1))
    found = maximum_flow(narrow_indices(graph), int(source), int(sink))
    if found.flow_value < design.responses * questions:
        return None
    used = found.flow[:questions].tocoo()
    taken = (used.data > 0) & (used.col < source)
    chosen = np.zeros_like(design.allowed)
    chosen[used.row[taken], (used.col[taken] - questions) // cells] = True
    return chosen


MOST_PASSES = 12
MOST_PARTNERS = 40
MOST_FAILURES = 10
CATEGORY, COLLECTION, CELL = 100, 10, 1


@dataclass
class _Table:
    """Counts of one grouping with their bounds, and what a count off them costs."""

    group_of_cell: list[int]
    counts: list[list[int]]
    least: list[list[int]]
    most: list[list[int]]
    weight: int


@dataclass
class _State:
    """Who holds what, by question and by person and cell, and the three tables of counts."""

    allowed: Flags
    holders: list[set[int]]
    theirs: list[list[list[int]]]
    in_cell: list[list[int]]
    tables: tuple[_Table, ...]


def balance_margins(design: Design, chosen: Flags, seed: str) -> Flags:
    """Swap questions between people while that brings margins nearer to their bounds.

    Parameters
    ----------
    design : Design
        n questions, P people.
    chosen : (n, P) bool
        A plan whose loads are right.
    seed : str
        Decides which partners are tried.

    Returns
    -------
    (n, P) bool
        A plan with the same loads, no worse in any pass: a swap is made when it lowers the sum of
        what counts are off their bounds (categories 100, collections 10, cells 1). It ends when
        nothing is off, when a pass finds nothing, or after a fixed number of passes.
    """
    state = _start(design, chosen)
    for turn in range(MOST_PASSES):
        people = [person for person in range(len(design.people)) if _penalty(state, person)]
        swaps = sum(
            _improve(state, person, (seed, str(turn), str(person)))
            for person in shuffled(people, seed, str(turn))
        )
        if not swaps:
            break
    result = np.zeros_like(chosen)
    rows = np.repeat(np.arange(len(state.holders)), [len(one) for one in state.holders])
    result[rows, [person for one in state.holders for person in sorted(one)]] = True
    return result


def _start(design: Design, chosen: Flags) -> _State:
    cells = design.by_cell.most.shape[1]
    people = len(design.people)
    theirs: list[list[list[int]]] = [[[] for _ in range(cells)] for _ in range(people)]
    holders: list[set[int]] = [set() for _ in design.questions]
    for row, column in zip(*np.nonzero(chosen), strict=True):
        holders[row].add(int(column))
        theirs[column][design.cell[row]].append(int(row))
    in_cell: list[list[int]] = [[] for _ in range(cells)]
    for row, cell in enumerate(design.cell):
        in_cell[cell].append(row)
    tables = tuple(
        _table(design, chosen, group, bounds, weight)
        for group, bounds, weight in (
            (design.category, design.by_category, CATEGORY),
            (design.collection, design.by_collection, COLLECTION),
            (design.cell, design.by_cell, CELL),
        )
    )
    return _State(design.allowed, holders, theirs, in_cell, tables)


def _table(design: Design, chosen: Flags, group: Integers, bounds: Bounds, weight: int) -> _Table:
    width = bounds.most.shape[1]
    group_of_cell = np.zeros(design.by_cell.most.shape[1], dtype=np.int64)
    group_of_cell[design.cell] = group
    counts = np.stack([chosen[group == number].sum(axis=0) for number in range(width)], axis=1)
    return _Table(
        group_of_cell.tolist(),
        counts.tolist(),
        bounds.least.tolist(),
        bounds.most.tolist(),
        weight,
    )


def _off(table: _Table, person: int, group: int, step: int = 0) -> int:
    count = table.counts[person][group] + step
    return max(table.least[person][group] - count, count - table.most[person][group], 0)


def _penalty(state: _State, person: int) -> int:
    return sum(
        table.weight * _off(table, person, group)
        for table in state.tables
        for group in range(len(table.counts[person]))
    )


def _change(state: _State, person: int, loses: int, gains: int) -> int:
    """Say how a person's penalty changes when a question of one cell becomes one of another."""
    total = 0
    for table in state.tables:
        less, more = table.group_of_cell[loses], table.group_of_cell[gains]
        if less != more:
            before = _off(table, person, less) + _off(table, person, more)
            after = _off(table, person, less, -1) + _off(table, person, more, 1)
            total += table.weight * (after - before)
    return total


def _improve(state: _State, person: int, key: tuple[str, ...]) -> int:
    """Make the swaps that help one person and do not harm the other as much."""
    made, failed = 0, set[tuple[int, int]]()
    while len(failed) < MOST_FAILURES:
        exchange = _most_helpful(state, person, failed)
        if exchange is None:
            break
        if _swap(state, person, *exchange, (*key, str(made))):
            made += 1
        else:
            failed.add(exchange)
    return made


def _most_helpful(
    state: _State, person: int, failed: set[tuple[int, int]]
) -> tuple[int, int] | None:
    """Name the cells whose exchange would lower a person's penalty most, if any would."""
    cells = len(state.in_cell)
    change = np.zeros((cells, cells), dtype=np.int64)
    for table in state.tables:
        counts, least, most = (
            np.array(rows[person]) for rows in (table.counts, table.least, table.most)
        )
        off = [
            np.maximum(np.maximum(least - counts - step, counts + step - most), 0)
            for step in (-1, 0, 1)
        ]
        groups = np.array(table.group_of_cell)
        less, more = (off[0] - off[1])[groups], (off[2] - off[1])[groups]
        differ = groups[:, None] != groups[None, :]
        change += table.weight * (less[:, None] + more[None, :]) * differ
    change[[not theirs for theirs in state.theirs[person]]] = 0
    for loses, gains in failed:
        change[loses, gains] = 0
    best = int(change.argmin())
    return divmod(best, cells) if change.flat[best] < 0 else None


def _swap(state: _State, person: int, loses: int, gains: int, key: tuple[str, ...]) -> bool:
    """Find somebody who takes a question of one cell for one of another, and swap."""
    mine = _change(state, person, loses, gains)
    wanted = state.in_cell[gains]
    offered = state.theirs[person][loses]
    start = int.from_bytes(digest(*key, str(loses), str(gains))[:8], "big")
    for turn in range(min(MOST_PARTNERS, len(wanted))):
        gain = wanted[(start + turn) % len(wanted)]
        if person in state.holders[gain] or not state.allowed[gain, person]:
            continue
        for other in sorted(state.holders[gain]):
            if mine + _change(state, other, gains, loses) >= 0:
                continue
            for loss in offered:
                if other not in state.holders[loss] and state.allowed[loss, other]:
                    _exchange(state, person, other, loss, gain, loses, gains)
                    return True
    return False


def _exchange(
    state: _State, person: int, other: int, loss: int, gain: int, loses: int, gains: int
) -> None:
    for one, less, more, less_cell, more_cell in (
        (person, loss, gain, loses, gains),
        (other, gain, loss, gains, loses),
    ):
        state.holders[less].remove(one)
        state.theirs[one][less_cell].remove(less)
        state.holders[more].add(one)
        state.theirs[one][more_cell].append(more)
        for table in state.tables:
            table.counts[one][table.group_of_cell[less_cell]] -= 1
            table.counts[one][table.group_of_cell[more_cell]] += 1
