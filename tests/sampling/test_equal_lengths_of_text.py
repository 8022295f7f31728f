from __future__ import annotations

from collections import Counter

from sampling.definition import AssignmentTable
from sampling.keyed import digest
from sampling.participants import Participant
from sampling.plan_lengths import answer_lengths
from sampling.plan_solver import make_plan
from sampling.questions import Key, Question

QUESTIONS = [Question(f"q{n:03}", f"{n}.jpg", f"task {n % 2}", "?") for n in range(60)]
# Lengths from 1 to 1,000 characters, by hash.
LENGTHS = {
    one.sample_id: 1 + int.from_bytes(digest(one.sample_id)[:2], "big") % 1000 for one in QUESTIONS
}
PEOPLE = [Participant(f"P{n}") for n in range(5)]


def lengths_of(slots) -> dict[str, int]:
    total: Counter[str] = Counter()
    for slot in slots:
        total[slot.participant] += LENGTHS[slot.sample_id]
    return dict(total)


def test_people_get_equal_numbers_and_equal_lengths() -> None:
    barred = frozenset({("P0", "q000"), ("P1", "q001")})
    plain = make_plan(QUESTIONS, PEOPLE, barred, AssignmentTable(), "seed").slots
    even = make_plan(QUESTIONS, PEOPLE, barred, AssignmentTable(), "seed", LENGTHS).slots
    assert max(lengths_of(plain).values()) - min(lengths_of(plain).values()) > 500
    assert max(lengths_of(even).values()) - min(lengths_of(even).values()) <= 5
    # 180 answers over five people, 18 of either task each.
    assert set(Counter(slot.participant for slot in even).values()) == {36}
    assert not {(slot.participant, slot.sample_id) for slot in even} & barred


def test_a_text_counts_its_characters_and_anything_else_counts_one() -> None:
    keys = [Key("a", "ᬅᬓ᭄ᬱᬭ"), Key("b", 12), Key("c", ("x", "y")), Key("d", "")]
    assert answer_lengths(keys) == {"a": 5, "b": 1, "c": 1, "d": 1}
