"""The coordinators' pages without a browser: sessions end, exports are safe, counts agree."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from itsdangerous import TimestampSigner, URLSafeTimedSerializer
from sqlalchemy import func, select, update

from study_server.app import create_app
from study_server.coordinator import interventions
from study_server.coordinator.access import PATH, SALT, cookie_name
from study_server.coordinator.offered import OFFERED
from study_server.coordinator.progress import build_matrix
from study_server.store.asking.participants import find_participant, finish
from study_server.store.schema.database import reading, transaction
from study_server.store.schema.tables import (
    AnswerTable,
    CoordinatorTable,
    ParticipantTable,
    QuestionTable,
)
from study_server.store.steering.coordination import Decision
from study_server.store.steering.coordinators import add_account
from study_server.store.steering.dashboard import cell_counts
from study_server.web import clock
from study_server.web.configuration import EXTENSION, ServerConfiguration

SECRET = b"x" * 32


@pytest.fixture
def client(small: Any) -> Iterator[Any]:
    """A client that is signed in as a coordinator."""
    with transaction(small.engine) as session:
        add_account(session, "maria", "coordinator", "unused", small.decision().at)
    url = small.engine.url.render_as_string(hide_password=False)
    app = create_app(ServerConfiguration(url, SECRET, {}))
    study = app.extensions[EXTENSION]
    client = app.test_client()
    token = URLSafeTimedSerializer(SECRET, salt=SALT).dumps([1, 0, "a sign-in"])
    client.set_cookie(cookie_name(study), str(token), path=PATH)
    yield client
    study.engine.dispose()


def test_a_session_that_is_too_old_has_ended(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.get("/coordinator").status_code == 200
    in_thirteen_hours = 13 * 3600
    real = TimestampSigner.get_timestamp
    monkeypatch.setattr(
        TimestampSigner,
        "get_timestamp",
        lambda signer: real(signer) + in_thirteen_hours,
    )
    assert client.get("/coordinator").status_code == 303
    assert client.get("/coordinator/live", headers={"HX-Request": "true"}).status_code == 403


def test_a_session_signed_with_another_secret_is_none(client: Any) -> None:
    forged = URLSafeTimedSerializer(b"y" * 32, salt=SALT).dumps([1, 0, "a sign-in"])
    study = client.application.extensions[EXTENSION]
    client.set_cookie(cookie_name(study), str(forged), path=PATH)
    assert client.get("/coordinator").status_code == 303


def test_an_intervention_without_its_token_or_reason_changes_nothing(client: Any) -> None:
    reply = client.post("/coordinator/steer/pause", data={"reason": "a holiday"})
    assert reply.status_code == 400
    page = client.get("/coordinator/steer/pause").text
    token = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert token is not None
    reply = client.post(
        "/coordinator/steer/pause", data={"csrf_token": token.group(1), "reason": " "}
    )
    assert reply.status_code == 400
    assert "Write a reason" in reply.text
    assert "state-open" in client.get("/coordinator").text
    reply = client.post(
        "/coordinator/steer/pause", data={"csrf_token": token.group(1), "reason": "a holiday"}
    )
    assert reply.status_code == 303
    assert "state-paused" in client.get("/coordinator").text


def test_looking_at_a_confirmation_changes_nothing(client: Any, small: Any) -> None:
    with reading(small.engine) as session:
        before = session.execute(select(func.max(AnswerTable.question_id))).all()
    small.answer("P3", 2)
    first = client.get("/coordinator/log/events.jsonl").text
    for name in ("release", "withdraw", "erase", "link", "pause-person"):
        assert client.get(f"/coordinator/steer/{name}?participant=P3").status_code == 200
    assert client.get("/coordinator/steer/limits?limit=20").status_code == 200
    assert client.get("/coordinator/log/events.jsonl").text == first
    with reading(small.engine) as session:
        assert session.scalar(select(func.count()).select_from(AnswerTable)) == 2
        assert before != session.execute(select(func.max(AnswerTable.question_id))).all()


def test_a_formula_is_harmless_in_the_table_and_unchanged_in_the_lines(
    client: Any, small: Any
) -> None:
    formula = '=HYPERLINK("http://example.org", "x"),\r\nnext'
    small.answer("P1", 1)
    with transaction(small.engine) as session:
        session.execute(update(AnswerTable).values(comment=formula))
    reply = client.get("/coordinator/exports/responses.csv")
    kept = reply.headers["Content-Disposition"]
    # The title "Small", and eight characters of an id that no other study has.
    assert re.fullmatch(r"attachment; filename=responses-small-[\w-]{8}\.csv", kept)
    log = client.get("/coordinator/log/events.jsonl").headers["Content-Disposition"]
    assert log == kept.replace("responses", "events").replace(".csv", ".jsonl")
    table = reply.text
    (row,) = csv.DictReader(io.StringIO(table, newline=""))
    assert row["comment"] == f"'{formula}"
    line = client.get("/coordinator/exports/responses.jsonl").text
    assert json.loads(line)["comment"] == formula


def test_every_moment_the_matrix_equals_count_while_people_answer(small: Any) -> None:
    done = threading.Event()

    def answer() -> None:
        for pseudonym in ("P1", "P2", "P4"):
            for _ in range(9):
                small.answer(pseudonym, 1)
        done.set()

    writer = threading.Thread(target=answer)
    writer.start()
    seen = set()
    while not done.is_set():
        with reading(small.engine) as session:
            total = build_matrix(cell_counts(session), 3).total.answered
            assert total == session.scalar(select(func.count()).select_from(AnswerTable))
            seen.add(total)
    writer.join()
    assert max(seen) > min(seen)


def steer(client: Any, name: str, **form: str) -> Any:
    page = client.get(f"/coordinator/steer/{name}", query_string=form).text
    token = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert token is not None
    data = {"csrf_token": token.group(1), "reason": "less time", **form}
    return client.post(f"/coordinator/steer/{name}", data=data, follow_redirects=True)


def test_a_lower_limit_gives_away_what_is_above_it_or_says_what_would_let_it(client: Any) -> None:
    # Everybody holds 9 and may have 9: of P1's, the 4 above 5 would be with nobody.
    page = client.get("/coordinator/steer/quota", query_string={"participant": "P1", "quota": "5"})
    told = "4 answers above the limit could be given to nobody, so nothing was changed"
    assert told in page.text
    assert "limit=10" in page.text
    assert "Add a participant" in page.text
    assert steer(client, "limits", limit="10").status_code == 200
    done = steer(client, "quota", participant="P1", quota="5")
    assert "P1 answers up to 5 questions; 4 unanswered slots changed hands." in done.text


def test_only_where_others_lack_room_is_more_room_suggested(client: Any) -> None:
    page = client.get("/coordinator/steer/add", query_string={"pseudonym": "p1"})
    assert "there already" in page.text
    assert "Raise everyone" not in page.text


def test_everyone_without_a_link_is_invited_at_once_and_the_links_are_shown_once(
    client: Any,
) -> None:
    assert "The personal link of" in steer(client, "link", participant="P3").text
    rehearsed = client.get("/coordinator/steer/invite").text
    assert "7 people without a link will get one: P1, P2, P4, P5, P6, P7, P8." in rehearsed
    done = steer(client, "invite")
    file = re.search(r'href="data:text/csv;charset=utf-8,([^"]+)" download="([^"]+)"', done.text)
    assert file is not None
    assert re.fullmatch(r"links-[\w-]+\.csv", file.group(2))
    rows = list(csv.DictReader(io.StringIO(unquote(file.group(1)))))
    assert [row["participant"] for row in rows] == ["P1", "P2", "P4", "P5", "P6", "P7", "P8"]
    assert client.get(rows[0]["link"].removeprefix("http://localhost")).status_code == 303
    assert "everyone who takes part has a link" in client.get("/coordinator/steer/invite").text
    log = client.get("/coordinator/log/events.jsonl").text
    assert log.count('"link.created"') == 8
    assert rows[0]["link"].rpartition("/")[2] not in log


def test_what_is_steered_shows_at_once_though_answers_alone_do_not_change_the_verdict(
    client: Any, small: Any
) -> None:
    assert "Can finish, but with no slack." in client.get("/coordinator").text
    steer(client, "pause-person", participant="P1")
    assert "Can finish only if P1, now paused, goes on." in client.get("/coordinator").text
    steer(client, "resume-person", participant="P1")
    small.answer("P1", 1)
    page = client.get("/coordinator").text
    assert "Can finish, but with no slack." in page
    assert ">1 of 9<" in page


def test_who_was_silent_for_days_is_named_with_what_would_follow(client: Any, small: Any) -> None:
    small.answer("P3", 1)
    steer(client, "link", participant="P3")
    with transaction(small.engine) as session:
        long_ago = clock.now() - timedelta(days=5, hours=1)
        session.execute(update(ParticipantTable).values(last_seen_at=clock.now()))
        session.execute(
            update(ParticipantTable)
            .where(ParticipantTable.pseudonym == "P3")
            .values(last_seen_at=long_ago)
        )
    page = client.get("/coordinator").text
    assert "silent for 5 days" in page
    # 71 answers are open, seven others may give 9 each: 8 are missing, and ⌈71 / 7⌉ = 11.
    assert "P3, silent for days, holds 8 open answers; without them 8 would be missing" in page
    assert "limits-to/11" in page


def test_what_the_page_shows_lies_between_two_counts_while_people_answer(
    client: Any, small: Any
) -> None:
    def count() -> int:
        with reading(small.engine) as session:
            return session.scalar(select(func.count()).select_from(AnswerTable)) or 0

    def answer() -> None:
        for pseudonym in ("P1", "P2", "P4", "P5"):
            for _ in range(9):
                small.answer(pseudonym, 1)

    writer = threading.Thread(target=answer)
    writer.start()
    while writer.is_alive():
        before = count()
        page = client.get("/coordinator/live").text
        shown = re.search(r'class="figure">(\d+) <small>of 72', page)
        assert shown is not None
        assert before <= int(shown.group(1)) <= count()
    writer.join()
    assert 'class="figure">36 <small>of 72' in client.get("/coordinator/live").text


def test_an_address_that_leads_nowhere_is_a_page_of_the_coordinators(client: Any) -> None:
    for address in ("nothing", "people/P77", "question?sample_id=x", "question"):
        page = client.get(f"/coordinator/{address}")
        assert (page.status_code, "No such page" in page.text) == (404, True)
        assert ">Steer</a>" in page.text


def test_every_comment_can_be_read_in_one_place_and_at_its_question(
    client: Any, small: Any
) -> None:
    assert "None yet." in client.get("/coordinator/notes").text
    small.answer("P1", 9)
    page = client.get("/coordinator/notes").text
    assert page.count("blue thread") == 9
    assert client.get("/coordinator").text.count("blue thread") == 8
    asked = re.findall(r"/coordinator/question\?sample_id=(q\d\d)", page)
    question = client.get(f"/coordinator/question?sample_id={asked[0]}").text
    assert question.count("blue thread") == 1


def test_a_completion_code_is_looked_up_by_coordinators_alone(client: Any, small: Any) -> None:
    small.answer("P1")
    with transaction(small.engine) as session:
        person = find_participant(session, "P1")
        assert person is not None
        finish(session, person.id, "AB2CD3EF4G", small.decision().at)

    def look_up(code: str) -> str:
        page = client.get("/coordinator/codes").text
        token = re.search(r'name="csrf_token" value="([^"]+)"', page)
        assert token is not None
        sent = {"csrf_token": token.group(1), "code": code}
        return re.sub(r"<[^>]+>|\s+", " ", client.post("/coordinator/codes", data=sent).text)

    found = re.sub(r" +", " ", look_up(" ab2cd-3ef4g "))
    assert (
        "AB2CD3EF4G is the code of P1 , who answered 9 questions and was shown it on 2026" in found
    )
    wrong = re.sub(r" +", " ", look_up("AB2CD3EF4H"))
    assert "No participant of this study was shown the code AB2CD3EF4H" in wrong
    assert "is the code of" not in wrong
    assert "AB2CD3EF4G" in client.get("/coordinator/people/P1").text
    (row,) = csv.DictReader(
        io.StringIO(client.get("/coordinator/exports/completion_codes.csv").text, newline="")
    )
    assert (row["completion_code"], row["participant"], row["answered"]) == (
        "AB2CD3EF4G",
        "P1",
        "9",
    )
    assert "AB2CD3EF4G" not in client.get("/coordinator/exports/responses.csv").text
    with transaction(small.engine) as session:
        session.execute(update(CoordinatorTable).values(role="analyst"))
    assert client.get("/coordinator/exports/completion_codes.csv").status_code == 403
    assert client.get("/coordinator/codes").status_code == 403
    for page in ("/coordinator/people/P1", "/coordinator/exports", "/coordinator"):
        assert client.get(page).status_code == 200
        assert "AB2CD3EF4G" not in client.get(page).text
        assert "completion_codes" not in client.get(page).text


WITH_A_VALUE = [
    ("add", {"pseudonym": "P09"}, "P09 will take part, barred from 0 questions of the sample"),
    ("limits", {"limit": "12"}, "8 people will be able to answer up to 12 questions."),
    ("quota", {"participant": "P1", "quota": "20"}, "P1 will answer up to 20 questions;"),
]


@pytest.mark.parametrize(("name", "form", "told"), WITH_A_VALUE)
def test_what_takes_a_value_shows_what_it_would_do_before_it_can_be_done(
    client: Any, name: str, form: dict[str, str], told: str
) -> None:
    subject = {key: value for key, value in form.items() if key == "participant"}
    before = client.get("/coordinator/log/events.jsonl").text
    first = client.get(f"/coordinator/steer/{name}", query_string=subject).text
    assert 'name="reason"' not in first
    assert 'name="step" value="rehearse"' in first
    token = re.search(r'name="csrf_token" value="([^"]+)"', first)
    assert token is not None
    data = {"csrf_token": token.group(1), **form}
    address = f"/coordinator/steer/{name}"
    shown = client.post(address, data={**data, "step": "rehearse"})
    assert (shown.status_code, told in shown.text) == (200, True), shown.text
    assert 'name="reason"' in shown.text
    for key, value in form.items():
        assert f'<input type="hidden" name="{key}" value="{value}">' in shown.text
    asked = client.post(address, data={**data, "reason": ""})
    assert (asked.status_code, told in asked.text) == (400, True)
    assert client.get("/coordinator/log/events.jsonl").text == before
    done = client.post(address, data={**data, "reason": "less time"})
    assert done.status_code in {200, 303}
    assert client.get("/coordinator/log/events.jsonl").text != before


def test_a_limit_everybody_has_already_is_refused_before_a_reason_is_asked(client: Any) -> None:
    page = client.get("/coordinator/steer/limits", query_string={"limit": "9"}).text
    assert "everybody may answer 9 questions already, so nothing would change" in page
    assert 'name="reason"' not in page
    assert 'name="limit"' in page


def test_every_intervention_offered_is_rehearsed_before_its_reason_is_asked(client: Any) -> None:
    subject = {"participant": "P1", "question": "q01", "problem": "1"}
    for name in OFFERED:
        page = client.get(f"/coordinator/steer/{name}", query_string=subject).text
        asks = 'name="reason"' in page
        assert not asks or "What this would do" in page, name


def test_a_freeze_is_shown_before_it_is_written(
    small_study: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = small_study()
    file = made.study.freeze_file
    file.unlink(missing_ok=True)
    monkeypatch.setattr(interventions, "running_study", lambda: None)
    monkeypatch.setattr(interventions, "study_folder", lambda _: made.study)
    decision = Decision(clock.now(), "maria", "before the first answer")
    with transaction(made.engine) as session:
        shown = interventions.would_freeze(session, {}, decision)
        assert not file.exists()
        done = interventions.freeze(session, {}, decision)
    assert file.exists()
    digest = done.message.rpartition("Digest ")[2]
    assert f"with digest {digest}" in shown.would
    with reading(made.engine) as session:
        again = interventions.would_freeze(session, {}, decision)
    assert "It will replace the freeze of" in again.would


@pytest.mark.parametrize("sample_id", [".", "..", "../x", "/lead", "a?b#c%2F&d=e", "ខ្មែរ 1"])
def test_a_question_of_any_id_has_a_page_and_its_links_lead_there(
    client: Any, small: Any, sample_id: str
) -> None:
    with transaction(small.engine) as session:
        question = session.scalars(select(QuestionTable).where(QuestionTable.state == "active"))
        question.first().sample_id = sample_id
    listed = client.get("/coordinator/questions").text
    (link,) = [
        html.unescape(address)
        for address, text in re.findall(r'<a href="([^"]+)"><bdi dir="auto">(.*?)</bdi>', listed)
        if html.unescape(text) == sample_id
    ]
    page = client.get(link)
    assert (page.status_code, html.escape(sample_id, quote=False) in page.text) == (200, True)
    image = re.search(r'<img class="leaf" src="([^"]+)"', page.text)
    assert image is not None
    asked = parse_qs(urlsplit(html.unescape(image[1])).query)
    assert asked == {"sample_id": [sample_id]}
