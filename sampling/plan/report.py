"""The plan in words: what `plan/report.md` says about loads, balance and relaxations."""

from __future__ import annotations

from collections import Counter

from sampling.assignment.feasibility import Feasibility, explain_slack
from sampling.plan.margins import Margin
from sampling.plan.solver import PlannedStudy

HEADER = "| margin | counts | smallest | largest | off the ideal | by at most | in all |"
RULE = "|---|---:|---:|---:|---:|---:|---:|"


def plan_report(planned: PlannedStudy) -> str:
    """Write the report of a plan, in Markdown."""
    slots = planned.slots
    loads = Counter(slot.participant for slot in slots)
    questions = len({slot.sample_id for slot in slots})
    lines = [
        "# The plan",
        "",
        f"{len(slots)} answers to {questions} questions by {len(loads)} people.",
        "",
        f"Can they finish: {explain_slack(planned.feasibility)}.",
        "",
        (
            "Never relaxed, and checked again from the slots: every question has its number of "
            "different people, nobody answers what they are excluded from, nobody has more than "
            "their limit."
        ),
        "",
        "## What was relaxed",
        "",
        *_relaxed(planned.relaxed),
        "",
        "## Margins",
        "",
        (
            "Ideal is the fair share, rounded down or up; nobody can be given more of a group than "
            "they may answer. Margins give way in the order of the table."
        ),
        "",
        HEADER,
        RULE,
        *(
            f"| {one.name} | {one.counts} | {one.smallest} | {one.largest} | {one.off} "
            f"| {one.worst} | {one.total} |"
            for one in planned.margins
        ),
        "",
        *_loads(planned),
    ]
    return "\n".join(lines) + "\n"


def _loads(planned: PlannedStudy) -> list[str]:
    """Tabulate what each person has: questions, sessions, and characters where these are shared."""
    questions, characters, sessions = Counter[str](), Counter[str](), dict[str, int]()
    for slot in planned.slots:
        questions[slot.participant] += 1
        characters[slot.participant] += (planned.lengths or {}).get(slot.sample_id, 1)
        sessions[slot.participant] = max(slot.session, sessions.get(slot.participant, 0))
    if planned.lengths is None:
        return [
            "## Questions a person",
            "",
            "| participant | questions | sessions |",
            "|---|---:|---:|",
            *(f"| {one} | {load} | {sessions[one]} |" for one, load in sorted(questions.items())),
        ]
    return [
        "## Characters a person",
        "",
        "People share lengths of text, as even as questions can be dealt out.",
        "",
        "| participant | characters | questions | sessions |",
        "|---|---:|---:|---:|",
        *(
            f"| {one} | {length} | {questions[one]} | {sessions[one]} |"
            for one, length in sorted(characters.items())
        ),
    ]


def shortfall_report(found: Feasibility) -> str:
    """Write why there is no plan: the questions that are short, and who alone may answer them."""
    short, needed = found.short_answers, found.needed_answers
    who = (
        f"the people below may give {found.possible_answers} of them at most, and nobody else any"
        if found.people
        else "nobody may give any of them"
    )
    return "\n".join(
        [
            "# No plan",
            "",
            (
                f"{short} {'answer' if short == 1 else 'answers'} short: the questions below need "
                f"{needed} more {'answer' if needed == 1 else 'answers'}; {who}."
            ),
            "",
            *_givers(found),
            f"## Questions ({len(found.questions)})",
            "",
            *(f"- {sample_id}" for sample_id in found.questions),
            "",
        ]
    )


def _givers(found: Feasibility) -> list[str]:
    """Tabulate who may still give how many answers to the questions that are short."""
    if not found.people:
        return []
    rows = zip(found.people, found.people_answers, strict=True)
    return [
        f"## People ({len(found.people)})",
        "",
        (
            "Somebody may give as many answers as their limit says, or as there are questions "
            "among these that they are not excluded from, whichever is less."
        ),
        "",
        "| participant | answers at most |",
        "|---|---:|",
        *(f"| {person} | {answers} |" for person, answers in rows),
        "",
    ]


def relaxation_lines(planned: PlannedStudy) -> list[str]:
    """Say each relaxation in a sentence, for the terminal."""
    return [line.removeprefix("- ") for line in _relaxed(planned.relaxed) if planned.relaxed]


def _relaxed(relaxed: tuple[Margin, ...]) -> list[str]:
    if not relaxed:
        return ["Nothing."]
    return [
        f"- {one.name}: {one.off} of {one.counts} are off by up to {one.worst} "
        f"({one.smallest} to {one.largest}; {one.total} in all)."
        for one in relaxed
    ]
