"""Guessed passcodes and links: limited also all at once, and nobody's neighbour pays for them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import func, select

from study_server.coordinator import access, accounts
from study_server.coordinator.accounts import hash_passcode
from study_server.store.schema.database import reading, transaction
from study_server.store.schema.tables import AttemptTable
from study_server.store.steering.coordinators import add_account

Study = Callable[..., Any]
RIGHT = "a long passcode"


@pytest.fixture
def study(small_study_anywhere: Study, noon: Any) -> Any:
    """A study with a coordinator, on both databases."""
    study = small_study_anywhere(toml="\n[server]\ntrusted_proxies = 1\n")
    with transaction(study.engine) as session:
        add_account(session, "ana", "coordinator", hash_passcode(RIGHT), noon)
    study.app()
    return study


def try_passcode(
    study: Any, passcode: str, name: str = "ana", address: str = "192.0.2.7", client: Any = None
) -> int:
    """Sign in and return the status: 303 is right, 403 wrong, 429 too many, 503 busy."""
    client = client or study.app().test_client()
    page = client.get("/coordinator/sign-in").text
    token = page.split('name="csrf_token" value="')[1].split('"')[0]
    form = {"csrf_token": token, "name": name, "passcode": passcode}
    headers = {"X-Forwarded-For": address}
    return int(client.post("/coordinator/sign-in", data=form, headers=headers).status_code)


def try_link(study: Any, token: str, address: str = "192.0.2.7") -> int:
    client = study.app().test_client()
    return int(client.get(f"/p/{token}", headers={"X-Forwarded-For": address}).status_code)


def at_once(act: Callable[[int], int], times: int) -> Counter[int]:
    """Do something so many times at once and count what comes of it."""
    with ThreadPoolExecutor(32) as pool:
        return Counter(pool.map(act, range(times)))


def test_of_a_hundred_passcodes_at_once_five_are_checked(
    study: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked, working, most = [], [0], [0]
    real, lock = access.passcode_matches, threading.Lock()

    def count(passcode: str, stored: str | None) -> bool:
        with lock:
            working[0] += 1
            most[0] = max(most[0], working[0])
        checked.append(passcode)
        right = real(passcode, stored)
        with lock:
            working[0] -= 1
        return right

    monkeypatch.setattr(access, "passcode_matches", count)
    found = at_once(lambda number: try_passcode(study, f"guess {number}"), 100)
    assert set(found) <= {403, 429, 503}
    assert found[403] == len(checked) <= 5
    # Who was told that too many are signing in comes again: five in all are checked.
    found += Counter(try_passcode(study, f"later {number}") for number in range(6))
    assert found[403] == len(checked) == 5
    # One hash takes 32 MB: a worker computes one at a time.
    assert most[0] == 1


def test_names_that_are_none_are_limited_by_address_and_checked_alike(
    study: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed = []
    real = accounts.check_password_hash
    monkeypatch.setattr(
        accounts, "check_password_hash", lambda *given: hashed.append(given) or real(*given)
    )
    found = [try_passcode(study, "x", name=f"nobody {number}") for number in range(24)]
    assert found == [403] * 20 + [429] * 4
    assert len(hashed) == 20


def test_of_a_hundred_links_at_once_twenty_are_unknown_and_the_rest_too_many(study: Any) -> None:
    found = at_once(lambda number: try_link(study, f"guess{number}"), 100)
    assert found == {404: 20, 429: 80}
    with reading(study.engine) as session:
        assert session.scalar(select(func.count()).select_from(AttemptTable)) == 20


def test_a_right_link_works_where_wrong_ones_were_tried(study: Any) -> None:
    assert [try_link(study, "mistyped") for _ in range(21)] == [404] * 20 + [429]
    assert try_link(study, study.links["P02"]) == 303


@pytest.mark.parametrize(
    "addresses",
    [
        [f"2001:db8:1:2::{number:x}" for number in range(1, 31)],
        [f"192.0.2.9:{50_000 + number}" for number in range(30)],
        ["192.0.2.9", "::ffff:192.0.2.9"] * 15,
    ],
    ids=["one /64", "ports", "IPv4 in IPv6"],
)
def test_one_source_is_one_source_however_it_is_written(study: Any, addresses: list[str]) -> None:
    found = [try_link(study, "guess", address) for address in addresses]
    assert found == [404] * 20 + [429] * 10
    assert try_link(study, "guess", "198.51.100.1") == 404


def test_where_an_account_signed_in_before_its_right_passcode_works_whoever_typed(
    study: Any,
) -> None:
    own = study.app().test_client()
    assert try_passcode(study, RIGHT, client=own) == 303
    own.delete_cookie(_cookie(own), path="/coordinator")
    assert [try_passcode(study, "wrong") for _ in range(6)] == [403] * 5 + [429]
    # Another browser at the address waits, the right passcode or not.
    assert try_passcode(study, RIGHT) == 429
    assert try_passcode(study, RIGHT, client=own) == 303
    # Nor is this browser a way to guess.
    own.delete_cookie(_cookie(own), path="/coordinator")
    assert [try_passcode(study, "wrong", client=own) for _ in range(6)] == [403] * 5 + [429]


def test_a_right_passcode_is_not_counted(study: Any) -> None:
    assert [try_passcode(study, RIGHT) for _ in range(7)] == [303] * 7
    with reading(study.engine) as session:
        assert session.scalar(select(func.count()).select_from(AttemptTable)) == 0


def _cookie(client: Any) -> str:
    study = client.application.extensions["lontar"]
    return f"{study.cookie_name}_coordinator"
