"""The event log: a changed, removed, inserted or reordered event is found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampling.record.event_log import (
    GENESIS,
    Event,
    check_chain,
    check_prefix,
    event_digest,
    event_line,
    read_events,
)
from sampling.study.errors import StudyError


def chain(length: int) -> list[Event]:
    events: list[Event] = []
    for number in range(1, length + 1):
        previous = events[-1].digest if events else GENESIS
        event = Event(
            number,
            f"2026-01-01T00:00:{number:02d}Z",
            "coordinator:maria",
            "slot.released",
            "participant:P03",
            "no answer for a week",
            {"slots": number},
            previous,
        )
        events.append(replace(event, digest=event_digest(event)))
    return events


def test_an_untouched_log_is_intact() -> None:
    assert check_chain(chain(5)) == ()


@given(
    at=st.integers(0, 4),
    name=st.sampled_from(["at", "actor", "action", "subject", "reason"]),
    text=st.text(min_size=1, max_size=8),
)
@settings(max_examples=40)
def test_any_changed_word_is_found(at: int, name: str, text: str) -> None:
    events = chain(5)
    changed = replace(events[at], **{name: getattr(events[at], name) + text})
    events[at] = changed
    assert check_chain(events) == (f"event {at + 1}: was changed after it was written",)


def test_an_event_rewritten_with_a_new_digest_breaks_the_link_after_it() -> None:
    events = chain(3)
    forged = replace(events[1], reason="something else")
    events[1] = replace(forged, digest=event_digest(forged))
    assert check_chain(events) == ("event 3: does not follow from the event before it",)


def test_a_removed_event_is_missed() -> None:
    events = chain(3)
    del events[1]
    assert check_chain(events) == ("event 3: event 2 is missing before it",)


def test_a_log_cut_at_its_end_is_found_by_an_earlier_export(tmp_path: Path) -> None:
    events = chain(3)
    exported = tmp_path / "events.jsonl"
    exported.write_text("".join(event_line(event) + "\n" for event in events), encoding="utf-8")
    assert check_chain(events[:2]) == ()
    assert check_prefix(read_events(exported), events[:2]) == (
        "event 3: was in the earlier export and is gone",
    )
    assert check_prefix(read_events(exported), events) == ()


def test_a_line_that_is_no_event_is_named(tmp_path: Path) -> None:
    exported = tmp_path / "events.jsonl"
    exported.write_text('{"number": 1}\nnot json\n', encoding="utf-8")
    with pytest.raises(StudyError) as caught:
        read_events(exported)
    assert [problem.split(":")[0] for problem in caught.value.problems] == [
        "events.jsonl line 1",
        "events.jsonl line 2",
    ]
