from __future__ import annotations

import hashlib
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampling.draw.strata import Candidate, draw
from sampling.study.definition import QuotaRule, SampleTable
from sampling.study.errors import StudyError

ONE_PER_SCRIPT = SampleTable(strata=("script_name",), per_stratum=1)


def grid(scripts=("Khmer", "Tamil"), categories=("Count", "Damage"), images=10):
    return [
        Candidate(f"{script}_{image}__{category}", (script, category), f"{script}_{image}")
        for script in scripts
        for image in range(images)
        for category in categories
    ]


def table(**settings_):
    return SampleTable(strata=("script_name", "category"), **{"per_stratum": 4, **settings_})


def test_the_rank_is_the_published_hash_of_seed_stratum_and_id() -> None:
    frame = [Candidate(f"q{number}", ("Khmer",)) for number in range(40)]
    text = "hb-sample-v1\x1fseed\x1fKhmer\x1f"
    by_hand = min(
        (hashlib.sha256(f"{text}q{number}".encode()).digest(), f"q{number}") for number in range(40)
    )
    assert draw(frame, "seed", ONE_PER_SCRIPT).strata[0].drawn == (by_hand[1],)


@given(st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_the_order_of_the_input_does_not_matter(shuffler: random.Random) -> None:
    frame = grid()
    before = draw(frame, "seed", table(spread="image_name"))
    shuffler.shuffle(frame)
    assert draw(frame, "seed", table(spread="image_name")) == before


def test_questions_of_other_strata_change_nothing() -> None:
    drawn = {one.stratum: one.drawn for one in draw(grid(), "seed", table()).strata}
    more = grid(scripts=("Khmer", "Tamil", "Kannada"))
    assert (
        drawn.items()
        <= {one.stratum: one.drawn for one in draw(more, "seed", table()).strata}.items()
    )


def test_another_spelling_of_the_same_letters_draws_the_same() -> None:
    # é as one letter, and as e with an accent: the same text after NFC.
    composed = [Candidate(f"q{number}", ("caf\u00e9",)) for number in range(20)]
    split = [Candidate(f"q{number}", ("cafe\u0301",)) for number in range(20)]
    first, second = (draw(one, "seed", ONE_PER_SCRIPT).strata[0].drawn for one in (composed, split))
    assert first == second


def test_rules_give_strata_their_own_numbers_and_the_last_one_counts() -> None:
    rules = (
        QuotaRule(where={}, n=3),
        QuotaRule(where={"script_name": "Khmer"}, n=2),
        QuotaRule(where={"script_name": "Khmer", "category": "Damage"}, n=0),
    )
    drawn = {
        one.stratum: len(one.drawn) for one in draw(grid(), "s", table(per_stratum=rules)).strata
    }
    assert drawn == {
        ("Khmer", "Count"): 2,
        ("Khmer", "Damage"): 0,
        ("Tamil", "Count"): 3,
        ("Tamil", "Damage"): 3,
    }


def test_every_short_stratum_is_named_also_an_empty_one() -> None:
    frame = [one for one in grid(images=3) if one.stratum != ("Tamil", "Damage")]
    with pytest.raises(StudyError) as raised:
        draw(frame, "seed", table())
    assert str(raised.value) == (
        "study.toml [sample]: 4 strata have too few questions: Khmer × Count: 3 of 4 questions; "
        "Khmer × Damage: 3 of 4 questions; Tamil × Count: 3 of 4 questions; "
        "Tamil × Damage: 0 of 4 questions. Lower per_stratum, or give these a rule in it, "
        'or set on_shortage = "take_all"'
    )


def test_take_all_takes_what_there_is() -> None:
    drawn = draw(grid(images=3), "seed", table(on_shortage="take_all"))
    assert [(one.asked, len(one.drawn)) for one in drawn.strata] == [(4, 3)] * 4


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ([QuotaRule(where={"scrpt_name": "Khmer"}, n=1)], "did you mean 'script_name'?"),
        ([QuotaRule(where={"script_name": "Kmer"}, n=1)], "did you mean 'Khmer'?"),
        ([QuotaRule(where={"script_name": "Khmer"}, n=1)], "no rule matches Tamil × Count"),
    ],
)
def test_a_rule_that_cannot_be_meant_is_refused(rules: list[QuotaRule], message: str) -> None:
    with pytest.raises(StudyError, match=message.replace("?", r"\?")):
        draw(grid(), "seed", table(per_stratum=tuple(rules)))


def test_spread_uses_every_image_before_it_uses_one_twice() -> None:
    # 8 categories x 4 = 32 questions a script: 10 images are used 3 or 4 times, 40 at most once.
    categories = tuple(f"c{number}" for number in range(8))
    few = draw(grid(("Khmer",), categories, 10), "seed", table(spread="image_name"))
    many = draw(grid(("Khmer",), categories, 40), "seed", table(spread="image_name"))
    assert (few.spread_uses, many.spread_uses) == ({3: 8, 4: 2}, {1: 32})


def test_strata_without_a_collection_can_be_spread() -> None:
    frame = [
        Candidate(f"{image}__{category}", (f"c{category}",), f"image{image}")
        for image in range(20)
        for category in range(5)
    ]
    drawn = draw(frame, "seed", SampleTable(strata=("category",), per_stratum=4, spread="image"))
    assert drawn.spread_uses == {1: 20}


def test_the_reserve_holds_the_next_in_rank() -> None:
    frame = [Candidate(f"q{number}", ("Khmer",)) for number in range(9)]
    settings_ = {"strata": ("script_name",), "reserve_per_stratum": 3}
    first = draw(frame, "seed", SampleTable(per_stratum=2, **settings_)).strata[0]
    more = draw(frame, "seed", SampleTable(per_stratum=5, **settings_)).strata[0]
    assert more.drawn == first.drawn + first.following


def test_every_question_is_drawn_equally_often() -> None:
    # 400 seeds x 4 of 10 questions: 160 draws each, standard deviation sqrt(400 x .4 x .6) = 9.8;
    # five of them is 49.
    counts = Counter(
        sample_id
        for seed in range(400)
        for one in draw(grid(("Khmer",), ("Count",)), str(seed), table()).strata
        for sample_id in one.drawn
    )
    assert len(counts) == 10
    assert all(abs(count - 160) < 49 for count in counts.values())


def test_an_empty_frame_is_refused() -> None:
    with pytest.raises(StudyError, match="no question to draw from"):
        draw([], "seed", ONE_PER_SCRIPT)
