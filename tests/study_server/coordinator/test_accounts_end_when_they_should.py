"""Accounts: one spelling a name, sessions that end, analysts apart from coordinators."""

from __future__ import annotations

from typing import Any

import pytest

from sampling.study.errors import StudyError
from study_server.store.schema.database import reading, transaction
from study_server.store.steering.coordinators import (
    account_and_hash,
    account_by_id,
    accounts,
    add_account,
    disable_account,
    set_passcode,
)


@pytest.fixture
def engine(small: Any) -> Any:
    with transaction(small.engine) as session:
        add_account(session, "Maria", "coordinator", "hash one", small.decision().at)
        add_account(session, "Ada", "analyst", "hash two", small.decision().at)
    return small.engine


def test_a_name_is_taken_whatever_its_case(engine: Any, small: Any) -> None:
    with pytest.raises(StudyError, match="there already"), transaction(engine) as session:
        add_account(session, " maria", "coordinator", "hash", small.decision().at)
    with reading(engine) as session:
        assert [(one.name, one.role) for one in accounts(session)] == [
            ("Ada", "analyst"),
            ("Maria", "coordinator"),
        ]


def test_a_new_passcode_ends_earlier_sessions(engine: Any) -> None:
    with reading(engine) as session:
        account, kept = account_and_hash(session, "MARIA") or pytest.fail("not found")
        assert kept == "hash one"
        assert account_by_id(session, account.id, account.session_epoch) == account
    with transaction(engine) as session:
        set_passcode(session, "maria", "hash three")
    with reading(engine) as session:
        assert account_by_id(session, account.id, account.session_epoch) is None


def test_a_removed_account_signs_in_no_more(engine: Any, small: Any) -> None:
    with transaction(engine) as session:
        disable_account(session, "Ada", small.decision().at)
    with reading(engine) as session:
        assert account_and_hash(session, "ada") is None
        assert [one.disabled for one in accounts(session)] == [True, False]


def test_an_unknown_name_is_answered_with_those_known(engine: Any) -> None:
    with pytest.raises(StudyError, match="known: Ada, Maria"), transaction(engine) as session:
        set_passcode(session, "Eva", "hash")
