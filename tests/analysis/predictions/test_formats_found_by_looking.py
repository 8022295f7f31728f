"""Every format that a model's answers come in is found by looking into the file."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import openpyxl
import pytest
import zstandard

from analysis.predictions.joining import QuestionIndex
from analysis.predictions.reading import find_prediction_files
from analysis.scoring.models import join_files
from sampling.benchmark.question_files import read_questions
from sampling.study.errors import Problems, StudyError

EXPECTED = {"1": "khmer", "2": "cracks, rust", "3": "5", "4": "No"}


def records(**names):
    """Four records with their id under the given names."""
    return [{field: value(number) for field, value in names.items()} for number in range(1, 5)]


def sample_id(number):
    return f"Leaf_1__{number}"


def answer(number):
    return EXPECTED[str(number)]


def test_json_lines_of_predictions(write, read, answers) -> None:
    rows = records(sample_id=sample_id, raw_prediction=answer)
    assert answers(read(write("m.jsonl", rows))) == EXPECTED


def test_csv_keeps_every_cell_as_text(write, read, answers) -> None:
    text = "sample_id,model_name,raw_prediction\n"
    text += 'Leaf_1__1,m,None\nLeaf_1__2,m,"a, b"\nLeaf_1__3,m,007\nLeaf_1__4,m,\n'
    rows = read(write("m.csv", "\ufeff" + text.replace("\n", "\r\n")))
    assert answers(rows) == {"1": "None", "2": "a, b", "3": "007", "4": ""}
    assert {joined.row.model for joined in rows} == {"m"}


def test_raw_responses_in_a_wrapper_stay_as_they_are(write, read, answers) -> None:
    fenced = '```json\n{"answer": "khmer"}\n```'
    assert answers(read(write("g.jsonl", [{"sample_id": "Leaf_1__1", "response": fenced}]))) == {
        "1": fenced
    }


def test_one_file_an_image_is_taken_apart_by_question_id(write, read, answers) -> None:
    given = [{"question_id": str(number), "answer": answer(number)} for number in range(1, 5)]
    assert answers(read(write("run_Leaf_1.json", {"answers": given}))) == EXPECTED
    named = {"image_name": "Leaf_1.jpg", "answers": given}
    assert answers(read(write("other.json", named))) == EXPECTED


def test_lines_of_one_image_each_are_taken_apart_too(write, read, answers) -> None:
    inside = {"answers": [{"question_id": 1, "answer": "khmer"}, {"question_id": 3, "answer": 5}]}
    fenced = f"```json\n{json.dumps(inside)}\n```"
    rows = read(write("m.jsonl", [{"image_name": "Leaf_1.jpg", "response": fenced}]))
    assert answers(rows) == {"1": "khmer", "3": 5}


def test_a_cut_off_answer_for_an_image_stands_for_all_its_questions(write, read, answers) -> None:
    cut = '{"answers": [{"question_id": "1", "answer": "kh'
    rows = read(write("m.jsonl", [{"image_name": "Leaf_1.jpg", "response": cut}]))
    assert answers(rows) == dict.fromkeys("1234", cut)


def test_vlmevalkit_in_excel_keeps_equals_signs_and_none(tmp_path, read, answers) -> None:
    book = openpyxl.Workbook()
    book.active.append(["index", "question", "answer", "sample_id", "prediction"])
    for number, given in enumerate(["=khmer", "None", 5, None], start=1):
        book.active.append([number, "?", "Khmer", f"Leaf_1__{number}", given])
    book.save(tmp_path / "m_Demo.xlsx")
    assert answers(read(tmp_path / "m_Demo.xlsx")) == {
        "1": "=khmer",
        "2": "None",
        "3": 5,
        "4": None,
    }


@pytest.mark.parametrize("by_column", [False, True])
def test_vlmevalkit_in_json_by_row_or_by_column(write, read, answers, by_column) -> None:
    rows = records(index=lambda number: number - 1, prediction=answer)
    columns = {name: {str(at): row[name] for at, row in enumerate(rows)} for name in rows[0]}
    assert answers(read(write("m.json", columns if by_column else rows))) == EXPECTED


def test_lmms_eval_is_joined_by_row_number(write, read, answers) -> None:
    rows = [
        {"doc_id": number - 1, "target": "x", "filtered_resps": [answer(number)], "input": "?"}
        for number in (4, 3, 2, 1)
    ]
    assert answers(read(write("1_samples_t.jsonl", rows))) == EXPECTED


def test_lm_eval_gives_every_filter_as_a_run(write, read) -> None:
    rows = [
        {
            "doc_id": 0,
            "doc": {"sample_id": "Leaf_1__1"},
            "resps": [["it is khmer"]],
            "filtered_resps": [given],
            "filter": name,
            "exact_match": 1.0,
        }
        for name, given in (("none", "it is khmer"), ("last-word", "khmer"))
    ]
    read_rows = read(write("samples_t.jsonl", rows))
    assert [(one.row.run, one.row.raw) for one in read_rows] == [
        ("", "it is khmer"),
        ("filter last-word", "khmer"),
    ]
    assert read_rows[0].row.reported["exact_match"] == 1.0


def test_log_likelihoods_are_refused_with_advice(write, read) -> None:
    row = {"doc_id": 0, "doc": {}, "resps": [[[-1.5, False]]], "filtered_resps": [[-1.5, False]]}
    with pytest.raises(StudyError, match="generate_until"):
        read(write("samples_t.jsonl", [row]))


def test_lighteval_details_in_parquet(tmp_path, read, answers) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    rows = [
        {
            "doc": {"id": str(number - 1), "query": "?"},
            "model_response": {"text": [answer(number)]},
            "metric": {"exact_match": 0.0},
        }
        for number in range(1, 5)
    ]
    path = tmp_path / "details_t_2026.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    found = read(path)
    assert answers(found) == EXPECTED
    assert found[0].row.reported == {"exact_match": 0.0}


def test_plain_parquet_leaves_pictures_unread(tmp_path, read, answers) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    rows = [
        {"image": {"bytes": b"\x89P", "path": None}, "sample_id": sample_id(n), "prediction": "x"}
        for n in range(1, 5)
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "m.parquet")
    assert answers(read(tmp_path / "m.parquet")) == dict.fromkeys("1234", "x")


INSPECT = {
    "status": "success",
    "eval": {"model": "demo/vlm"},
    "samples": [
        {
            "id": "Leaf_1__1",
            "epoch": epoch,
            "input": [{"role": "user", "content": [{"type": "text", "text": "Which script?"}]}],
            "output": {"completion": given},
            "scores": {"exact": {"value": "C", "answer": given}},
        }
        for epoch, given in ((1, "khmer"), (2, "Tamil"))
    ],
}


def test_inspect_log_in_json_with_epochs_as_runs(write, read) -> None:
    rows = read(write("log.json", INSPECT))
    assert [(one.row.run, one.row.raw, one.row.model) for one in rows] == [
        ("", "khmer", "demo/vlm"),
        ("epoch 2", "Tamil", "demo/vlm"),
    ]
    assert rows[0].row.reported == {"exact": "C"}
    assert rows[0].row.note == ""


def test_an_inspect_sample_that_failed_is_an_empty_answer_and_is_told(write, read) -> None:
    failed = {**INSPECT["samples"][0], "error": {"message": "rate limit"}}
    rows = read(write("log.json", {**INSPECT, "status": "error", "samples": [failed]}))
    assert rows[0].row.raw is None
    assert rows[0].row.note == "log.json: the log's status is 'error'"


def eval_archive(path, method):
    """Write an .eval file: a zip whose members are stored by `method`."""
    members = {
        "header.json": {key: value for key, value in INSPECT.items() if key != "samples"},
        "samples/Leaf_1__1_epoch_1.json": INSPECT["samples"][0],
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, json.dumps(content), compress_type=method)
    return path


def test_inspect_archive_that_python_itself_unpacks(tmp_path, read, answers) -> None:
    path = eval_archive(tmp_path / "log.eval", zipfile.ZIP_DEFLATED)
    assert answers(read(path)) == {"1": "khmer"}


def zstandard_archive(path):
    """Write an .eval file with Zstandard members, which zipfile itself cannot write."""
    eval_archive(path, zipfile.ZIP_STORED)
    with zipfile.ZipFile(path) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            packed = zstandard.ZstdCompressor().compress(content)
            archive.writestr(name, packed, compress_type=zipfile.ZIP_STORED)
    # Say method 93 in every local header and directory entry.
    data = bytearray(path.read_bytes())
    for sign, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        start = data.find(sign)
        while start >= 0:
            data[start + offset : start + offset + 2] = (93).to_bytes(2, "little")
            start = data.find(sign, start + 4)
    path.write_bytes(bytes(data))
    return path


def test_inspect_archive_with_zstandard_members(tmp_path, read, answers) -> None:
    assert answers(read(zstandard_archive(tmp_path / "log.eval"))) == {"1": "khmer"}


def test_without_the_zstandard_package_the_message_says_what_to_run(
    tmp_path, read, monkeypatch
) -> None:
    path = zstandard_archive(tmp_path / "log.eval")
    monkeypatch.setattr("analysis.predictions.inspect_ai.zstandard", None)
    monkeypatch.setattr("zipfile.ZipFile.read", _not_implemented)
    with pytest.raises(StudyError, match="inspect log convert --to json"):
        read(path)


def _not_implemented(*_arguments):
    raise NotImplementedError


def helm_state(number, **changes):
    return {
        "instance": {"id": f"id{number - 1}", "input": {"text": "?"}, **changes},
        "train_trial_index": 0,
        "result": {"success": True, "completions": [{"text": answer(number)}]},
    }


def test_helm_run_folder_leaves_perturbed_rows_out(write, tmp_path, read, answers) -> None:
    states = [helm_state(number) for number in range(1, 5)]
    states.append(helm_state(1, perturbation={"name": "typos"}))
    state = {"adapter_spec": {"model": "demo/vlm"}, "request_states": states}
    write("runs/t:model=demo_vlm/scenario_state.json", state)
    stats = [{"name": {"name": "exact_match"}, "mean": 1.0}]
    write(
        "runs/t:model=demo_vlm/per_instance_stats.json",
        [{"instance_id": "id0", "train_trial_index": 0, "stats": stats}],
    )
    rows = read(tmp_path / "runs")
    assert answers(rows) == EXPECTED
    assert rows[0].row.reported == {"exact_match": 1.0}
    assert {joined.row.model for joined in rows} == {"demo/vlm"}


def test_helm_without_its_state_is_read_from_the_displayed_predictions(
    write, tmp_path, read, answers
) -> None:
    rows = [
        {"instance_id": f"id{number - 1}", "predicted_text": answer(number), "stats": {}}
        for number in range(1, 5)
    ]
    write("run/display_predictions.json", rows)
    assert answers(read(tmp_path / "run")) == EXPECTED


def test_mmmu_as_one_object(write, read, answers) -> None:
    given = {sample_id(number): answer(number) for number in range(1, 5)}
    assert answers(read(write("total_val_output.json", given))) == EXPECTED


def test_mmmu_as_a_list_keeps_letters_beside_their_options(write, read, answers) -> None:
    options = {"all_choices": ["A", "B"], "index2ans": {"A": "Tamil", "B": "Khmer"}}
    given = [
        {"id": "Leaf_1__1", "response": "(B)", **options},
        {"id": "Leaf_1__2", "response": "B or A", **options},
    ]
    rows = read(write("output.json", given))
    assert answers(rows) == {"1": "(B)", "2": "B or A"}
    assert rows[0].row.options == {"A": "Tamil", "B": "Khmer"}


@pytest.mark.parametrize("name", ["questionId", "question_id"])
@pytest.mark.parametrize("first", [0, 1])
def test_submissions_name_rows_from_zero_or_unique_question_ids(
    write, read, answers, name, first
) -> None:
    given = [{name: number - 1 + first, "answer": answer(number)} for number in range(1, 5)]
    assert answers(read(write("results.json", given))) == EXPECTED


def test_openai_evals_takes_what_was_picked_else_what_was_sampled(write, read, answers) -> None:
    events = [{"spec": {"completion_fns": ["demo-vlm"]}, "run_id": "r"}]
    for number in range(1, 5):
        event = {"run_id": "r", "event_id": number, "sample_id": f"t.test.{number - 1}"}
        events.append({**event, "type": "sampling", "data": {"sampled": [answer(number)]}})
        picked = {"picked": answer(number)} if number == 1 else {}
        events.append({**event, "type": "match", "data": {"correct": True, **picked}})
    events.append({"final_report": {"accuracy": 1.0}, "run_id": "r"})
    rows = read(write("log.jsonl", events))
    assert answers(rows) == EXPECTED
    assert rows[0].row.model == "demo-vlm"


def test_ancient_bench_folders_name_the_image_and_the_model(write, tmp_path, index, read) -> None:
    for number, given in (("1", "<res>山水</res>"), ("2", None)):
        path = f"out/demo-model/seals/results/leaf_{number}.json"
        write(path, {"image": f"leaf_{number}.png", "answer": given})
    with pytest.raises(StudyError, match=r"image 'leaf_1.png' is not in the benchmark"):
        read(tmp_path / "out")


def test_every_example_gives_the_same_four_answers(examples, index, answers) -> None:
    pytest.importorskip("pyarrow")
    from_each = {"1": "balinese", "2": "cracks, faded ink", "3": "5", "4": "No"}
    found = _answers_of_examples(examples / "formats")
    assert found.pop("gemini_raw.jsonl")["1"] == '```json\n{"answer": "balinese"}\n```'
    # MMMU's list holds two of the four questions, one by the letter of an option.
    assert found.pop("output.json") == {"1": "A", "3": "5"}
    assert found == dict.fromkeys(found, from_each)
    assert len(found) == 9


def _joined(folder, name, index):
    problems = Problems()
    rows = join_files(find_prediction_files(folder, [name]), None, index, problems)
    problems.raise_if_any()
    return rows


def _answers_of_examples(folder):
    questions = read_questions(folder / "palmleaf/test.jsonl")
    index = QuestionIndex(questions, frozenset(one.sample_id for one in questions))
    names = [
        "palmleaf/gemini_raw.jsonl",
        "palmleaf/openai_runner_DemoBal_0001.json",
        "palmleaf/predictions_demo-vlm_constrained.csv",
        "palmleaf/predictions_demo-vlm_constrained.jsonl",
        "lmms_eval/20261129_000000_samples_palmleaf_demo.jsonl",
        "lm_eval/samples_palmleaf_demo_2026-11-29T00-00-00.jsonl",
        "mmmu/Script_Name/output.json",
        "mmmu/total_val_output.json",
        "rrc/docvqa_submission.json",
        "openai_evals/261129000000DEMO_demo-vlm_palmleaf.jsonl",
        "helm",
    ]
    return {
        Path(name).name: {
            joined.sample_id[-1]: joined.row.raw for joined in _joined(folder, name, index)
        }
        for name in names
    }
