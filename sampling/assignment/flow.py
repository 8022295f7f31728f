"""Flows of answers from questions to people: the greatest one, and what it leaves reachable."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Network:
    """Who may answer what: `allowed[question, person]`, with needs and quotas beside it."""

    question_ids: tuple[str, ...]
    people: tuple[str, ...]
    needs: Integers
    quotas: Integers
    allowed: Flags


class Flow(NamedTuple):
    """A flow: how many answers it places, and the pairs (question row, person column) it uses."""

    value: int
    rows: Integers
    columns: Integers


def build_network(
    needs: Mapping[str, int],
    quotas: Mapping[str, int],
    barred: Collection[tuple[str, str]],
) -> Network:
    """Build the network of all pairs that are not barred; names are sorted, negatives are 0."""
    question_ids, people = tuple(sorted(needs)), tuple(sorted(quotas))
    row_of = {question_id: row for row, question_id in enumerate(question_ids)}
    column_of = {person: column for column, person in enumerate(people)}
    allowed = np.ones((len(question_ids), len(people)), dtype=np.bool_)
    pairs = [
        (row_of[question_id], column_of[person])
        for person, question_id in barred
        if question_id in row_of and person in column_of
    ]
    if pairs:
        rows, columns = np.array(pairs).T
        allowed[rows, columns] = False
    return Network(
        question_ids,
        people,
        np.array([max(0, needs[question_id]) for question_id in question_ids], dtype=np.int64),
        np.array([max(0, quotas[person]) for person in people], dtype=np.int64),
        allowed,
    )


def greatest_flow(network: Network, quotas: Integers | None = None) -> Flow:
    """Place as many answers as possible, each pair at most once (Dinic's algorithm, scipy)."""
    rows, columns = np.nonzero(network.allowed)
    return flow_over_pairs(network, rows, columns, network.quotas if quotas is None else quotas)


def flow_over_pairs(network: Network, rows: Integers, columns: Integers, quotas: Integers) -> Flow:
    """Place as many answers as possible using only the given pairs."""
    questions, people = len(network.question_ids), len(network.people)
    source, sink = questions + people, questions + people + 1
    heads = np.concatenate([np.full(questions, source), rows, questions + np.arange(people)])
    tails = np.concatenate([np.arange(questions), questions + columns, np.full(people, sink)])
    room = np.concatenate([network.needs, np.ones(len(rows), dtype=np.int64), quotas])
    shape = (sink + 1, sink + 1)
    graph = csr_array((room.astype(np.int32), (heads, tails)), shape=shape)
    found = maximum_flow(narrow_indices(graph), source, sink)
    used = found.flow.tocoo()
    chosen = (used.data > 0) & (used.row < questions)
    return Flow(
        int(found.flow_value),
        used.row[chosen].astype(np.int64),
        used.col[chosen].astype(np.int64) - questions,
    )


def reached_from_source(network: Network, flow: Flow) -> Flags:
    """Mark the questions that the source still reaches in the residual network of a flow."""
    used = np.zeros_like(network.allowed)
    used[flow.rows, flow.columns] = True
    open_pairs = network.allowed & ~used
    reached: Flags = used.sum(axis=1) < network.needs
    while True:
        people = open_pairs[reached].any(axis=0)
        grown: Flags = reached | used[:, people].any(axis=1)
        if bool((grown == reached).all()):
            return grown
        reached = grown


def narrow_indices(graph: Any) -> Any:
    """Give a sparse array the 32-bit indices that `maximum_flow` wants."""
    graph.indices = graph.indices.astype(np.int32)
    graph.indptr = graph.indptr.astype(np.int32)
    return graph
