"""Refuses a study that the pages could not show, before anything is loaded."""

from __future__ import annotations

from collections.abc import Sequence

from sampling.plan.check import check_plan
from sampling.study.errors import Problems
from sampling.study.folder import StudyFolder
from sampling.study.questions import Question
from study_server.store.asking.content import StudyContent

NAMED_FAULTS = 3


def check_content(study: StudyFolder, content: StudyContent) -> None:
    """Check that every question has a vocabulary, practice is outside the sample, the plan holds.

    Raises
    ------
    StudyError
        With every problem at once.
    """
    problems = Problems()
    for question in content.questions:
        _check_category(problems, content, "benchmark", question)
    asked = {question.sample_id for question in content.questions}
    images = {question.image_name for question in content.questions}
    for outside in content.outside:
        _check_category(problems, content, outside.kind, outside.question)
        where = f"[{outside.kind}] {outside.question.sample_id!r}"
        if outside.question.sample_id in asked:
            problems.add(where, "is in the sample; choose a question from outside it")
        elif outside.question.image_name in images:
            name = outside.question.image_name
            problems.add(where, f"shows {name!r}, an image of the sample; choose another")
    if content.read_slots is not None:
        faults = check_plan(
            content.read_slots(),
            content.questions,
            content.participants,
            content.exclusions,
            study.definition.assignment,
        )
        if faults:
            problems.add("plan/assignment.csv", _outdated(faults))
    problems.raise_if_any()


def _outdated(faults: Sequence[str]) -> str:
    """Say that the plan is one for another sample, roster or set of rules."""
    more = len(faults) - NAMED_FAULTS
    named = "; ".join(faults[:NAMED_FAULTS]) + (f"; and {more:,} more" if more > 0 else "")
    return f"does not fit the study as it is now ({named}); plan again with `lontar assign`"


def _check_category(
    problems: Problems, content: StudyContent, source: str, question: Question
) -> None:
    if question.category not in content.vocabularies[source]:
        problems.add(
            f"question {question.sample_id!r}",
            f"its category {question.category!r} has no vocabulary; add it to the vocabularies",
        )
