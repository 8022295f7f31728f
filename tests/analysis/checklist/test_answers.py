import hashlib
import json

from analysis.report.checklist import checklist_json, checklist_markdown, write_checklist
from analysis.report.checklist_answers import Finding, Source, fill_checklist


def answer(key, findings=None, declared=None, defaults=None):
    answers = fill_checklist(findings or {}, declared or {}, defaults or {}, "d0")
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
    assert given.sha256 == "d0"  # that of study.toml, which declares it


def test_a_default_is_marked_as_one():
    assert answer("ai_tools", defaults={"ai_tools": "None permitted"}).defaulted


def test_false_is_an_answer():
    assert answer("paid", declared={"paid": False}).value == "No"


def test_the_markdown_counts_what_is_open():
    text = checklist_markdown(fill_checklist({}, {"paid": True}, {}))
    assert "1 of 70 are answered; 69 are unreported" in text


def test_a_bar_in_an_answer_does_not_break_the_table():
    text = checklist_markdown(fill_checklist({}, {"population": "a | b"}, {}))
    assert "a \\| b" in text


def test_the_json_has_every_question_once():
    rows = json.loads(checklist_json(fill_checklist({}, {}, {})))
    assert len({row["number"] for row in rows}) == len(rows)


def test_the_markdown_says_of_each_answer_where_it_comes_from_and_shows_its_digest():
    found = {"participants": Finding("8", "participants.csv", "ab12" * 16)}
    text = checklist_markdown(fill_checklist(found, {"paid": True}, {"ai_tools": "None"}, "d0"))
    rows = {line.split(" | ")[0][2:]: line for line in text.splitlines() if line.startswith("| ")}
    assert "| 8 | automatic | participants.csv | ab12ab12ab12 | `participants` |" in rows["1.1"]
    assert "| Yes | declared | study.toml [checklist] | d0 | `paid` |" in rows["2.7"]
    assert "| None | default | the tool's default |  | `ai_tools` |" in rows["5.1.4"]
    assert "| **Unreported** |  |  |  | `title` |" in rows["0.1"]


def of_study(finished):
    study, _ = finished
    rows = json.loads((study.results_folder / "checklist.json").read_text(encoding="utf-8"))
    return {row["key"]: row for row in rows}


def test_what_only_our_pages_bring_about_is_unreported_where_they_were_not_used(finished):
    rows = of_study(finished)
    for key in ("ai_tools", "same_interface", "same_instructions", "explanations"):
        assert rows[key]["value"] == "Unreported", key


def test_answers_given_in_our_pages_are_known_by_the_record_beside_them(finished):
    study, scored = finished
    study.responses_file.with_name("events.jsonl").write_text("")
    write_checklist(study, scored, study.results_folder)
    rows = of_study(finished)
    assert rows["ai_tools"]["defaulted"]
    assert "very fast" in rows["execution_quality"]["value"]


def test_every_automatic_answer_names_a_file_and_its_digest(finished):
    study, _ = finished
    found = [row for row in of_study(finished).values() if row["source"] == "automatic"]
    for row in found:
        if not row["defaulted"]:
            digest = hashlib.sha256((study.root / row["evidence"]).read_bytes()).hexdigest()
            assert row["sha256"] == digest, row["key"]


def test_the_team_and_the_choices_of_exclusion_are_counted(finished):
    rows = of_study(finished)
    # Anna has an annotator id, Budi none; nobody made a key of the sample.
    assert rows["authors_as_participants"]["value"].startswith("1 of 2 have an annotator id")
    assert rows["prior_exposure"]["value"].startswith("0 of 4 answers")
    assert rows["completion_rate"]["value"] == "4 of 4 (100.0%)"

    assert "people " in rows["robustness"]["value"]
