"""Verifies a plan: every rule counted again, and the plan made again for comparison."""

from __future__ import annotations

from sampling.assignment.inputs import read_lengths, read_plan_inputs
from sampling.assignment.plan import read_plan
from sampling.plan.check import check_plan
from sampling.plan.margins import count_barred, measure_margins
from sampling.plan.run_changes import CHANGES, people_of_the_run
from sampling.plan.solver import make_plan
from sampling.record.event_log import Event, read_events
from sampling.record.verdicts import State, Verdict, verdict
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder


def verify_plan(study: StudyFolder) -> Verdict:
    """Check a study's plan against the rules of `[assignment]`, the roster and the exclusions.

    Where `responses/events.jsonl` tells of people who joined, or of other limits, these count too.
    """
    rules = study.definition.assignment
    if not study.assignment_file.exists():
        needs = "" if rules.mode == "plan" else '; mode = "open" needs none'
        return Verdict("plan", State.ABSENT, f"no plan/assignment.csv{needs}")
    slots = read_plan(study.assignment_file)
    inputs = read_plan_inputs(study)
    changes = _changes(study)
    people = people_of_the_run(inputs.participants, changes, len(inputs.questions), rules)
    broken = check_plan(slots, inputs.questions, people, inputs.excluded, rules)
    barred = count_barred(inputs.excluded, inputs.questions)
    margins = measure_margins(slots, inputs.questions, inputs.participants, barred, rules)
    relaxed = [margin.name for margin in margins if margin.off]
    sentence = f"{len(slots)} answers, every rule counted again"
    sentence += f"; relaxed: {', '.join(relaxed)}" if relaxed else "; nothing relaxed"
    if changes:
        sentence += "; people and limits as the log says they were changed while it ran"
    elif not broken:
        try:
            again = make_plan(
                inputs.questions,
                inputs.participants,
                inputs.excluded,
                rules,
                study.definition.study.seed,
                read_lengths(study),
            )
        except StudyError as error:
            return verdict("plan", sentence, error.problems)
        same = set(again.slots) == set(slots)
        sentence += (
            "; made again it is the same"
            if same
            else (
                "; made again it differs, as after replacements, changes by hand or with another "
                "version of the solver"
            )
        )
    return verdict("plan", sentence, broken)


def _changes(study: StudyFolder) -> tuple[Event, ...]:
    """Read the events that changed who takes part and how much they may answer."""
    path = study.responses_file.with_name("events.jsonl")
    if not path.exists():
        return ()
    return tuple(event for event in read_events(path) if event.action in CHANGES)
