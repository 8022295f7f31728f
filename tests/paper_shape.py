"""A study in the shape of the paper's: 256 questions of 2,224, eight people, three answers each.

Everything follows from counts, so that each number of Table 11 can be added up by hand:

Human answers, 32 questions a category, 96 answers and as many pairs. Where one of three people is
wrong, two pairs of three disagree; where two are wrong alike, two; where two differ, three.

| category | one wrong | two alike | two differ | wrong | pairs that disagree | agreement |
|---|---|---|---|---|---|---|
| Script Name | 4 | 0 | 2 | 8 | 8 + 0 + 6 = 14 | 82/96 = 85.42 |
| Symbols and Drawings | 4 | 2 | 0 | 8 | 8 + 4 + 0 = 12 | 84/96 = 87.50 |
| Visible Line Count | 8 | 1 | 1 | 12 | 16 + 2 + 3 = 21 | 75/96 = 78.13 |
| Physical Condition | 9 | 1 | 1 | 13 | 18 + 2 + 3 = 23 | 73/96 = 76.04 |
| Material and Coating | 9 | 1 | 1 | 13 | 23 | 73/96 = 76.04 |
| Binding and Holes | 9 | 0 | 2 | 13 | 18 + 0 + 6 = 24 | 72/96 = 75.00 |
| Scribe and Margins | 9 | 0 | 2 | 13 | 24 | 72/96 = 75.00 |
| Other Physical Features | 10 | 0 | 3 | 16 | 20 + 0 + 9 = 29 | 67/96 = 69.79 |

96 of 768 are wrong: 672/768 = 87.50. 170 of 768 pairs disagree: 598/768 = 77.86. Of 12 wrong counts
9 are off by one and 3 by two: 93/96 = 96.88. Keys of several labels are two labels; of the 68 wrong
answers 54 are one of these (F1 2/3), 2 both and a third (4/5), 12 another: the F1 is
(672 + 54 * 2/3 + 2 * 4/5) / 768 = 709.6/768 = 92.40.

Gemini: 14 + 14 + 10 + 68 = 106 wrong, 150/256 = 58.59; 8 counts off by one and 2 by three: 30/32;
F1 with 27 of 2/3, 4 of 4/5 and one of 1/2: 171.7/256 = 67.07. ChatGPT: 14 + 14 + 10 + 65 = 103 wrong,
153/256 = 59.77; 3 counts off by four: 29/32; F1 with 40 of 2/3: 179.667/256 = 70.18.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

# 278 images of eight questions each; four collections have fewer than the 32 questions drawn.
IMAGES = {
    "Balinese": 30,
    "Grantha": 21,
    "Jathakam": 36,
    "Kambaramayanam": 13,
    "Kannada": 66,
    "Khmer": 58,
    "Sundanese": 20,
    "Tamil": 34,
}
SCRIPTS = list(IMAGES)
# One wrong, two wrong alike, two wrong and different.
CATEGORIES = {
    "Script Name": (4, 0, 2),
    "Symbols and Drawings": (4, 2, 0),
    "Visible Line Count": (8, 1, 1),
    "Physical Condition": (9, 1, 1),
    "Material and Coating": (9, 1, 1),
    "Binding and Holes": (9, 0, 2),
    "Scribe and Margins": (9, 0, 2),
    "Other Physical Features": (10, 0, 3),
}
SEVERAL = list(CATEGORIES)[3:]
LABELS = ["none", "one", "two", "three", "four", "five"]
# Wrong answers by category, in its order; then those to keys of several labels, as they come.
MODELS: dict[str, tuple[list[int], list[list[int]], int, int]] = {
    "Gemini 3.5 Flash": (
        [14, 14, 10, 13, 13, 14, 14, 14],
        [*[[1]] * 27, *[[1, 2, 3]] * 4, [1, 4], *[[4]] * 36],
        2,
        3,
    ),
    "ChatGPT 5.5": ([14, 14, 10, 13, 13, 13, 13, 13], [*[[2]] * 40, *[[4]] * 25], 3, 4),
}
EXPECTED: dict[str, Any] = {
    "human": {"n": 768, "em": "87.50", "f1": "92.40", "n_w1": 96, "w1": "96.88"},
    "Gemini 3.5 Flash": {"n": 256, "em": "58.59", "f1": "67.07", "n_w1": 32, "w1": "93.75"},
    "ChatGPT 5.5": {"n": 256, "em": "59.77", "f1": "70.18", "n_w1": 32, "w1": "90.63"},
    "agreement": {
        "overall": "77.86",
        "by_category": {
            "Script Name": "85.42",
            "Symbols and Drawings": "87.50",
            "Visible Line Count": "78.13",
            "Physical Condition": "76.04",
            "Material and Coating": "76.04",
            "Binding and Holes": "75.00",
            "Scribe and Margins": "75.00",
            "Other Physical Features": "69.79",
        },
    },
}
STUDY = """\
[study]
name = "Paper-shaped study"
seed = "2609.31651"

[benchmark]
questions = ["benchmark/test.jsonl"]
vocabularies = "benchmark/answer_vocabularies.json"
annotators = "benchmark/annotators.csv"
where = { split = "test" }

[sample]
strata = ["script_name", "category"]
per_stratum = 4
spread = "image_name"

[assignment]
responses_per_question = 3
exclude_roles = ["author"]
exclude_scope = "question"
questions_per_session = 32

[participants]
roster = "participants.csv"

[[models]]
name = "Gemini 3.5 Flash"
predictions = "predictions/gemini-3.5-flash.jsonl"

[[models]]
name = "ChatGPT 5.5"
predictions = "predictions/chatgpt-5.5.jsonl"
"""
PEOPLE = [f"P{number:02}" for number in range(1, 9)]


def write_paper_study(root: Path) -> None:
    """Write `study/` and `expected.json` below `root`."""
    folder = root / "study"
    benchmark = [
        _question(script, image, category)
        for script, images in IMAGES.items()
        for image in range(images)
        for category in CATEGORIES
    ]
    authors = [(row["sample_id"], _author(row["sample_id"])) for row in benchmark]
    by_id = {row["sample_id"]: row for row in benchmark}
    drawn = {category: [by_id[one] for one in _drawn(category)] for category in CATEGORIES}
    sample = [row for rows in drawn.values() for row in rows]
    _json_lines(folder / "benchmark" / "test.jsonl", benchmark)
    _text(folder / "benchmark" / "answer_vocabularies.json", json.dumps(_vocabularies()))
    _csv(
        folder / "benchmark" / "annotators.csv",
        [("sample_id", "annotator", "role")]
        + [(one, f"A{number:02}", "author") for one, number in authors]
        + [(one, f"A{number % 12 + 1:02}", "reviewer") for one, number in authors],
    )
    _csv(
        folder / "participants.csv",
        [("participant", "annotator_ids")]
        + [(name, f"A{name[1:]}" if name < "P07" else "") for name in PEOPLE],
    )
    _text(folder / "study.toml", STUDY)
    _json_lines(
        folder / "sample" / "questions.jsonl",
        [{name: value for name, value in row.items() if name != "answer"} for row in sample],
    )
    _json_lines(
        folder / "sample" / "keys.jsonl",
        [{"sample_id": row["sample_id"], "answer": row["answer"]} for row in sample],
    )
    _json_lines(folder / "responses" / "responses.jsonl", _responses(drawn))
    for name in MODELS:
        file = name.lower().replace(" ", "-") + ".jsonl"
        _json_lines(folder / "predictions" / file, _predictions(name, drawn))
    _text(root / "expected.json", json.dumps(EXPECTED))


def _question(script: str, image: int, category: str) -> dict[str, Any]:
    number = list(CATEGORIES).index(category) + 1
    answers = {
        "Script Name": script,
        "Symbols and Drawings": ("no", "yes")[image % 2],
        "Visible Line Count": 4 + image % 5,
    }
    kinds = dict(zip(answers, ("classification", "binary recognition", "counting"), strict=True))
    return {
        "sample_id": f"{script}_{image + 1:04}__{number}",
        "image_name": f"{script}_{image + 1:04}.jpg",
        "script_name": script,
        "category": category,
        "question_type": kinds.get(category, "attribute recognition"),
        "question_en": f"{category}: what is there?",
        "answer": answers.get(category, LABELS[1:3]),
        "split": "test",
    }


def _vocabularies() -> dict[str, Any]:
    several = {"format": "multi", "exclusive": ["none"], "labels": LABELS}
    return {
        "Script Name": {"format": "single", "labels": SCRIPTS},
        "Symbols and Drawings": {"format": "binary", "labels": ["yes", "no"]},
        "Visible Line Count": {"format": "count", "min": 0, "max": 40},
        **dict.fromkeys(SEVERAL, several),
    }


def _author(sample_id: str) -> int:
    """Give the number of who made the key: a quarter by those who also answer."""
    image = int(sample_id.split("__", 1)[0].rsplit("_", 1)[1]) + len(sample_id.split("_", 1)[0])
    return image % 24 + 1 if image % 24 < 6 else image % 6 + 7


def _drawn(category: str) -> list[str]:
    """Give four questions a collection, each category beginning at another collection."""
    number = list(CATEGORIES).index(category)
    found = []
    for place in range(32):
        script = SCRIPTS[(place + number) % 8]
        image = (number * 4 + place // 8) % IMAGES[script]
        found.append(f"{script}_{image + 1:04}__{number + 1}")
    return found


def _responses(drawn: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    given, erred = dict.fromkeys(PEOPLE, 0), dict.fromkeys(PEOPLE, 0)
    # Of wrong answers to keys of several labels given by one of three people: 32, 2 and 12.
    alone = iter([*[[1]] * 32, *[[1, 2, 3]] * 2, *[[4]] * 12])
    rows = []
    for category, questions in drawn.items():
        one, alike, differ = CATEGORIES[category]
        for place, question in enumerate(questions):
            wrong: list[Any] = []
            if place < one:
                wrong = [_wrong(question, next(alone) if category in SEVERAL else place)]
            elif place < one + alike:
                wrong = [_wrong(question, [1] if category in SEVERAL else 0)] * 2
            elif place < one + alike + differ:
                first, second = ([1], [2]) if category in SEVERAL else (0, 7)
                wrong = [_wrong(question, first), _wrong(question, second)]
            free = [name for name in PEOPLE if name != f"P{_author(question['sample_id']):02}"]
            people = sorted(free, key=lambda name: (given[name], name))[:3]
            turned = sorted(people, key=lambda name: (erred[name], name))
            for name in turned[: len(wrong)]:
                erred[name] += 1
            answers = [*wrong, *[question["answer"]] * (3 - len(wrong))]
            for index, (name, answer) in enumerate(zip(turned, answers, strict=True), start=1):
                minute = given[name]
                given[name] += 1
                rows.append(
                    {
                        "sample_id": question["sample_id"],
                        "participant": name,
                        "response_index": index,
                        "status": "answered",
                        "raw_response": answer,
                        "shown_at": f"2026-09-01T{8 + minute // 60:02}:{minute % 60:02}:00Z",
                        "submitted_at": f"2026-09-01T{8 + minute // 60:02}:{minute % 60:02}:40Z",
                        "active_seconds": 30.0 + place,
                    }
                )
    return rows


def _wrong(question: dict[str, Any], how: Any) -> Any:
    """Give a wrong answer; of a count, `how` 6 and 7 are off by two and the others by one."""
    category, key = question["category"], question["answer"]
    if category == "Script Name":
        return SCRIPTS[(SCRIPTS.index(key) + 1 + (how == 7)) % 8]
    if category == "Symbols and Drawings":
        return {"yes": "no", "no": "yes"}[key]
    if category == "Visible Line Count":
        return key + (2 if how in (6, 7) else 1)
    return [LABELS[label] for label in how]


def _predictions(name: str, drawn: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    counts, labels, far, off = MODELS[name]
    step = 5 if name.startswith("Gemini") else 11
    several = iter(labels)
    rows = []
    for (category, questions), count in zip(drawn.items(), counts, strict=True):
        wrong = {(place * step + 3) % 32: place for place in range(count)}
        for place, question in enumerate(questions):
            answer = question["answer"]
            if place in wrong and category == "Visible Line Count":
                answer += off if wrong[place] < far else 1
            elif place in wrong:
                answer = _wrong(question, next(several) if category in SEVERAL else 0)
            rows.append(
                {
                    "sample_id": question["sample_id"],
                    "model_name": name,
                    "prompt_condition": "constrained",
                    "raw_prediction": json.dumps({"answer": answer}),
                }
            )
    return rows


def _text(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _json_lines(file: Path, rows: list[dict[str, Any]]) -> None:
    _text(file, "".join(json.dumps(row) + "\n" for row in rows))


def _csv(file: Path, rows: list[tuple[Any, ...]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows)
