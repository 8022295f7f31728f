"""Chat previews and mail scanners follow a personal link: its owner has not come by that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import func, select

from study_server.store.schema.database import reading
from study_server.store.schema.events import read_log
from study_server.store.schema.tables import LinkTable, ParticipantTable, VisitTable


def seen(study: Any) -> tuple[str, bool, bool, int, int]:
    """Give P01's state, whether they and their link were seen, visits, and "started" events."""
    with reading(study.engine) as session:
        person = session.scalars(select(ParticipantTable).filter_by(pseudonym="P01")).one()
        link = session.scalars(select(LinkTable).filter_by(participant_id=person.id)).one()
        visits = session.scalar(select(func.count()).select_from(VisitTable)) or 0
        started = sum(event.action == "participant.started" for event in read_log(session))
        return (
            person.state,
            person.last_seen_at is not None,
            link.first_used_at is not None,
            visits,
            started,
        )


def test_fetching_a_link_changes_nothing_however_often(
    small_study_anywhere: Callable[..., Any],
) -> None:
    study = small_study_anywhere()
    for _ in range(7):
        # Some keep cookies and follow where the link leads.
        bot = study.app().test_client()
        assert bot.get(f"/p/{study.links['P01']}", follow_redirects=True).status_code == 200
    assert study.app().test_client().head(f"/p/{study.links['P01']}").status_code == 303
    assert seen(study) == ("invited", False, False, 0, 0)


def test_the_first_thing_somebody_sends_is_one_visit_and_starts_them(
    small_study_anywhere: Callable[..., Any],
) -> None:
    study = small_study_anywhere()
    visit = study.visit("P01")
    assert visit.path == "/question"
    assert seen(study) == ("active", True, True, 1, 1)
    # Following the link again and looking is none; sending something is.
    visit.get(f"/p/{study.links['P01']}")
    assert seen(study)[3:] == (1, 1)
    visit.post("/question", slot=visit.field("slot"), key=visit.field("key"))
    assert seen(study)[3:] == (2, 1)


def test_a_link_pasted_into_the_form_is_a_visit_at_once(small_study: Callable[..., Any]) -> None:
    study = small_study()
    client = study.app().test_client()
    study.app().config["WTF_CSRF_ENABLED"] = False
    client.post("/sign-in", data={"link": study.links["P01"]})
    assert seen(study) == ("active", True, True, 1, 1)


def test_a_link_renewed_since_starts_nobody(small_study: Callable[..., Any]) -> None:
    study = small_study()
    client = study.app().test_client()
    study.app().config["WTF_CSRF_ENABLED"] = False
    client.get(f"/p/{study.links['P01']}")
    with study.engine.begin() as connection:
        connection.execute(LinkTable.__table__.update().values(revoked_at=func.now()))
    assert client.post("/instructions").status_code == 401
    assert seen(study)[0] == "invited"
