import hashlib
import json
from itertools import product

import pytest

from analysis.report.checklist import checklist_json, checklist_markdown, write_checklist
from analysis.report.checklist_answers import Finding, Source, fill_checklist
from analysis.report.page import write_report
from analysis.results import write_results
from analysis.scoring.study import score_study


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


def test_every_automatic_answer_names_its_files_and_their_digests(finished):
    study, _ = finished
    found = [row for row in of_study(finished).values() if row["source"] == "automatic"]
    for row in found:
        if not row["defaulted"]:
            digests = [
                hashlib.sha256((study.root / name).read_bytes()).hexdigest()
                for name in row["evidence"].split(", ")
            ]
            assert row["sha256"].split(", ") == digests, row["key"]


def test_the_team_and_the_choices_of_exclusion_are_counted(finished):
    rows = of_study(finished)
    # Anna has an annotator id, Budi none; nobody made a key of the sample.
    assert rows["authors_as_participants"]["value"].startswith("1 of 2 have an annotator id")
    assert rows["prior_exposure"]["value"].startswith("0 of 4 answers")
    assert rows["completion_rate"]["value"] == "4 of 4 (100.0%)"

    assert "people " in rows["robustness"]["value"]


LABELS = ("Khmer", "Tamil", "Grantha")


def checklist_of(study):
    scored = score_study(study)
    write_results(study, scored)
    write_report(study, scored)
    rows = json.loads((study.results_folder / "checklist.json").read_text(encoding="utf-8"))
    return {row["key"]: row["value"] for row in rows}


@pytest.fixture
def study_of(write_study):
    """A study of twelve questions of one category and as many people and answers as wanted."""

    def make(people, asked=12, models=("M",), toml=""):
        names = [f"q{n:02}" for n in range(12)]
        keys = {name: LABELS[n % 3] for n, name in enumerate(names)}
        given = [
            (name, f"P{who}", who + 1, LABELS[(n + (n % (who + 2) == 0)) % 3])
            for (n, name), who in product(enumerate(names[:asked]), range(people))
        ]
        outputs = {
            model: [
                {"sample_id": name, "raw_prediction": LABELS[n % 2]} for n, name in enumerate(names)
            ]
            for model in models
        }
        vocabulary = {"Script": {"format": "single", "labels": list(LABELS)}}
        questions = [{"sample_id": name, "category": "Script"} for name in names]
        return write_study(questions, keys, vocabulary, given, outputs, toml)

    return make


def test_with_one_or_two_people_nothing_is_said_of_new_ones(study_of):
    for people, why in ((1, "one participant"), (2, "two participants")):
        rows = checklist_of(study_of(people))
        assert "none for new questions and new people (" in rows["uncertainty"]
        assert why in rows["uncertainty"]
        assert rows["detectable_gap"].endswith("with new people undefined")


def test_few_people_are_promised_no_power(study_of):
    rows = checklist_of(study_of(4))
    assert "for new questions and new people" in rows["uncertainty"]
    assert "none for" not in rows["uncertainty"]
    assert "with 4 people an estimate that scatters" in rows["detectable_gap"]


def test_answers_of_models_are_not_taken_for_the_questions_put_to_them(study_of):
    rows = checklist_of(study_of(3))
    assert (
        rows["model_set_size"] == "At least as many as have answers: M answered 12 of the "
        "sample's 12"
    )


def test_a_study_without_models_compares_and_tests_nothing(study_of):
    rows = checklist_of(study_of(3, models=()))
    for key in (
        "same_metric",
        "same_rubric",
        "same_scoring",
        "significance_test",
        "model_set_size",
        "detectable_gap",
        "test_used",
    ):
        assert rows[key] == "Unreported", key


def test_only_what_leaves_something_out_is_a_choice_of_exclusion(study_of):
    rows = checklist_of(study_of(3))
    # Without each of three people, and without everybody's first five answers.
    assert rows["robustness"].startswith("Shown under 4 choices of what to leave out: people ")


def test_a_roster_counts_nobody_as_invited(finished):
    rows = of_study(finished)
    assert rows["participants"]["value"] == "2 answered at least one question, 2 analysed"
    assert rows["participants"]["evidence"] == "responses/responses.jsonl"


def test_the_report_of_a_partial_study_is_no_table_11_in_heading_link_or_claim(study_of):
    study = study_of(3, asked=9)
    checklist_of(study)
    text = (study.results_folder / "report.html").read_text(encoding="utf-8")
    assert '<a href="#human-baseline">Human baseline</a>' in text
    assert "<h2>Human baseline</h2>" in text
    assert text.count("Table 11") == text.count("not the paper&#39;s Table 11") == 1


def test_the_report_of_a_complete_study_is_headed_as_its_table_is(finished):
    study, scored = finished
    write_report(study, scored)
    text = (study.results_folder / "report.html").read_text(encoding="utf-8")
    assert "<h2>Table 11. Human baseline</h2>" in text


def test_a_caption_speaks_of_nothing_that_its_table_lacks(study_of):
    study = study_of(3, asked=9, models=())
    checklist_of(study)
    text = (study.results_folder / "table11.tex").read_text(encoding="utf-8")
    caption = next(line for line in text.splitlines() if line.startswith("\\caption"))
    for word in ("Gap:", "W1:", "both are given", "interval"):
        assert word not in caption, word
    assert "scores are means over answers" in caption
