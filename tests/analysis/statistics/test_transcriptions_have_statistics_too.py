"""A study of transcriptions: macro-averages, similarity instead of equality, nothing of labels."""

from __future__ import annotations

import csv
import io
import json
import random

import pytest

from analysis.scoring.study import score_study
from analysis.statistics.tables import write_statistics
from sampling.study.folder import open_study

STUDY = """
[study]
name = "Texts"
seed = "1"
[benchmark]
questions = "test.jsonl"
vocabularies = "vocabularies.json"
[sample]
strata = ["category"]
per_stratum = 4
[analysis]
resamples = 100
[[models]]
name = "M"
predictions = "m.jsonl"
"""


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Eight texts in two categories of unequal size, three people each, one model."""
    folder = tmp_path_factory.mktemp("texts")
    chance = random.Random(1)

    def misread(text, share):
        return "".join(chance.choice("xyz") if chance.random() < share else sign for sign in text)

    ids = [f"q{n}" for n in range(8)]
    category = dict(zip(ids, "AAAAAABB", strict=True))
    keys = {one: "".join(chance.choice("abcdefgh") for _ in range(20)) for one in ids}
    questions = [
        {
            "sample_id": one,
            "image_name": f"{one}.jpg",
            "category": category[one],
            "question_en": "?",
        }
        for one in ids
    ]
    answers = [(one, p, misread(keys[one], 0.1)) for one in ids for p in range(3)]
    files = {
        "study.toml": STUDY,
        "participants.csv": "participant,annotator_ids\nP0,\nP1,\nP2,\n",
        "vocabularies.json": json.dumps({"A": {"format": "text"}, "B": {"format": "text"}}),
        "test.jsonl": lines({**row, "answer": keys[row["sample_id"]]} for row in questions),
        "sample/questions.jsonl": lines(questions),
        "sample/keys.jsonl": lines({"sample_id": one, "answer": keys[one]} for one in ids),
        "responses/responses.jsonl": lines(
            {
                "sample_id": one,
                "participant": f"P{p}",
                "response_index": p + 1,
                "status": "answered",
                "raw_response": text,
            }
            for one, p, text in answers
        ),
        "m.jsonl": lines(
            {
                "sample_id": one,
                "model_name": "M",
                "prompt_condition": "constrained",
                "raw_prediction": misread(keys[one], 0.3),
            }
            for one in ids
        ),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    study = open_study(folder)
    results = folder / "results"
    results.mkdir()
    scored = score_study(study)
    write_statistics(scored, study.definition, results)

    def read(name):
        return list(csv.DictReader(io.StringIO((results / f"{name}.csv").read_text("utf-8"))))

    return read, scored


def test_the_headline_is_the_mean_of_the_categories_means(written):
    read, scored = written
    people = scored.responses.assign(
        category=scored.responses["sample_id"].map(scored.questions["category"])
    )
    expected = 100 * people.groupby("category")["ned"].mean().mean()
    row = next(row for row in read("intervals") if row["metric"] == "ned")
    assert float(row["estimate"]) == pytest.approx(expected, abs=0.006)


def test_agreement_is_mean_similarity_with_an_interval(written):
    read, _ = written
    row = next(
        row for row in read("intervals") if row["metric"] == "agreement" and row["target"] == "T2"
    )
    assert float(row["low"]) < float(row["estimate"]) < float(row["high"])


def test_models_are_held_against_the_people_by_similarity(written):
    read, _ = written
    rows = {row["evaluator"]: float(row["estimate"]) for row in read("human_reference")}
    assert rows["Human - M"] == pytest.approx(rows["Human"] - rows["M"], abs=0.011)
    assert rows["Human"] > rows["M"]


def test_tables_of_labels_are_headers_only(written):
    read, _ = written
    assert [read(name) for name in ("alt_test", "key_audit", "dawid_skene")] == [[], [], []]


def test_alpha_has_the_edit_distance(written):
    read, _ = written
    names = {row["coefficient"] for row in read("agreement_coefficients")}
    assert {"alpha", "text_similarity"} <= names
    assert "ac1" not in names
