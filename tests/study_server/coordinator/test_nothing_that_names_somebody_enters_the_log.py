"""Pseudonyms and reasons are questioned before they enter a log that is for ever."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from sampling.assignment.roster import (
    Participant,
    looks_like_a_name,
    pseudonym_problem,
    same_identity,
)
from sampling.study.errors import StudyError
from study_server.coordinator.steering import _unconfirmed
from study_server.store.asking.participants import add_participants
from study_server.store.schema.database import reading, transaction
from study_server.store.schema.events import read_log
from study_server.store.schema.tables import ParticipantTable
from study_server.store.steering import coordination as change


@pytest.mark.parametrize(
    "name", ["name@example.org", "First Last", "A/B", "P10\u200b", "<b>", "a" * 41, "", ".."]
)
def test_what_is_no_pseudonym_is_added_to_nothing(small: Any, name: str) -> None:
    with reading(small.engine) as session:
        before = len(tuple(read_log(session)))
    assert pseudonym_problem(name) is not None
    with pytest.raises(StudyError, match="participant"), transaction(small.engine) as session:
        change.add_person(session, name, None, (), small.decision())
    with reading(small.engine) as session:
        assert len(tuple(read_log(session))) == before


def test_names_and_contact_details_are_questioned_until_they_are_confirmed() -> None:
    assert "contact details" in _unconfirmed({}, "reach me at 0812-555-0123")
    assert "contact details" in _unconfirmed({}, "wrote from name@example.org")
    assert "name" in _unconfirmed({"pseudonym": "Anna"}, "joins")
    assert not _unconfirmed({"pseudonym": "Anna", "anonymous": "yes"}, "joins")
    assert not _unconfirmed({"pseudonym": "P05"}, "away until 14 March 2026")


@pytest.mark.parametrize("name", ["Anna", "Anna-Lena", "Smith_Anna", "AnnaSmith", "Anna Smith"])
def test_what_is_written_as_names_are_looks_like_one(name: str) -> None:
    assert looks_like_a_name(name)


CODES = (
    "P01 p1 anna ANNA AB Ab A-B annotator_3 Annotator Rater-Two Expert blue-heron BlueHeron Alpha "
    "x7Kq QwErTy T-rex"
)


@pytest.mark.parametrize("code", CODES.split())
def test_codes_are_not_taken_for_names(code: str) -> None:
    assert not looks_like_a_name(code)


def test_a_roster_adds_nobody_new_without_a_proper_pseudonym(small: Any) -> None:
    people = (Participant("P1"), Participant("First Last"), Participant("A/B"))
    with pytest.raises(StudyError) as refused, transaction(small.engine) as session:
        add_participants(session, people, small.decision().at)
    assert len(refused.value.problems) == 2


def test_who_is_there_already_keeps_their_pseudonym(small: Any) -> None:
    with transaction(small.engine) as session:
        session.execute(
            update(ParticipantTable)
            .where(ParticipantTable.pseudonym == "P1")
            .values(pseudonym="First Last", folded_pseudonym=same_identity("First Last"))
        )
        assert not add_participants(session, (Participant("First Last"),), small.decision().at)
