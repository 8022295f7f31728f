"""1,000 generated requests that no page of ours sends: the sender's fault, never the server's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from study_server.coordinator.accounts import hash_passcode
from study_server.store.schema.database import transaction
from study_server.store.steering.coordinators import add_account

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
    "/coordinator/question?sample_id=", "/coordinator/image?sample_id=", "/coordinator/exports/",
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
HEADS = (
    "Content-Disposition: form-data", 'Content-Disposition: form-data; name="link"',
    'Content-Disposition: form-data; name=""', "Content-Disposition: form-data; name",
    'Content-Disposition: form-data; filename="a"', "Content-Disposition: attachment", "X: y",
    'Content-Disposition: form-data; name="answer"; filename="a"', "Content-Disposition:",
    'Content-Disposition: form-data; name="csrf_token"', "",
)  # fmt: skip
PARTS = st.tuples(st.sampled_from(HEADS), ODD)
ODD_HOSTS = (
    "a..b", ".a", "..", "x" * 64 + ".org", "a/b", "a@b", "[::1", "a:b", "a:123456", "a b", "\xe9",
    "a\0b", "<script>", "-", "a." * 150 + "a", "[::1]x", "a,b", "%61",
)  # fmt: skip
HEADERS = (
    "Host", "X-Forwarded-Host", "X-Forwarded-Prefix", "X-Forwarded-Proto", "X-Forwarded-For",
    "Origin", "Sec-Fetch-Site", "Cookie", "Accept", "Accept-Language", "Range", "If-None-Match",
    "If-Modified-Since", "Authorization", "X-Request-Id", "HX-Request",
)  # fmt: skip
HEADER_VALUES = st.one_of(
    st.sampled_from([*ODD_HOSTS, "//evil.example", "/a/", "/é", "ftp", "[::1]:1"]),
    st.text(st.characters(max_codepoint=255, exclude_characters="\r\n"), max_size=40),
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


# What was sent as a file lies in memory until it is collected.
@pytest.mark.filterwarnings("ignore:Unclosed file:ResourceWarning")
@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(path=st.sampled_from(PATHS), parts=st.lists(PARTS, max_size=5))
def test_no_part_of_a_form_makes_the_server_fail(
    send: Send, path: str, parts: list[tuple[str, str]]
) -> None:
    body = "".join(f"--x\r\n{head}\r\n\r\n{value}\r\n" for head, value in parts) + "--x--\r\n"
    status = send("POST", path, body.encode("utf-8"), "multipart/form-data; boundary=x")
    assert status < 500


@pytest.mark.parametrize(
    "path", ["/sign-in", "/question", "/consent", "/coordinator/sign-in", "/coordinator/steer/add"]
)
@pytest.mark.parametrize("more", ["", '; filename="a.txt"', "; "])
def test_a_part_without_a_name_is_refused(send: Send, path: str, more: str) -> None:
    body = f"--x\r\nContent-Disposition: form-data{more}\r\n\r\nvalue\r\n--x--\r\n"
    kind = "multipart/form-data; boundary=x"
    assert 400 <= send("POST", path, body.encode(), kind) < 500


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
@pytest.mark.parametrize("path", ["/", "/p/x", "/healthz", "/coordinator", "/nowhere"])
def test_a_host_that_is_none_is_refused_by_any_worker(
    small_study: Study, path: str, warm: bool
) -> None:
    study = small_study()
    for host in ODD_HOSTS:
        app = study.app()
        reply = app.test_client().get(path, environ_overrides={"HTTP_HOST": host})
        assert (host, reply.status_code) == (host, 400)
        assert reply.headers["Content-Security-Policy"]
        if warm:
            assert app.test_client().get("/").status_code == 401
        else:
            study.apps.pop().extensions["lontar"].engine.dispose()


@pytest.mark.parametrize("host", ["study.example.org.", "[::1]:8000", "127.0.0.1:8000", "a_b", ""])
def test_a_host_that_is_one_is_served(small_study: Study, host: str) -> None:
    client = small_study().app().test_client()
    assert client.get("/", environ_overrides={"HTTP_HOST": host}).status_code == 401


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(headers=st.dictionaries(st.sampled_from(HEADERS), HEADER_VALUES, max_size=4))
def test_no_header_makes_a_trusting_server_fail(trusting: Any, headers: dict[str, str]) -> None:
    environ = {f"HTTP_{name.upper().replace('-', '_')}": one for name, one in headers.items()}
    reply = trusting.get("/", environ_overrides=environ)
    assert reply.status_code < 500


@pytest.mark.parametrize(
    "header",
    [
        ("X-Forwarded-Prefix", "//evil.example"),
        ("X-Forwarded-Prefix", "https://evil.example"),
        ("X-Forwarded-Prefix", "/a//b"),
        ("X-Forwarded-Prefix", "/.."),
        ("X-Forwarded-Prefix", "/\\evil.example"),
        ("X-Forwarded-Host", "a..b"),
        ("X-Forwarded-Host", "evil.example/x"),
        ("X-Forwarded-Proto", "javascript"),
    ],
)
def test_a_proxys_word_that_cannot_be_is_refused(trusting: Any, header: tuple[str, str]) -> None:
    reply = trusting.get("/", headers=dict([header]))
    assert reply.status_code == 400
    assert "evil" not in reply.text + str(reply.headers)


@pytest.fixture
def trusting(small_study: Study) -> Any:
    """A client of a server that believes one proxy."""
    return small_study(toml="\n[server]\ntrusted_proxies = 1\n").app().test_client()


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
    page = other.get("/coordinator/steer").get_data(as_text=True)
    token = page.split('name="csrf_token" value="')[1].split('"')[0]
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
