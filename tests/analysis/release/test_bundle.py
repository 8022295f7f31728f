import json

import pytest

from analysis.release.verification import verify_bundle
from analysis.release.writing import write_bundle
from analysis.report.checklist import write_checklist
from analysis.results import write_results
from analysis.scoring.study import score_study
from sampling.study.errors import StudyError
from sampling.study.folder import open_study


def bundle(finished):
    study, scored = finished
    write_bundle(study, scored, "key")
    return study.release_folder


def contents(folder):
    return {
        path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def verify(finished):
    return verify_bundle(finished[0].release_folder)


def rows_of(folder):
    text = (folder / "responses.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def test_a_fresh_bundle_holds(finished):
    bundle(finished)
    assert verify(finished) == []


def test_the_same_study_gives_the_same_bytes(finished):
    first = contents(bundle(finished))
    assert contents(bundle(finished)) == first


def test_no_pseudonym_annotator_or_comment_is_in_it(finished):
    text = b"\n".join(contents(bundle(finished)).values()).decode()
    assert not any(word in text for word in ("Anna", "Budi", "A07", "example.org"))


def test_no_completion_code_is_in_it_and_one_that_somebody_typed_stops_it(finished):
    study, scored = finished
    table = "completion_code,participant\r\nAB2CD3EF4G,Anna\r\n"
    study.completion_codes_file.write_text(table, encoding="utf-8")
    text = b"\n".join(contents(bundle(finished)).values()).decode()
    assert "AB2CD3EF4G" not in text
    assert "completion_code" not in text
    rows = study.questions_file.read_text(encoding="utf-8").replace("?", "? AB2CD3EF4G", 1)
    study.questions_file.write_text(rows, encoding="utf-8")
    study, scored = renamed(finished, "Anna", "Anna")
    with pytest.raises(StudyError, match="holds a completion code, 'AB2CD3EF4G'"):
        write_bundle(study, scored, "key")


def renamed(finished, old, new):
    """Call a participant otherwise, in every file that names them."""
    root = finished[0].root
    for name in ("participants.csv", "responses/responses.jsonl", "plan/assignment.csv"):
        text = (root / name).read_text(encoding="utf-8").replace(old, new)
        (root / name).write_text(text, encoding="utf-8")
    study = open_study(root)
    scored = score_study(study)
    write_results(study, scored)
    write_checklist(study, scored, study.results_folder)
    return study, scored


# A word of the instructions, an answer, a word of the datasheet.
@pytest.mark.parametrize("name", ["A", "Khmer", "ranking"])
def test_a_name_that_is_a_word_of_the_texts_is_a_note_and_no_leak(finished, name):
    study, scored = renamed(finished, "Anna", name)
    assert write_bundle(study, scored, "key").ordinary == {name}
    assert {row["participant"] for row in rows_of(study.release_folder)} == {"R1", "R2"}


def test_a_name_that_the_study_itself_writes_is_a_leak(finished):
    toml = finished[0].definition_file
    toml.write_text(toml.read_text() + '[release]\ndescription = "With thanks to Anna"\n')
    study, scored = renamed(finished, "Anna", "Anna")
    with pytest.raises(StudyError, match="holds a participant's pseudonym, 'Anna'") as refused:
        write_bundle(study, scored, "key")
    said = str(refused.value)
    assert said.count("Nothing was written. Take each out of the text it comes from") == 1


def test_a_word_of_a_comment_or_of_a_field_of_study_toml_is_no_name_it_writes(finished):
    toml = finished[0].definition_file
    text = toml.read_text().replace("[benchmark]", '[benchmark]\n#where = {split = "ranking"}')
    toml.write_text(text.replace("[sample]", 'keep = ["ranking"]\n[sample]'))
    study, scored = renamed(finished, "Anna", "ranking")
    assert write_bundle(study, scored, "key").ordinary == {"ranking"}


def test_every_response_has_its_scores_under_a_code_and_a_day(finished):
    first = rows_of(bundle(finished))[0]
    assert first["participant"] in {"R1", "R2"}
    assert (first["sample_id"], first["raw_response"], first["exact_match"]) == ("q1", "Khmer", 1)
    assert first["submitted_on"] == "2026-09-01"


def test_an_off_by_one_count_is_within_one(finished):
    # Budi's 6 against the key 5, the second row of q2.
    last = rows_of(bundle(finished))[3]
    assert (last["exact_match"], last["within_one"]) == (0, 1)


def test_a_changed_file_is_named(finished):
    folder = bundle(finished)
    (folder / "agreement.csv").write_text("changed")
    assert verify(finished) == ["agreement.csv: was changed after the bundle was made"]


def test_a_missing_and_a_foreign_file_are_named(finished):
    folder = bundle(finished)
    (folder / "agreement.csv").unlink()
    (folder / "notes.txt").write_text("x")
    assert verify(finished) == ["agreement.csv: is missing", "notes.txt: is not in SHA256SUMS"]


def test_contact_data_in_a_question_stops_the_release_and_names_the_line(finished):
    study, scored = finished
    bundle(finished)
    before = contents(study.release_folder)
    text = study.questions_file.read_text().replace("How many?", "Ask anna@example.org")
    study.questions_file.write_text(text)
    with pytest.raises(StudyError, match=r"questions.jsonl line 2: holds an e-mail address"):
        write_bundle(study, scored, "key")
    assert contents(study.release_folder) == before


def test_results_of_other_responses_are_refused(finished):
    study, scored = finished
    with study.responses_file.open("a") as file:
        file.write("\n")
    with pytest.raises(StudyError, match="analyze` again"):
        write_bundle(study, scored, "key")


def test_without_results_the_remedy_is_named(finished):
    study, scored = finished
    (study.results_folder / "table11.csv").unlink()
    with pytest.raises(StudyError, match="run `lontar analyze` first"):
        write_bundle(study, scored, "key")


def test_the_croissant_file_describes_the_responses(finished):
    folder = bundle(finished)
    described = json.loads((folder / "croissant.json").read_text())
    (records,) = described["recordSet"]
    assert [field["name"] for field in records["field"]] == list(rows_of(folder)[0])


def test_an_unfinished_bundle_is_not_taken_for_one(tmp_path):
    assert "not found" in verify_bundle(tmp_path / "empty")[0]


def datasheet_of(finished):
    return (bundle(finished) / "datasheet.md").read_text(encoding="utf-8")


def test_the_datasheet_says_of_answers_from_elsewhere_only_what_is_known(finished):
    text = datasheet_of(finished)
    assert "- On 2026-09-01.\n- In which surroundings: Unreported." in text
    assert "blind" not in text
    assert "what participants read" not in text


def test_the_datasheet_says_how_our_pages_collected_answers(finished):
    finished[0].responses_file.with_name("events.jsonl").write_text("")
    text = datasheet_of(finished)
    assert "In a web page. Each question was answered by different people, blind" in text
    assert "| `instructions/en/instructions.md` | what participants read |" in text


def test_what_is_odd_about_people_is_released_without_their_names(finished):
    study, _ = finished
    text = study.responses_file.read_text().replace('"Budi"', '"Chea"').replace("Anna", "anna ", 1)
    study.responses_file.write_text(text)
    scored = score_study(study)
    write_results(study, scored)
    write_bundle(study, scored, "key")
    run = (study.release_folder / "run.json").read_text()
    assert "1 person is not in participants.csv" in run
    assert "another way" in run
    assert not any(name in run for name in ("Anna", "anna", "Chea"))


def test_a_pooled_bundle_joins_no_answers_of_one_person_and_holds(finished):
    study, scored = finished
    write_bundle(study, scored, "key", pooled=True)
    rows = rows_of(study.release_folder)
    assert not any({"participant", "submitted_on", "active_seconds"} & set(row) for row in rows)
    # Anna's Khmer and 5 had index 1, Budi's Tamil and 6 index 2; now the order is the answers' own.
    told = [(row["sample_id"], row["response_index"], row["raw_response"]) for row in rows]
    assert told == [("q1", 1, "Khmer"), ("q1", 2, "Tamil"), ("q2", 1, 5), ("q2", 2, 6)]
    assert not (study.release_folder / "assignment.csv").exists()
    assert "Answers are pooled" in (study.release_folder / "datasheet.md").read_text()
    assert verify_bundle(study.release_folder) == []


def test_a_pooled_bundle_does_not_depend_on_who_answered(finished):
    study, scored = finished
    write_bundle(study, scored, "key", pooled=True)
    first = (study.release_folder / "responses.jsonl").read_bytes()
    scored.responses["participant"] = scored.responses["participant"].map(
        {"Anna": "Budi", "Budi": "Anna"}
    )
    write_bundle(study, scored, "another key", pooled=True)
    assert (study.release_folder / "responses.jsonl").read_bytes() == first


def test_the_datasheet_says_what_codes_do_not_hide_and_where_references_are(finished):
    text = (bundle(finished) / "datasheet.md").read_text(encoding="utf-8")
    assert "drawn at random, by a key" in text
    assert "table of annotators can therefore tell who somebody is" in text
    assert "References: `ground_truth` of each answer in `responses.jsonl`" in text


def test_the_checklist_of_a_bundle_says_what_that_bundle_holds_of_each_person(finished):
    study, scored = finished
    for pooled, words in (
        (False, "Yes: under codes drawn at random"),
        (True, "No: the answers are"),
    ):
        write_bundle(study, scored, "key", pooled=pooled)
        rows = json.loads((study.release_folder / "checklist.json").read_text(encoding="utf-8"))
        (value,) = (row["value"] for row in rows if row["key"] == "data_per_participant")
        assert value.startswith(words)
        assert words in (study.release_folder / "checklist.md").read_text(encoding="utf-8")
        assert verify(finished) == []
