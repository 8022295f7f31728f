"""Practice with a gate, attention questions, breaks, and what a study may ask besides."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from itsdangerous import URLSafeTimedSerializer
from sqlalchemy import func, select, update

from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.study.folder import open_study
from study_server.coordinator.access import PATH, SALT, cookie_name
from study_server.folder.inviting import invite
from study_server.folder.loading import prepare_database
from study_server.store.asking.content import vocabulary_entry
from study_server.store.asking.image_access import forget_broken
from study_server.store.asking.participants import add_link, record_step
from study_server.store.asking.practice_and_attention import end_practice, let_through
from study_server.store.schema.database import reading, transaction
from study_server.store.schema.events import read_log
from study_server.store.schema.tables import (
    AnswerTable,
    ImageTable,
    OutsideAnswerTable,
    OutsideQuestionTable,
    ParticipantTable,
    ProblemTable,
    SlotTable,
    StudyTable,
    VocabularyTable,
)
from study_server.store.steering.coordinators import add_account
from study_server.store.steering.exporting import read_responses
from study_server.store.steering.quality import attention_results
from study_server.web.configuration import EXTENSION

Study = Callable[..., Any]
OUTSIDE = '\n[{kind}]\nquestions = "{kind}/q.jsonl"\nkeys = "{kind}/k.jsonl"\nimages = "{kind}/i"\n'


@pytest.fixture
def with_outside(
    small_study: Study,
    make_small_study: Callable[..., Path],
    small_image: Callable[[str], bytes],
) -> Callable[..., Any]:
    """A function that makes a study with two practice or attention questions."""
    return _maker(small_study, make_small_study, small_image)


@pytest.fixture
def with_outside_anywhere(
    small_study_anywhere: Study,
    make_small_study: Callable[..., Path],
    small_image: Callable[[str], bytes],
) -> Callable[..., Any]:
    """The same on both databases."""
    return _maker(small_study_anywhere, make_small_study, small_image)


def _maker(
    small_study: Study, make_small_study: Callable[..., Path], small_image: Callable[[str], bytes]
) -> Callable[..., Any]:
    def make(kind: str, more: str) -> Any:
        study = small_study()
        folder = study.study.root.with_name(f"{kind} study")
        make_small_study(folder, toml=OUTSIDE.format(kind=kind) + more)
        (folder / kind / "i").mkdir(parents=True)
        rows = []
        for name in ("a", "b"):
            (folder / kind / "i" / f"{name}.jpg").write_bytes(small_image(name))
            rows.append(
                {"sample_id": name, "image_name": f"{name}.jpg", "category": "Drawings",
                 "question_en": f"Outside {name}?"}
            )  # fmt: skip
        (folder / kind / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        keys = [{"sample_id": name, "answer": "yes"} for name in ("a", "b")]
        keys[0]["feedback"] = "A <peacock>, at the left."
        (folder / kind / "k.jsonl").write_text("".join(json.dumps(row) + "\n" for row in keys))
        noon = datetime.fromisoformat("2026-03-01T12:00:00+00:00")
        study.engine.dispose()
        study.study = open_study(folder)
        study.engine = prepare_database(study.study, noon)
        with transaction(study.engine) as session:
            made = invite(session, (), False, noon)
        study.links |= {one.pseudonym: one.token for one in made}
        return study

    return make


def practise(visit: Any, answer: str) -> None:
    """Answer the practice question on the page, and go on from the feedback."""
    sent = {"slot": visit.field("slot"), "key": visit.field("key"), "answer": answer}
    visit.post("/practice", **sent)
    assert visit.path.startswith("/practice/")


def test_practice_gives_feedback_and_leads_on(with_outside: Study) -> None:
    visit = with_outside("practice", "").visit("P01", until="/practice")
    practise(visit, "no")
    assert "Not quite" in visit.page
    assert re.search(r"Expected.*yes", visit.page, re.DOTALL)
    assert "A &lt;peacock&gt;, at the left." in visit.page
    visit.get("/")
    practise(visit, "yes")
    assert "As expected" in visit.page
    assert "peacock" not in visit.page
    visit.get("/")
    assert visit.path == "/question"


def test_feedback_names_an_alias_by_its_label_and_says_what_that_means(
    with_outside: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = with_outside("practice", "")
    damage = Vocabulary(
        "Drawings",
        AnswerFormat.MULTI,
        ("cracks", "stains"),
        aliases={"foxing": "stains"},
        help={"stains": "Brown spots.", "": "Look at all of the leaf."},
    )
    with transaction(study.engine) as session:
        session.execute(
            update(VocabularyTable)
            .where(VocabularyTable.source == "practice", VocabularyTable.category == "Drawings")
            .values(entry=vocabulary_entry(damage))
        )
        session.execute(update(OutsideQuestionTable).values(key="foxing", feedback=""))
    visit = study.visit("P01", until="/practice")
    assert "Look at all of the leaf." in visit.page
    practise(visit, "cracks")
    shown = re.search(r"Expected(.*)<div", visit.page, re.DOTALL)[1]  # type: ignore[index]
    assert "stains" in shown
    assert "Brown spots." in shown
    assert "foxing" not in visit.page


def test_a_gate_is_passed_only_with_enough_right(with_outside: Study) -> None:
    visit = with_outside("practice", "pass_mark = 1.0\n").visit("P01", until="/practice")
    practise(visit, "yes")
    visit.get("/")
    practise(visit, "no")
    assert "You matched 1 of 2. You need 2 to begin." in visit.page
    visit.get("/question")
    assert visit.path == "/practice"
    for _ in range(2):
        practise(visit, "yes")
        visit.get("/")
    assert visit.path == "/question"


def test_practice_enters_no_export_and_no_count(with_outside: Study) -> None:
    study = with_outside("practice", "")
    visit = study.visit("P01", until="/practice")
    practise(visit, "yes")
    visit.get("/")
    practise(visit, "yes")
    with reading(study.engine) as session:
        assert read_responses(session) == []
        assert session.get(ParticipantTable, 1).answered_count == 0


def test_a_reload_of_practice_changes_nothing(with_outside: Study) -> None:
    study = with_outside("practice", "")
    visit = study.visit("P01", until="/practice")
    sent = {"slot": visit.field("slot"), "key": visit.field("key"), "answer": "yes"}
    for answer in ("yes", "no"):
        visit.client.post("/practice", data={**sent, "answer": answer,
                                             "csrf_token": visit.field("csrf_token")})  # fmt: skip
    with reading(study.engine) as session:
        assert session.scalar(select(func.count()).select_from(OutsideAnswerTable)) == 1


def test_attention_questions_come_between_and_are_judged_once(
    with_outside: Study, answer_for: Callable[[str], Any]
) -> None:
    study = with_outside("attention", "every = 2\n")
    visit, asked = study.visit("P01"), []
    while visit.path == "/question":
        asked.append(re.search(r'id="asked"[^>]*>([^<]*)', visit.page)[1])  # type: ignore[index]
        if asked[-1].startswith("Outside"):
            slot, key = visit.field("slot"), visit.field("key")
            visit.answer("no")
            # The page again from the browser's memory: judged on the first submitted answer.
            again = {"slot": slot, "key": key, "answer": "yes"}
            token = visit.field("csrf_token")
            visit.client.post("/question", data={**again, "csrf_token": token})
        else:
            visit.answer(answer_for(visit.page))
    assert [number for number, words in enumerate(asked) if words.startswith("Outside")] == [2, 5]
    with reading(study.engine) as session:
        judged = session.execute(
            select(OutsideAnswerTable.raw_response, OutsideAnswerTable.correct)
        ).all()
        assert [tuple(row) for row in judged] == [("no", False)] * 2
        assert len(read_responses(session)) == 6


def test_an_attention_question_has_what_every_question_has_and_can_be_left(
    with_outside: Study, answer_for: Callable[[str], Any]
) -> None:
    more = "every = 2\n\n[server]\nconfidence = true\ncomments = true\ncannot_tell = true\n"
    study = with_outside("attention", more)
    visit = study.visit("P01")
    fields = sorted(re.findall(r'name="([a-z_]+)"', visit.page))
    for _ in range(2):
        visit.answer(answer_for(visit.page), confidence="3")
    assert "Outside a?" in visit.page
    assert set(fields) - set(re.findall(r'name="([a-z_]+)"', visit.page)) == set()
    visit.answer("yes")
    assert visit.status == 422
    sent = {"slot": visit.field("slot"), "key": visit.field("key")}
    visit.post("/skip", reason="too dark", **sent)
    assert (visit.path, "Outside" in visit.page) == ("/question", False)
    with reading(study.engine) as session:
        assert attention_results(session) == {}


def lose_image(study: Any, kind: str, name: str, visit: Any) -> None:
    """Delete an outside image, and let the page ask for it."""
    (study.study.root / kind / "i" / f"{name}.jpg").unlink()
    shown = re.search(r'data-image="([^"]+)"', visit.page)[1]  # type: ignore[index]
    assert visit.client.get(shown).status_code == 404


@pytest.mark.parametrize("lost", ["a", "b"])
def test_a_practice_image_that_is_lost_holds_nobody_up(with_outside: Study, lost: str) -> None:
    study = with_outside("practice", "pass_mark = 1.0\n")
    visit = study.visit("P01", until="/practice")
    if lost == "b":
        practise(visit, "yes")
        visit.get("/")
    lose_image(study, "practice", lost, visit)
    # There is no slot to free: the way on is the study's first address.
    assert re.search(r'class="fault".*href="/"', visit.page, re.DOTALL)
    assert 'id="report-image"' not in visit.page
    visit.get("/")
    if lost == "a":
        assert "Outside b?" in visit.page
        practise(visit, "yes")
        visit.get("/")
    assert visit.path == "/question"


def test_an_attention_image_that_is_lost_holds_nobody_up(
    with_outside: Study, answer_for: Callable[[str], Any]
) -> None:
    study = with_outside("attention", "every = 2\n")
    visit = study.visit("P01")
    for _ in range(2):
        visit.answer(answer_for(visit.page))
    assert "Outside a?" in visit.page
    lose_image(study, "attention", "a", visit)
    visit.get("/")
    assert "Outside b?" in visit.page
    lose_image(study, "attention", "b", visit)
    visit.get("/")
    assert "Outside" not in visit.page
    while visit.path == "/question":
        visit.answer(answer_for(visit.page))
    assert visit.path == "/done"


@pytest.mark.parametrize("by", ["loading it again", "a restart"])
def test_an_image_that_was_put_back_is_shown_again(with_outside: Study, by: str) -> None:
    study = with_outside("practice", "")
    visit = study.visit("P01", until="/practice")
    file = study.study.root / "practice" / "i" / "a.jpg"
    kept = file.read_bytes()
    lose_image(study, "practice", "a", visit)
    file.write_bytes(kept)
    if by == "a restart":
        with transaction(study.engine) as session:
            forget_broken(session)
    else:
        shown = re.search(r'data-image="([^"]+)"', visit.page)[1]  # type: ignore[index]
        assert visit.client.get(shown).status_code == 200
    visit.get("/")
    assert "Outside a?" in visit.page
    with reading(study.engine) as session:
        assert session.scalar(select(func.count(ImageTable.broken_at))) == 0


def test_a_break_lies_between_sessions(
    small_study: Study, answer_for: Callable[[str], Any]
) -> None:
    study = small_study()
    with transaction(study.engine) as session:
        session.execute(
            SlotTable.__table__.update().where(SlotTable.position > 3).values(session=2)
        )
    visit = study.visit("P01")
    for _ in range(3):
        visit.answer(answer_for(visit.page))
    assert visit.path == "/break"
    assert "3 of 6" in visit.page
    visit.get("/question")
    assert visit.path == "/break"
    visit.post("/break")
    assert visit.path == "/question"


def test_cannot_tell_frees_the_slot_and_is_offered_only_where_allowed(small_study: Study) -> None:
    plain = small_study().visit("P01")
    assert "I cannot tell" not in plain.page
    reply = plain.client.post("/skip", data={"slot": plain.field("slot"), "key": "k",
                                             "csrf_token": plain.field("csrf_token")})  # fmt: skip
    assert reply.status_code == 409
    study = small_study(toml="\n[server]\ncannot_tell = true\n")
    visit = study.visit("P01")
    slot = visit.field("slot")
    visit.post("/skip", slot=slot, key="s", reason="too dark")
    assert visit.path == "/question"
    assert visit.field("slot") != slot
    with reading(study.engine) as session:
        (row,) = read_responses(session)
        assert (row["status"], row["reason"], row["response_index"]) == (
            "skipped",
            "too dark",
            None,
        )
        free = session.scalar(
            select(func.count()).select_from(SlotTable).where(SlotTable.participant_id.is_(None))
        )
        assert free == 1


def test_a_reported_problem_reaches_the_coordinator_once(small_study: Study) -> None:
    study = small_study()
    visit = study.visit("P01")
    sent = {"slot": visit.field("slot"), "key": "p", "kind": "image", "description": "grey",
            "csrf_token": visit.field("csrf_token")}  # fmt: skip
    codes = [visit.client.post("/problem", data=sent).status_code for _ in range(2)]
    assert codes == [303, 303]
    with reading(study.engine) as session:
        (problem,) = session.scalars(select(ProblemTable))
        assert (problem.kind, problem.description, problem.state) == ("image", "grey", "open")


def test_confidence_comment_and_adjustments_are_recorded_where_asked(small_study: Study) -> None:
    toml = "\n[server]\nconfidence = true\ncomments = true\nimage_adjustments = true\n"
    study = small_study(toml=toml)
    visit = study.visit("P01")
    visit.answer("Khmer")
    assert (visit.status, "Say how sure you are." in visit.page) == (422, True)
    visit.answer("Khmer", confidence="4", comment=" faint ", brightness="130", contrast="100")
    with reading(study.engine) as session:
        (answer,) = session.scalars(select(AnswerTable))
    assert (answer.confidence, answer.comment) == (4, "faint")
    assert answer.adjustments == {"brightness": 130.0, "contrast": 100.0}


def test_a_paused_study_says_so_and_takes_what_was_under_way(small_study: Study) -> None:
    study = small_study()
    visit = study.visit("P01")
    page = {name: visit.field(name) for name in ("slot", "key", "csrf_token")}
    with transaction(study.engine) as session:
        record_step(session, 1, state="paused")
    assert visit.client.post("/question", data={**page, "answer": "Khmer"}).status_code == 303
    visit.get("/")
    assert visit.path == "/paused"


def test_a_preview_stores_nothing_and_goes_through_every_question(
    small_study: Study, answer_for: Callable[[str], Any], noon: datetime
) -> None:
    study = small_study()
    with transaction(study.engine) as session:
        session.execute(
            ParticipantTable.__table__.insert().values(
                pseudonym="preview", folded_pseudonym="\tpreview", preview=True, state="active",
                preview_position=0, session_reached=1, assigned_count=0, answered_count=0,
                created_at=noon,
            )
        )  # fmt: skip
        study.links["preview"] = add_link(session, 4, noon)
    visit, pages = study.visit("preview"), 0
    while visit.path == "/question":
        image = re.search(r'data-image="([^"]+)"', visit.page)[1]  # type: ignore[index]
        assert visit.client.get(image).status_code == 200
        visit.answer(answer_for(visit.page))
        pages += 1
    assert (pages, visit.path) == (6, "/done")
    with reading(study.engine) as session:
        assert read_responses(session) == []
        assert session.scalar(select(func.count(SlotTable.answered_at))) == 0


def test_an_open_study_hands_out_slots_until_every_question_has_its_answers(
    make_small_study: Callable[..., Path],
    small_study: Study,
    answer_for: Callable[[str], Any],
) -> None:
    study = small_study(people=3, responses=2, toml='mode = "open"\n')
    for name in ("P01", "P02", "P03"):
        visit = study.visit(name) if name != "P03" else study.visit(name, until="/done")
        while visit.path == "/question":
            visit.answer(answer_for(visit.page))
        assert visit.path == "/done"
    with reading(study.engine) as session:
        counts = session.execute(
            select(
                AnswerTable.question_id, func.count(AnswerTable.participant_id.distinct())
            ).group_by(AnswerTable.question_id)
        ).all()
    assert [tuple(row) for row in counts] == [(number, 2) for number in range(1, 7)]


def fail(visit: Any, *answers: str) -> None:
    """Answer a round, and stay on the last feedback page."""
    for number, answer in enumerate(answers):
        if number:
            visit.get("/")
        practise(visit, answer)


def ended_events(study: Any) -> list[tuple[str, dict[str, Any]]]:
    with reading(study.engine) as session:
        return [
            (event.actor, dict(event.details))
            for event in read_log(session)
            if event.action == "practice.ended"
        ]


def test_a_gate_says_its_mark_and_ends_after_its_last_round(with_outside_anywhere: Study) -> None:
    study = with_outside_anywhere("practice", "pass_mark = 1.0\nmax_rounds = 2\n")
    visit = study.visit("P01", until="/practice")
    assert "To begin the study, match 2 of 2. This is round 1 of 2." in visit.page
    practise(visit, "yes")
    assert 'Practice 1 of 2</span>\n  <progress value="1" max="2"' in visit.page
    assert "Next practice question</a>" in visit.page
    visit.get("/")
    practise(visit, "no")
    told = "You matched 1 of 2. You need 2 to begin."
    assert f"{told} Please practise once more: round 2 of 2." in visit.page
    assert 'Practice 2 of 2</span>\n  <progress value="2" max="2"' in visit.page
    assert "Practise once more</a>" in visit.page
    visit.get("/")
    assert "This is round 2 of 2." in visit.page
    fail(visit, "no", "yes")
    assert f"{told} This was the last round of practice." in visit.page
    assert "Go on</a>" in visit.page
    visit.get("/")
    assert (visit.path, visit.status) == ("/ended", 200)
    assert "you cannot take part in this study" in visit.page
    assert "You matched 1 of 2. 2 were needed to begin." in visit.page
    for path in ("/question", "/practice", "/done"):
        visit.get(path)
        assert visit.path == "/ended"
    assert ended_events(study) == [("participant:P01", {"rounds": 2, "most_as_expected": 1})]
    with reading(study.engine) as session:
        held = select(func.count()).select_from(SlotTable).where(SlotTable.participant_id == 1)
        assert session.scalar(held) == 6


def test_who_passes_reads_what_was_reached(with_outside_anywhere: Study) -> None:
    visit = with_outside_anywhere("practice", "pass_mark = 0.5\n").visit("P01", until="/practice")
    fail(visit, "yes", "no")
    assert "You matched 1 of 2.</p>" in visit.page
    assert "Begin the study</a>" in visit.page


def test_who_is_let_through_begins_by_the_same_link(
    with_outside_anywhere: Study, noon: datetime
) -> None:
    study = with_outside_anywhere("practice", "pass_mark = 1.0\nmax_rounds = 1\n")
    visit = study.visit("P01", until="/practice")
    fail(visit, "no", "no")
    visit.get("/")
    assert visit.path == "/ended"
    with transaction(study.engine) as session:
        assert let_through(session, 1, noon, "coordinator:maria", "knows the script")
    visit.get("/")
    assert visit.path == "/question"
    with transaction(study.engine) as session:
        assert not let_through(session, 1, noon, "coordinator:maria", "again")
        assert not end_practice(session, 1, noon, "coordinator:maria", "too late")
    assert len(ended_events(study)) == 1


@pytest.fixture
def signed_in(noon: datetime, new_visit: Callable[[Any], Any]) -> Callable[..., Any]:
    """A function that signs a coordinator in."""

    def sign_in(study: Any) -> Any:
        with transaction(study.engine) as session:
            add_account(session, "maria", "coordinator", "unused", noon)
        visit = new_visit(study.app().test_client())
        configured = study.app().extensions[EXTENSION]
        secret = configured.configuration.secret_key
        token = URLSafeTimedSerializer(secret, salt=SALT).dumps([1, 0, "a sign-in"])
        visit.client.set_cookie(cookie_name(configured), str(token), path=PATH)
        return visit

    return sign_in


def words(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_coordinators_see_who_practises_and_let_them_through_or_end_it(
    with_outside_anywhere: Study, signed_in: Callable[..., Any]
) -> None:
    study = with_outside_anywhere("practice", "pass_mark = 1.0\nmax_rounds = 2\n")
    maria = signed_in(study)
    practising = study.visit("P01", until="/practice")
    fail(practising, "no", "yes")
    maria.get("/coordinator")
    assert "P01 in practice, round 2 of 2" in words(maria.page)
    assert "whose practice ended" not in maria.page
    maria.get("/coordinator/people/P01")
    assert "Practice in round 2 of 2; round 1: 1 of 2; 2 needed" in words(maria.page)
    maria.get("/coordinator/steer/end-practice?participant=P01")
    assert "P01 will read that they cannot take part" in maria.page
    assert ended_events(study) == []
    maria.post("/coordinator/steer/end-practice", participant="P01", reason="reads no Khmer")
    assert ended_events(study) == [("coordinator:maria", {"rounds": 1, "most_as_expected": 1})]
    practising.get("/")
    assert practising.path == "/ended"
    maria.get("/coordinator")
    assert "P01 practice ended" in words(maria.page)
    assert "1 whose practice ended" in words(maria.page)
    assert "Can finish only if P01, whose practice ended, is let through." in maria.page
    maria.get("/coordinator/people/P01")
    assert "Practice ended; round 1: 1 of 2; 2 needed" in words(maria.page)
    assert "End practice…" not in maria.page
    maria.get("/coordinator/steer/let-through?participant=P01")
    assert "P01 will be able to begin the study" in maria.page
    maria.post("/coordinator/steer/let-through", participant="P01", reason="was the wrong key")
    assert "Practice passed or let through; round 1: 1 of 2" in words(maria.page)
    practising.get("/")
    assert practising.path == "/question"
    maria.get("/coordinator/steer/let-through?participant=P01")
    assert "P01 has passed practice already" in maria.page


def test_a_preview_practises_anew_and_its_end_is_no_event(
    with_outside_anywhere: Study, signed_in: Callable[..., Any]
) -> None:
    study = with_outside_anywhere("practice", "pass_mark = 1.0\nmax_rounds = 1\n")
    maria = signed_in(study)
    for _ in range(2):
        maria.get("/coordinator")
        maria.post("/coordinator/preview", csrf_token=maria.field("csrf_token"))
        while maria.path != "/practice":
            maria.go_on()
        assert "This is round 1 of 1." in maria.page
        fail(maria, "no", "no")
        maria.get("/")
        assert maria.path == "/ended"
    assert ended_events(study) == []


def test_a_study_whose_settings_name_no_last_round_has_three(
    with_outside_anywhere: Study,
) -> None:
    study = with_outside_anywhere("practice", "pass_mark = 1.0\nmax_rounds = 9\n")
    with transaction(study.engine) as session:
        row = session.get(StudyTable, 1)
        kept = {name: one for name, one in row.settings["practice"].items() if name != "max_rounds"}
        row.settings = row.settings | {"practice": kept}
    visit = study.visit("P01", until="/practice")
    for _ in range(3):
        assert visit.path == "/practice"
        fail(visit, "no", "no")
        visit.get("/")
    assert visit.path == "/ended"
