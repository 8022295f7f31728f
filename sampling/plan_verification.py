"""Verifies a plan: every rule counted again, and the plan made again for comparison."""

from __future__ import annotations

from sampling.errors import StudyError
from sampling.plan_check import check_plan
from sampling.plan_files import read_plan
from sampling.plan_inputs import read_lengths, read_plan_inputs
from sampling.plan_margins import count_barred, measure_margins
from sampling.plan_solver import make_plan
from sampling.study_folder import StudyFolder
from sampling.verdicts import State, Verdict, verdict


def verify_plan(study: StudyFolder) -> Verdict:
    """Check a study's plan against the rules of `[assignment]`, the roster and the exclusions."""
    rules = study.definition.assignment
    if not study.assignment_file.exists():
        needs = "" if rules.mode == "plan" else '; mode = "open" needs none'
        return Verdict("plan", State.ABSENT, f"no plan/assignment.csv{needs}")
    slots = read_plan(study.assignment_file)
    inputs = read_plan_inputs(study)
    broken = check_plan(slots, inputs.questions, inputs.participants, inputs.excluded, rules)
    barred = count_barred(inputs.excluded, inputs.questions)
    margins = measure_margins(slots, inputs.questions, inputs.participants, barred, rules)
    relaxed = [margin.name for margin in margins if margin.off]
    sentence = f"{len(slots)} answers, every rule counted again"
    sentence += f"; relaxed: {', '.join(relaxed)}" if relaxed else "; nothing relaxed"
    if not broken:
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
