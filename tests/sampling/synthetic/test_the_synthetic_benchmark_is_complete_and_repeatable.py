"""The synthetic benchmark is complete, valid, repeatable and marked as synthetic."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from sampling.answers.normalization import ScoringStatus, normalize
from sampling.answers.vocabulary_files import parse_vocabularies, read_vocabularies
from sampling.assignment.roster import read_roster
from sampling.benchmark.annotators import read_annotators
from sampling.benchmark.question_files import read_keys, read_questions
from sampling.synthetic.attributes import COLLECTIONS, DEFECTS, FEATURES, Folio, invent_folios
from sampling.synthetic.benchmark import (
    write_roster,
    write_synthetic_benchmark,
    write_try_it_benchmark,
)
from sampling.synthetic.folio_image import (
    DESCRIPTION,
    LARGEST_BYTES,
    draw_folio,
    encode_folio,
    write_pictures,
)
from sampling.synthetic.keys import ASKED, key_of, record
from sampling.synthetic.vocabulary import VOCABULARIES

CATEGORIES = (
    "Script Name",
    "Physical Condition",
    "Visible Line Count",
    "Symbols and Drawings",
    "Material and Coating",
    "Binding and Holes",
    "Scribe and Margins",
    "Other Physical Features",
)


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_eight_categories_are_asked_of_every_folio_in_the_published_record_shape(
    study_folder: Path,
) -> None:
    rows = rows_of(study_folder / "benchmark" / "test.jsonl")
    assert tuple(asked.category for asked in ASKED) == CATEGORIES
    # Eight collections of one test folio and one of another split, eight questions each.
    assert len(rows) == 8 * 2 * 8
    assert list(rows[0]) == [
        "sample_id",
        "image_name",
        "script_name",
        "question_id",
        "task_family",
        "category",
        "question_type",
        "question_en",
        "answer",
        "split",
    ]
    assert rows[0]["sample_id"] == "Balinese_0001__1"
    assert rows[0]["image_name"] == "Balinese_0001.jpg"


def test_rows_of_other_splits_are_there_to_be_left_out(study_folder: Path) -> None:
    rows = rows_of(study_folder / "benchmark" / "test.jsonl")
    assert Counter(row["split"] for row in rows) == {"test": 64, "train": 32, "val": 32}


def test_every_image_that_a_row_names_is_there_and_no_other(study_folder: Path) -> None:
    for part in ("benchmark/test.jsonl", "practice/questions.jsonl"):
        file = study_folder / part
        named = {row["image_name"] for row in rows_of(file)}
        assert {path.name for path in (file.parent / "images").iterdir()} == named


def test_every_key_is_valid_and_in_the_vocabulary(folios: list[Folio]) -> None:
    vocabularies = parse_vocabularies(VOCABULARIES, {})
    for folio in folios:
        for asked in ASKED:
            key = key_of(folio, asked.category)
            found = normalize(key, vocabularies[asked.category])
            assert found.status is ScoringStatus.VALID
            assert found.note is None


def test_every_answer_format_but_text_is_asked(study_folder: Path) -> None:
    found = read_vocabularies(study_folder / "benchmark" / "answer_vocabularies.json")
    assert tuple(found) == CATEGORIES
    assert Counter(vocabulary.format.value for vocabulary in found.values()) == {
        "multi": 5,
        "single": 1,
        "binary": 1,
        "count": 1,
    }


def test_exclusive_labels_stand_alone_and_every_label_of_a_kind_occurs(
    folios: list[Folio],
) -> None:
    for category in CATEGORIES:
        exclusive = set(VOCABULARIES[category].get("exclusive", ()))
        for folio in folios:
            key = key_of(folio, category)
            if isinstance(key, list) and exclusive & set(key):
                assert len(key) == 1
    assert {label for folio in folios for label in folio.condition} == set(DEFECTS)
    assert {label for folio in folios for label in folio.features} == set(FEATURES)
    assert {folio.lines for folio in folios} == {3, 4, 5, 6, 7, 8}
    assert {folio.holes for folio in folios} == {0, 1, 2, 3}


@pytest.mark.parametrize("collection", sorted(COLLECTIONS))
def test_twelve_folios_of_a_collection_show_every_defect_and_addition(
    folios: list[Folio], collection: str
) -> None:
    own = [folio for folio in folios if folio.collection == collection]
    assert {label for folio in own for label in folio.condition} == set(DEFECTS)
    assert {label for folio in own for label in folio.features} == set(FEATURES)
    assert any(not folio.condition for folio in own)
    assert {bool(folio.drawing) for folio in own} == {True, False}


def test_what_contradicts_itself_is_never_drawn(folios: list[Folio]) -> None:
    for folio in folios:
        assert folio.holes > 0 or not (folio.cord or folio.damaged_hole)
        assert folio.condition or not folio.damaged_hole
        assert "folio number" not in folio.margins or "left margin" in folio.margins
        assert "marginal note" not in folio.margins or "right margin" in folio.margins


def test_the_same_seed_gives_the_same_questions_on_every_machine() -> None:
    rows = [
        record(folio, asked, "test", key_of(folio, asked.category))
        for folio in invent_folios("fixed", "Khmer", ["Khmer_0001", "Khmer_0002"])
        for asked in ASKED
    ]
    text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    # Taken once from this very code: only SHA-256 of the seed decides, so it never changes.
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "22914aa0690caf18"


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(folios: list[Folio]) -> None:
    first, again, other = (encode_folio(draw_folio(folios[40], seed)) for seed in ("a", "a", "b"))
    assert first == again
    assert first != other


@pytest.mark.long
def test_two_runs_write_the_same_files(study_folder: Path, tmp_path: Path) -> None:
    write_synthetic_benchmark(tmp_path, "test", folios_per_collection=1)
    names = sorted(path.relative_to(study_folder) for path in study_folder.rglob("*.*"))
    assert names == sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.*"))
    for name in names:
        assert (tmp_path / name).read_bytes() == (study_folder / name).read_bytes(), name


def test_every_picture_says_that_it_is_synthetic(pictures: list[Any]) -> None:
    for pictured in pictures:
        image = Image.open(io.BytesIO(pictured.jpeg))
        assert image.getexif()[0x010E] == DESCRIPTION
        assert image.info["comment"] == DESCRIPTION.encode()
        # The words in the lower right corner stand out from the cloth and miss the leaf.
        corner = pictured.pixels[-24:-6, 2215:2390].mean(axis=2)
        assert np.ptp(corner) > 60
        assert pictured.layout.leaf.bottom + 8 < pictured.layout.height - 24


def test_a_picture_is_light_and_of_the_planned_size(pictures: list[Any]) -> None:
    for pictured in pictures:
        assert len(pictured.jpeg) <= 1.1 * LARGEST_BYTES
        assert pictured.pixels.shape == (pictured.layout.height, 2400, 3)


def test_practice_uses_other_images_and_explains_every_key(study_folder: Path) -> None:
    practice = study_folder / "practice"
    questions = read_questions(practice / "questions.jsonl")
    keys = {key.sample_id: key for key in read_keys(practice / "keys.jsonl")}
    vocabularies = read_vocabularies(study_folder / "benchmark" / "answer_vocabularies.json")
    assert {question.category for question in questions} == set(CATEGORIES)
    tested = {row["image_name"] for row in rows_of(study_folder / "benchmark" / "test.jsonl")}
    assert not tested & {question.image_name for question in questions}
    for question in questions:
        answer = keys[question.sample_id].answer
        raw = list(answer) if isinstance(answer, tuple) else answer
        assert normalize(raw, vocabularies[question.category]).status is ScoringStatus.VALID
    assert all(row["feedback"] for row in rows_of(practice / "keys.jsonl"))
    assert all("answer" not in row for row in rows_of(practice / "questions.jsonl"))


def test_every_question_has_an_author_and_another_reviewer(study_folder: Path) -> None:
    notes = read_annotators(study_folder / "benchmark" / "annotators.csv")
    roles: dict[str, dict[str, str]] = {}
    for note in notes:
        roles.setdefault(note.sample_id, {})[note.role] = note.annotator
    ids = {row["sample_id"] for row in rows_of(study_folder / "benchmark" / "test.jsonl")}
    assert set(roles) == ids
    assert all(set(by_role) == {"author", "reviewer"} for by_role in roles.values())
    assert all(by_role["author"] != by_role["reviewer"] for by_role in roles.values())


def test_the_roster_has_eight_people_some_of_whom_have_signed_keys(tmp_path: Path) -> None:
    write_roster(tmp_path / "participants.csv")
    people = read_roster(tmp_path / "participants.csv")
    assert [person.pseudonym for person in people] == [f"P0{number}" for number in range(1, 9)]
    assert sum(bool(person.annotator_ids) for person in people) == 6


@pytest.fixture(scope="module")
def try_it(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[int, int]]]:
    """The folder of the ten-question study, and the progress its making told of."""
    folder = tmp_path_factory.mktemp("try-it")
    heard: list[tuple[int, int]] = []
    write_try_it_benchmark(folder, "test", lambda done, total: heard.append((done, total)))
    return folder, heard


def test_progress_counts_every_picture(try_it: tuple[Path, list[tuple[int, int]]]) -> None:
    assert try_it[1] == [(number, 10) for number in range(1, 11)]


def test_whoever_interrupts_does_not_wait_for_all_pictures(tmp_path: Path) -> None:
    def interrupt(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    folios = invent_folios("seed", "Khmer", [f"Khmer_{number}" for number in range(40)])
    with pytest.raises(KeyboardInterrupt):
        write_pictures([(tmp_path, folio) for folio in folios], "seed", interrupt)
    # As many as there are processes, and one more, are handed over before they are wanted.
    assert len(list(tmp_path.iterdir())) <= 2 * (os.cpu_count() or 1) + 2


def test_the_study_to_try_asks_ten_questions_two_in_each_format(
    try_it: tuple[Path, list[tuple[int, int]]],
) -> None:
    place = try_it[0] / "benchmark"
    rows = rows_of(place / "test.jsonl")
    vocabularies = read_vocabularies(place / "answer_vocabularies.json")
    formats = Counter(vocabularies[row["category"]].format.value for row in rows)
    assert formats == {"single": 2, "multi": 2, "binary": 2, "count": 2, "text": 2}
    assert len({row["image_name"] for row in rows}) == 10
    assert {path.name for path in (place / "images").iterdir()} == {
        row["image_name"] for row in rows
    }


def test_what_is_to_be_copied_off_a_label_is_printed_on_a_label(
    try_it: tuple[Path, list[tuple[int, int]]],
) -> None:
    rows = rows_of(try_it[0] / "benchmark" / "test.jsonl")
    texts = [str(row["answer"]) for row in rows if row["category"] == "Label Text"]
    # Two or three letters, a space, two figures.
    assert all(re.fullmatch(r"[A-Z][A-Za-z]{1,2} \d\d", text) for text in texts)
