"""The way through: decided by the server, whatever is asked for."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sqlalchemy import func, select, update

from study_server.store.schema.database import reading, transaction
from study_server.store.schema.tables import AnswerTable, EventTable, ParticipantTable, StudyTable
from study_server.store.steering.exporting import read_responses

Study = Callable[..., Any]

CONSENT = '\n[consent]\nrequired = true\nversion = "2"\n'


def test_a_note_on_the_whole_question_is_shown_below_it(
    small_study: Callable[..., Any], answer_for: Callable[[str], Any]
) -> None:
    visit = small_study().visit("P01")
    while "How many lines" not in visit.page:
        assert 'id="note"' not in visit.page
        visit.answer(answer_for(visit.page))
    assert re.search(
        r'<p class="note" id="note" dir="auto" lang="" translate="no">Text lines only\.</p>',
        visit.page,
    )
    assert 'aria-describedby="rule note answer-error"' in visit.page


def test_a_link_leads_through_language_consent_and_instructions_to_the_first_question(
    small_study: Study,
) -> None:
    visit = small_study(toml=CONSENT).visit("P01", until="/language")
    visit.get("/question")
    assert visit.path == "/language"
    visit.post("/language", language="en")
    assert visit.path == "/consent"
    visit.post("/consent")
    assert (visit.path, visit.status) == ("/consent", 422)
    visit.post("/consent", agree="yes")
    assert visit.path == "/instructions"
    visit.post("/instructions")
    assert visit.path == "/question"


def test_consent_is_recorded_with_its_version(small_study: Study) -> None:
    study = small_study(toml=CONSENT)
    study.visit("P01")
    with reading(study.engine) as session:
        person = session.scalars(select(ParticipantTable).filter_by(pseudonym="P01")).one()
    assert person.consent_version == "2"
    assert person.consented_at is not None


def test_no_step_can_be_skipped_by_its_address(small_study: Study) -> None:
    visit = small_study(toml=CONSENT).visit("P01", until="/consent")
    for address in ("/question", "/break", "/done", "/practice", "/paused", "/withdrawn"):
        visit.get(address)
        assert visit.path == "/consent"


def test_the_link_leaves_the_address_bar(small_study: Study) -> None:
    study = small_study()
    reply = study.app().test_client().get(f"/p/{study.links['P01']}")
    assert (reply.status_code, reply.headers["Location"]) == (303, "/")
    assert reply.headers["Referrer-Policy"] == "no-referrer"


def test_every_format_is_stored_as_it_was_given(
    small_study: Study, answer_for: Callable[[str], Any]
) -> None:
    study = small_study()
    visit = study.visit("P01")
    while visit.path == "/question":
        visit.answer(answer_for(visit.page))
    assert visit.path == "/done"
    with reading(study.engine) as session:
        stored = session.scalars(select(AnswerTable.raw_response)).all()
    assert sorted(map(repr, stored)) == sorted(
        ["'Khmer'", "['cracks', 'stains']", "'yes'", "4", "'ខ្មែរ □'", "'None'"]
    )


def test_the_end_shows_a_code_that_stays(
    small_study: Study, answer_for: Callable[[str], Any]
) -> None:
    visit = small_study().visit("P01")
    while visit.path == "/question":
        visit.answer(answer_for(visit.page))
    first = visit.page.split('class="code">')[1][:10]
    again = visit.get("/").split('class="code">')[1][:10]
    assert first == again


def test_tabs_that_end_at_once_show_the_one_code_that_is_stored(
    small_study_anywhere: Study, answer_for: Callable[[str], Any]
) -> None:
    study = small_study_anywhere()
    visit = study.visit("P01")
    while visit.path == "/question":
        visit.answer(answer_for(visit.page))
    with transaction(study.engine) as session:
        session.execute(update(ParticipantTable).values(completion_code=None, completed_at=None))
        before = _times_finished(session)
    tabs = []
    for _ in range(8):
        tab = study.app().test_client()
        tab.get(f"/p/{study.links['P01']}")
        tabs.append(tab)
    start = threading.Barrier(len(tabs))

    def end(tab: Any) -> str:
        start.wait()
        return str(tab.get("/done").text.split('class="code">')[1][:10])

    with ThreadPoolExecutor(len(tabs)) as pool:
        shown = set(pool.map(end, tabs))
    with reading(study.engine) as session:
        stored = session.scalars(
            select(ParticipantTable.completion_code).filter_by(pseudonym="P01")
        ).one()
        assert _times_finished(session) == before + 1
    assert shown == {stored}


def _times_finished(session: Any) -> int:
    query = select(func.count()).where(EventTable.action == "participant.finished")
    return int(session.scalar(query) or 0)


def test_the_end_leads_to_where_the_study_says_and_nowhere_else(
    small_study: Study, answer_for: Callable[[str], Any]
) -> None:
    address = "https://example.org/done?study=1"
    visit = small_study(toml=f'\n[server]\ncompletion_url = "{address}"\n').visit("P01")
    assert address not in visit.page
    while visit.path == "/question":
        visit.answer(answer_for(visit.page))
    assert visit.path == "/done"
    code = visit.page.split('class="code">')[1][:10]
    assert f'href="{address}&amp;code={code}"' in visit.page


def test_closing_and_coming_back_resumes_at_the_same_question(small_study: Study) -> None:
    study = small_study()
    visit = study.visit("P01")
    slot = visit.field("slot")
    elsewhere = study.visit("P01")
    assert elsewhere.field("slot") == slot


def test_who_answers_too_late_meets_no_error_and_the_answer_is_set_aside(
    small_study: Study,
) -> None:
    study = small_study()
    visit = study.visit("P01")
    with transaction(study.engine) as session:
        session.execute(update(StudyTable).values(state="closed"))
    visit.answer("Khmer")
    assert (visit.status, visit.path) == (200, "/done")
    assert "all your questions" not in visit.page
    with reading(study.engine) as session:
        found = [(row["status"], row["raw_response"]) for row in read_responses(session)]
    assert found == [("surplus", "Khmer")]


def test_withdrawing_keeps_the_answers_out_and_frees_every_slot(
    small_study: Study, answer_for: Callable[[str], Any]
) -> None:
    study = small_study()
    visit = study.visit("P01")
    visit.answer(answer_for(visit.page))
    visit.get("/withdraw")
    visit.post("/withdraw")
    assert visit.path == "/withdrawn"
    visit.get(f"/p/{study.links['P01']}")
    assert visit.path == "/withdrawn"
    with reading(study.engine) as session:
        assert session.scalars(select(AnswerTable)).all() == []


def test_somebody_without_a_link_learns_how_to_sign_in(small_study: Study) -> None:
    client = small_study().app().test_client()
    for address in ("/", "/question", "/instructions", "/done"):
        reply = client.get(address, follow_redirects=True)
        assert reply.status_code == 401
        assert "personal link" in reply.get_data(as_text=True)


def test_an_unknown_link_is_not_found_and_guessing_is_slowed_down(small_study: Study) -> None:
    client = small_study().app().test_client()
    codes = [client.get(f"/p/guess{number}").status_code for number in range(25)]
    assert codes == [404] * 20 + [429] * 5
