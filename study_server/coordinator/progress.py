"""What the dashboard says of progress: the completion matrix, totals, and when it will end."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from study_server.store.steering.dashboard import CellCount, ParticipantCount

SHADES = 10
WINDOW = timedelta(days=7)
SHORTEST_WINDOW = timedelta(minutes=10)
# A pace from less than this would promise what nobody knows.
LEAST_ANSWERS = 20
LEAST_TIME = timedelta(days=1)
WORKING_STATES = frozenset({"invited", "active"})


@dataclass(frozen=True)
class Cell:
    """One cell of the matrix. `by_state[j]` counts the questions with j answers, 0 to k."""

    collection: str
    category: str
    by_state: tuple[int, ...]

    @property
    def needed(self) -> int:
        return sum(self.by_state) * (len(self.by_state) - 1)

    @property
    def answered(self) -> int:
        return sum(state * count for state, count in enumerate(self.by_state))

    @property
    def shade(self) -> int:
        """0 only when nothing is answered, `SHADES` only when everything is."""
        if not self.answered or not self.needed:
            return 0
        if self.answered >= self.needed:
            return SHADES
        return min(max(1, SHADES * self.answered // self.needed), SHADES - 1)


@dataclass(frozen=True)
class Matrix:
    """Completion by collection × category; a cell without questions is None."""

    collections: tuple[str, ...]
    categories: tuple[str, ...]
    rows: tuple[tuple[Cell | None, ...], ...]
    by_collection: tuple[Cell, ...]
    by_category: tuple[Cell, ...]
    total: Cell


@dataclass(frozen=True)
class Projection:
    """When the study will be done at the pace of the last days, or why that is not known."""

    finish_at: datetime | None
    sentence: str


def build_matrix(counts: Sequence[CellCount], answers_needed: int) -> Matrix:
    """Arrange the counts as a matrix with its margins.

    >>> counts = [CellCount("Khmer", "Layout", 3, 2), CellCount("Khmer", "Layout", 1, 2)]
    >>> matrix = build_matrix(counts, 3)
    >>> matrix.total.answered, matrix.total.needed, matrix.total.by_state
    (8, 12, (0, 2, 0, 2))
    """
    cells: dict[tuple[str, str], list[int]] = {}
    for count in counts:
        states = cells.setdefault((count.collection, count.category), [0] * (answers_needed + 1))
        states[min(count.answered, answers_needed)] += count.questions
    collections = tuple(sorted({collection for collection, _ in cells}))
    categories = tuple(sorted({category for _, category in cells}))
    rows = tuple(
        tuple(_cell(cells, collection, category) for category in categories)
        for collection in collections
    )
    return Matrix(
        collections,
        categories,
        rows,
        tuple(_sum(row, name, "") for row, name in zip(rows, collections, strict=True)),
        tuple(
            _sum(column, "", name)
            for column, name in zip(zip(*rows, strict=True), categories, strict=True)
        ),
        _sum([cell for row in rows for cell in row], "", "", answers_needed),
    )


def window_start(now: datetime, first_answer_at: datetime | None) -> datetime:
    """Begin the stretch of time that paces are taken from: a week, or since the first answer."""
    earliest = now - WINDOW
    if first_answer_at is None:
        return earliest
    return min(max(earliest, first_answer_at), now - SHORTEST_WINDOW)


def unheld_answers(matrix: Matrix, people: Sequence[ParticipantCount]) -> int:
    """Count the answers that are missing and that nobody is assigned.

    Data from elsewhere may hold more answers to a question than it needs: these stand for none of
    another's.

    >>> matrix = build_matrix([CellCount("Khmer", "Layout", 3, 2), CellCount("Khmer", "", 2, 1)], 3)
    >>> unheld_answers(matrix, ())
    1
    """
    held = sum(max(person.assigned - person.answered, 0) for person in people)
    return max(matrix.total.needed - matrix.total.answered - held, 0)


def project(
    people: Sequence[ParticipantCount],
    unheld: int,
    now: datetime,
    since: datetime,
    study_state: str = "open",
) -> Projection:
    """Say when everyone will be done if each keeps the pace since `since`.

    The study ends with its slowest participant. `unheld` counts the open answers that nobody
    holds: with any of them there is no end to project. From less than a day, or fewer than
    `LEAST_ANSWERS` answers, it is too early to say.
    """
    waiting = [person for person in people if person.assigned > person.answered]
    if not waiting and not unheld:
        return Projection(None, "All answers are in.")
    if study_state != "open":
        return Projection(None, f"No projection: the study is {study_state}.")
    if not any(person.answered_lately for person in people):
        return Projection(None, "No projection: nobody has answered in the last 7 days.")
    if unheld:
        waits = "1 answer is" if unheld == 1 else f"{unheld} answers are"
        return Projection(None, f"No projection: {waits} assigned to nobody.")
    silent = [person.pseudonym for person in waiting if not person.answered_lately]
    idle = [person.pseudonym for person in waiting if person.state not in WORKING_STATES]
    if silent or idle:
        names = ", ".join(sorted({*silent, *idle}))
        return Projection(None, f"No projection: waiting for {names}.")
    if is_early(sum(person.answered_lately for person in people), now, since):
        return Projection(
            None, f"Too early to say: it takes a day and {LEAST_ANSWERS} answers to see a pace."
        )
    seconds = {
        person.pseudonym: (person.assigned - person.answered)
        * (now - since).total_seconds()
        / person.answered_lately
        for person in waiting
    }
    slowest = max(sorted(seconds), key=lambda name: seconds[name])
    finish = now + timedelta(seconds=seconds[slowest])
    return Projection(finish, f"{slowest} will be last, at the pace of the last days.")


def is_early(answers: int, now: datetime, since: datetime) -> bool:
    """Tell whether so many answers since then are too few to show a pace.

    >>> from datetime import UTC
    >>> now = datetime(2026, 3, 10, 12, tzinfo=UTC)
    >>> is_early(500, now, now - timedelta(minutes=18)), is_early(20, now, now - timedelta(days=1))
    (True, False)
    """
    return answers < LEAST_ANSWERS or now - since < LEAST_TIME


def pace_text(person: ParticipantCount, now: datetime, since: datetime) -> str:
    """Say how many answers a day somebody gives who is still at work."""
    if not person.answered_lately or person.answered >= person.assigned:
        return "—"
    if is_early(person.answered_lately, now, since):
        return "too early"
    return f"{answers_per_day(person, now, since):,.0f} a day"


def answers_per_day(person: ParticipantCount, now: datetime, since: datetime) -> float:
    """The pace of one participant since `since`."""
    return person.answered_lately / ((now - since) / timedelta(days=1))


def since_text(moment: datetime | None, now: datetime) -> str:
    """Say how long ago something was, coarsely.

    >>> from datetime import UTC
    >>> now = datetime(2026, 3, 10, 12, tzinfo=UTC)
    >>> since_text(now - timedelta(hours=30), now), since_text(None, now)
    ('30 hours ago', 'never')
    """
    if moment is None:
        return "never"
    minutes = math.floor((now - moment).total_seconds() / 60)
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return f"{minutes} min ago"
    if minutes < 48 * 60:
        return f"{minutes // 60} hour{'s' if minutes >= 120 else ''} ago"
    return f"{minutes // (24 * 60)} days ago"


def _cell(cells: Mapping[tuple[str, str], list[int]], row: str, column: str) -> Cell | None:
    states = cells.get((row, column))
    return None if states is None else Cell(row, column, tuple(states))


def _sum(cells: Sequence[Cell | None], row: str, column: str, needed: int = 0) -> Cell:
    """Add cells up; with none of them, a cell of no questions."""
    present = [cell.by_state for cell in cells if cell is not None]
    if not present:
        return Cell(row, column, (0,) * (needed + 1))
    return Cell(row, column, tuple(sum(states) for states in zip(*present, strict=True)))
