"""The plan as one great flow, for studies that an integer program is too slow for."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from sampling.assignment.flow import Flags, Integers, narrow_indices
from sampling.assignment.plan_candidates import candidate_pairs
from sampling.assignment.targets import Design

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
        are left to `sampling.plan.plan_swaps`.

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
