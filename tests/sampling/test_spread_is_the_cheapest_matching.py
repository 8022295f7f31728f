from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from sampling.draw.spread import choose_spread

REUSE = 10_000


@st.composite
def strata_over_images(draw):
    images = draw(st.integers(1, 6))
    ranked = draw(
        st.lists(
            st.lists(st.integers(0, images - 1), min_size=1, max_size=8), min_size=1, max_size=4
        )
    )
    return ranked, [draw(st.integers(0, len(row))) for row in ranked]


def cost(ranked: list[list[int]], chosen: list[list[int]]) -> int:
    """Sum of ranks, and 10,000 for each earlier use of an image."""
    uses = Counter(ranked[stratum][rank] for stratum, row in enumerate(chosen) for rank in row)
    reuse = sum(count * (count - 1) // 2 for count in uses.values())
    return REUSE * reuse + sum(rank for row in chosen for rank in row)


def cheapest(ranked: list[list[int]], needed: list[int]) -> float:
    """The least cost by linear programming, where the u-th use of an image costs 10,000 (u - 1)."""
    edges = [(s, rank, image) for s, row in enumerate(ranked) for rank, image in enumerate(row)]
    images = sorted({image for *_, image in edges})
    most = len(edges)
    costs = [rank for _, rank, _ in edges] + [REUSE * use for _ in images for use in range(most)]
    rows, right = [], []
    for stratum, need in enumerate(needed):
        row = np.zeros(len(costs))
        row[[number for number, edge in enumerate(edges) if edge[0] == stratum]] = 1
        rows.append(row)
        right.append(need)
    for number, image in enumerate(images):
        row = np.zeros(len(costs))
        row[[place for place, edge in enumerate(edges) if edge[2] == image]] = 1
        start = len(edges) + number * most
        row[start : start + most] = -1
        rows.append(row)
        right.append(0)
    return linprog(costs, A_eq=np.array(rows), b_eq=right, bounds=(0, 1)).fun


@given(strata_over_images())
@settings(max_examples=60, deadline=None)
def test_no_other_choice_reuses_less_or_ranks_better(problem) -> None:
    ranked, needed = problem
    chosen = choose_spread(ranked, needed)
    assert [len(row) for row in chosen] == needed
    assert abs(cost(ranked, chosen) - cheapest(ranked, needed)) < 1e-3


@given(st.integers(4, 40), st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_crossed_images_are_used_at_most_the_quotient_rounded_up(images: int, seed: int) -> None:
    # 8 categories need 4 each: 32 over the images, as the paper's collections do.
    generator = np.random.default_rng(seed)
    ranked = [generator.permutation(images).tolist() for _ in range(8)]
    chosen = choose_spread(ranked, [4] * 8)
    uses = Counter(ranked[stratum][rank] for stratum, row in enumerate(chosen) for rank in row)
    assert max(uses.values()) == -(-32 // images)
    assert len(uses) == min(32, images)
