"""Progress: the matrix adds up, its shades are honest, and a projection says what it waits for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from study_server.coordinator.progress import (
    Cell,
    build_matrix,
    project,
    unheld_answers,
    window_start,
)
from study_server.store.steering.dashboard import CellCount, ParticipantCount

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
WEEK_AGO = NOW - timedelta(days=7)


def person(
    name: str, assigned: int, answered: int, lately: int, state: str = "active"
) -> ParticipantCount:
    return ParticipantCount(
        1, name, state, None, assigned, answered, lately, 1, 3, True, NOW, None, WEEK_AGO
    )


def test_margins_are_the_sums_of_the_cells() -> None:
    matrix = build_matrix(
        [
            CellCount("Khmer", "Layout", 3, 4),
            CellCount("Khmer", "Line Count", 0, 2),
            CellCount("Khmer", "Line Count", 2, 2),
            CellCount("Sundanese", "Layout", 1, 4),
        ],
        3,
    )
    assert matrix.collections == ("Khmer", "Sundanese")
    assert matrix.categories == ("Layout", "Line Count")
    assert matrix.rows[1][1] is None
    # Khmer: 4 × 3 + 2 × 2 = 16 of 24; Layout: 12 + 4 = 16 of 24; in all 20 of 36.
    assert [(cell.answered, cell.needed) for cell in matrix.by_collection] == [(16, 24), (4, 12)]
    assert [(cell.answered, cell.needed) for cell in matrix.by_category] == [(16, 24), (4, 12)]
    assert (matrix.total.answered, matrix.total.needed) == (20, 36)
    assert matrix.total.by_state == (2, 4, 2, 4)


def test_the_darkest_shade_means_all_and_none_means_nothing() -> None:
    assert Cell("", "", (4, 0, 0, 0)).shade == 0
    assert Cell("", "", (100, 1, 0, 0)).shade == 1
    assert Cell("", "", (0, 0, 1, 100)).shade == 9
    assert Cell("", "", (0, 0, 0, 4)).shade == 10


def test_an_empty_study_has_a_total_of_nothing() -> None:
    matrix = build_matrix([], 3)
    assert (matrix.total.answered, matrix.total.needed) == (0, 0)


def test_an_answer_too_many_to_one_question_stands_for_none_of_another() -> None:
    # Three questions need three answers each; from elsewhere one of them has four.
    complete = build_matrix([CellCount("", "", 4, 1), CellCount("", "", 3, 2)], 3)
    assert unheld_answers(complete, [person("P1", 5, 5, 1), person("P2", 5, 5, 1)]) == 0
    lacking = build_matrix([CellCount("", "", n, 1) for n in (4, 3, 2)], 3)
    people = [person("P1", 5, 5, 1), person("P2", 4, 4, 1)]
    waiting = unheld_answers(lacking, people)
    assert waiting == 1
    assert project(people, waiting, NOW, WEEK_AGO).sentence == (
        "No projection: 1 answer is assigned to nobody."
    )
    # Whom it is assigned to holds it.
    assert unheld_answers(lacking, [person("P1", 5, 5, 1), person("P2", 5, 4, 1)]) == 0


def test_the_study_ends_with_its_slowest_participant() -> None:
    # P1: 50 open at 70 a week = 5 days. P2: 30 open at 21 a week = 10 days.
    people = [person("P1", 100, 50, 70), person("P2", 60, 30, 21)]
    projection = project(people, 0, NOW, WEEK_AGO)
    assert projection.finish_at == NOW + timedelta(days=10)
    assert projection.sentence.startswith("P2 will be last")


def test_a_silent_or_paused_participant_leaves_no_projection() -> None:
    people = [person("P1", 9, 5, 5), person("P2", 9, 5, 0), person("P3", 9, 5, 5, "paused")]
    assert project(people, 0, NOW, WEEK_AGO).sentence == "No projection: waiting for P2, P3."


def test_answers_nobody_holds_leave_no_projection() -> None:
    people = [person("P1", 9, 5, 5)]
    assert project(people, 7, NOW, WEEK_AGO).sentence == (
        "No projection: 7 answers are assigned to nobody."
    )


def test_a_finished_study_says_so() -> None:
    assert project([person("P1", 9, 9, 0)], 0, NOW, WEEK_AGO).sentence == "All answers are in."


def test_paces_are_taken_from_the_first_answer_on_within_a_week() -> None:
    assert window_start(NOW, NOW - timedelta(days=2)) == NOW - timedelta(days=2)
    assert window_start(NOW, NOW - timedelta(days=20)) == WEEK_AGO
    assert window_start(NOW, NOW) == NOW - timedelta(minutes=10)
