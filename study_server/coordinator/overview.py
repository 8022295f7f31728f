"""Everything the dashboard shows, put together from a few queries.

What takes longer to work out than to count: outlook, medians, flags and deviations.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock

from flask import current_app
from sqlalchemy.orm import Session

from analysis.human_reference.quality_flags import FlagRules
from sampling.record.freeze import Deviation
from sampling.study.definition import MAX_ROUNDS
from study_server.coordinator.forecast import Outlook, outlook
from study_server.coordinator.frozen import Frozen, frozen_state
from study_server.coordinator.progress import (
    Matrix,
    Projection,
    build_matrix,
    pace_text,
    project,
    since_text,
    unheld_answers,
    window_start,
)
from study_server.coordinator.quality import answer_traces, flags_so_far, medians_so_far
from study_server.store.asking.practice_and_attention import (
    Round,
    needed_of,
    practice_rounds,
    practice_total,
)
from study_server.store.assigning.run_state import GONE, load_run_state
from study_server.store.schema.database import why_nothing_is_stored
from study_server.store.steering import quality
from study_server.store.steering.dashboard import (
    ParticipantCount,
    Problem,
    Study,
    cell_counts,
    first_answer_at,
    open_problems,
    participant_counts,
    study_row,
    version_key,
)
from study_server.store.steering.drill_down import Note, broken_images, recent_notes
from study_server.web.configuration import RunningStudy

KEPT = "lontar_judgement"
WORKING = "lontar_judgement_working"
# So many times as long as it took to work out is it kept: a small study's is always fresh, and a
# large one costs a thousandth of one processor.
KEPT_TIMES = 1000
LONGEST_SECONDS = 300.0


@dataclass(frozen=True)
class Judgement:
    """How the study stood a moment ago.

    `steered` and `answered` name the state it was worked out from; by the process's clock, it
    stands until `fresh_until` if more was answered, and until `stands_until` if nothing was.
    """

    steered: str
    answered: str
    fresh_until: float
    stands_until: float
    outlook: Outlook
    medians: Mapping[int, float]
    flags: Mapping[int, tuple[str, ...]]
    frozen: Frozen


def judge(
    session: Session,
    study: RunningStudy,
    silent: Collection[str],
    steered: str,
    answered: str,
) -> Judgement:
    """Work it out, or give that of a moment ago.

    It is worked out again whenever `steered` changes, which is when something was steered,
    skipped or finished, and a while after `answered` does: answers that come in as planned
    change little of it.
    """
    lock: Lock = current_app.extensions.setdefault(WORKING, Lock())
    kept = _kept(steered)
    if kept is not None and (_is_fresh(kept, answered) or lock.locked()):
        return kept
    with lock:
        kept = _kept(steered)
        if kept is None or not _is_fresh(kept, answered):
            kept = _work_out(session, study, silent, steered, answered)
            current_app.extensions[KEPT] = kept
        return kept


def _kept(steered: str) -> Judgement | None:
    kept: Judgement | None = current_app.extensions.get(KEPT)
    return kept if kept is not None and kept.steered == steered else None


def _is_fresh(kept: Judgement, answered: str) -> bool:
    until = kept.stands_until if kept.answered == answered else kept.fresh_until
    return time.monotonic() < until


def _work_out(
    session: Session, study: RunningStudy, silent: Collection[str], steered: str, answered: str
) -> Judgement:
    began = time.monotonic()
    traces = answer_traces(quality.given_answers(session), quality.vocabulary_entries(session))
    rules = FlagRules(too_fast_seconds=study.settings["server"]["too_fast_seconds"])
    visits, attention = quality.visits(session), quality.attention_results(session)
    flags: dict[int, tuple[str, ...]] = {}
    for flag in flags_so_far(traces, visits, attention, rules):
        flags[flag.participant] = (*flags.get(flag.participant, ()), flag.kind.value)
    future = outlook(load_run_state(session), silent)
    frozen = frozen_state(session, study)
    now = time.monotonic()
    last = now + LONGEST_SECONDS
    until = min(last, now + KEPT_TIMES * (now - began))
    medians = medians_so_far(traces)
    return Judgement(steered, answered, until, last, future, medians, flags, frozen)


NOTES = 8
SILENT = timedelta(days=3)
BADGES = {
    "withdrawn": ("withdrawn", "gone"),
    "erased": ("erased", "gone"),
    "paused": ("paused", "waiting"),
}


@dataclass(frozen=True)
class Training:
    """Where somebody's practice is: its rounds, what each must reach, and what became of it."""

    rounds: tuple[Round, ...]
    total: int
    needed: int | None
    most_rounds: int
    state: str

    @property
    def is_stuck(self) -> bool:
        return self.state == "ended"

    @property
    def badge(self) -> str:
        if self.is_stuck:
            return "practice ended"
        return f"in practice, round {self.round} of {self.most_rounds}"

    @property
    def round(self) -> int:
        """Count the round they are in: the next one once the last is answered."""
        if not self.rounds:
            return 1
        last = self.rounds[-1]
        return min(last.number + (last.answered >= self.total), self.most_rounds)

    @property
    def sentence(self) -> str:
        """Say what was reached.

        >>> training = Training((Round(1, 8, 1), Round(2, 3, 2)), 8, 4, 3, "going on")
        >>> training.sentence, training.badge
        ('round 1: 1 of 8; round 2: 2 of 3 so far; 4 needed', 'in practice, round 2 of 3')
        """
        told = [
            f"round {one.number}: {one.correct} of {one.answered}"
            + (" so far" if one.answered < self.total else "")
            for one in self.rounds
        ]
        if self.needed is not None:
            told.append(f"{self.needed} needed")
        return "; ".join(told)


@dataclass(frozen=True)
class PersonRow:
    """One participant as the table shows them."""

    pseudonym: str
    state: str
    badge: str
    badge_kind: str
    assigned: int
    answered: int
    session: int
    sessions: int
    last_seen: str
    median: str
    pace: str
    flags: tuple[str, ...]
    practice: Training | None = None


@dataclass(frozen=True)
class Overview:
    """The dashboard of one moment."""

    study: Study
    outlook: Outlook
    matrix: Matrix
    projection: Projection
    people: tuple[PersonRow, ...]
    problems: tuple[Problem, ...]
    notes: tuple[Note, ...]
    broken: tuple[str, ...]
    frozen: Frozen
    storing_fails: str

    @property
    def silent(self) -> int:
        return sum(person.badge.startswith("silent") for person in self.people)

    @property
    def stuck(self) -> int:
        """Count those whose practice ended without the mark."""
        return sum(one.practice is not None and one.practice.is_stuck for one in self.people)

    @property
    def flagged(self) -> int:
        return sum(bool(person.flags) for person in self.people)

    @property
    def deviations(self) -> tuple[Deviation, ...]:
        return self.frozen.deviations


def overview_key(session: Session, at: datetime) -> str:
    """Name the state of the dashboard: what was answered or steered, and the minute."""
    return f"{version_key(session)}.{int(at.timestamp() // 60)}"


def load_overview(session: Session, study: RunningStudy, at: datetime) -> Overview:
    """Read the dashboard in one transaction, so that its numbers belong together."""
    row = study_row(session)
    since = window_start(at, first_answer_at(session))
    matrix = build_matrix(cell_counts(session), row.responses_per_question)
    counted = participant_counts(session, since)
    judged = _judgement(session, study, counted, at)
    return Overview(
        row,
        judged.outlook,
        matrix,
        project(counted, unheld_answers(matrix, counted), at, since, row.state),
        _people(counted, judged, at, since, _training(session, study, counted)),
        open_problems(session),
        recent_notes(session, NOTES),
        broken_images(session),
        judged.frozen,
        why_nothing_is_stored(study.engine),
    )


def _judgement(
    session: Session, study: RunningStudy, counted: Sequence[ParticipantCount], at: datetime
) -> Judgement:
    """Judge the study, anew when something was steered, skipped or finished."""
    events, answers, set_aside, _ = version_key(session).split(".")
    open_people = sum(person.answered < person.assigned for person in counted)
    steered = f"{events}.{set_aside}.{open_people}"
    return judge(session, study, _silent(counted, at), steered, answers)


def _training(
    session: Session, study: RunningStudy, counted: Sequence[ParticipantCount]
) -> dict[int, Training]:
    """Say how the practice of everybody went who came to it."""
    settings = study.settings.get("practice")
    if not settings:
        return {}
    rounds, total = practice_rounds(session), practice_total(session)
    needed = needed_of(total, settings["pass_mark"])
    most = settings.get("max_rounds", MAX_ROUNDS)
    found = {}
    for person in counted:
        if person.practice_passed_at is not None:
            state = "passed"
        else:
            state = "ended" if person.practice_ended_at is not None else "going on"
        begun = person.instructions_seen_at is not None or person.id in rounds
        if begun and (state != "passed" or person.id in rounds):
            mine = rounds.get(person.id, ())
            found[person.id] = Training(mine, total, needed, most, state)
    return found


def _people(
    counted: Sequence[ParticipantCount],
    judged: Judgement,
    at: datetime,
    since: datetime,
    trained: Mapping[int, Training],
) -> tuple[PersonRow, ...]:
    rows = []
    for person in counted:
        badge, kind = _badge(person, at)
        training = trained.get(person.id)
        if training is not None and training.is_stuck and kind in ("", "silent"):
            badge, kind = training.badge, "silent"
        elif training is not None and training.state == "going on" and not kind:
            badge, kind = training.badge, "waiting"
        median = judged.medians.get(person.id)
        rows.append(
            PersonRow(
                person.pseudonym,
                person.state,
                badge,
                kind,
                person.assigned,
                person.answered,
                min(person.session, person.sessions),
                person.sessions,
                since_text(person.last_seen_at, at),
                "—" if median is None else f"{median:.0f} s",
                pace_text(person, at, since),
                tuple(dict.fromkeys(judged.flags.get(person.id, ()))),
                training,
            )
        )
    return tuple(rows)


def _silent(counted: Sequence[ParticipantCount], at: datetime) -> tuple[str, ...]:
    """Name who holds open questions and has not been seen for long."""
    return tuple(one.pseudonym for one in counted if _badge(one, at)[1] == "silent")


def _badge(person: ParticipantCount, at: datetime) -> tuple[str, str]:
    """Say in a word or two what a coordinator should know of a person first."""
    if person.state in BADGES:
        return BADGES[person.state]
    if person.assigned and person.answered == person.assigned:
        return "done", "done"
    if not person.has_link:
        return "not invited", "waiting"
    silent = at - (person.last_seen_at or person.created_at)
    if silent > SILENT and person.state not in GONE:
        return f"silent for {silent.days} days", "silent"
    return ("invited", "waiting") if person.last_seen_at is None else ("", "")
