"""What takes longer to work out than to count: outlook, medians, flags and deviations."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from threading import Lock

from flask import current_app
from sqlalchemy.orm import Session

from analysis.human_reference.quality_flags import FlagRules
from study_server.coordinator.forecast import Outlook, outlook
from study_server.coordinator.frozen import Frozen, frozen_state
from study_server.coordinator.quality import answer_traces, flags_so_far, medians_so_far
from study_server.store.assigning.run_state import load_run_state
from study_server.store.steering import quality
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
