"""What a simulated participant answers: the key as often as their skill has it, or a near miss."""

from __future__ import annotations

from dataclasses import dataclass

from sampling.keyed import digest, shuffled
from sampling.questions import Key
from sampling.vocabularies import AnswerFormat, Vocabulary

# How much harder a format is than choosing one label; an exponent on the skill.
DIFFICULTY = {
    AnswerFormat.SINGLE: 0.5,
    AnswerFormat.MULTI: 1.4,
    AnswerFormat.BINARY: 0.6,
    AnswerFormat.COUNT: 1.1,
    AnswerFormat.TEXT: 1.5,
}
UNIT = float(1 << 64)


@dataclass(frozen=True)
class SimulatedPerson:
    """A pseudonym and how often its owner sees right, from 0 to 1."""

    pseudonym: str
    skill: float


PEOPLE = (
    SimulatedPerson("P01", 0.96),
    SimulatedPerson("P02", 0.94),
    SimulatedPerson("P03", 0.93),
    SimulatedPerson("P04", 0.91),
    SimulatedPerson("P05", 0.89),
    SimulatedPerson("P06", 0.87),
    SimulatedPerson("P07", 0.84),
    SimulatedPerson("P08", 0.78),
)


def simulated_answer(
    person: SimulatedPerson, key: Key, vocabulary: Vocabulary, seed: str
) -> tuple[str, ...]:
    """Answer one question: what is ticked or typed, the same for the same seed.

    Parameters
    ----------
    person
        Who answers.
    key
        What there is to see.
    vocabulary
        The allowed answers.
    seed
        Where the chance comes from.

    Returns
    -------
    tuple of str
        The values sent under the name `answer`: several for several labels, else one.

    Examples
    --------
    >>> one = Vocabulary("Script", AnswerFormat.SINGLE, ("Khmer", "Tamil"))
    >>> simulated_answer(SimulatedPerson("P01", 1.0), Key("q1", "Khmer"), one, "seed")
    ('Khmer',)
    >>> simulated_answer(SimulatedPerson("P02", 0.0), Key("q1", "Khmer"), one, "seed")
    ('Tamil',)
    """
    chance = _unit(seed, person.pseudonym, key.sample_id)
    right = tuple(key.answer) if isinstance(key.answer, tuple) else (str(key.answer),)
    if chance < person.skill ** DIFFICULTY[vocabulary.format]:
        return right
    name = (seed, "miss", person.pseudonym, key.sample_id)
    match vocabulary.format:
        case AnswerFormat.MULTI:
            return _near_labels(right, vocabulary, name)
        case AnswerFormat.COUNT:
            return (str(_near_number(int(right[0]), vocabulary, name)),)
        case AnswerFormat.TEXT:
            return (_near_text(right[0], name),)
        case _:
            others = [label for label in vocabulary.labels if label != right[0]]
            return (shuffled(others, *name)[0],) if others else right


def _near_labels(
    right: tuple[str, ...], vocabulary: Vocabulary, name: tuple[str, ...]
) -> tuple[str, ...]:
    """Overlook one of several labels, or see one too many."""
    candidates = [
        label
        for label in vocabulary.labels
        if label not in right and label not in vocabulary.exclusive
    ]
    if vocabulary.exclusive & set(right):
        return (shuffled(candidates, *name)[0],) if candidates else right
    if len(right) > 1 and _unit(*name, "overlooks") < 0.7:
        return right[1:] if _unit(*name, "which") < 0.5 else right[:-1]
    return (*right, shuffled(candidates, *name)[0]) if candidates else right


def _near_number(right: int, vocabulary: Vocabulary, name: tuple[str, ...]) -> int:
    """Miscount: mostly by one, within what the vocabulary allows."""
    step = 1 if _unit(*name, "step") < 0.75 else 2
    wrong = right + (step if _unit(*name, "sign") < 0.5 else -step)
    top = vocabulary.maximum
    if wrong < vocabulary.minimum or (top is not None and wrong > top):
        return 2 * right - wrong
    return wrong


def _near_text(right: str, name: tuple[str, ...]) -> str:
    """Leave out one character."""
    if len(right) < 2:
        return "?"
    place = int(_unit(*name, "place") * len(right))
    return right[:place] + right[place + 1 :]


def _unit(*name: str) -> float:
    """Give a number from 0 up to 1 that depends on the name alone."""
    return int.from_bytes(digest("simulated", *name)[:8], "big") / UNIT
