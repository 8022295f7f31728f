"""The plan's verifier: counts every rule again from the slots, and knows nothing of the solver."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence

from sampling.assignment.plan import Slot
from sampling.assignment.roster import Participant
from sampling.assignment.targets import most_answers
from sampling.plan.margins import by_person
from sampling.study.definition import AssignmentTable
from sampling.study.questions import Question


def check_plan(
    slots: Sequence[Slot],
    questions: Sequence[Question],
    participants: Sequence[Participant],
    excluded: Collection[tuple[str, str]],
    assignment: AssignmentTable,
) -> tuple[str, ...]:
    """Check a plan against every rule that is never relaxed, from its slots alone.

    Returns
    -------
    str
        What the plan breaks, nothing when it is sound: a question without exactly k different
        people, an excluded person, a load above a limit, an unknown question or person, response
        indices other than 1..k, a position twice, sessions out of order or overfull. (Positions
        run from 1 without gaps in a new plan; re-planning may leave gaps.)
        What may be relaxed is measured by `sampling.plan.margins`.
    """
    return (
        *_question_violations(slots, questions, assignment.responses_per_question),
        *_person_violations(slots, questions, participants, excluded, assignment),
        *_order_violations(slots, assignment),
    )


def _question_violations(
    slots: Sequence[Slot], questions: Sequence[Question], responses: int
) -> list[str]:
    found = []
    by_question = defaultdict(list)
    for slot in slots:
        by_question[slot.sample_id].append(slot)
    known = {question.sample_id for question in questions}
    found += [f"{sample_id}: not in the sample" for sample_id in sorted(by_question.keys() - known)]
    for sample_id in sorted(known):
        people = {slot.participant for slot in by_question[sample_id]}
        if len(people) != responses:
            found.append(f"{sample_id}: {len(people)} different people of {responses}")
        indices = sorted(slot.response_index for slot in by_question[sample_id])
        if indices != list(range(1, responses + 1)):
            found.append(f"{sample_id}: response indices {indices}, not 1 to {responses}")
    return found


def _person_violations(
    slots: Sequence[Slot],
    questions: Sequence[Question],
    participants: Sequence[Participant],
    excluded: Collection[tuple[str, str]],
    assignment: AssignmentTable,
) -> list[str]:
    limits = most_answers(participants, len(questions), assignment)
    loads = Counter(slot.participant for slot in slots)
    found = [f"{person}: not in the roster" for person in sorted(loads.keys() - limits.keys())]
    found += [
        f"{person}: {loads[person]} questions, above the limit of {limit}"
        for person, limit in sorted(limits.items())
        if loads[person] > limit
    ]
    found += [
        f"{slot.sample_id}: given to {slot.participant}, who is excluded from it"
        for slot in sorted(one for one in slots if (one.participant, one.sample_id) in excluded)
    ]
    return found


def _order_violations(slots: Sequence[Slot], assignment: AssignmentTable) -> list[str]:
    found = []
    for person, theirs in sorted(by_person(slots).items()):
        if len({slot.position for slot in theirs}) < len(theirs):
            found.append(f"{person}: two questions at one position")
        sessions = [slot.session for slot in theirs]
        if sessions != sorted(sessions):
            found.append(f"{person}: sessions are not in the order of positions")
        longest = max(Counter(sessions).values())
        if longest > assignment.questions_per_session and assignment.presentation == "single":
            found.append(f"{person}: a session of {longest} questions")
    return found
