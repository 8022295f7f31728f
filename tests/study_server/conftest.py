"""Databases of both kinds with a small study in them, and a browser without a browser."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine

from sampling.study.folder import StudyFolder, open_study
from study_server.app import create_app
from study_server.folder.inviting import invite
from study_server.folder.loading import prepare_database
from study_server.folder.study_content import image_folders
from study_server.store.schema.database import URL_VARIABLE, database_url, transaction
from study_server.web.configuration import ServerConfiguration

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@dataclass
class SmallStudy:
    """A study's folder, its database, and the links that were made."""

    study: StudyFolder
    engine: Engine
    links: dict[str, str]
    apps: list[Flask] = field(default_factory=list)

    def app(self) -> Flask:
        """The application, as a worker makes it."""
        if not self.apps:
            configuration = ServerConfiguration(
                database_url=self.engine.url.render_as_string(hide_password=False),
                secret_key=b"a secret for tests, long enough to be one",
                image_folders=image_folders(self.study),
                image_cache=self.study.root / "cache" / "images",
            )
            self.apps.append(create_app(configuration))
        return self.apps[0]

    def visit(self, pseudonym: str, until: str = "/question") -> Visit:
        """Sign somebody in and lead them to where they answer."""
        visit = Visit(self.app().test_client())
        visit.get(f"/p/{self.links[pseudonym]}")
        while visit.path != until:
            visit.go_on()
        return visit


@dataclass
class Visit:
    """One person's client: the page they are at and the fields of its forms."""

    client: FlaskClient
    path: str = "/"
    page: str = ""
    status: int = 0

    def get(self, path: str) -> str:
        return self._keep(self.client.get(path, follow_redirects=True))

    def post(self, path: str, **fields: Any) -> str:
        fields.setdefault("csrf_token", self.field("csrf_token"))
        return self._keep(self.client.post(path, data=fields, follow_redirects=True))

    def go_on(self) -> None:
        """Click through a page around the work."""
        fields = {"/language": {"language": "en"}, "/consent": {"agree": "yes"}}
        assert self.path in {"/language", "/consent", "/instructions", "/break"}, self.path
        self.post(self.path, **fields.get(self.path, {}))

    def field(self, name: str) -> str:
        found = re.search(rf'name="{name}" value="([^"]*)"', self.page)
        assert found, f"no field {name} on {self.path}"
        return found[1]

    def answer(self, value: Any, **fields: Any) -> str:
        sent = {"slot": self.field("slot"), "key": self.field("key"), "answer": value}
        return self.post("/question", **(sent | fields))

    def _keep(self, reply: Any) -> str:
        self.path, self.status = reply.request.path, reply.status_code
        self.page = reply.get_data(as_text=True)
        return self.page


@pytest.fixture
def new_visit() -> Callable[[FlaskClient], Visit]:
    """A function that makes a visit of a client."""
    return Visit


ANSWERS = {
    "Which script is it?": "Khmer",
    "Which damage is visible?": ["cracks", "stains"],
    "Is there a drawing?": "yes",
    "How many lines are there?": "4",
    "What is written?": "ខ្មែរ □",
    "Which of these?": "None",
}


@pytest.fixture
def answer_for() -> Callable[[str], Any]:
    """A function that gives a valid answer to the question on a page."""

    def find(page: str) -> Any:
        return next(answer for words, answer in ANSWERS.items() if words in page)

    return find


@pytest.fixture
def noon() -> datetime:
    """A moment."""
    return NOON


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def kind_of_database(request: pytest.FixtureRequest) -> str:
    """Every test that asks for it runs on both databases."""
    return str(request.param)


@pytest.fixture
def small_study(
    make_small_study: Callable[..., Path], tmp_path: Path, migrated_file: Path
) -> Iterator[Callable[..., SmallStudy]]:
    """A function that makes a small study in SQLite and invites everyone."""
    yield from _maker(make_small_study, tmp_path, migrated_file, None)


@pytest.fixture
def small_study_anywhere(
    make_small_study: Callable[..., Path],
    tmp_path: Path,
    migrated_file: Path,
    kind_of_database: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Callable[..., SmallStudy]]:
    """The same on both databases."""
    url = None
    if kind_of_database == "postgres":
        url = request.getfixturevalue("postgres_url")
        monkeypatch.setenv(URL_VARIABLE, url)
    yield from _maker(make_small_study, tmp_path, migrated_file, url)


def _maker(
    make_small_study: Callable[..., Path], tmp_path: Path, migrated_file: Path, url: str | None
) -> Iterator[Callable[..., SmallStudy]]:
    made: list[SmallStudy] = []

    def make(**options: Any) -> SmallStudy:
        study = open_study(make_small_study(tmp_path / f"study{len(made)}", **options))
        if url is None:
            study.database_file.touch(mode=0o600)
            shutil.copyfile(migrated_file, study.database_file)
        engine = prepare_database(study, NOON)
        assert url is None or database_url(study.database_file) == url
        with transaction(engine) as session:
            links = {one.pseudonym: one.token for one in invite(session, (), False, NOON)}
        made.append(SmallStudy(study, engine, links))
        return made[-1]

    yield make
    for one in made:
        for app in one.apps:
            app.extensions["lontar"].engine.dispose()
        one.engine.dispose()
