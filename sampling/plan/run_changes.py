"""Who may answer how much, with what the log of events says was changed while people answered.

The plan after a question was replaced before collection: the same people, if they may.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sampling.assignment.inputs import PlanInputs
from sampling.assignment.plan import Slot
from sampling.assignment.roster import Participant, same_identity
from sampling.assignment.targets import most_answers
from sampling.plan.replan import OpenSlot, Replan, replan
from sampling.record.event_log import Event
from sampling.study.definition import AssignmentTable


def replace_in_plan(
    slots: Sequence[Slot],
    new_of: Mapping[str, str],
    inputs: PlanInputs,
    assignment: AssignmentTable,
    seed: str,
) -> Replan:
    """Give a replacement's slots to those who held the faulty question's, if they may answer it.

    Parameters
    ----------
    slots : Slot
        The plan so far.
    new_of : mapping of sample_id to sample_id
        The replacement of each faulty question.
    inputs : PlanInputs
        The sample as it is now, the people and the exclusions.
    assignment, seed
        As for `sampling.plan.replan.replan`.
    """
    unanswered = [
        OpenSlot(
            new_of.get(slot.sample_id, slot.sample_id),
            slot.response_index,
            slot.participant,
            slot.session,
            slot.position,
        )
        for slot in slots
    ]
    return replan(
        inputs.questions,
        (),
        unanswered,
        most_answers(inputs.participants, len(inputs.questions), assignment),
        inputs.excluded,
        assignment,
        seed,
    )


CHANGES = frozenset({"participant.added", "participant.quota_changed", "limits.raised"})


def people_of_the_run(
    participants: Sequence[Participant],
    events: Iterable[Event],
    questions: int,
    assignment: AssignmentTable,
) -> tuple[Participant, ...]:
    """Add to a roster who joined, and give everybody the highest limit they ever had.

    A plan is measured by these, whether it is the one from before the run or the one that came
    out of it: what somebody answered before their limit was lowered stays theirs.

    Examples
    --------
    >>> events = [
    ...     Event(1, "", "", "participant.added", "participant:P2", "", {"quota": 5}),
    ...     Event(2, "", "", "limits.raised", "study", "", {"limit": 7}),
    ... ]
    >>> rules = AssignmentTable(responses_per_question=1)
    >>> [(one.pseudonym, one.quota) for one in people_of_the_run(
    ...     [Participant("P1", quota=9)], events, 20, rules
    ... )]
    [('P1', 9), ('P2', 7)]
    """
    people = {same_identity(one.pseudonym): one for one in participants}
    planned = most_answers(participants, questions, assignment)
    limits = {name: planned[one.pseudonym] for name, one in people.items()}
    for event in events:
        pseudonym = event.subject.removeprefix("participant:")
        name = same_identity(pseudonym)
        if event.action == "participant.added":
            people[name] = Participant(pseudonym)
            limits[name] = _number(event.details, "quota", questions)
        elif event.action == "participant.quota_changed":
            limits[name] = max(limits.get(name, 0), _number(event.details, "after", questions))
        elif event.action == "limits.raised":
            raised = _number(event.details, "limit", 0)
            limits = {name: max(limit, raised) for name, limit in limits.items()}
    return tuple(
        Participant(one.pseudonym, one.annotator_ids, limits[name]) for name, one in people.items()
    )


def _number(details: Mapping[str, str | int | float | bool | None], name: str, else_: int) -> int:
    value = details.get(name)
    return value if isinstance(value, int) else else_
