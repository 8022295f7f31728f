"""Will it finish: the feasibility of the run in sentences, and what would make it feasible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from sampling.assignment.feasibility import RECOMMENDED_SLACK, Feasibility, check_feasibility
from study_server.store.assigning.run_state import (
    GONE,
    HELD_BACK,
    PRACTICE_ENDED,
    RunState,
    capacities,
)

NAMED_QUESTIONS = 5


class Level(StrEnum):
    """How a banner is to be read."""

    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"


@dataclass(frozen=True)
class Outlook:
    """The verdict with its reason. `questions` are those that are short, if any.

    `limit` is the lowest common limit on people's answers that would make it possible, or leave
    enough slack, where raising limits helps at all. `unassigned` answers are with nobody.
    """

    level: Level
    headline: str
    details: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    limit: int | None = None
    unassigned: int = 0
    closed: bool = False

    @property
    def possible(self) -> bool:
        return self.level is not Level.BAD

    @property
    def needs_people(self) -> bool:
        return not self.possible and not self.closed


def outlook(state: RunState, silent: Collection[str] = ()) -> Outlook:
    """Say whether the people who are in the study can give every answer that is still open.

    `silent` names people who have not been seen for long: what would follow if they stay away is
    told as well. A closed study finishes no more, and a paused one not before it goes on.
    """
    if not state.needs:
        return Outlook(Level.GOOD, "Everything is answered.")
    if state.study == "closed":
        return Outlook(Level.BAD, f"Closed with {state.missing}.", closed=True)
    if state.study == "paused":
        going_on = outlook(replace(state, study="open"), silent)
        level = Level.WARNING if going_on.possible else Level.BAD
        headline = "The study is paused: nobody is shown a question."
        told = f"If it goes on: {going_on.headline[:1].lower()}{going_on.headline[1:]}"
        return replace(going_on, level=level, headline=headline, details=(told, *going_on.details))
    found = _check(state, capacities(state.people), with_slack=True)
    if found.possible:
        return _with_silent(state, _possible(state, found), silent)
    paused = [person.pseudonym for person in state.people if person.state == "paused"]
    ended = [person.pseudonym for person in state.people if person.state == PRACTICE_ENDED]
    back = paused + ended
    if back and _check(state, capacities(state.people, with_paused=True)).possible:
        conditions = [f"{_names(paused)}, now paused, goes on"] if paused else []
        conditions += [f"{_names(ended)}, whose practice ended, is let through"] if ended else []
        headline = f"Can finish only if {' and '.join(conditions)}."
        return Outlook(Level.WARNING, headline, limit=lowest_limit(state))
    short = _impossible(state, found)
    missing = [f"{_names(paused)} {'is' if len(paused) == 1 else 'are'} paused."] if paused else []
    missing += [f"The practice of {_names(ended)} ended."] if ended else []
    if silent:
        verb = "has" if len(silent) == 1 else "have"
        missing.append(f"{_names(silent)} {verb} been silent for days.")
    return replace(short, details=(*short.details, *missing))


def _with_silent(state: RunState, found: Outlook, silent: Collection[str]) -> Outlook:
    """Add what would follow if those who are silent never came back."""
    if not silent:
        return found
    left = state
    for pseudonym in silent:
        left = without(left, pseudonym)
    check = _check(left, capacities(left.people))
    held = sum(person.held for person in state.people if person.pseudonym in silent)
    verb = "holds" if len(silent) == 1 else "hold"
    who = f"{_names(silent)}, silent for days, {verb} {held} open answers"
    if check.possible:
        told = f"{who}; the others could give them: release them."
        return replace(found, level=Level.WARNING, details=(*found.details, told))
    limit = lowest_limit(left)
    remedy = (
        f"raising everyone's limit to {limit} would be enough"
        if limit
        else "raising limits would not help"
    )
    told = f"{who}; without them {check.short_answers} would be missing: {remedy}."
    return replace(
        found,
        level=Level.WARNING,
        details=(*found.details, told),
        limit=max(found.limit or 0, limit or 0) or None,
    )


def without(state: RunState, pseudonym: str) -> RunState:
    """Give the state as it would be if this person answered nothing more."""
    mine = next(person for person in state.people if person.pseudonym == pseudonym)
    others = tuple(person for person in state.people if person.pseudonym != pseudonym)
    gone = replace(mine, state="withdrawn", held=0)
    return replace(state, people=(*others, gone))


def with_limits(state: RunState, limits: Mapping[str, int]) -> RunState:
    """Give the state as it would be with these limits."""
    people = tuple(
        replace(person, limit=limits.get(person.pseudonym, person.limit)) for person in state.people
    )
    return replace(state, people=people)


def raised(state: RunState, limit: int, but: str | None = None) -> RunState:
    """Give the state with nobody's limit under this one, but for one person's."""
    return with_limits(
        state,
        {
            person.pseudonym: max(person.limit, limit)
            for person in state.people
            if person.pseudonym != but
        },
    )


def lowest_limit(state: RunState, but: str | None = None) -> int | None:
    """Find the lowest common limit with which it can be finished, or None if none helps.

    `but` names a person whose own limit stays.
    """
    out = GONE | HELD_BACK
    working = [one for one in state.people if one.state not in out and one.pseudonym != but]
    if not working:
        return None
    low = min(person.limit for person in working)
    high = max(person.answered for person in working) + len(state.needs)
    if not _check(state, capacities(raised(state, high, but).people)).possible:
        return None
    while low < high:
        middle = (low + high) // 2
        if _check(state, capacities(raised(state, middle, but).people)).possible:
            high = middle
        else:
            low = middle + 1
    return low


def _check(state: RunState, able: Mapping[str, int], *, with_slack: bool = False) -> Feasibility:
    return check_feasibility(state.needs, able, state.barred, with_slack=with_slack)


def _spare(state: RunState) -> int:
    """Count the answers that limits and exclusions allow beyond those that are needed."""
    barred = Counter(name for name, sample_id in state.barred if sample_id in state.needs)
    able = capacities(state.people)
    allowed = sum(min(most, len(state.needs) - barred[name]) for name, most in able.items())
    return allowed - sum(state.needs.values())


def _possible(state: RunState, found: Feasibility) -> Outlook:
    """Say how much slack there is, and whether answers wait for somebody to be given to."""
    spare = _spare(state)
    slack = found.slack or 0.0
    answers = "1 answer" if spare == 1 else f"{spare:,} answers"
    details = [f"People may give {answers} more than are needed."] if spare else []
    level, headline, limit = Level.GOOD, f"Can finish, with {100 * slack:.0f} % slack.", None
    if slack < RECOMMENDED_SLACK:
        level, limit = Level.WARNING, _roomy_limit(state)
        much = "no" if slack == 0 else f"only {100 * slack:.1f} %"
        headline = f"Can finish, but with {much} slack."
        details.append(
            "If one person stops, the others may not be able to finish: "
            "raise limits or add a participant."
        )
    unassigned = 0 if state.open_mode else state.free_answers
    if unassigned:
        level = Level.WARNING
        waiting = "1 answer is" if unassigned == 1 else f"{unassigned} answers are"
        details.append(f"{waiting} assigned to nobody: re-plan.")
    return Outlook(level, headline, tuple(details), limit=limit, unassigned=unassigned)


def _roomy_limit(state: RunState) -> int:
    """Give the lowest common limit under which all rooms together hold the slack one should have.

    Exclusions are not looked at: the confirmation shows what the limit would really do.
    """
    enough = sum(state.needs.values()) / (1 - RECOMMENDED_SLACK)
    limit = min(person.limit for person in state.people if person.state not in GONE)
    while sum(capacities(raised(state, limit).people).values()) < enough:
        limit += 1
    return limit


def _impossible(state: RunState, found: Feasibility) -> Outlook:
    """Say what is short, who could give it, and what would help."""
    named = ", ".join(found.questions[:NAMED_QUESTIONS])
    more = len(found.questions) - NAMED_QUESTIONS
    which = named + (f" and {more} more" if more > 0 else "")
    able = capacities(state.people)
    details = [
        f"{len(found.questions)} questions need {found.needed_answers} more answers: {which}.",
        f"Only {_names(found.people)} may give them, at most {found.possible_answers}."
        if found.people
        else "Nobody who is in the study may give them.",
    ]
    blocked = [
        person
        for person, room in sorted(able.items())
        if room and all((person, question) in state.barred for question in found.questions)
    ]
    if blocked:
        details.append(f"Blocked: needs a person other than {_names(blocked, 'or')}.")
    limit = lowest_limit(state)
    if limit is not None:
        details.append(f"Raising everyone's limit to {limit} would be enough.")
    else:
        details.append("Raising limits does not help: add a participant.")
    unassigned = 0 if state.open_mode else state.free_answers
    headline = f"Cannot finish: {found.short_answers} answers short."
    return Outlook(Level.BAD, headline, tuple(details), found.questions, limit, unassigned)


def _names(names: Collection[str], word: str = "and") -> str:
    """Join names as a sentence does.

    >>> _names(["P1", "P2", "P3"])
    'P1, P2 and P3'
    """
    listed = list(names)
    if len(listed) < 2:
        return "".join(listed)
    return f"{', '.join(listed[:-1])} {word} {listed[-1]}"
