"""Feasibility: can these people give every question its answers, and if not, why not.

A few hash-ranked candidates a question: what makes a plan for very many people tractable.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sampling.assignment.flow import (
    Flags,
    Integers,
    Network,
    build_network,
    flow_over_pairs,
    reached_from_source,
)
from sampling.study.keyed import digest

SPARE = 8


def permutation(size: int, *key: str) -> Integers:
    """Permute 0 to size - 1 by hash: the order of 64-bit words of SHA-256 in counter mode.

    >>> permutation(5, "seed").tolist()
    [0, 4, 1, 3, 2]
    """
    start = digest(*key)
    blocks = [
        hashlib.sha256(start + counter.to_bytes(4, "big")).digest()
        for counter in range(size // 4 + 1)
    ]
    words = np.frombuffer(b"".join(blocks), dtype=">u8")[:size]
    return np.argsort(words, kind="stable").astype(np.int64)


def candidate_pairs(allowed: Flags, number: int, *key: str) -> tuple[Integers, Integers]:
    """Choose so many candidates for every question, everybody equally often.

    Parameters
    ----------
    allowed : (n, P) bool
        Who may answer what.
    number : int
        How many candidates a question; all who may when it is at least P.
    key : str
        What the hashes start with.

    Returns
    -------
    rows, columns : int
        Sorted pairs. The people are permuted anew for each block of questions and dealt out in
        turn; a question has fewer candidates where many of those dealt may not answer it.
    """
    questions, people = allowed.shape
    width = number + SPARE
    if width >= people:
        rows, columns = np.nonzero(allowed)
        return rows, columns
    block = people // width
    dealt = np.empty((questions, width), dtype=np.int64)
    for turn, start in enumerate(range(0, questions, block)):
        order = permutation(people, *key, str(turn))[: block * width].reshape(block, width)
        dealt[start : start + block] = order[: min(block, questions - start)]
    may = np.take_along_axis(allowed, dealt, axis=1)
    may &= np.cumsum(may, axis=1) <= number
    rows, places = np.nonzero(may)
    columns = dealt[rows, places]
    order = np.lexsort((columns, rows))
    return rows[order], columns[order]


RECOMMENDED_SLACK = 0.10
SLACK_STEPS = 1000
FEW_PAIRS, MOST_PAIRS = 300_000, 2_000_000


@dataclass(frozen=True)
class Feasibility:
    """Whether the people can finish, with the reason when they cannot.

    When `possible` is false, `questions` need `needed_answers` and can only be given to `people`,
    who can give them `possible_answers` at most (each person the number in `people_answers`):
    `short_answers` fewer. Of all sets of questions that are short by as much as can be, these are
    the fewest. When `possible`, `slack` is the
    share of everybody's remaining quota that could be lost before the study becomes impossible
    (0 to 1, in steps of 0.001), or None when it was not asked for.
    """

    possible: bool
    short_answers: int = 0
    questions: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    needed_answers: int = 0
    possible_answers: int = 0
    people_answers: tuple[int, ...] = ()
    slack: float | None = None


def check_feasibility(
    needs: Mapping[str, int],
    quotas: Mapping[str, int],
    barred: Collection[tuple[str, str]],
    with_slack: bool = True,
) -> Feasibility:
    """Tell whether every question can get its answers from different people within quotas.

    Parameters
    ----------
    needs : mapping of sample_id to int
        How many more answers each question needs.
    quotas : mapping of pseudonym to int
        How many more answers each person may give.
    barred : collection of (pseudonym, sample_id)
        Who may not answer what: excluded, or answered already. Unknown names are ignored.
    with_slack : bool
        Whether to work out the slack as well (some ten more flows).

    Returns
    -------
    Feasibility
        Of nothing needed: possible, with a slack of 1.

    Notes
    -----
    A maximum flow from questions (as much as they need) to people (1 each) to their quotas. When
    it falls short, the questions reached from the source in the residual network form the
    smallest minimum cut: Gale's theorem, with Ford and Fulkerson, Flows in Networks (1962),
    corollary 5.4.

    Examples
    --------
    Two questions that only P2 and P3 may answer, three times each:

    >>> found = check_feasibility(
    ...     {"q1": 2, "q2": 3}, {"P1": 2, "P2": 2, "P3": 2}, {("P1", "q2")}
    ... )
    >>> found.possible, found.short_answers, found.questions, found.people
    (False, 1, ('q2',), ('P2', 'P3'))
    >>> check_feasibility({"q1": 2}, {"P1": 1, "P2": 1}, set()).slack
    0.0
    """
    return network_feasibility(build_network(needs, quotas, barred), with_slack)


def network_feasibility(network: Network, with_slack: bool = True) -> Feasibility:
    """Tell the same of a network that was built already.

    Large networks are tried with a few candidates a question first; only when these do not suffice
    are all pairs looked at. The slack of the largest is what these candidates bear: a lower bound.
    """
    total = int(network.needs.sum())
    for number in _candidate_numbers(network):
        rows, columns = candidate_pairs(network.allowed, number, "feasibility")
        found = flow_over_pairs(network, rows, columns, network.quotas)
        if found.value == total:
            slack = _slack(network, rows, columns, total) if with_slack else None
            return Feasibility(True, slack=slack)
    return _explain(network, reached_from_source(network, found), total - found.value)


def _candidate_numbers(network: Network) -> tuple[int, ...]:
    """Say how many people a question are tried in turn; in the end everybody."""
    everybody = len(network.people)
    if network.allowed.size <= FEW_PAIRS:
        return (everybody,)
    few = 4 * int(network.needs.max())
    return (few, 4 * few, everybody)


def _explain(network: Network, stuck: Flags, short: int) -> Feasibility:
    """Say which questions are short, of how many answers, and who alone may give them."""
    allowed = network.allowed[stuck].sum(axis=0)
    able = np.minimum(allowed, network.quotas)
    people = sorted((network.people[column], int(able[column])) for column in np.flatnonzero(able))
    return Feasibility(
        possible=False,
        short_answers=short,
        questions=tuple(sorted(network.question_ids[row] for row in np.flatnonzero(stuck))),
        people=tuple(pseudonym for pseudonym, _ in people),
        needed_answers=int(network.needs[stuck].sum()),
        possible_answers=int(able.sum()),
        people_answers=tuple(answers for _, answers in people),
    )


def _slack(network: Network, rows: Integers, columns: Integers, total: int) -> float:
    """Find by halving the largest cut of all quotas that leaves the study possible.

    Nothing can bear more than what people could give of the questions they may answer, so that
    is tried first, and mostly it is the answer.
    """
    if total == 0:
        return 1.0
    exact = network.allowed.size <= MOST_PAIRS
    every = np.nonzero(network.allowed) if exact else (rows, columns)

    def bears(step: int) -> bool:
        quotas = _cut(network.quotas, step)
        if flow_over_pairs(network, rows, columns, quotas).value == total:
            return True
        return len(every[0]) > len(rows) and (
            flow_over_pairs(network, every[0], every[1], quotas).value == total
        )

    able = np.minimum(
        _cut(network.quotas, np.arange(SLACK_STEPS)[:, None]), network.allowed.sum(axis=0)
    )
    possible, impossible = 0, int(np.count_nonzero(able.sum(axis=1) >= total))
    if impossible > 1 and bears(impossible - 1):
        return (impossible - 1) / SLACK_STEPS
    while impossible - possible > 1:
        middle = (possible + impossible) // 2
        if bears(middle):
            possible = middle
        else:
            impossible = middle
    return possible / SLACK_STEPS


def _cut(quotas: Integers, step: int | Integers) -> Integers:
    """Cut quotas by so many of `SLACK_STEPS`, rounded down."""
    left: Integers = quotas * (SLACK_STEPS - step) // SLACK_STEPS
    return left


def explain_shortfall(found: Feasibility, most_named: int = 12) -> str:
    """Say in words what is short, for which questions, and who alone could help.

    >>> print(explain_shortfall(Feasibility(False, 1, ("q2",), ("P2", "P3"), 3, 2)))
    1 answer short: 1 question (q2) needs 3 more answers, and only 2 people (P2, P3) may give \
them, 2 at most
    """
    questions, people = len(found.questions), len(found.people)
    who = (
        f"{people} people ({_named(found.people, most_named)})" if people > 1 else found.people[:1]
    )
    able = f"only {''.join(who)} may give them, {found.possible_answers} at most"
    return (
        f"{_count(found.short_answers, 'answer')} short: {_count(questions, 'question')} "
        f"({_named(found.questions, most_named)}) {'needs' if questions == 1 else 'need'} "
        f"{_count(found.needed_answers, 'more answer')}, and "
        f"{able if people else 'nobody may give them'}"
    )


def explain_slack(found: Feasibility) -> str:
    """Say how much may be lost, and advise more where that is little.

    >>> print(explain_slack(Feasibility(True, slack=0.25)))
    possible, with 25.0 % slack: so much of everybody's limit could be lost
    """
    if found.slack is None:
        return "possible"
    share = f"{100 * found.slack:.1f} % slack: so much of everybody's limit could be lost"
    said = f"possible, with {share if found.slack else 'no slack'}"
    if found.slack >= RECOMMENDED_SLACK:
        return said
    return (
        f"{said}. {100 * RECOMMENDED_SLACK:.0f} % or more is recommended, so that people may "
        "leave: invite more, or raise quotas or [assignment] max_load"
    )


def _named(names: Sequence[str], most: int) -> str:
    """List names, the first ones only when there are many."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
