from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sampling.benchmark.image_files import check_checksums, read_checksums
from sampling.benchmark.near_duplicates import find_near_duplicates
from sampling.draw.manifest import read_manifest
from sampling.draw.sample_files import draw_study, write_sample
from sampling.draw.verification import verify_sample
from sampling.record.verdicts import State
from sampling.study.errors import StudyError
from sampling.study.folder import open_study

STUDY = """
[study]
name = "Leaves"
seed = "leaves"
[benchmark]
questions = ["benchmark/test.jsonl"]
vocabularies = "benchmark/vocabularies.json"
images = "benchmark/images"
checksums = "benchmark/sums.txt"
where = { split = "test" }
[sample]
strata = ["script_name", "category"]
per_stratum = 2
spread = "image_name"
reserve_per_stratum = 2
"""
VOCABULARIES = {"Drawings": ["yes", "no"], "Lines": {"format": "count"}}


def leaf(seed: int) -> Image.Image:
    noise = np.random.default_rng(seed).integers(0, 255, (8, 12), dtype=np.uint8)
    return Image.fromarray(noise).resize((240, 160))


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Two scripts, six leaves each, two categories; a `train` row that is never drawn."""
    folder = tmp_path / "study"
    images = folder / "benchmark" / "images"
    images.mkdir(parents=True)
    rows, sums = [], []
    for number in range(12):
        script, name = ("Khmer", "Tamil")[number // 6], f"{number:02}.png"
        leaf(number).save(images / name)
        sums.append(f"{hashlib.sha256((images / name).read_bytes()).hexdigest()}  images/{name}")
        for category, answer in (("Drawings", "yes"), ("Lines", 5)):
            rows.append(
                {
                    "sample_id": f"{script}_{number}__{category}",
                    "image_name": name,
                    "script_name": script,
                    "category": category,
                    "question_en": "?",
                    "answer": answer,
                    "split": "test",
                    "note": "never copied",
                }
            )
    rows.append({**rows[0], "sample_id": "train1", "split": "train"})
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "benchmark" / "test.jsonl").write_text(text)
    (folder / "benchmark" / "vocabularies.json").write_text(json.dumps(VOCABULARIES))
    (folder / "benchmark" / "sums.txt").write_text("\n".join(sums) + "\n")
    (folder / "study.toml").write_text(STUDY)
    return folder


def drawn(folder: Path, *faulty: tuple[str, str]):
    study = open_study(folder)
    found = draw_study(study, faulty)
    write_sample(study, found)
    return found


def sample_bytes(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted((folder / "sample").iterdir())}


def test_shuffled_lines_and_other_hash_seeds_give_the_same_bytes(study: Path) -> None:
    drawn(study)
    before = sample_bytes(study)
    assert list(before) == ["keys.jsonl", "manifest.json", "questions.jsonl", "reserve.jsonl"]
    path = study / "benchmark" / "test.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    random.Random(1).shuffle(lines)
    path.write_text("".join(lines))
    program = (
        "import sys; from pathlib import Path; from sampling.study.folder import open_study;"
        "from sampling.draw.sample_files import draw_study, write_sample;"
        "s = open_study(Path(sys.argv[1])); write_sample(s, draw_study(s))"
    )
    for hash_seed in ("1", "2"):
        shutil.rmtree(study / "sample")
        surroundings = {**os.environ, "PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-c", program, str(study)]
        subprocess.run(command, check=True, env=surroundings, cwd=Path(__file__).parents[2])
        assert sample_bytes(study) == before


def test_questions_hold_no_key_and_nothing_else_of_the_input(study: Path) -> None:
    drawn(study)
    rows = read_lines(study / "sample/questions.jsonl")
    assert [row["sample_id"] for row in rows] == sorted(row["sample_id"] for row in rows)
    assert not {"answer", "note"} & {field for row in rows for field in row}
    assert [set(key) for key in read_lines(study / "sample/keys.jsonl")] == [
        {"sample_id", "answer"}
    ] * 8


def test_the_manifest_says_how_likely_and_how_heavy_each_stratum_is(study: Path) -> None:
    manifest = drawn(study).manifest
    # 2 of 6 questions in each of 4 strata of equal size.
    assert {one["inclusion_probability"] for one in manifest["strata"]} == {2 / 6}
    assert {one["stratum_weight"] for one in manifest["strata"]} == {0.25}
    assert (manifest["n_frame"], manifest["n_sample"]) == (24, 8)
    assert manifest["inputs"]["checksums"]["files_verified"] == 8
    # 8 questions over 12 leaves: no leaf twice.
    assert manifest["spread"]["values_by_uses"] == {"1": 8}


def test_a_faulty_question_gives_its_place_to_the_next_in_rank(study: Path) -> None:
    first = drawn(study)
    stratum = first.manifest["strata"][0]
    faulty = stratum["drawn"][0]
    after = drawn(study, (faulty, "the leaf is upside down"))
    assert after.manifest["replacements"] == [
        {
            "removed": faulty,
            "replacement": stratum["reserve"][0],
            "reason": "the leaf is upside down",
        }
    ]
    ids = {question.sample_id for question in first.sample.questions}
    assert {question.sample_id for question in after.sample.questions} == (
        ids - {faulty} | {stratum["reserve"][0]}
    )
    assert verify_sample(open_study(study)).state is State.HOLDS


def test_a_replacement_that_proves_faulty_is_replaced_in_its_turn(study: Path) -> None:
    stratum = drawn(study).manifest["strata"][0]
    faulty, (second, third) = stratum["drawn"][0], stratum["reserve"]
    after = drawn(study, (faulty, "blurred"), (second, "blurred too"))
    made = [(one["removed"], one["replacement"]) for one in after.manifest["replacements"]]
    assert made == [(faulty, second), (second, third)]
    assert third in {question.sample_id for question in after.sample.questions}
    assert verify_sample(open_study(study)).state is State.HOLDS


def test_a_faulty_question_outside_the_sample_stays_out_of_it(study: Path) -> None:
    stratum = drawn(study).manifest["strata"][0]
    faulty, (second, third) = stratum["drawn"][0], stratum["reserve"]
    after = drawn(study, (second, "blurred"), (faulty, "torn"))
    made = [(one["removed"], one["replacement"]) for one in after.manifest["replacements"]]
    assert made == [(second, None), (faulty, third)]
    assert verify_sample(open_study(study)).state is State.HOLDS


def test_a_stratum_can_run_out_of_questions(study: Path) -> None:
    stratum = drawn(study).manifest["strata"][0]
    faulty = [(one, "blurred") for one in (*stratum["drawn"], *stratum["reserve"])]
    # Of six questions two are drawn and two in reserve; with the last two faulty none is left.
    faulty += [(row["sample_id"], "blurred") for row in read_lines(study / "benchmark/test.jsonl")]
    with pytest.raises(StudyError, match="has no question left in the reserve"):
        draw_study(open_study(study), faulty)


def read_lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_an_untouched_sample_holds(study: Path) -> None:
    drawn(study)
    assert verify_sample(open_study(study)).state is State.HOLDS


def test_no_sample_is_said_to_be_absent(study: Path) -> None:
    assert verify_sample(open_study(study)).state is State.ABSENT


def edit(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text().replace(old, new, 1))


@pytest.mark.parametrize(
    ("file", "old", "new", "difference"),
    [
        ("sample/keys.jsonl", '"yes"', '"no"', "has 'no', the benchmark has 'yes'"),
        (
            "sample/questions.jsonl",
            '"?"',
            '"What?"',
            "has question_en = 'What?', the benchmark has '?'",
        ),
        (
            "study.toml",
            '"leaves"',
            '"other"',
            "study.toml: seed is 'other', and was 'leaves' at the draw",
        ),
        (
            "benchmark/test.jsonl",
            "never copied",
            "changed",
            "benchmark: its 24 records are not the 24",
        ),
        ("benchmark/vocabularies.json", "[", " [", "vocabularies.json: changed since the draw"),
        (
            "sample/manifest.json",
            '"N": 6',
            '"N": 7',
            "manifest.json: Khmer × Drawings: N is 7, and 6 when drawn again",
        ),
        (
            "sample/manifest.json",
            '"inclusion_probability": 0.3333333333333333',
            '"inclusion_probability": 0.5',
            "Khmer × Drawings: inclusion_probability is 0.5, and 0.3333333333333333 when drawn",
        ),
        (
            "sample/manifest.json",
            '"stratum_weight": 0.25',
            '"stratum_weight": 0.3',
            "Khmer × Drawings: stratum_weight is 0.3, and 0.25 when drawn again",
        ),
        (
            "sample/manifest.json",
            '"n_frame": 24',
            '"n_frame": 25',
            "manifest.json: n_frame is 25, and 24 when drawn again",
        ),
        (
            "sample/manifest.json",
            '"shortages": []',
            '"shortages": [1]',
            "manifest.json: shortages is [1], and [] when drawn again",
        ),
    ],
)
def test_verifying_says_exactly_what_differs(
    study: Path, file: str, old: str, new: str, difference: str
) -> None:
    drawn(study)
    edit(study / file, old, new)
    found = verify_sample(open_study(study))
    assert found.state is State.DIFFERS
    assert len(found.differences) == 1
    assert difference in found.differences[0]


def test_what_is_missing_or_put_into_the_manifest_is_named(study: Path) -> None:
    manifest = drawn(study).manifest
    first, image = manifest["strata"][0], next(iter(manifest["images"]))
    del manifest["images"][image]
    first["drawn"][0], gone = "another", first["drawn"][0]
    first["reserve"].reverse()
    manifest["strata"][1]["stratum"]["script_name"] = "Lao"
    (study / "sample/manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert verify_sample(open_study(study)).differences == (
        f"manifest.json: Khmer × Drawings: drawn has another and not {gone}",
        "manifest.json: Khmer × Drawings: reserve is in another order",
        "manifest.json: Khmer × Lines is not in it",
        "manifest.json: Lao × Lines is none of the strata",
        f"manifest.json: has no digest of image {image}",
    )


def test_a_reserve_that_was_taken_away_is_missed(study: Path) -> None:
    drawn(study)
    (study / "sample/reserve.jsonl").unlink()
    assert verify_sample(open_study(study)).differences == ("reserve.jsonl: is not there",)


def test_an_image_that_changed_is_found(study: Path) -> None:
    name = drawn(study).sample.questions[0].image_name
    leaf(99).save(study / "benchmark/images" / name)
    found = verify_sample(open_study(study))
    assert found.differences == (f"image {name}: changed since the draw",)


def test_an_image_other_than_the_published_one_is_refused(study: Path) -> None:
    leaf(99).save(study / "benchmark/images/03.png")
    leaf(98).save(study / "benchmark/images/09.png")
    names = ["03.png", "09.png", "01.png"]
    sums = read_checksums(study / "benchmark/sums.txt")
    with pytest.raises(StudyError) as raised:
        check_checksums(sums, "sums.txt", [study / "benchmark/images"], names)
    assert raised.value.problems == tuple(
        f"{name}: differs from its digest in sums.txt; fetch the file again from its source"
        for name in ("03.png", "09.png")
    )


def test_checksums_of_other_lengths_and_signs_are_read(tmp_path: Path) -> None:
    (tmp_path / "sums").write_text(
        "# published\n\nd41d8cd98f00b204e9800998ecf8427e *empty.png\n", encoding="utf-8-sig"
    )
    (tmp_path / "empty.png").write_bytes(b"")
    assert (
        check_checksums(read_checksums(tmp_path / "sums"), "sums", [tmp_path], ["empty.png"]) == 1
    )


def test_a_line_that_is_no_checksum_is_named(tmp_path: Path) -> None:
    (tmp_path / "sums").write_text("abc leaf.png\n")
    with pytest.raises(StudyError, match="sums line 1: is not a digest followed by a file name"):
        read_checksums(tmp_path / "sums")


def test_the_same_picture_under_two_names_is_found(tmp_path: Path) -> None:
    leaf(1).save(tmp_path / "a.png")
    shutil.copy(tmp_path / "a.png", tmp_path / "b.png")
    leaf(1).resize((120, 80)).save(tmp_path / "c.jpg", quality=60)
    leaf(2).save(tmp_path / "d.png")
    digests = {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in tmp_path.iterdir()
    }
    found = find_near_duplicates(tmp_path, digests)
    assert [(one.first, one.second, one.identical) for one in found] == [
        ("a.png", "b.png", True),
        ("a.png", "c.jpg", False),
        ("b.png", "c.jpg", False),
    ]


def test_every_image_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    leaf(1).save(tmp_path / "a.png")
    (tmp_path / "b.png").write_bytes((tmp_path / "a.png").read_bytes()[:200])
    (tmp_path / "c.png").write_bytes(b"no image")
    with pytest.raises(StudyError) as told:
        find_near_duplicates(tmp_path, dict.fromkeys(("a.png", "b.png", "c.png"), "digest"))
    cut, foreign = told.value.problems
    assert cut == "image 'b.png' is cut off; copy it again from its source"
    assert foreign == "image 'c.png' is no image; replace the file"


def test_the_papers_pool_uses_212_images_whatever_the_seed(
    paper_shape: Path, tmp_path: Path
) -> None:
    # 278 images: of the eight collections four have 32 or more, the others 30, 21, 13 and 20.
    shutil.copytree(paper_shape / "study", tmp_path / "study")
    study = open_study(tmp_path / "study")
    for seed in ("2609.31651", "another"):
        named = study.definition.study.model_copy(update={"seed": seed})
        definition = study.definition.model_copy(update={"study": named})
        manifest = draw_study(type(study)(study.root, definition)).manifest
        assert manifest["spread"]["different_values"] == 212
        assert len(manifest["strata"]) == 64
        assert {one["n"] for one in manifest["strata"]} == {4}


def test_a_file_that_is_no_manifest_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(StudyError, match="not a manifest"):
        read_manifest(tmp_path / "manifest.json")


def test_a_manifest_with_parts_missing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"format": "lontar sample 1", "seed": "s"}')
    with pytest.raises(StudyError, match="has no settings, inputs, strata, shortages"):
        read_manifest(tmp_path / "manifest.json")


def test_settings_that_no_draw_has_are_named(study: Path) -> None:
    drawn(study)
    edit(study / "sample/manifest.json", '"per_stratum": 2', '"per_stratum": "two"')
    with pytest.raises(StudyError, match=r"manifest\.json: per_stratum"):
        verify_sample(open_study(study))
