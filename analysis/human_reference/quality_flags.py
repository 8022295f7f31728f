"""Quality without keys: flags on how somebody answered, each with the rule behind it.

A flag asks a person to look; nothing is deleted or left out because of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]


class FlagKind(StrEnum):
    """What a flag is about."""

    TOO_FAST = "too fast"
    STRAIGHT_LINE = "straight line"
    LONG_IDLE = "long idle"
    REPEATED_SESSIONS = "repeated sessions"
    ATTENTION = "attention"


@dataclass(frozen=True)
class FlagRules:
    """The thresholds, declared before anyone answers."""

    too_fast_seconds: float = 2.0
    too_fast_share: float = 0.1
    too_fast_least: int = 3
    same_place_run: int = 8
    same_answer_least: int = 10
    same_answer_others: float = 0.3
    idle_minutes: float = 30.0
    idle_share: float = 0.1
    idle_least: int = 3
    visits_in_an_hour: int = 5
    attention_share: float = 0.25
    attention_least: int = 2


@dataclass(frozen=True)
class AnswerTraces:
    """How the answers were given: n responses in the order of participant and time.

    Attributes
    ----------
    participant, question, category : (n,) integers
        Codes of one's own choosing.
    answer : (n,) integers
        Equal within a category exactly where the stored responses are equal.
    place : (n,) integers
        Place of the one chosen option in its vocabulary, from 0; -1 where there is no one option.
    active_seconds : (n,) floats
        NaN where unknown.
    open_seconds : (n,) floats
        From when the question was shown until the answer was sent.
    """

    participant: Integers
    question: Integers
    category: Integers
    answer: Integers
    place: Integers
    active_seconds: Numbers
    open_seconds: Numbers


@dataclass(frozen=True)
class Flag:
    """One flag on one participant: what was found, `found`, and the rule it comes from."""

    participant: int
    kind: FlagKind
    found: str
    rule: str


def quality_flags(
    traces: AnswerTraces,
    visits: Mapping[int, Numbers],
    attention: Mapping[int, tuple[int, int]],
    rules: FlagRules | None = None,
) -> tuple[Flag, ...]:
    """Give every flag, by participant and kind.

    Parameters
    ----------
    traces : AnswerTraces
    visits : mapping of participant to (m,) floats
        When they signed in by their link, seconds since 1970.
    attention : mapping of participant to (wrong, answered)
        Answers to attention questions, which are outside the sample.
    rules : FlagRules, optional

    Returns
    -------
    tuple of Flag
        Empty when nobody answered.

    Examples
    --------
    >>> one = np.array([7, 7, 7, 7])
    >>> zero = np.zeros(4)
    >>> traces = AnswerTraces(one, np.arange(4), np.arange(4), one, -one, zero + 0.5, zero)
    >>> [(flag.kind.value, flag.found) for flag in quality_flags(traces, {}, {})]
    [('too fast', '4 of 4 answers under 2 s')]
    """
    rules = rules or FlagRules()
    found = [
        *_too_fast(traces, rules),
        *_same_place(traces, rules),
        *_same_answer(traces, rules),
        *_long_idle(traces, rules),
        *_repeated_sessions(visits, rules),
        *_attention(attention, rules),
    ]
    return tuple(sorted(found, key=lambda flag: (flag.participant, flag.kind, flag.found)))


def _stretches(codes: Integers) -> tuple[Integers, Integers]:
    """Give where each stretch of equal codes begins and ends."""
    if not len(codes):
        return codes, codes
    starts = np.flatnonzero(np.r_[True, codes[1:] != codes[:-1]])
    return starts, np.r_[starts[1:], len(codes)]


def _people(traces: AnswerTraces) -> list[tuple[int, slice]]:
    """Give each participant with the place of their answers."""
    starts, ends = _stretches(traces.participant)
    return [
        (int(traces.participant[start]), slice(start, end))
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]


def _too_fast(traces: AnswerTraces, rules: FlagRules) -> list[Flag]:
    """Flag whoever gave many answers in less time than reading takes."""
    limit = f"{rules.too_fast_seconds:g} s"
    rule = (
        f"at least {rules.too_fast_least} answers, and {rules.too_fast_share:.0%} of all, "
        f"with under {limit} of active time"
    )
    flags = []
    for person, theirs in _people(traces):
        seconds = traces.active_seconds[theirs]
        fast = int(np.count_nonzero(seconds < rules.too_fast_seconds))
        known = int(np.count_nonzero(~np.isnan(seconds)))
        if fast >= rules.too_fast_least and fast >= rules.too_fast_share * known:
            found = f"{fast} of {known} answers under {limit}"
            flags.append(Flag(person, FlagKind.TOO_FAST, found, rule))
    return flags


def _same_place(traces: AnswerTraces, rules: FlagRules) -> list[Flag]:
    """Flag a long run of choices at the same place of the list, whatever the list."""
    rule = (
        f"{rules.same_place_run} choices or more, one after another, "
        "at the same place of their lists, over at least 3 categories"
    )
    flags = []
    for person, theirs in _people(traces):
        chosen = traces.place[theirs] >= 0
        place, category = traces.place[theirs][chosen], traces.category[theirs][chosen]
        starts, ends = _stretches(place)
        long = [
            (int(ends[run] - starts[run]), int(place[starts[run]]) + 1)
            for run in np.flatnonzero(ends - starts >= rules.same_place_run)
            if len(np.unique(category[starts[run] : ends[run]])) >= 3
        ]
        if long:
            length, at = max(long)
            found = f"option {at} chosen {length} times in a row"
            flags.append(Flag(person, FlagKind.STRAIGHT_LINE, found, rule))
    return flags


def _same_answer(traces: AnswerTraces, rules: FlagRules) -> list[Flag]:
    """Flag one and the same answer to a whole category where others saw differences."""
    rule = (
        f"{rules.same_answer_least} answers or more in a category, all the same, where "
        f"{rules.same_answer_others:.0%} of other people's answers to these questions differ"
    )
    if not len(traces.participant):
        return []
    order = np.lexsort((traces.category, traces.participant))
    person, answer = traces.participant[order], traces.answer[order]
    pairs = np.column_stack((person, traces.category[order]))
    starts = np.flatnonzero(np.r_[True, (pairs[1:] != pairs[:-1]).any(axis=1)])
    number = np.diff(np.r_[starts, len(order)])
    same = np.minimum.reduceat(answer, starts) == np.maximum.reduceat(answer, starts)
    agreeing, others = (np.add.reduceat(count[order], starts) for count in _others(traces))
    differ = 1 - agreeing / np.maximum(others, 1)
    found = same & (number >= rules.same_answer_least) & (others > 0)
    most: dict[int, int] = {}
    for start in np.flatnonzero(found & (differ >= rules.same_answer_others)):
        who = int(person[starts[start]])
        most[who] = max(most.get(who, 0), int(number[start]))
    return [
        Flag(
            who,
            FlagKind.STRAIGHT_LINE,
            f"the same answer to all {count} questions of a category",
            rule,
        )
        for who, count in most.items()
    ]


def _others(traces: AnswerTraces) -> tuple[Integers, Integers]:
    """Count for each answer how many others gave the same to its question, and how many any."""
    question, asked = np.unique(traces.question, return_inverse=True, return_counts=True)[1:]
    pair = question * (int(traces.answer.max()) + 1) + traces.answer
    given, alike = np.unique(pair, return_inverse=True, return_counts=True)[1:]
    return alike[given] - 1, asked[question] - 1


def _long_idle(traces: AnswerTraces, rules: FlagRules) -> list[Flag]:
    """Flag questions that stood open for long with hardly any activity."""
    rule = (
        f"{rules.idle_least} answers or more sent over {rules.idle_minutes:g} minutes after the "
        f"question was shown, with under {rules.idle_share:.0%} of that time active"
    )
    open_seconds = traces.open_seconds
    idle = (open_seconds > 60 * rules.idle_minutes) & (
        np.nan_to_num(traces.active_seconds) < rules.idle_share * open_seconds
    )
    people, counts = np.unique(traces.participant[idle], return_counts=True)
    return [
        Flag(int(person), FlagKind.LONG_IDLE, f"{count} questions left open for long", rule)
        for person, count in zip(people, counts, strict=True)
        if count >= rules.idle_least
    ]


def _repeated_sessions(visits: Mapping[int, Numbers], rules: FlagRules) -> list[Flag]:
    """Flag a link that was opened again and again: perhaps shared, perhaps a page that fails."""
    rule = f"signed in by the personal link {rules.visits_in_an_hour} times or more within an hour"
    flags = []
    for person in sorted(visits):
        times = np.sort(visits[person])
        within = np.searchsorted(times, times + 3600.0, side="right") - np.arange(len(times))
        most = int(within.max()) if len(times) else 0
        if most >= rules.visits_in_an_hour:
            found = f"{most} sign-ins within an hour"
            flags.append(Flag(person, FlagKind.REPEATED_SESSIONS, found, rule))
    return flags


def _attention(attention: Mapping[int, tuple[int, int]], rules: FlagRules) -> list[Flag]:
    """Flag wrong answers to attention questions."""
    rule = (
        f"at least {rules.attention_least} attention questions, and over "
        f"{rules.attention_share:.0%} of those answered, were wrong"
    )
    return [
        Flag(person, FlagKind.ATTENTION, f"{wrong} of {answered} attention questions wrong", rule)
        for person, (wrong, answered) in sorted(attention.items())
        if wrong >= rules.attention_least and wrong > rules.attention_share * answered
    ]
