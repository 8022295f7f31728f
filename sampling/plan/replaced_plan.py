"""The plan after a question was replaced before collection: the same people, if they may."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sampling.assignment.plan import Slot
from sampling.assignment.plan_inputs import PlanInputs
from sampling.assignment.targets import most_answers
from sampling.plan.replan import OpenSlot, Replan, replan
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
