"""A finished study of two questions and two people, small enough to read."""

import json
from functools import partial

import pytest

from analysis.report.checklist import write_checklist
from analysis.results import write_results
from analysis.scoring.study import score_study
from sampling.study.folder import open_study

STUDY = """
[study]
name = "Two questions"
seed = "1"
[benchmark]
questions = "test.jsonl"
vocabularies = "vocabularies.json"
annotators = "annotators.csv"
[sample]
strata = ["category"]
per_stratum = 1
[assignment]
responses_per_question = 2
[server]
languages = ["en"]
"""
QUESTIONS = [
    {"sample_id": "q1", "image_name": "a.jpg", "category": "Script", "question_en": "Which?"},
    {"sample_id": "q2", "image_name": "b.jpg", "category": "Lines", "question_en": "How many?"},
]
KEYS = [{"sample_id": "q1", "answer": "Khmer"}, {"sample_id": "q2", "answer": 5}]
VOCABULARIES = {
    "Script": {"format": "single", "labels": ["Khmer", "Tamil", "Grantha"]},
    "Lines": {"format": "count", "min": 0, "max": 20},
}
ANSWERS = [
    ("q1", "Anna", 1, "Khmer"),
    ("q1", "Budi", 2, "Tamil"),
    ("q2", "Anna", 1, 5),
    ("q2", "Budi", 2, 6),
]


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def response(sample_id, participant, index, raw):
    return {
        "sample_id": sample_id,
        "participant": participant,
        "response_index": index,
        "status": "answered",
        "raw_response": raw,
        "shown_at": "2026-09-01T08:54:19Z",
        "submitted_at": "2026-09-01T08:55:10Z",
        "active_seconds": 20.5,
        "comment": "call Anna at anna@example.org",
    }


@pytest.fixture
def finished(tmp_path):
    """The study after `lontar analyze`, and its scores."""
    files = {
        "study.toml": STUDY,
        "test.jsonl": lines({**QUESTIONS[n], **KEYS[n]} for n in range(2)),
        "vocabularies.json": json.dumps(VOCABULARIES),
        "annotators.csv": "sample_id,annotator,role\nq1,A01,author\n",
        "participants.csv": "participant,annotator_ids\nAnna,A07\nBudi,\n",
        "sample/questions.jsonl": lines(QUESTIONS),
        "sample/keys.jsonl": lines(KEYS),
        "responses/responses.jsonl": lines(response(*answer) for answer in ANSWERS),
        "plan/assignment.csv": (
            "participant,sample_id,response_index,session,position\n"
            "Anna,q1,1,1,1\nAnna,q2,1,1,2\nBudi,q1,2,1,2\nBudi,q2,2,1,1\n"
        ),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    study = open_study(tmp_path)
    scored = score_study(study)
    write_results(study, scored)
    write_checklist(study, scored, study.results_folder)
    return study, scored


@pytest.fixture
def write_study(tmp_path, write_study_to):
    """A function that writes a study folder of the given parts and opens it."""
    return partial(write_study_to, tmp_path)


@pytest.fixture(scope="session")
def write_study_to():
    """A function that writes a study of the given parts into a folder and opens it.

    `answers` are (sample_id, participant, response_index, raw); `predictions` go to one file a
    model, rows as given; `toml` is added to study.toml.
    """

    def write(folder, questions, keys, vocabularies, answers, predictions=None, toml=""):
        asked = [
            {"image_name": f"{question['sample_id']}.jpg", "question_en": "What?", **question}
            for question in questions
        ]
        models = ""
        files = {
            "test.jsonl": lines(
                {**question, "answer": keys[question["sample_id"]]} for question in asked
            ),
            "vocabularies.json": json.dumps(vocabularies),
            "sample/questions.jsonl": lines(asked),
            "sample/keys.jsonl": lines(
                {"sample_id": sample_id, "answer": answer} for sample_id, answer in keys.items()
            ),
            "responses/responses.jsonl": lines(response(*answer) for answer in answers),
        }
        for name, rows in (predictions or {}).items():
            files[f"predictions/{name}.jsonl"] = lines(rows)
            models += f'[[models]]\nname = "{name}"\npredictions = "predictions/{name}.jsonl"\n'
        definition = STUDY.replace('annotators = "annotators.csv"\n', "")
        files["study.toml"] = definition + "[analysis]\nresamples = 200\n" + models + toml
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        return open_study(folder)

    return write
