import json

from analysis.checklist.answers import Finding, Source, fill_checklist
from analysis.checklist.rendering import checklist_json, checklist_markdown


def answer(key, findings=None, declared=None, defaults=None):
    answers = fill_checklist(findings or {}, declared or {}, defaults or {})
    return next(answer for answer in answers if answer.item.key == key)


def test_what_nobody_filled_in_is_unreported():
    assert answer("paid").value == "Unreported"
    assert answer("paid").source is Source.UNREPORTED


def test_what_the_files_show_names_the_file_and_its_digest():
    found = Finding("8", "participants.csv", "ab12")
    assert answer("participants", {"participants": found}).sha256 == "ab12"


def test_a_declared_answer_shows_what_the_files_say_beside_it():
    found = Finding("8 of 8", "responses.jsonl")
    given = answer("participants", {"participants": found}, {"participants": 9})
    assert given.value == "9"
    assert "the files show: 8 of 8" in given.evidence


def test_a_default_is_marked_as_one():
    assert answer("ai_tools", defaults={"ai_tools": "None permitted"}).defaulted


def test_false_is_an_answer():
    assert answer("paid", declared={"paid": False}).value == "No"


def test_the_markdown_counts_what_is_open():
    text = checklist_markdown(fill_checklist({}, {"paid": True}, {}))
    assert "1 of 67 are answered; 66 are unreported" in text


def test_a_bar_in_an_answer_does_not_break_the_table():
    text = checklist_markdown(fill_checklist({}, {"population": "a | b"}, {}))
    assert "a \\| b" in text


def test_the_json_has_every_question_once():
    rows = json.loads(checklist_json(fill_checklist({}, {}, {})))
    assert len({row["number"] for row in rows}) == len(rows)
