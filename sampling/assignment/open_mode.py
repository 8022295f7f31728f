"""Open mode: which question to hand out next, without ever stranding the rest of the study.

The server calls `choose_next(person, needs, capacities, barred, preferred)` inside the transaction
that takes the slot: `needs` counts, for each active question, the answers that are neither given
nor leased; `capacities` says how many more questions each person who takes part may take (quota
less answered and leased); `barred` holds every (pseudonym, sample_id) that must not be: excluded,
skipped, answered, or leased now. `preferred` comes from `preferred_order`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from sampling.assignment.flow import Flags, Flow, Network, build_network, greatest_flow
from sampling.assignment.order import LONGEST_RUN
from sampling.study.definition import AssignmentTable
from sampling.study.keyed import digest
from sampling.study.questions import Question


def choose_next(
    person: str,
    needs: Mapping[str, int],
    capacities: Mapping[str, int],
    barred: Collection[tuple[str, str]],
    preferred: Iterable[str],
) -> str | None:
    """Choose the question a person gets next, or None when there is none they should get.

    Parameters
    ----------
    person : str
        Who asks.
    needs : mapping of sample_id to int
        How many answers each question still has to give out.
    capacities : mapping of pseudonym to int
        How many more questions each person may take, those who are gone left out or 0.
    barred : collection of (pseudonym, sample_id)
        Who must not get what.
    preferred : iterable of str
        Questions in the order in which this person would best answer them.

    Returns
    -------
    str or None
        The first preferred question that the person may answer and whose loss to them leaves all
        other answers as possible as they were: a question that only others can still save is
        never spent on somebody whose last answers are needed elsewhere. None means that whatever
        the person took would cost the study an answer, or that nothing is left for them.

    Examples
    --------
    P1 may give one more answer and q2 has nobody else, so P1 does not get q1:

    >>> needs, capacities = {"q1": 1, "q2": 1}, {"P1": 1, "P2": 1}
    >>> choose_next("P1", needs, capacities, {("P2", "q2")}, ["q1", "q2"])
    'q2'
    >>> choose_next("P2", needs, capacities, {("P2", "q2")}, ["q2", "q1"])
    'q1'
    """
    if capacities.get(person, 0) <= 0:
        return None
    network = build_network(needs, capacities, barred)
    safe = safe_questions(network, greatest_flow(network), network.people.index(person))
    names = {network.question_ids[row] for row in np.flatnonzero(safe)}
    return next((sample_id for sample_id in preferred if sample_id in names), None)


def safe_questions(network: Network, flow: Flow, column: int) -> Flags:
    """Mark the questions that a person may take without lowering the greatest flow.

    Parameters
    ----------
    network : Network
        n questions, P people.
    flow : Flow
        A greatest flow of it.
    column : int
        The person, who has a quota left.

    Returns
    -------
    (n,) bool
        The pairs with this person that lie on some greatest flow: those it uses, and those whose
        question the person reaches in the residual network (an exchange then leads there).
    """
    used = np.zeros_like(network.allowed)
    used[flow.rows, flow.columns] = True
    open_pairs = network.allowed & ~used
    given, loads = used.sum(axis=1), used.sum(axis=0)
    people = np.zeros(len(network.people), dtype=np.bool_)
    people[column] = True
    questions = np.zeros(len(network.question_ids), dtype=np.bool_)
    while True:
        before = int(people.sum()) + int(questions.sum())
        if bool((loads[people] < network.quotas[people]).any()):
            people |= loads > 0
        questions |= used[:, people].any(axis=1)
        if bool((given[questions] > 0).any()):
            questions |= given < network.needs
        people |= open_pairs[questions].any(axis=0)
        if int(people.sum()) + int(questions.sum()) == before:
            break
    mine: Flags = network.allowed[:, column] & (network.needs > 0) & (used[:, column] | questions)
    return mine


def preferred_order(
    questions: Sequence[Question],
    done: Sequence[Question],
    assignment: AssignmentTable,
    *key: str,
) -> list[str]:
    """Sort questions by how well they come next for a person.

    Parameters
    ----------
    questions : Question
        What may be handed out.
    done : Question
        What the person has answered or holds, in order.
    assignment : AssignmentTable
        `questions_per_session`, `image_gap` and `presentation`.
    key : str
        The study's seed and the person's pseudonym.

    Returns
    -------
    list of sample_id
        First those that keep the image's distance and are no third of a category in a row, of
        them the category least asked in this session, then by hash. With
        `presentation = "per_image"` the image at hand comes first.
    """
    in_session = done[len(done) - len(done) % assignment.questions_per_session :]
    asked = Counter(question.category for question in in_session)
    run = [question.category for question in done[-LONGEST_RUN:]]
    third = run[0] if len(run) == LONGEST_RUN and len(set(run)) == 1 else None
    gap = assignment.image_gap
    near = {question.image_name for question in done[-(gap - 1) :]} if gap > 1 else set()
    at_hand = done[-1].image_name if done else None

    def badness(question: Question) -> tuple[int, int, bytes]:
        name = question.image_name if assignment.presentation == "per_image" else None
        order = digest(*key, "open", name if name is not None else question.sample_id)
        if name is not None:
            return (int(name != at_hand), 0, order)
        faults = (question.image_name in near) + (question.category == third)
        return (faults, asked[question.category], order)

    return [
        one.sample_id for one in sorted(questions, key=lambda one: (badness(one), one.sample_id))
    ]
