"""PostgreSQL gone for a minute: people are told to wait, keep their forms, and go on afterwards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from sampling.study.folder import open_study
from study_server.app import create_app
from study_server.folder.inviting import invite
from study_server.folder.loading import prepare_database
from study_server.folder.study_content import image_folders
from study_server.store.schema.database import URL_VARIABLE, glancing, transaction
from study_server.store.schema.tables import AnswerTable
from study_server.web.configuration import ServerConfiguration

pytestmark = pytest.mark.postgres


@pytest.fixture
def visit(
    cable: Any,
    make_small_study: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    noon: Any,
    new_visit: Callable[[Any], Any],
) -> Any:
    """A participant at their first question, the database at the end of a cable."""
    _cable, url = cable
    monkeypatch.setenv(URL_VARIABLE, url)
    study = open_study(make_small_study(tmp_path / "study"))
    engine = prepare_database(study, noon)
    with transaction(engine) as session:
        links = {one.pseudonym: one.token for one in invite(session, (), False, noon)}
    engine.dispose()
    app = create_app(ServerConfiguration(url, b"s" * 40, image_folders(study)))
    visit = new_visit(app.test_client())
    visit.get(f"/p/{links['P01']}")
    while visit.path != "/question":
        visit.go_on()
    yield visit
    app.extensions["lontar"].engine.dispose()


def test_the_same_form_is_accepted_when_the_database_is_back(visit: Any, cable: Any) -> None:
    line, client = cable[0], visit.client
    form = {name: visit.field(name) for name in ("slot", "key", "csrf_token")}
    form["answer"] = "Khmer"
    line.pull()
    for _again in range(3):
        away = client.post("/question", data=form)
        assert away.status_code == 503
        assert away.headers["Retry-After"] == "5"
        assert "Nothing was saved" in away.get_data(as_text=True)
    assert client.get("/healthz").status_code == 503
    assert client.get("/question").status_code == 503
    script = client.post("/question", data=form, headers={"Accept": "application/json"})
    assert (script.status_code, script.get_json()["problem"]) == (503, "error")
    line.plug_in()
    assert client.get("/healthz").status_code == 200
    assert client.post("/question", data=form).status_code == 303
    assert client.post("/question", data=form).status_code == 303
    with glancing(client.application.extensions["lontar"].engine) as session:
        assert session.scalar(select(func.count()).select_from(AnswerTable)) == 1
