"""The published sums of a demonstration model: media weigh the same, whatever their size."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd
import pytest

from analysis.scoring.scored import ScoredStudy
from analysis.scoring.scores import macro_mean
from analysis.table11.table11 import TEXT_MEASURES, build_table11, mean_of

# Ancient-Bench, eval/evaluate_results/evaluation_report.json, demo-model-b: for each medium the
# number of images, and the sums of their edit scores and character F1.
MEDIA = {
    "oracle_bone_artifacts": (300, "274.54596226213897", "286.03609169748347"),
    "bronze_rubbings": (250, "223.3561250839369", "235.23508144210942"),
    "bamboo_wooden_slips": (300, "258.2362169955262", "277.0340406051371"),
    "silk_manuscripts": (300, "253.0586780208202", "273.9849208263209"),
    "seals": (350, "300.17506999252566", "322.08434695926684"),
    "inscription_rubbings": (300, "243.29688742582903", "268.6003838941641"),
    "cliff_carvings": (200, "176.46052711527068", "186.9219470499328"),
    "traditional_chinese_book_editions": (300, "229.52855251339054", "261.2216747915237"),
    "calligraphys": (400, "325.3047783439622", "358.62911480381575"),
}
# The same report's overall scores, and what a mean over the 2,700 images would be instead.
MACRO = ("0.849132", "0.916513")
MICRO = ("0.845912", "0.914721")


@pytest.mark.parametrize("place", [0, 1])
def test_the_overall_score_is_the_published_mean_of_media(place: int) -> None:
    groups = {name: [Fraction(sums[place]) / size] * size for name, (size, *sums) in MEDIA.items()}
    every = [score for scores in groups.values() for score in scores]
    assert f"{float(macro_mean(groups)):.6f}" == MACRO[place]
    assert f"{float(sum(every, Fraction(0)) / len(every)):.6f}" == MICRO[place]


def test_table_11_has_the_published_mean_of_media_and_not_that_of_images() -> None:
    rows = [
        (f"{name}_{number:06}", name, float(Fraction(edit) / size), float(Fraction(f1) / size))
        for name, (size, edit, f1) in MEDIA.items()
        for number in range(size)
    ]
    frame = pd.DataFrame(rows, columns=["sample_id", "category", "ned", "char_f1"])
    questions = frame[["sample_id", "category"]].set_index("sample_id")
    people = frame[["sample_id", "ned", "char_f1"]].assign(
        normalized="甲", participant="P1", exact_match=0.0
    )
    study = ScoredStudy(questions.assign(answer_format="text"), people, {"demo": people})
    for row in build_table11(study).rows:
        found = tuple(f"{float(row.means[one.name]):.6f}" for one in TEXT_MEASURES)
        assert found == MACRO
    micro = [people[one.column].mean() for one in TEXT_MEASURES]
    assert tuple(f"{one:.6f}" for one in micro) == MICRO
    assert mean_of(people, TEXT_MEASURES[0], questions["category"]) != people["ned"].mean()
