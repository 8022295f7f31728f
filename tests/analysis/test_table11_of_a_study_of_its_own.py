"""Table 11 of a study like the paper-shaped one, made here: its numbers follow by counting.

Forty questions, three people, two models. Only the last answer (index 3) is ever wrong, and only to
the first questions of a category, so that each number is a sum that can be done by hand.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.scoring.scored import ScoredStudy
from analysis.scoring.study import score_study
from analysis.table11.files import write_agreement, write_table11
from analysis.table11.table11 import build_table11

VOCABULARIES = {
    "Script": {"format": "single", "labels": ["Khmer", "Tamil"]},
    "Drawing": {"format": "binary", "labels": ["yes", "no"]},
    "Lines": {"format": "count", "min": 0, "max": 30},
    "Damage": {"format": "multi", "labels": ["cracks", "stains"]},
}
KEYS: dict[str, Any] = {
    "Script": "Khmer",
    "Drawing": "yes",
    "Lines": 5,
    "Damage": ["cracks", "stains"],
}
# Of ten questions a category, how many the third person answers wrongly, and how.
WRONG: dict[str, tuple[int, Any]] = {
    "Script": (2, "Tamil"),
    "Drawing": (1, "no"),
    "Lines": (4, 6),
    "Damage": (5, ["cracks"]),
}
# Wrong answers of each model by category: 16 and 20 of 40.
MODELS = {"One": (4, 4, 4, 4), "Other": (5, 5, 5, 5)}


@pytest.fixture(scope="module")
def scored(
    write_study_to: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> ScoredStudy:
    ids = [(f"{category}{number}", category, number) for category in KEYS for number in range(10)]
    answers = []
    for name, category, number in ids:
        count, wrong = WRONG[category]
        for index, person in enumerate(("P1", "P2", "P3"), start=1):
            slip = index == 3 and number < count
            answers.append((name, person, index, wrong if slip else KEYS[category]))
    predictions = {
        model: [
            {
                "sample_id": name,
                "prediction": WRONG[category][1]
                if number < wrong[list(KEYS).index(category)]
                else KEYS[category],
            }
            for name, category, number in ids
        ]
        for model, wrong in MODELS.items()
    }
    study = write_study_to(
        tmp_path_factory.mktemp("own"),
        [{"sample_id": name, "category": category} for name, category, _ in ids],
        {name: KEYS[category] for name, category, _ in ids},
        VOCABULARIES,
        answers,
        predictions,
    )
    return score_study(study)


def read(path: Path) -> dict[str, dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    return {next(iter(row.values())): row for row in rows}


def test_every_number_is_the_one_counted_by_hand(scored: ScoredStudy, tmp_path: Path) -> None:
    write_table11(build_table11(scored), tmp_path)
    rows = read(tmp_path / "table11.csv")
    # People: 120 answers, 2 + 1 + 4 + 5 = 12 wrong: 108/120. Within one: 6 for 5 is, 30/30.
    assert (rows["Human"]["n_em"], rows["Human"]["em"]) == ("120", "90.00")
    assert (rows["Human"]["n_w1"], rows["Human"]["w1"]) == ("30", "100.00")
    # Models: 24/40 and 20/40; gaps to 90.
    assert [rows[name]["em"] for name in MODELS] == ["60.00", "50.00"]
    assert [rows[name]["em_gap"] for name in MODELS] == ["30.00", "40.00"]


def test_agreement_is_counted_in_pairs(scored: ScoredStudy, tmp_path: Path) -> None:
    write_agreement(scored, tmp_path)
    rows = read(tmp_path / "agreement.csv")
    # Where one of three differs, one pair of three agrees: (40 * 3 - 12 * 2) / 120.
    assert rows["overall"]["exact_agreement"] == "80.00"
