"""Faults of the machine: said plainly, nothing half stored, and the study goes on afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import event, func, select

from study_server.store.schema import database
from study_server.store.schema.database import reading
from study_server.store.schema.tables import AnswerTable, ImageTable

Study = Callable[..., Any]


def test_a_disk_without_room_is_said_to_the_monitor(
    small_study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = small_study().app().test_client()
    assert client.get("/healthz").status_code == 200
    # More than any disk has left.
    monkeypatch.setattr(database, "LEAST_FREE_BYTES", 2**62)
    reply = client.get("/healthz")
    assert (reply.status_code, reply.text) == (503, "disk full: no answer can be stored\n")


def test_a_full_disk_is_a_503_and_the_same_form_succeeds_later(
    small_study: Study, caplog: pytest.LogCaptureFixture
) -> None:
    study = small_study(toml="\n[server]\ncomments = true\n")
    visit = study.visit("P01")
    engine = study.app().extensions["lontar"].engine
    full = [True]

    @event.listens_for(engine, "begin")
    def limit(connection: Any) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        limit = pages if full[0] else 1_000_000
        connection.exec_driver_sql(f"PRAGMA max_page_count = {limit}")

    sent = {name: visit.field(name) for name in ("slot", "key", "csrf_token")}
    sent |= {"answer": "Khmer", "comment": "x" * 9_000}
    reply = visit.client.post("/question", data=sent)
    assert reply.status_code == 503
    assert "disk full" in caplog.text
    # The file system has room: the refusal is what tells.
    health = visit.client.get("/healthz")
    assert (health.status_code, health.text) == (503, "disk full: no answer can be stored\n")
    with reading(study.engine) as session:
        assert session.scalar(select(func.count()).select_from(AnswerTable)) == 0
    full[0] = False
    assert visit.client.post("/question", data=sent).status_code == 303
    assert visit.client.get("/healthz").status_code == 200
    with reading(study.engine) as session:
        assert session.scalar(select(func.count()).select_from(AnswerTable)) == 1


def test_a_database_that_takes_no_writes_is_said_to_the_monitor_until_it_does(
    small_study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = small_study()
    visit = study.visit("P01")
    engine = study.app().extensions["lontar"].engine
    read_only = [True]

    @event.listens_for(engine, "checkout")
    def limit(connection: Any, *_others: Any) -> None:
        connection.execute(f"PRAGMA query_only = {int(read_only[0])}")

    sent = {name: visit.field(name) for name in ("slot", "key", "csrf_token")}
    assert visit.client.post("/question", data=sent | {"answer": "Khmer"}).status_code == 503
    health = visit.client.get("/healthz")
    words = "the database takes no writes: no answer can be stored\n"
    assert (health.status_code, health.text) == (503, words)
    # Nobody comes to try: after a minute it counts as well again.
    monkeypatch.setattr(database, "REFUSED_SECONDS", 0.0)
    assert visit.client.get("/healthz").status_code == 200
    monkeypatch.undo()
    read_only[0] = False
    assert visit.client.post("/question", data=sent | {"answer": "Khmer"}).status_code == 303
    assert visit.client.get("/healthz").status_code == 200


def test_a_missing_or_truncated_image_is_noted_and_the_page_goes_on(small_study: Study) -> None:
    study = small_study()
    visit = study.visit("P01")
    folder = study.study.images_folder
    (folder / "gold=Khmer_000.jpg").unlink()
    cut = (folder / "gold=Tamil_001.jpg").read_bytes()
    (folder / "gold=Tamil_001.jpg").write_bytes(cut[: len(cut) // 2])
    with reading(study.engine) as session:
        names = dict(session.execute(select(ImageTable.image_name, ImageTable.public_id)).all())
    for name in ("gold=Khmer_000.jpg", "gold=Tamil_001.jpg"):
        assert visit.client.get(f"/image/{names[name]}").status_code == 404
    with reading(study.engine) as session:
        broken = session.scalars(
            select(ImageTable.image_name).where(ImageTable.broken_at.is_not(None))
        ).all()
    assert sorted(broken) == ["gold=Khmer_000.jpg", "gold=Tamil_001.jpg"]
    assert visit.client.get("/question").status_code == 200


def test_a_cache_that_cannot_be_written_only_costs_time(small_study: Study) -> None:
    study = small_study()
    (study.study.root / "cache").write_text("a file where a folder would be")
    visit = study.visit("P01")
    address = visit.page.split('data-image="')[1].split('"')[0]
    assert visit.client.get(address).status_code == 200
