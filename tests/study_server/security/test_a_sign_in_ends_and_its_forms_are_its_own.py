"""A coordinator's sign-in: over when it is ended, and with forms that no other session has."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from study_server.coordinator.accounts import hash_passcode
from study_server.store.schema.database import transaction
from study_server.store.steering.coordinators import add_account

Study = Callable[..., Any]
HERE = "/coordinator"


@pytest.fixture
def study(small_study_anywhere: Study, noon: Any) -> Any:
    study = small_study_anywhere()
    with transaction(study.engine) as session:
        add_account(session, "ana", "coordinator", hash_passcode("a long passcode"), noon)
    return study


def token_on(client: Any, path: str) -> str:
    found = re.search(r'name="csrf_token" value="([^"]+)"', client.get(path).text)
    assert found
    return found[1]


def signed_in(study: Any) -> Any:
    client = study.app().test_client()
    form = {"csrf_token": token_on(client, f"{HERE}/sign-in")}
    form |= {"name": "ana", "passcode": "a long passcode"}
    assert client.post(f"{HERE}/sign-in", data=form).status_code == 303
    return client


def cookies(study: Any, client: Any) -> tuple[Any, Any]:
    """The session's cookie and the coordinator's."""
    name = study.app().extensions["lontar"].cookie_name
    return client.get_cookie(name), client.get_cookie(f"{name}_coordinator", path=HERE)


def test_a_copied_cookie_is_worthless_after_signing_out_and_others_go_on(study: Any) -> None:
    here, elsewhere, thief = signed_in(study), signed_in(study), study.app().test_client()
    copied = cookies(study, here)[1]
    thief.set_cookie(copied.key, copied.value, path=HERE)
    assert thief.get(HERE).status_code == 200
    token = token_on(here, f"{HERE}/steer")
    assert here.post(f"{HERE}/sign-out", data={"csrf_token": token}).status_code == 303
    assert thief.get(HERE).status_code == 303
    assert elsewhere.get(HERE).status_code == 200


def test_a_form_token_from_before_the_sign_in_is_none_after_it(study: Any) -> None:
    client = study.app().test_client()
    before = token_on(client, f"{HERE}/sign-in")
    form = {"csrf_token": before, "name": "ana", "passcode": "a long passcode"}
    client.post(f"{HERE}/sign-in", data=form)
    old = client.post(f"{HERE}/steer/pause", data={"csrf_token": before, "reason": "a holiday"})
    assert old.status_code == 400
    new = {"csrf_token": token_on(client, f"{HERE}/steer"), "reason": "a holiday"}
    assert client.post(f"{HERE}/steer/pause", data=new).status_code < 400


def test_a_session_that_another_host_tossed_has_no_token_for_a_coordinator(study: Any) -> None:
    attacker, victim = study.app().test_client(), signed_in(study)
    token = token_on(attacker, f"{HERE}/sign-in")
    tossed = cookies(study, attacker)[0]
    victim.set_cookie(tossed.key, tossed.value)
    sent = {"csrf_token": token, "reason": "because"}
    assert victim.post(f"{HERE}/steer/pause", data=sent).status_code == 400
    # A page in between makes a token that the attacker does not have.
    assert token_on(victim, f"{HERE}/steer") != token
    assert victim.post(f"{HERE}/steer/pause", data=sent).status_code == 400


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "http://[evil"}, 403),
        ({"Origin": "null"}, 303),
        ({"Origin": "http://localhost"}, 303),
        ({"Origin": "https://study.example.org:8443"}, 303),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "https://elsewhere.example"}, 303),
    ],
)
def test_a_form_from_another_site_is_refused(
    small_study: Study, headers: dict[str, str], status: int
) -> None:
    study = small_study(toml='\n[server]\nurl = "http://study.example.org/leaves"\n')
    visit = study.visit("P01")
    sent = {name: visit.field(name) for name in ("slot", "key", "csrf_token")}
    reply = visit.client.post("/question", data=sent | {"answer": "Khmer"}, headers=headers)
    assert reply.status_code == status


@pytest.mark.parametrize(
    ("url", "begins"),
    [
        ("https://study.example.org", "__Host-lontar_"),
        ("https://example.org/leaves", "lontar_"),
        ("http://study.example.org", "lontar_"),
    ],
)
def test_no_other_host_can_set_the_session_where_browsers_allow_that(
    small_study: Study, url: str, begins: str
) -> None:
    study = small_study(toml=f'\n[server]\nurl = "{url}"\n')
    cookie = study.app().test_client().get(f"/p/{study.links['P01']}").headers["Set-Cookie"]
    assert cookie.startswith(begins)
    if begins.startswith("__Host-"):
        assert {"Secure", "Path=/"} <= {part.strip() for part in cookie.split(";")}
        assert "Domain" not in cookie
