"""The spread draw: choosing questions so that an image (or any other value) recurs little.

A minimum-cost b-matching between strata and images, solved by successive shortest paths in whole
numbers: the same input gives the same choice on every machine, whatever libraries are installed.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field


@dataclass
class _Matching:
    """What has been chosen so far, and where the next choice may come from."""

    images: list[list[int]]
    holders: list[list[tuple[int, int]]]
    reuse_cost: int
    chosen: list[set[int]] = field(default_factory=list)
    uses: list[int] = field(default_factory=list)
    fresh: list[list[tuple[int, int]]] = field(default_factory=list)
    swaps: list[dict[int, list[tuple[int, int, int]]]] = field(default_factory=list)
    potential: list[int] = field(default_factory=list)


def choose_spread(ranked: Sequence[Sequence[Hashable]], needed: Sequence[int]) -> list[list[int]]:
    """Choose from every stratum as many candidates as it needs, reusing images as little as can be.

    Parameters
    ----------
    ranked : one sequence a stratum
        The image of each candidate, best rank first.
    needed : one number a stratum
        How many to choose; never more than the stratum has.

    Returns
    -------
    one sorted list a stratum
        The ranks (from 0) that were chosen.

    Notes
    -----
    The choice first makes the uses of images as even as the strata allow (no other choice has a
    smaller sum of u(u - 1)/2 over images used u times), and among those takes the smallest sum of
    ranks. Where every image has a question in every stratum of its collection, an image is thus
    used at most ceil(needed / images) times. Successive shortest paths with convex costs: Ahuja,
    Magnanti and Orlin, Network Flows (1993), sections 9.7 and 14.5.

    Examples
    --------
    Two strata over the same three images: the second takes the image the first left.

    >>> choose_spread([["a", "b", "c"], ["b", "a", "c"]], [2, 1])
    [[0, 2], [0]]
    >>> choose_spread([["a", "b"], ["a"]], [1, 1])
    [[1], [0]]
    """
    matching = _start(ranked, needed)
    for stratum, number in enumerate(needed):
        for _ in range(number):
            _augment(matching, stratum)
    return [sorted(chosen) for chosen in matching.chosen]


def _start(ranked: Sequence[Sequence[Hashable]], needed: Sequence[int]) -> _Matching:
    """Number the images, leaving out candidates that no optimal choice could hold.

    A candidate behind as many different images of its stratum as questions are needed in all can
    always be exchanged for a better one that uses no image twice.
    """
    total = sum(needed)
    numbers: dict[Hashable, int] = {}
    images: list[list[int]] = []
    holders: list[list[tuple[int, int]]] = []
    for stratum, values in enumerate(ranked):
        row: list[int] = []
        different: set[int] = set()
        for rank, value in enumerate(values):
            if len(different) >= total:
                break
            image = numbers.setdefault(value, len(numbers))
            if image == len(holders):
                holders.append([])
            holders[image].append((stratum, rank))
            different.add(image)
            row.append(image)
        images.append(row)
    longest = max((len(row) for row in images), default=0)
    return _Matching(
        images=images,
        holders=holders,
        reuse_cost=longest * (total + 1) + 1,
        chosen=[set() for _ in images],
        uses=[0] * len(holders),
        fresh=[[(0, rank) for rank in range(len(row))] for row in images],
        swaps=[{} for _ in images],
        potential=[0] * len(images),
    )


@dataclass
class _Search:
    """One search for the cheapest chain: lengths so far, and the exchange that led to each."""

    queue: list[tuple[int, int]]
    distance: dict[int, int]
    came_from: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    settled: dict[int, int] = field(default_factory=dict)
    best: tuple[int, int, int] | None = None


def _augment(matching: _Matching, source: int) -> None:
    """Give a stratum one more question along the cheapest chain of exchanges (Dijkstra)."""
    search = _Search(queue=[(0, source)], distance={source: 0})
    while search.queue:
        length, stratum = heapq.heappop(search.queue)
        if search.best is not None and length >= search.best[0]:
            break
        if stratum not in search.settled:
            search.settled[stratum] = length
            _look_from(matching, search, stratum)
    if search.best is None:
        raise ValueError("a stratum needs more questions than it has")
    for stratum, length in search.settled.items():
        matching.potential[stratum] += length - search.best[0]
    _apply(matching, source, search.best, search.came_from)


def _look_from(matching: _Matching, search: _Search, stratum: int) -> None:
    """Note where the chain may end or go on from a stratum whose length is settled."""
    here = search.settled[stratum] + matching.potential[stratum]
    last = _freshest(matching, stratum)
    if last is not None:
        end = here + last[0] * matching.reuse_cost + last[1]
        if search.best is None or end < search.best[0]:
            search.best = (end, stratum, last[1])
    for other in matching.swaps[stratum]:
        swap = _cheapest_swap(matching, stratum, other)
        if swap is None or other in search.settled:
            continue
        reached = here + swap[0] - matching.potential[other]
        if other not in search.distance or reached < search.distance[other]:
            search.distance[other] = reached
            search.came_from[other] = (stratum, swap[1], swap[2])
            heapq.heappush(search.queue, (reached, other))


def _apply(
    matching: _Matching,
    source: int,
    best: tuple[int, int, int],
    came_from: dict[int, tuple[int, int, int]],
) -> None:
    """Choose the chain's last candidate and exchange the others back to its first stratum."""
    _, stratum, rank = best
    matching.uses[matching.images[stratum][rank]] += 1
    taken = [(stratum, rank)]
    returned = []
    while stratum != source:
        before, gain, loss = came_from[stratum]
        returned.append((stratum, loss))
        taken.append((before, gain))
        stratum = before
    for stratum, rank in returned:
        matching.chosen[stratum].remove(rank)
    for stratum, rank in taken:
        matching.chosen[stratum].add(rank)
    for stratum, rank in taken:
        _offer_taken(matching, stratum, rank)
    for stratum, rank in returned:
        _offer_returned(matching, stratum, rank)


def _offer(matching: _Matching, stratum: int, rank: int, other: int, given: int) -> None:
    """Note that a stratum could take a candidate whose image another would give up."""
    if stratum != other:
        heap = matching.swaps[stratum].setdefault(other, [])
        heapq.heappush(heap, (rank - given, rank, given))


def _offer_taken(matching: _Matching, winner: int, taken: int) -> None:
    """Let every stratum that passed over this image ask for it."""
    for holder, rank in matching.holders[matching.images[winner][taken]]:
        if rank not in matching.chosen[holder]:
            _offer(matching, holder, rank, winner, taken)


def _offer_returned(matching: _Matching, stratum: int, given: int) -> None:
    """Let a stratum ask back for a candidate that it gave up, and choose it afresh."""
    uses = matching.uses[matching.images[stratum][given]]
    heapq.heappush(matching.fresh[stratum], (uses, given))
    for holder, rank in matching.holders[matching.images[stratum][given]]:
        if rank in matching.chosen[holder]:
            _offer(matching, stratum, given, holder, rank)


def _freshest(matching: _Matching, stratum: int) -> tuple[int, int] | None:
    """Give the cheapest candidate not chosen yet: the uses of its image, and its rank."""
    heap = matching.fresh[stratum]
    while heap:
        uses, rank = heap[0]
        now = matching.uses[matching.images[stratum][rank]]
        if rank in matching.chosen[stratum]:
            heapq.heappop(heap)
        elif uses != now:
            heapq.heapreplace(heap, (now, rank))
        else:
            return heap[0]
    return None


def _cheapest_swap(matching: _Matching, stratum: int, other: int) -> tuple[int, int, int] | None:
    """Give the cheapest exchange of one image from another stratum to this one."""
    heap = matching.swaps[stratum][other]
    while heap:
        _, rank, given = heap[0]
        if rank in matching.chosen[stratum] or given not in matching.chosen[other]:
            heapq.heappop(heap)
        else:
            return heap[0]
    return None
