"""The human run as a log that inspect_ai's own reader takes."""

from __future__ import annotations

import json

from analysis.predictions.inspect_ai import read_inspect_log
from analysis.scoring.study import score_study
from analysis.table11.inspect_log import inspect_log, write_inspect_log

VOCABULARIES = {
    "Damage": {"format": "multi", "labels": ["intact", "cracks"]},
    "Lines": {"format": "count"},
}
QUESTIONS = [{"sample_id": "q1", "category": "Damage"}, {"sample_id": "q2", "category": "Lines"}]
KEYS = {"q1": ["cracks", "intact"], "q2": 5}
ANSWERS = [
    ("q1", "P1", 1, ["cracks"]),
    ("q1", "P2", 2, ["intact", "cracks"]),
    ("q2", "P1", 1, 6),
    ("q2", "P2", 2, 9),
]


def test_every_response_is_a_sample_whose_epoch_is_its_index(write_study) -> None:
    scored = score_study(write_study(QUESTIONS, KEYS, VOCABULARIES, ANSWERS))
    log = inspect_log("Study", "1", scored, {"q1": "Damage?", "q2": "Lines?"})
    samples = [(one["id"], one["epoch"], one["output"]["model"]) for one in log["samples"]]
    assert samples == [
        ("q1", 1, "human/P1"),
        ("q1", 2, "human/P2"),
        ("q2", 1, "human/P1"),
        ("q2", 2, "human/P2"),
    ]
    assert log["samples"][0]["target"] == ["cracks", "intact"]
    assert log["samples"][0]["input"] == "Damage?"
    assert log["samples"][1]["output"]["completion"] == "intact, cracks"
    assert "within_one" not in log["samples"][0]["scores"]
    assert log["samples"][2]["scores"]["within_one"]["value"] == 1.0
    means = {one["name"]: one["metrics"]["mean"]["value"] for one in log["results"]["scores"]}
    # q1: F1 2/3 and 1, q2: 0 and 0; exact match 0, 1, 0, 0; within one 1 and 0 of two counts.
    assert (means["f1"], means["exact_match"], means["within_one"]) == (5 / 12, 0.25, 0.5)


def test_the_same_study_gives_the_same_log_and_it_can_be_read_again(write_study, tmp_path) -> None:
    study = write_study(QUESTIONS, KEYS, VOCABULARIES, ANSWERS)
    scored = score_study(study)
    paths = [tmp_path / "one.json", tmp_path / "two.json"]
    for path in paths:
        write_inspect_log(study, scored, path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert json.loads(paths[0].read_text(encoding="utf-8"))["status"] == "success"
    rows = read_inspect_log(paths[0])
    assert [(row.identifier, row.run) for row in rows] == [
        ("q1", ""),
        ("q1", "epoch 2"),
        ("q2", ""),
        ("q2", "epoch 2"),
    ]
