"""The plan as an integer program: margins exact where they can be, else relaxed the least."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import Bounds as VariableBounds
from scipy.optimize import LinearConstraint, milp
from scipy.sparse import block_array, csr_array, eye_array

from sampling.assignment.flow import Flags, Integers
from sampling.assignment.targets import Design

NODE_LIMIT = 500
RELATIVE_GAP = 0.02


@dataclass(frozen=True)
class Weights:
    """What one answer above or below the ideal costs; None keeps a margin exact."""

    load: float | None = None
    category: float | None = None
    collection: float | None = None
    cell: float | None = None


@dataclass(frozen=True)
class _Rows:
    """Some constraints: `low <= matrix @ x <= high`, relaxed at a cost unless it is None."""

    matrix: Any
    low: Integers
    high: Integers
    weight: float | None = None


def solve_program(design: Design, weights: Weights) -> Flags | None:
    """Assign people to questions with margins exact or relaxed at a cost.

    Parameters
    ----------
    design : Design
        n questions, P people.
    weights : Weights
        Which margins may give way, and how dear that is.

    Returns
    -------
    (n, P) bool, or None
        Who answers what; None when it is impossible, or was not found within a fixed number of
        branchings (never a time: a plan must not depend on the machine's speed).

    Notes
    -----
    Solved by HiGHS through `scipy.optimize.milp`. The order of rows and columns comes from the
    seed; with exact margins there is nothing to optimise and the first solution counts.
    """
    rows, columns = np.nonzero(design.allowed)
    constraints = _constraints(design, weights, rows, columns)
    relaxed = [one for one in constraints if one.weight is not None]
    slacks = 2 * sum(len(one.low) for one in relaxed)
    costs = [np.full(2 * len(one.low), one.weight) for one in relaxed]
    found = milp(
        np.concatenate([np.zeros(len(rows)), *costs]),
        integrality=np.concatenate([np.ones(len(rows)), np.zeros(slacks)]),
        bounds=VariableBounds(0, np.concatenate([np.ones(len(rows)), np.full(slacks, np.inf)])),
        constraints=LinearConstraint(
            _with_slacks(constraints),
            np.concatenate([one.low for one in constraints]),
            np.concatenate([one.high for one in constraints]),
        ),
        options={"node_limit": NODE_LIMIT, "mip_rel_gap": RELATIVE_GAP},
    )
    if found.x is None:
        return None
    taken = found.x[: len(rows)] > 0.5
    chosen = np.zeros_like(design.allowed)
    chosen[rows[taken], columns[taken]] = True
    return chosen


def _constraints(
    design: Design, weights: Weights, rows: Integers, columns: Integers
) -> list[_Rows]:
    """Write the rules: k people a question, hard limits, and each person's margins."""
    people = len(design.people)
    needs = np.full(len(design.questions), design.responses)
    result = [
        _Rows(_counting(rows, len(design.questions)), needs, needs),
        _Rows(_counting(columns, people), np.zeros_like(design.limits), design.limits),
        _Rows(_counting(columns, people), design.load.least, design.load.most, weights.load),
    ]
    for group, bounds, weight in (
        (design.category, design.by_category, weights.category),
        (design.collection, design.by_collection, weights.collection),
        (design.cell, design.by_cell, weights.cell),
    ):
        width = bounds.least.shape[1]
        matrix = _counting(columns * width + group[rows], bounds.least.size)
        result.append(_Rows(matrix, bounds.least.ravel(), bounds.most.ravel(), weight))
    return result


def _counting(place: Integers, size: int) -> Any:
    """Build the matrix that counts the chosen pairs in each place."""
    pairs = np.arange(len(place))
    return csr_array((np.ones(len(place)), (place, pairs)), shape=(size, len(place)))


def _with_slacks(constraints: list[_Rows]) -> Any:
    """Set the constraints below each other, relaxed ones with a shortfall and an excess."""
    relaxed = [number for number, one in enumerate(constraints) if one.weight is not None]
    grid: list[list[Any]] = []
    for number, one in enumerate(constraints):
        line: list[Any] = [one.matrix]
        for other in relaxed:
            identity = eye_array(len(one.low)) if other == number else None
            line += [identity, None if identity is None else -identity]
        grid.append(line)
    return block_array(grid, format="csc")
