"""Two servers on two addresses with one PostgreSQL: a participant may meet either at any time."""

from __future__ import annotations

import html
import re
import shutil
import threading
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from sampling.study.folder import open_study
from study_server.folder.inviting import invite
from study_server.folder.loading import prepare_database
from study_server.store.schema.database import URL_VARIABLE, reading, transaction
from study_server.store.schema.tables import AnswerTable
from study_server.web import clock

pytestmark = pytest.mark.postgres
SECRET = "one secret for all hosts, made for this test"
PEOPLE, QUESTIONS = 6, 12
FIELD = re.compile(r'name="(slot|key|csrf_token)" value="([^"]*)"')


class Wanderer:
    """A participant whose every request goes to the next host, as a balancer would send it."""

    def __init__(self, hosts: list[str], token: str) -> None:
        self.hosts, self.token, self.turn = hosts, token, 0
        self.cookies: dict[str, str] = {}
        self.statuses = Counter[int]()

    def send(self, path: str, form: dict[str, str] | None = None) -> tuple[str, str]:
        """Send a request and follow where it leads; give the last path and page."""
        for _hop in range(8):
            self.turn += 1
            place = urllib.parse.urlsplit(self.hosts[self.turn % len(self.hosts)])
            connection = HTTPConnection(str(place.hostname), place.port, timeout=60)
            headers = {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
            body = None if form is None else urllib.parse.urlencode(form)
            if body is not None:
                headers["Content-Type"] = "application/x-www-form-urlencoded"
            connection.request("GET" if body is None else "POST", path, body, headers)
            reply = connection.getresponse()
            page = reply.read().decode()
            connection.close()
            self.statuses[reply.status] += 1
            for name, value in reply.getheaders():
                if name.lower() == "set-cookie":
                    key, _, rest = value.partition("=")
                    self.cookies[key] = rest.partition(";")[0]
            if reply.status != 303:
                return path, page
            path, form = str(reply.getheader("Location")), None
        raise AssertionError("redirected for ever")

    def work(self) -> None:
        """Answer every question, and send each answer a second time, to the other host."""
        path, page = self.send(f"/p/{self.token}")
        for _page in range(4 * QUESTIONS):
            if path == "/done":
                return
            form = dict(FIELD.findall(page)[:3])
            if path == "/question":
                found = re.search(r'name="answer" value="([^"]+)"', page)
                form["answer"] = html.unescape(found[1]) if found else "4"
                self.send(path, form)
            form |= {"/language": {"language": "en"}}.get(path, {})
            path, page = self.send(path, form)


def test_answers_given_to_two_hosts_at_once_are_exactly_k(
    make_small_study: Callable[..., Path],
    tmp_path: Path,
    postgres_url: str,
    run_process: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(URL_VARIABLE, postgres_url)
    first = make_small_study(tmp_path / "first", people=PEOPLE, responses=3, rounds=2)
    images = tmp_path / "shared-images"
    shutil.move(first / "benchmark" / "images", images)
    toml = (first / "study.toml").read_text().replace("benchmark/images", images.as_uri())
    (first / "study.toml").write_text(toml)
    second = Path(shutil.copytree(first, tmp_path / "second"))
    engine = prepare_database(open_study(first), clock.now())
    with transaction(engine) as session:
        tokens = [one.token for one in invite(session, (), False, clock.now())]
    variables = {URL_VARIABLE: postgres_url, "LONTAR_SECRET_KEY": SECRET}
    hosts = [
        run_process(first, "--workers", "1", invited=False, **variables),
        run_process(second, "--workers", "1", host="127.0.0.2", invited=False, **variables),
    ]
    people = [Wanderer([host.address for host in hosts], token) for token in tokens]
    threads = [threading.Thread(target=person.work) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    statuses = sum((person.statuses for person in people), Counter[int]())
    assert set(statuses) == {200, 303}, statuses
    with reading(engine) as session:
        rows = session.execute(select(AnswerTable.question_id, AnswerTable.participant_id)).all()
    assert Counter(Counter(row.question_id for row in rows).values()) == {3: QUESTIONS}
    assert len({tuple(row) for row in rows}) == 3 * QUESTIONS
    assert not (first / "study.db").exists()
    assert not (second / "secrets" / "server.key").exists()
    engine.dispose()
