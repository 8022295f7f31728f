"""Simulated participants give answers a form accepts, and are right about as often as intended."""

from __future__ import annotations

import pytest

from sampling.questions import Key
from sampling.vocabularies import AnswerFormat, Vocabulary
from study_server.demonstration.simulated import SimulatedPerson, simulated_answer

ALWAYS = SimulatedPerson("P01", 1.0)
NEVER = SimulatedPerson("P02", 0.0)
MULTI = Vocabulary(
    "Holes", AnswerFormat.MULTI, ("none", "one", "two", "cord"), exclusive=frozenset({"none"})
)
COUNT = Vocabulary("Lines", AnswerFormat.COUNT, minimum=0, maximum=5)
BINARY = Vocabulary("Drawing", AnswerFormat.BINARY, ("yes", "no"))
TEXT = Vocabulary("Line", AnswerFormat.TEXT)


def test_a_sure_person_gives_the_key_in_every_format() -> None:
    assert simulated_answer(ALWAYS, Key("a", ("one", "cord")), MULTI, "s") == ("one", "cord")
    assert simulated_answer(ALWAYS, Key("a", 4), COUNT, "s") == ("4",)
    assert simulated_answer(ALWAYS, Key("a", "yes"), BINARY, "s") == ("yes",)
    assert simulated_answer(ALWAYS, Key("a", "ᨀᨁ"), TEXT, "s") == ("ᨀᨁ",)


@pytest.mark.parametrize("number", range(40))
@pytest.mark.parametrize("right", [("none",), ("one",), ("one", "cord")])
def test_a_missed_set_of_labels_is_allowed_but_wrong(right: tuple[str, ...], number: int) -> None:
    missed = simulated_answer(NEVER, Key(f"q{number}", right), MULTI, "s")
    assert set(missed) != set(right)
    assert missed
    assert len(set(missed)) == len(missed)
    assert "none" not in missed or missed == ("none",)


@pytest.mark.parametrize("right", [0, 1, 3, 5])
def test_a_miscount_stays_within_bounds(right: int) -> None:
    missed = {int(simulated_answer(NEVER, Key(f"q{n}", right), COUNT, "s")[0]) for n in range(40)}
    assert right not in missed
    assert missed <= set(range(6))


def test_skill_decides_how_often_the_key_is_given() -> None:
    # 0.81 ** 0.5 = 0.9: of 2000 single choices about 1800 are right; the spread is 13.
    single = Vocabulary("Script", AnswerFormat.SINGLE, ("Khmer", "Tamil", "Kannada"))
    person = SimulatedPerson("P03", 0.81)
    right = sum(
        simulated_answer(person, Key(f"q{n}", "Khmer"), single, "s") == ("Khmer",)
        for n in range(2000)
    )
    assert 1740 < right < 1860
