"""The order of a person's questions: sessions balanced over categories, images kept apart."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sampling.answers.vocabularies import Vocabulary
from sampling.study.definition import AssignmentTable
from sampling.study.keyed import shuffled
from sampling.study.questions import Question

LONGEST_RUN = 2
MOST_TRIES = 20


class Placed(NamedTuple):
    """A question in a session of work, both in the order they are answered."""

    session: int
    question: Question


@dataclass(frozen=True)
class OrderFaults:
    """How far an order falls short: questions that break each rule."""

    long_runs: int = 0
    near_images: int = 0

    @property
    def total(self) -> int:
        return self.long_runs + self.near_images


def put_in_order(
    questions: Sequence[Question],
    table: AssignmentTable,
    *key: str,
    before: Sequence[Question] = (),
    first_session: int = 1,
) -> list[Placed]:
    """Order one person's questions and cut them into sessions.

    Parameters
    ----------
    questions : Question
        What the person answers, in any order.
    table : AssignmentTable
        `questions_per_session`, `image_gap` and `presentation`.
    key : str
        The study's seed and the person's pseudonym: the shuffle follows from them alone.
    before : Question
        What the person has answered already, so that what comes next keeps its distance.
    first_session : int
        The number of the first session.

    Returns
    -------
    Placed
        Every question once. Each session holds every category in proportion (rounded down or
        up); no category comes three times running and an image comes again at the earliest
        `image_gap` questions later, as far as the questions allow. With
        `presentation = "per_image"` an image's questions follow one another instead.

    Examples
    --------
    >>> asked = [Question(f"q{i}", f"i{i % 3}", "AB"[i % 2], "?") for i in range(6)]
    >>> table = AssignmentTable(questions_per_session=4, image_gap=3)
    >>> [(p.session, p.question.category) for p in put_in_order(asked, table, "seed", "P1")]
    [(1, 'A'), (1, 'B'), (1, 'A'), (1, 'B'), (2, 'A'), (2, 'B')]
    """
    in_id_order = sorted(questions, key=lambda one: one.sample_id)
    if table.presentation == "per_image":
        return _by_image(in_id_order, table, key, first_session)
    best: list[Placed] = []
    fewest = None
    for attempt in range(MOST_TRIES):
        placed = _attempt(in_id_order, table, (*key, "order", str(attempt)), before, first_session)
        faults = order_faults([*before, *(one.question for one in placed)], table.image_gap).total
        if fewest is None or faults < fewest:
            best, fewest = placed, faults
        if not faults:
            break
    return best


def order_faults(questions: Sequence[Question], image_gap: int) -> OrderFaults:
    """Count the questions that come third of a category, or too soon after their image."""
    long_runs = near_images = 0
    last_seen: dict[str, int] = {}
    for position, question in enumerate(questions):
        run = questions[max(0, position - LONGEST_RUN) : position]
        if len(run) == LONGEST_RUN and all(one.category == question.category for one in run):
            long_runs += 1
        if question.image_name in last_seen:
            near_images += position - last_seen[question.image_name] < image_gap
        last_seen[question.image_name] = position
    return OrderFaults(long_runs, near_images)


def options_in_order(vocabulary: Vocabulary, order: str, *key: str) -> tuple[str, ...]:
    """Order the options of a question: as given, or shuffled once a person.

    The key is the study's seed and the pseudonym: one person sees a category's options always in
    the same order, others in another. Exclusive options (`none`) stay last.

    >>> from sampling.answers.vocabularies import AnswerFormat
    >>> damage = Vocabulary("Damage", AnswerFormat.MULTI, ("none", "holes", "cracks", "stains"),
    ...                     exclusive=frozenset({"none"}))
    >>> options_in_order(damage, "per_participant", "seed", "P1")
    ('cracks', 'stains', 'holes', 'none')
    """
    if order == "as_given":
        return vocabulary.labels
    free = [label for label in vocabulary.labels if label not in vocabulary.exclusive]
    last = [label for label in vocabulary.labels if label in vocabulary.exclusive]
    return (*shuffled(free, *key, "options", vocabulary.category), *last)


def _attempt(
    questions: Sequence[Question],
    table: AssignmentTable,
    key: tuple[str, ...],
    before: Sequence[Question],
    first_session: int,
) -> list[Placed]:
    """Deal the questions into sessions, then lay out each session after the last."""
    history = list(before)
    placed: list[Placed] = []
    for number, members in enumerate(_sessions(questions, table.questions_per_session, key)):
        for question in _lay_out(members, history, table.image_gap):
            history.append(question)
            placed.append(Placed(first_session + number, question))
    return placed


def _sessions(
    questions: Sequence[Question], size: int, key: tuple[str, ...]
) -> list[list[Question]]:
    """Deal the questions, sorted by category, to sessions in proportion to their sizes."""
    deck = shuffled(questions, *key)
    categories = shuffled(sorted({one.category for one in questions}), *key, "categories")
    deck.sort(key=lambda one: categories.index(one.category))
    sizes = [min(size, len(deck) - start) for start in range(0, len(deck), size)]
    due = [(0.5 / length, number) for number, length in enumerate(sizes)]
    heapq.heapify(due)
    sessions: list[list[Question]] = [[] for _ in sizes]
    for question in deck:
        _, number = heapq.heappop(due)
        sessions[number].append(question)
        if len(sessions[number]) < sizes[number]:
            heapq.heappush(due, ((len(sessions[number]) + 0.5) / sizes[number], number))
    return [shuffled(members, *key, str(number)) for number, members in enumerate(sessions)]


def _lay_out(members: list[Question], history: Sequence[Question], gap: int) -> list[Question]:
    """Take, again and again, the first question that may come next, and urgent ones before."""
    left = list(members)
    result: list[Question] = []
    categories = Counter(one.category for one in left)
    images = Counter(one.image_name for one in left)
    recent = list(history[-max(gap - 1, LONGEST_RUN) :]) if history else []
    while left:
        seen = {one.image_name for one in recent[-(gap - 1) :]} if gap > 1 else set()
        run = [one.category for one in recent[-LONGEST_RUN:]]
        barred = run[0] if len(run) == LONGEST_RUN and len(set(run)) == 1 else None
        chosen = _next(left, categories, images, seen, barred, gap)
        left.remove(chosen)
        categories[chosen.category] -= 1
        images[chosen.image_name] -= 1
        recent = [*recent, chosen][-max(gap - 1, LONGEST_RUN) :]
        result.append(chosen)
    return result


def _next(
    left: list[Question],
    categories: Counter[str],
    images: Counter[str],
    seen: set[str],
    barred: str | None,
    gap: int,
) -> Question:
    """Choose the next question: urgent if one must come now, else the first allowed."""
    free = [one for one in left if one.image_name not in seen and one.category != barred]
    for one in free:
        rest = len(left) - categories[one.category]
        crowded = categories[one.category] >= LONGEST_RUN * rest
        if (
            crowded
            or (images[one.image_name] - 1) * gap + 1 >= len(left) > 1 < images[one.image_name]
        ):
            return one
    if free:
        return free[0]
    for loosened in (
        [one for one in left if one.image_name not in seen],
        [one for one in left if one.category != barred],
    ):
        if loosened:
            return loosened[0]
    return left[0]


def _by_image(
    questions: Sequence[Question],
    table: AssignmentTable,
    key: tuple[str, ...],
    first_session: int,
) -> list[Placed]:
    """Shuffle whole images; a session ends where the next image would overfill it."""
    blocks: dict[str, list[Question]] = {}
    for question in questions:
        blocks.setdefault(question.image_name, []).append(question)
    placed: list[Placed] = []
    session, filled = first_session, 0
    for image in shuffled(sorted(blocks), *key, "images"):
        if filled and filled + len(blocks[image]) > table.questions_per_session:
            session, filled = session + 1, 0
        filled += len(blocks[image])
        placed += [Placed(session, question) for question in blocks[image]]
    return placed
