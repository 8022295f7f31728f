from fractions import Fraction

import numpy as np
import pandas as pd

from analysis.scoring.scored import ScoredStudy
from analysis.table11.multiverse import KeyMakers, multiverse
from sampling.study.study_toml import parse_definition

DEFINITION = parse_definition(
    {
        "study": {"name": "A study", "seed": "1"},
        "benchmark": {"questions": "q", "vocabularies": "v"},
        "sample": {"strata": ["category"], "per_stratum": 1},
        "assignment": {"responses_per_question": 3},
        "server": {"too_fast_seconds": 2.0},
    }
)


def study():
    questions = pd.DataFrame(
        {"category": ["Script", "Script"], "answer_format": ["single", "single"]},
        index=pd.Index(["q1", "q2"], name="sample_id"),
    )
    times = pd.date_range("2026-09-01", periods=5, freq="h", tz="UTC")
    responses = pd.DataFrame(
        {
            "sample_id": ["q1", "q1", "q1", "q2", "q2"],
            "participant": ["P1", "P2", "P3", "P1", "P2"],
            "shown_at": times,
            "active_seconds": [10.0, 1.0, 10.0, 10.0, np.nan],
            "exact_match": [1.0, 1.0, 0.0, 0.0, 1.0],
            "lenient_exact_match": [1.0, 1.0, 1.0, 0.0, 1.0],
        }
    )
    model = pd.DataFrame(
        {
            "sample_id": ["q1", "q2"],
            "exact_match": [1.0, 0.0],
            "lenient_exact_match": [1.0, 0.0],
        }
    )
    return ScoredStudy(questions, responses, {"A model": model})


def choices():
    return {choice.name: choice for choice in multiverse(study(), DEFINITION)}


def test_the_first_choice_is_the_table_itself():
    first = multiverse(study(), DEFINITION)[0]
    assert (first.responses, first.mean) == (5, Fraction(3, 5))
    assert first.gaps["A model"] == Fraction(3, 5) - Fraction(1, 2)


def test_lenient_scoring_counts_the_rescued_answer():
    assert choices()["lenient scoring"].mean == Fraction(4, 5)


def test_only_complete_questions_narrow_the_gap_to_those_questions():
    # q1 alone: people 2 of 3, the model right.
    complete = choices()["only questions with 3 responses"]
    assert complete.questions == 1
    assert complete.gaps["A model"] == Fraction(2, 3) - 1


def test_an_answer_of_unknown_time_is_not_a_fast_one():
    assert choices()["without answers under 2 s"].responses == 4


def test_each_participant_is_left_out_in_turn():
    assert choices()["without P3"].mean == Fraction(3, 4)


def test_a_choice_that_leaves_nothing_is_not_listed():
    assert not any("first 5" in name for name in choices())


def test_answers_of_those_who_made_the_keys_are_left_out_once_each_way():
    nothing = frozenset()
    makers = KeyMakers(nothing, frozenset({("P1", "q1")}), frozenset({("P1", "q1")}), {"P1"})
    found = {choice.name: choice for choice in multiverse(study(), DEFINITION, makers)}
    assert not any("forbids" in name for name in found)
    assert not any("image" in name for name in found)
    # Without P1's answer to q1: one right of two, and q2 one right of two.
    own = found["without answers to a question whose key the person had a part in"]
    assert (own.responses, own.mean) == (4, Fraction(1, 2))
    # Without P1 altogether: P2 right twice, P3 wrong.
    team = found["without participants who have an annotator id (the benchmark's team)"]
    assert (team.responses, team.mean) == (3, Fraction(2, 3))
