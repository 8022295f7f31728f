"""1,000 generated requests that no page of ours sends: the sender's fault, never the server's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from study_server.coordinator.passcodes import hash_passcode
from study_server.store.coordinators import add_account
from study_server.store.database import transaction

Study = Callable[..., Any]
Send = Callable[[str, str, Any, str], int]
PATHS = (
    "/question", "/skip", "/problem", "/language", "/consent", "/instructions", "/sign-in",
    "/preview", "/practice", "/break", "/withdraw", "/done", "/session", "/nowhere",
    "/coordinator/sign-in", "/coordinator/steer/release", "/coordinator/steer/add",
    "/coordinator/steer/limits", "/coordinator/steer/replace", "/coordinator/steer/problem",
    "/coordinator/preview",
)  # fmt: skip
PREFIXES = (
    "/p/", "/image/", "/practice/x/", "/static/", "/coordinator/people/",
    "/coordinator/log?before=",
    "/coordinator/questions/", "/coordinator/images/", "/coordinator/exports/",
    "/coordinator/questions?answered=", "/coordinator/steer/limits-to/", "/coordinator/steer/",
)  # fmt: skip
ODD = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        ["", "\0", "a\0b", "9" * 40, "-1", "1e400", "NaN", "%00", "../../etc/passwd", "\u202e",
         "\ud7ff", "'; DROP TABLE answer; --", "{{7*7}}", "<script>", "x" * 5_000, "🌿" * 200]
    ),
)  # fmt: skip
FIELDS = st.dictionaries(
    st.one_of(
        st.sampled_from(
            ["slot", "key", "answer", "active_seconds", "confidence", "comment", "kind", "reason",
             "description", "language", "link", "name", "passcode", "participant", "limit",
             "quota", "pseudonym", "annotator_ids", "question", "problem", "brightness"]
        ),
        ODD,
    ),
    ODD,
    max_size=8,
)  # fmt: skip
BODIES = st.one_of(FIELDS, st.binary(max_size=400))
KINDS = st.sampled_from(
    ["application/x-www-form-urlencoded", "multipart/form-data", "application/json", "text/plain",
     "multipart/form-data; boundary=x", "multipart/form-data; boundary=" + "x" * 300, "", "\0"]
)  # fmt: skip
METHODS = st.sampled_from(["POST", "GET", "PUT", "DELETE", "HEAD", "OPTIONS"])


@settings(max_examples=650, suppress_health_check=list(HealthCheck))
@given(path=st.sampled_from(PATHS), method=METHODS, body=BODIES, kind=KINDS)
def test_no_body_makes_the_server_fail(
    send: Send, path: str, method: str, body: Any, kind: str
) -> None:
    status = send(method, path, body, kind)
    assert status < 500


@settings(max_examples=350, suppress_health_check=list(HealthCheck))
@given(prefix=st.sampled_from(PREFIXES), rest=ODD)
def test_no_address_makes_the_server_fail(send: Send, prefix: str, rest: str) -> None:
    status = send("GET", prefix + quote(rest), None, "")
    assert status < 500


@pytest.fixture
def send(small_study_anywhere: Study, noon: Any) -> Send:
    """A function that sends anything, signed in as a participant or as a coordinator."""
    study = small_study_anywhere()
    visit = study.visit("P01")
    slot = visit.field("slot")
    with transaction(study.engine) as session:
        add_account(session, "ana", "coordinator", hash_passcode("a long passcode"), noon)
    other = study.app().test_client()
    page = other.get("/coordinator/sign-in").get_data(as_text=True)
    token = page.split('name="csrf_token" value="')[1].split('"')[0]
    form = {"csrf_token": token, "name": "ana", "passcode": "a long passcode"}
    assert other.post("/coordinator/sign-in", data=form).status_code == 303
    people = {False: (visit.client, visit.field("csrf_token")), True: (other, token)}

    def act(method: str, path: str, body: Any, kind: str) -> int:
        client, csrf = people[path.startswith("/coordinator")]
        if isinstance(body, dict):
            body = {"csrf_token": csrf, "slot": slot, "key": "k", "reason": "because", **body}
            return int(client.open(path, method=method, data=body).status_code)
        headers = {"X-CSRFToken": csrf}
        reply = client.open(path, method=method, data=body, content_type=kind, headers=headers)
        return int(reply.status_code)

    return act
