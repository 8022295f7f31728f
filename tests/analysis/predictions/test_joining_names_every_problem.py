"""Ids that fit no question, or two of them, stop with their lines; nothing is guessed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.predictions.condition_selection import choose
from analysis.predictions.joining import QuestionIndex, join
from analysis.predictions.reading import find_prediction_files, read_prediction_files
from analysis.predictions.rows import PredictionRow
from analysis.scoring.models import read_model
from sampling.study.definition import ModelTable
from sampling.study.errors import StudyError


def test_unknown_ids_are_listed_by_line_with_the_nearest(write, read) -> None:
    rows = [{"sample_id": name, "prediction": "x"} for name in ("Leaf_1__1", "Leaf_1_2", "q")]
    with pytest.raises(StudyError) as caught:
        read(write("m.jsonl", rows))
    assert caught.value.problems == (
        "m.jsonl line 2: id 'Leaf_1_2' is not in the benchmark (did you mean 'Leaf_1__2'?)",
        "m.jsonl line 3: id 'q' is not in the benchmark",
    )


def test_thousands_of_unknown_ids_are_counted_after_twenty(write, read) -> None:
    rows = [{"sample_id": f"zz{number}", "prediction": "x"} for number in range(3000)]
    with pytest.raises(StudyError) as caught:
        read(write("m.jsonl", rows))
    assert len(caught.value.problems) == 21
    assert caught.value.problems[-1] == "and 2,980 more: unknown ids"


def test_every_broken_file_is_reported(write, read) -> None:
    first = write("a.jsonl", '{"sample_id": "Leaf_1__1", "prediction"\n')
    second = write("b.json", "[1, 2")
    with pytest.raises(StudyError) as caught:
        read(first, second)
    assert [problem.partition(":")[0] for problem in caught.value.problems] == [
        "a.jsonl line 1",
        "b.json line 1",
    ]


def test_a_pattern_that_matches_nothing_is_named(tmp_path) -> None:
    with pytest.raises(StudyError, match=r"predictions/\*.jsonl: no prediction file there"):
        find_prediction_files(tmp_path, ["predictions/*.jsonl"])


def test_files_of_a_folder_a_glob_and_a_list_are_found_once_in_order(write, tmp_path) -> None:
    for name in ("p/b.jsonl", "p/a.csv", "p/.hidden.jsonl", "p/notes.txt", "p/in/c.json"):
        write(name, "")
    names = [path.name for path in find_prediction_files(tmp_path, ["p"])]
    assert names == ["a.csv", "b.jsonl", "c.json"]
    found = find_prediction_files(tmp_path, ["p/*.jsonl", "p/b.jsonl", "p/a.csv"])
    assert [path.name for path in found if not path.name.startswith(".")] == ["b.jsonl", "a.csv"]


def test_the_same_image_and_question_id_in_two_records_need_a_sample_id(index) -> None:
    twin = replace(index.questions[0], sample_id="Leaf_1__1b")
    twins = QuestionIndex((*index.questions, twin), index.sample)
    row = PredictionRow(raw="x", place="m line 1", image="Leaf_1.jpg", question_id="1")
    with pytest.raises(StudyError, match="not in the benchmark"):
        join([row], twins)
    named = PredictionRow(raw="x", place="m line 1", identifier="Leaf_1__1b", image="Leaf_1.jpg")
    assert join([named], twins)[0].sample_id == "Leaf_1__1b"


def test_an_index_beside_an_image_is_a_row_where_it_fits_nothing_else(index) -> None:
    rows = [
        PredictionRow(raw="x", place=f"m line {number}", identifier=str(number), image="Leaf_1.jpg")
        for number in range(4)
    ]
    assert [one.sample_id[-1] for one in join(rows, index)] == ["1", "2", "3", "4"]


def test_rows_in_another_order_than_the_benchmark_are_refused_by_their_text(index) -> None:
    rows = [
        PredictionRow(raw="x", place=f"m line {number + 1}", row=number, question=text)
        for number, text in enumerate(("Which damage?", "Which script?"))
    ]
    with pytest.raises(StudyError, match="the row of the benchmark asks another question"):
        join(rows, index)


def test_a_prompt_around_the_question_is_no_contradiction(index) -> None:
    row = PredictionRow(raw="x", place="m", row=1, question="Look. Which damage? Answer briefly.")
    assert join([row], index)[0].sample_id == "Leaf_1__2"


def test_ids_of_another_split_are_outside_the_sample_and_counted(index) -> None:
    sample = QuestionIndex(index.questions, frozenset({"Leaf_1__1"}), frozenset({"Train_1"}))
    rows = [
        PredictionRow(raw="x", place=f"m line {number}", identifier=name)
        for number, name in enumerate(("Leaf_1__1", "Leaf_1__2", "Train_1"), start=1)
    ]
    found = choose("m", join(rows, sample), sample.sample, "constrained", "constrained")
    assert [one.sample_id for one in found.by_condition["constrained"]] == ["Leaf_1__1"]
    assert found.outside == 2


def test_without_the_benchmark_other_ids_are_outside_the_sample(index) -> None:
    only_sample = replace(index, complete=False)
    row = PredictionRow(raw="x", place="m line 1", identifier="Other_9")
    known = PredictionRow(raw="x", place="m line 2", identifier="Leaf_1__1")
    found = choose("m", join([row, known], only_sample), index.sample, "c", "c")
    assert found.outside == 1


def rows_of(index, **fields):
    made = [
        PredictionRow(raw="x", place=f"m line {number}", identifier="Leaf_1__1", **one)
        for number, one in enumerate(fields["each"], start=1)
    ]
    return join(made, index)


def test_a_repeated_answer_names_both_lines_and_a_declared_run_is_none(index) -> None:
    twice = rows_of(index, each=[{}, {}])
    with pytest.raises(StudyError, match=r"m line 2: .*answered twice by m .*first at m line 1"):
        choose("m", twice, index.sample, "constrained", "constrained")
    runs = rows_of(index, each=[{}, {"run": "epoch 2"}, {"run": "epoch 3"}])
    found = choose("m", runs, index.sample, "constrained", "constrained")
    assert list(found.by_condition) == [
        "constrained",
        "constrained (epoch 2)",
        "constrained (epoch 3)",
    ]
    assert "3 declared runs" in found.warnings[0]


def test_the_name_chooses_among_several_models_of_a_file(index) -> None:
    rows = rows_of(index, each=[{"model": "Alpha 1"}, {"model": "Beta"}])
    found = choose("alpha  1", rows, index.sample, "constrained", "constrained")
    assert found.by_condition["constrained"][0].row.place == "m line 1"
    with pytest.raises(StudyError, match="hold 2 models, none of that name: Alpha 1, Beta"):
        choose("Gamma", rows, index.sample, "constrained", "constrained")


def test_a_file_of_one_model_may_call_it_otherwise(index) -> None:
    rows = rows_of(index, each=[{"model": "alpha-1-2026"}])
    assert choose("Alpha", rows, index.sample, "c", "c").by_condition["c"]


def test_the_headline_condition_must_be_there_unless_it_is_the_only_one(index) -> None:
    only = rows_of(index, each=[{"condition": "open"}])
    found = choose("m", only, index.sample, "constrained", "constrained")
    assert found.headline == "open"
    assert "Table 11 takes 'open'" in found.warnings[0]
    two = rows_of(index, each=[{"condition": "open"}, {"condition": "format only"}])
    with pytest.raises(StudyError, match="its files hold 'format only', 'open'"):
        choose("m", two, index.sample, "constrained", "constrained")


def test_a_forced_format_is_used_and_an_unknown_one_named(write) -> None:
    path = write("m.json", {"Leaf_1__1": "x"})
    ((_, rows),) = read_prediction_files([path], "mmmu")
    assert rows[0].identifier == "Leaf_1__1"
    with pytest.raises(StudyError, match="format = 'mmmuu': unknown; known are"):
        read_prediction_files([path], "mmmuu")


def test_a_record_without_the_answer_field_is_an_answer_that_failed(write, read, answers) -> None:
    rows = [
        {"sample_id": "Leaf_1__1", "raw_prediction": "x"},
        {"sample_id": "Leaf_1__2", "error": "timeout"},
    ]
    assert answers(read(write("m.jsonl", rows))) == {"1": "x", "2": None}


def test_references_beside_questions_are_doubted_aloud(write, read) -> None:
    row = {"sample_id": "Leaf_1__1", "question": "Which script?", "answer": "Khmer"}
    (found,) = read(write("test.jsonl", [row]))
    assert "is this the benchmark's own file?" in found.row.note


def test_a_file_without_answers_names_what_it_has(write, read) -> None:
    with pytest.raises(StudyError, match=r"no field holds the model's answer.*found: id, text"):
        read(write("m.jsonl", [{"id": "Leaf_1__1", "text": "x"}]))


def test_broken_lines_unknown_ids_and_repeated_answers_are_told_at_once(write, index) -> None:
    rows = [{"sample_id": f"Leaf_1__{n}", "prediction": "x"} for n in (1, 1, 9)]
    files = [write("a.jsonl", "{\n"), write("b.jsonl", rows)]
    with pytest.raises(StudyError) as caught:
        read_model(ModelTable(name="m", predictions=("p",)), files, index, "constrained")
    assert [problem.partition(":")[0] for problem in caught.value.problems] == [
        "a.jsonl line 1",
        "b.jsonl line 3",
        "b.jsonl line 2",
    ]
    assert "answered twice" in caught.value.problems[2]
