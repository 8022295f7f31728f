"""Benchmarks in every format that is read, and every fault with its file and line."""

from __future__ import annotations

import base64
import csv
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from sampling.benchmark.benchmark import Benchmark, read_benchmark
from sampling.benchmark.embedded_images import write_embedded_images
from sampling.benchmark.image_files import image_digests
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder
from sampling.study.study_toml import parse_definition

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
)
VOCABULARIES = {
    "Script": {"format": "single", "labels": ["Balinese", "None", "NA", "null", "007", "1e5"]},
    "Condition": {
        "format": "multi",
        "labels": ["intact", "cracks", "stains"],
        "exclusive": ["intact"],
    },
    "Lines": {"format": "count", "max": 40},
    "Signs": {"format": "binary"},
    "Text": {"format": "text"},
}
QUESTIONS: list[dict[str, Any]] = [
    {"sample_id": "a__1", "category": "Script", "answer": "None"},
    {"sample_id": "a__2", "category": "Condition", "answer": ["cracks", "stains"]},
    {"sample_id": "a__3", "category": "Lines", "answer": 4},
    {"sample_id": "a__4", "category": "Signs", "answer": "no"},
]
BASE = {"image_name": "a.jpg", "question_en": "What?", "script_name": "Balinese", "split": "test"}
WAY_OUT = "put the images there, or take `images` out to go on without (the pages need them)"

MakeStudy = Callable[..., StudyFolder]


@pytest.fixture
def make_study(tmp_path: Path) -> MakeStudy:
    """Make a study folder with files of questions, and `[benchmark]` as given."""

    def make(files: dict[str, str | bytes], **benchmark: Any) -> StudyFolder:
        (tmp_path / "v.json").write_text(json.dumps(VOCABULARIES), encoding="utf-8")
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            raw = content.encode() if isinstance(content, str) else content
            path.write_bytes(raw)
        tables = {
            "study": {"name": "s", "seed": "s"},
            "benchmark": {"questions": list(files), "vocabularies": "v.json", **benchmark},
            "sample": {"strata": ["category"], "per_stratum": 1},
        }
        return StudyFolder(tmp_path, parse_definition(tables))

    return make


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps({**BASE, **row}, ensure_ascii=False) + "\n" for row in rows)


def table(rows: list[dict[str, Any]], delimiter: str = ",") -> str:
    rows = [{**BASE, **row} for row in rows]
    written = [delimiter.join(rows[0])]
    for row in rows:
        cells = ["; ".join(cell) if isinstance(cell, list) else cell for cell in row.values()]
        written.append(delimiter.join(f'"{cell}"' for cell in cells))
    return "\r\n".join(written) + "\r\n"


def answers(benchmark: Benchmark) -> list[Any]:
    return [record.answer for record in benchmark.records]


def faults(study: StudyFolder) -> tuple[str, ...]:
    with pytest.raises(StudyError) as caught:
        read_benchmark(study)
    return caught.value.problems


def test_json_lines_json_csv_and_tsv_say_the_same(make_study: MakeStudy) -> None:
    written = {
        "q.jsonl": lines(QUESTIONS),
        "q.json": json.dumps([{**BASE, **row} for row in QUESTIONS]),
        "wrapped.json": json.dumps({"data": [{**BASE, **row} for row in QUESTIONS]}),
        "q.csv": table(QUESTIONS),
        "semicolons.csv": table(QUESTIONS, ";"),
        "q.tsv": table(QUESTIONS, "\t"),
        "q.txt": lines(QUESTIONS),
    }
    for name, text in written.items():
        for mark in ("", "\ufeff"):
            study = make_study({name: mark + text.replace("\n", "\r\n").replace("\r\r", "\r")})
            records = read_benchmark(study).records
            assert [record.question.sample_id for record in records] == [
                "a__1",
                "a__2",
                "a__3",
                "a__4",
            ]
            assert records[0].question.script_name == "Balinese"
            assert records[0].answer == "None"


def test_parquet_is_read_with_its_image_structs(make_study: MakeStudy, tmp_path: Path) -> None:
    rows = [
        {
            "id": f"a__{number}",
            "image": {"bytes": PNG, "path": path},
            "question": "What?",
            "answers": ["no"],
            "category": "Signs",
        }
        for number, path in ((1, "folder/a.png"), (2, None), (3, None))
    ]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "q.parquet")
    study = make_study({"q.parquet": (tmp_path / "q.parquet").read_bytes()}, images="images")
    assert write_embedded_images(study) == 2  # the second and third row share one image
    names = [record.question.image_name for record in read_benchmark(study).records]
    assert names[0] == "a.png"
    assert names[1] == names[2]
    assert (tmp_path / "images" / names[1]).read_bytes() == PNG


def test_a_vlmevalkit_table_is_read_with_its_base64_images(
    make_study: MakeStudy, tmp_path: Path
) -> None:
    encoded = base64.b64encode(PNG).decode()
    text = (
        "index\timage\tquestion\tanswer\tcategory\n"
        f"0\t{encoded}\tWhat?\tNone\tScript\n"
        "1\t0\tHow many?\t4\tLines\n"  # the image of row 0
    )
    study = make_study({"q.tsv": text}, images="images")
    assert write_embedded_images(study) == 1
    records = read_benchmark(study).records
    assert [record.question.sample_id for record in records] == ["0", "1"]
    assert records[0].question.image_name == records[1].question.image_name
    assert answers(read_benchmark(study)) == ["None", "4"]


def test_an_image_folder_with_metadata_is_read_by_its_folder(make_study: MakeStudy) -> None:
    rows = [{"file_name": "a.jpg", "id": "x", "question": "Signs?", "answer": "no"}]
    study = make_study(
        {"data/metadata.jsonl": json.dumps(rows[0]), "data/a.jpg": PNG},
        questions=["data"],
        images="data",
        constants={"category": "Signs"},
    )
    (record,) = read_benchmark(study).records
    assert (record.question.sample_id, record.question.image_name) == ("x", "a.jpg")
    assert record.question.category == "Signs"


def test_croissant_fields_lead_to_local_columns(make_study: MakeStudy, tmp_path: Path) -> None:
    def field(name: str, column: str) -> dict[str, Any]:
        return {
            "name": name,
            "source": {"fileObject": {"@id": "qa"}, "extract": {"column": column}},
        }

    columns = {"sample_id": "nr", "question": "q", "answer": "a", "category": "c"}
    description = {
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "distribution": [{"@id": "qa", "contentUrl": "data/qa.csv"}],
        "recordSet": [{"field": [field(name, column) for name, column in columns.items()]}],
    }
    files = {
        "croissant.json": json.dumps(description),
        "data/qa.csv": "nr,q,a,c\n007,Which?,NA,Script\n",
    }
    study = make_study(files, questions="croissant.json", constants={"image_name": "a.jpg"})
    (record,) = read_benchmark(study).records
    assert (record.question.sample_id, record.answer) == ("007", "NA")
    (tmp_path / "data/qa.csv").unlink()
    assert "only local files are read" in faults(study)[0]


def test_medium_folders_are_mapped_by_study_toml_alone(make_study: MakeStudy) -> None:
    conv = '{"image": "seals_900001.png", "human_gt": "no"}\n'
    study = make_study(
        {"Bench/Signs/conv.jsonl": conv, "Bench/Signs/seals_900001.png": PNG},
        questions=["Bench/*/conv.jsonl"],
        images="Bench",
        fields={
            "image_name": "{@folder}/{image}",
            "sample_id": "image_name@stem",
            "category": "@folder",
            "task_family": "@file",
            "answer": "human_gt",
        },
        constants={"question_en": "Transcribe the text."},
    )
    (record,) = read_benchmark(study).records
    question = record.question
    assert question.sample_id == "seals_900001"
    assert question.image_name == "Signs/seals_900001.png"
    assert (question.category, question.task_family) == ("Signs", "conv")
    assert (question.question_en, record.answer) == ("Transcribe the text.", "no")


def test_nested_fields_and_kept_fields_are_taken(make_study: MakeStudy) -> None:
    row = {"meta": {"id": "x"}, "category": "Signs", "answer": "no", "hard": True, "other": 1}
    study = make_study({"q.jsonl": lines([row])}, fields={"sample_id": "meta.id"}, keep=["hard"])
    (record,) = read_benchmark(study).records
    assert record.question.sample_id == "x"
    assert record.question.kept == {"hard": True}


def test_where_keeps_rows_and_remembers_the_ids_of_the_others(make_study: MakeStudy) -> None:
    rows = [{**row, "split": split} for row, split in zip(QUESTIONS, "aabc", strict=True)]
    study = make_study({"q.jsonl": lines(rows)}, where={"split": ["a", "b"]})
    found = read_benchmark(study)
    assert len(found.records) == 3
    assert found.other_ids == {"a__4"}
    in_csv = make_study({"q.csv": table([{**rows[0], "level": 3}])}, where={"level": 3})
    assert len(read_benchmark(in_csv).records) == 1


def test_texts_of_csv_stay_what_they_are(make_study: MakeStudy) -> None:
    rows = [
        {"sample_id": str(number), "category": "Script", "answer": answer}
        for number, answer in enumerate(["None", "NA", "null", "007", "1e5"])
    ]
    assert answers(read_benchmark(make_study({"q.csv": table(rows)}))) == [
        "None",
        "NA",
        "null",
        "007",
        "1e5",
    ]


@pytest.mark.parametrize("first", ["sep=;", '"sep=;"'])
def test_the_line_that_names_the_separator_is_passed_over(
    make_study: MakeStudy, first: str
) -> None:
    text = f"{first}\r\nsample_id;image_name;category;question_en;answer\r\n"
    study = make_study({"q.csv": f"{text}1;a.jpg;Signs;One, or two?;no\r\n"})
    (record,) = read_benchmark(study).records
    assert (record.place, record.question.question_en) == ("q.csv line 3", "One, or two?")


def test_a_cell_may_hold_commas_quotes_and_line_breaks(
    make_study: MakeStudy, tmp_path: Path
) -> None:
    path = tmp_path / "written.csv"
    row = {**BASE, **QUESTIONS[3], "question_en": 'Line 1,\nline "2"'}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, row)
        writer.writeheader()
        writer.writerows([row, {**row, "sample_id": "b", "answer": "maybe"}])
    study = make_study({"q.csv": path.read_bytes()})
    assert faults(study) == (
        "q.csv line 4: answer 'maybe' is not in the vocabulary of 'Signs' (labels: yes, no)",
    )


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"answer": "Balinse"}, "answer 'Balinse' is not in the vocabulary of 'Script' (did you mean"),
    ({"category": "Condition", "answer": ["crack"]}, "answer 'crack' (did you mean 'cracks'?) is"),
    ({"category": "Condition", "answer": "intact, cracks"}, "holds an exclusive label beside"),
    ({"category": "Lines", "answer": "3-4"}, "answer '3-4' of 'Lines' is not one whole number"),
    ({"category": "Lines", "answer": "5-Mar"}, "number; a spreadsheet may have made a date of it"),
    ({"category": "Text", "answer": "???"}, "the answer is question marks alone, as when a"),
    ({"category": "Lines", "answer": 41}, "answer 41 is outside 0 to 40 of 'Lines'"),
    ({"category": "Scirpt"}, "category 'Scirpt' is not in v.json (did you mean 'Script'?)"),
    ({"answer": None}, "has no answer; every question needs its key"),
    ({"answer": "  "}, "has no answer; every question needs its key"),
    ({"category": 5}, "'category' must be text, not 5"),
    ({"question_en": ["x"]}, "'question_en' must be text, not 'x'"),
    ({"sample_id": True}, "'sample_id' must be text, not True"),
    ({"sample_id": ""}, "has no 'sample_id': the field is empty"),
    ({"image_name": None}, "has no 'image_name': the field is empty"),
    ({"question_en": "\ud800"}, "holds half of a surrogate pair"),
]


@pytest.mark.parametrize(("change", "said"), FAULTS)
def test_a_fault_is_named_with_its_line(
    make_study: MakeStudy, change: dict[str, Any], said: str
) -> None:
    good = {"sample_id": "x", "category": "Script", "answer": "Balinese"}
    bad = json.dumps({**BASE, **good, "sample_id": "y", **change})
    (fault,) = faults(make_study({"q.jsonl": lines([good]) + bad + "\n"}))
    assert fault.startswith("q.jsonl line 2: ")
    assert said in fault


def test_every_fault_is_said_at_once_in_the_order_of_the_file(make_study: MakeStudy) -> None:
    text = lines([QUESTIONS[0], QUESTIONS[0]]) + "{broken\n\n[1]\n"
    broken = "a name in double quotes must stand here, and no comma before a }"
    text += lines([{"sample_id": "z", "category": "Signs", "answer": "perhaps"}])
    found = faults(make_study({"q.jsonl": text}, images="images", annotators="a.csv"))
    assert found == (
        f"q.jsonl line 3: not valid JSON at column 2: {broken}",
        'q.jsonl line 5: not a JSON object such as {"sample_id": ...}',
        "q.jsonl line 2: sample_id 'a__1' appears twice (also q.jsonl line 1)",
        "q.jsonl line 6: answer 'perhaps' is not in the vocabulary of 'Signs' (labels: yes, no)",
        f"study.toml [benchmark] images: no folder 'images'; {WAY_OUT}",
    )


def test_an_images_folder_without_images_is_one_problem_with_its_way_out(
    make_study: MakeStudy,
) -> None:
    rows = [{**QUESTIONS[3], "sample_id": str(n), "image_name": f"{n}.png"} for n in range(3)]
    files = {"q.jsonl": lines(rows), "images/README.md": "The images go here.\n"}
    assert faults(make_study(files, questions=["q.jsonl"], images="images")) == (
        f"study.toml [benchmark] images: no image in 'images', 3 are named; {WAY_OUT}",
    )


def test_one_fault_in_every_line_stays_readable(make_study: MakeStudy) -> None:
    rows = [
        {"sample_id": str(number), "category": "Signs", "answer": f"maybe {number}"}
        for number in range(5000)
    ]
    with pytest.raises(StudyError) as told:
        read_benchmark(make_study({"q.jsonl": lines(rows)}))
    found = told.value.problems
    assert len(found) == 21
    assert found[-1] == "and 4,980 more: keys outside the vocabulary of 'Signs'"
    assert str(told.value).startswith("5,000 problems:\n")


def test_the_same_fault_of_many_lines_is_said_once(make_study: MakeStudy) -> None:
    rows = [{"sample_id": str(n), "category": "Signs", "answer": "maybe"} for n in range(5)]
    odd = [{"sample_id": name, "category": "Sings", "answer": "no"} for name in "ab"]
    together, *single = faults(make_study({"q.jsonl": lines([*rows, *odd])}))
    assert together == (
        "q.jsonl line 1 and 4 more (2, 3, 4, ...): answer 'maybe' is not in the vocabulary of "
        "'Signs' (labels: yes, no)"
    )
    assert single == [
        "q.jsonl line 6: category 'Sings' is not in v.json (did you mean 'Signs'?)",
        "q.jsonl line 7: category 'Sings' is not in v.json (did you mean 'Signs'?)",
    ]


def test_missing_images_are_named_only_where_images_is_set(make_study: MakeStudy) -> None:
    rows = [
        {**QUESTIONS[3], "sample_id": str(number), "image_name": name}
        for number, name in enumerate(["a.png", "A.jpeg", "b.jpg", "../a.jpg", "c.tif"])
    ]
    files = {"q.jsonl": lines(rows), "images/a.png": PNG, "images/deep/b.jpg": PNG}
    files["images/a.jpg"] = PNG
    assert len(read_benchmark(make_study(files, questions=["q.jsonl"])).records) == 5
    assert faults(make_study(files, questions=["q.jsonl"], images="images")) == (
        "q.jsonl line 2: image 'A.jpeg' is not in images (did you mean 'a.jpg'?)",
        "q.jsonl line 3: image 'b.jpg' is not in images (it is at 'deep/b.jpg')",
        "q.jsonl line 4: image '../a.jpg' lies outside the images folder",
        "q.jsonl line 5: image 'c.tif' is not in images",
    )


def test_images_in_sub_folders_are_one_problem_with_the_pattern(make_study: MakeStudy) -> None:
    rows = [{**QUESTIONS[3], "sample_id": str(n), "image_name": f"{n}.png"} for n in range(9)]
    files: dict[str, Any] = {"q.jsonl": lines(rows)}
    files |= {f"images/seals/{number}.png": PNG for number in range(9)}
    (fault,) = faults(make_study(files, questions=["q.jsonl"], images="images"))
    assert fault.startswith(
        "q.jsonl line 1: image '0.png' is not in images (it is at 'seals/0.png'), nor 8 more"
    )
    assert 'image_name = "{category}/{image}" under [benchmark.fields]' in fault


def test_another_questions_image_is_not_suggested_for_a_missing_one(make_study: MakeStudy) -> None:
    names = ["sea_01.jpg", "sea_09.jpg", "sea_02.jpg"]
    rows = [{**QUESTIONS[3], "sample_id": name, "image_name": name} for name in names]
    files = {"q.jsonl": lines(rows), "images/sea_09.jpg": PNG, "images/sea_2.jpg": PNG}
    assert faults(make_study(files, questions=["q.jsonl"], images="images")) == (
        "q.jsonl line 1: image 'sea_01.jpg' is not in images (did you mean 'sea_2.jpg'?)",
        "q.jsonl line 3: image 'sea_02.jpg' is not in images (did you mean 'sea_2.jpg'?)",
    )


def test_an_image_is_found_under_its_names_other_unicode_form(
    make_study: MakeStudy, tmp_path: Path
) -> None:
    # As an archive made on macOS unpacks it: `é` in two characters, in a file and in a folder.
    rows = [
        {**QUESTIONS[3], "sample_id": "1", "image_name": "caf\u00e9.png"},
        {**QUESTIONS[3], "sample_id": "2", "image_name": "\u00e9/a.png"},
    ]
    files = {"q.jsonl": lines(rows), "images/cafe\u0301.png": PNG, "images/e\u0301/a.png": PNG}
    study = make_study(files, questions=["q.jsonl"], images="images")
    assert len(read_benchmark(study).records) == 2
    assert study.images_folder is not None
    digests = image_digests(study.images_folder, ["caf\u00e9.png", "\u00e9/a.png"])
    assert set(digests.values()) == {hashlib.sha256(PNG).hexdigest()}


@pytest.mark.parametrize(
    ("benchmark", "said"),
    [
        ({"questions": "p.jsonl"}, "questions: no file 'p.jsonl' (did you mean 'q.jsonl'?)"),
        ({"questions": "*.csv"}, "questions: '*.csv' matches no file"),
        ({"questions": "empty"}, "questions: the folder 'empty' holds no file of questions"),
        ({"vocabularies": "w.json"}, "vocabularies: no file 'w.json' (did you mean 'v.json'?)"),
        ({"where": {"spilt": "test"}}, "where: no row has 'spilt' (did you mean 'split'?)"),
        ({"where": {"split": "tset"}}, "where: no row fulfils it"),
        ({"keep": ["splti"]}, "keep: no row has 'splti' (did you mean 'split'?)"),
        ({"keep": ["answer"]}, "keep: 'answer' holds keys, which the server never sees"),
        (
            {"fields": {"sample_id": "nr"}},
            "fields: no row has 'nr' (fields: image_name, question_en, script_name, split, ",
        ),
        ({"fields": {"script_name": "splt"}}, "fields: no row has 'splt' (did you mean 'split'?)"),
    ],
)
def test_a_wrong_setting_is_named(
    make_study: MakeStudy, tmp_path: Path, benchmark: dict[str, Any], said: str
) -> None:
    (tmp_path / "empty").mkdir()
    found = faults(make_study({"q.jsonl": lines(QUESTIONS[:1])}, **benchmark))
    assert any(said in fault for fault in found), found


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("q.jsonl", b'{"a": "\xff"}\n', "q.jsonl line 1: is not UTF-8 text"),
        ("q.csv", b"a,b\n1,\xff\n", "q.csv line 2: is not UTF-8 text"),
        ("q.jsonl", '{"a": 1}'.encode("utf-16"), "q.jsonl: is UTF-16 text; save the file as UTF-8"),
        ("q.jsonl", '{"a": 1}'.encode("utf-16-le"), "q.jsonl: is UTF-16 text; save the file"),
        ("q.csv", b"", "q.csv: empty; its first line must name the columns"),
        ("q.csv", b"a,a\n1,2\n", "q.csv line 1: the column 'a' appears twice"),
        ("q.csv", b"a,b\n1,2,3\n", "has 3 cells, the header 2; quote cells that hold commas"),
        ("q.csv", b"a;b\n1;2;3\n", "the header 2; quote cells that hold semicolons"),
        ("q.csv", b"a,b\n1\n", "q.csv line 2: has 1 cell, the header 2; is a cell missing, or"),
        (
            *("q.csv", b'a,b\n"1,2\n3,4\n5,6\n'),
            "q.csv line 2: has a quote that is not closed, to the file's end",
        ),
        (
            "q.csv",
            b"List,,\na,b,c\n1,2,3\n",
            "line 1: holds 'List' alone, and line 2 several cells",
        ),
        ("q.csv", b"List\na,b,c\n1,2,3\n", "take out what stands above it"),
        ("q.csv", b"PK\x03\x04\0\0", "q.csv: is an Excel file or another zip archive; save"),
        ("q.csv", b'a,b\n1,"2\n3,4\n', "q.csv line 2: has a quote that is not closed, to the"),
        ("q.json", b'[{"a": 1},]', "q.json line 1: not valid JSON"),
        ("q.xml", b"<a/>", "q.xml: not a format that is read"),
        ("q.parquet", b"PAR1", "q.parquet: not a readable Parquet file"),
        ("q.jsonl", b"\n", "the files hold no question"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(
    make_study: MakeStudy, name: str, content: bytes, said: str
) -> None:
    found = faults(make_study({name: content}))
    assert any(said in fault for fault in found), found


def test_columns_of_another_name_are_listed_for_mapping(make_study: MakeStudy) -> None:
    row = '{"nr": "1", "image": "a.jpg", "text": "What?", "key": "no", "kind": "Signs"}'
    assert faults(make_study({"q.jsonl": row}))[0] == (
        "q.jsonl line 1: has no 'sample_id', 'category', 'question_en', 'answer'; its fields are "
        "nr, image, text, key, kind (name the right ones under [benchmark.fields])"
    )


def test_columns_that_every_row_lacks_are_said_once_with_the_nearest(
    make_study: MakeStudy,
) -> None:
    row = "q{},a.jpg,Signs,One?,no\n"
    text = "Sample_ID,image_name,Category ,question_en,gold\n"
    study = make_study({"q.csv": text + "".join(row.format(one) for one in range(60))})
    (fault,) = faults(study)
    assert fault == (
        "q.csv line 2 and 59 more (3, 4, 5, ...): has no 'sample_id' (did you mean 'Sample_ID'?), "
        "'category' (did you mean 'Category'?); its fields are Sample_ID, image_name, Category, "
        "question_en, gold (name the right ones under [benchmark.fields])"
    )


def test_a_field_mapped_to_a_misspelt_one_is_one_problem(make_study: MakeStudy) -> None:
    rows = [{**QUESTIONS[3], "sample_id": str(n), "pic": "a.jpg"} for n in range(9)]
    fields = {"image_name": "pci", "answer": "anwser"}
    assert faults(make_study({"q.jsonl": lines(rows)}, fields=fields)) == (
        "study.toml [benchmark] fields: no row has 'pci' (did you mean 'pic'?)",
        "study.toml [benchmark] fields: no row has 'anwser' (did you mean 'answer'?)",
    )


def test_a_literal_space_tag_in_a_reference_is_a_warning(make_study: MakeStudy) -> None:
    vocabularies = {"Seal": {"format": "text"}}
    row = {"sample_id": "1", "category": "Seal", "answer": "甲<space>乙"}
    study = make_study({"q.jsonl": lines([row]), "w.json": json.dumps(vocabularies)})
    study = make_study({"q.jsonl": lines([row])}, questions="q.jsonl", vocabularies="w.json")
    assert "1 references hold the literal `<space>`" in read_benchmark(study).warnings[0]


@pytest.mark.parametrize("answer", ["", "。，", " \n"])
def test_an_empty_transcription_is_an_error_that_names_its_record(
    make_study: MakeStudy, answer: str
) -> None:
    (study_text, row) = (
        json.dumps({"Seal": {"format": "text"}}),
        {"sample_id": "1", "category": "Seal", "answer": answer},
    )
    make_study({"w.json": study_text})
    study = make_study({"q.jsonl": lines([row])}, vocabularies="w.json")
    (fault,) = faults(study)
    assert fault.startswith("q.jsonl line 1: ")


def test_the_examples_are_read(make_study: MakeStudy, examples: Path) -> None:
    formats = examples / "formats"
    entries = json.loads((formats / "answer_vocabularies.json").read_text("utf-8"))
    entries["Binding and Holes"] = ["None", "one", "two"]
    make_study({"w.json": json.dumps(entries)})
    sources = {
        "palmleaf/test.jsonl": ({}, 4),
        "vlmevalkit/PalmLeafDemo.tsv": ({}, 5),
        "hf/test-00000-of-00001.parquet": ({}, 4),
        "hf/imagefolder": ({"fields": {"category": "question"}, "vocabularies": "x.json"}, 4),
    }
    questions = ["script name", "kinds of damage", "many text lines", "symbols or drawings"]
    by_question = {
        json.loads(line)["question"]: entry
        for line, entry in zip(
            (formats / "hf/imagefolder/metadata.jsonl").read_text("utf-8").splitlines(),
            list(entries.values())[: len(questions)],
            strict=True,
        )
    }
    make_study({"x.json": json.dumps(by_question)})
    for source, (settings, count) in sources.items():
        tables = {"questions": str(formats / source), "vocabularies": "w.json", **settings}
        study = make_study({}, **tables)
        assert len(read_benchmark(study).records) == count, source


def test_transcriptions_are_read_with_their_images(make_study: MakeStudy, tmp_path: Path) -> None:
    make_study({"w.json": '{"Line transcription": {"format": "text"}}'})
    rows = [{"image": f"KPL_000{number}.jpg", "human_gt": "កខ\nគឃ\nង\nច"} for number in range(1, 6)]
    (tmp_path / "folios" / "images").mkdir(parents=True)
    for row in rows:
        (tmp_path / "folios" / "images" / row["image"]).write_bytes(b"")
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (tmp_path / "folios" / "transcriptions.jsonl").write_text(text, encoding="utf-8")
    study = make_study(
        {},
        questions=str(tmp_path / "folios" / "transcriptions.jsonl"),
        vocabularies="w.json",
        images=str(tmp_path / "folios" / "images"),
        fields={"sample_id": "image_name@stem", "image_name": "image", "answer": "human_gt"},
        constants={"category": "Line transcription", "question_en": "Transcribe the leaf."},
    )
    records = read_benchmark(study).records
    assert [record.question.sample_id for record in records] == [
        f"KPL_000{number}" for number in range(1, 6)
    ]
    assert records[0].answer.count("\n") == 3
