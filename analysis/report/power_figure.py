"""The power plot: the detectable gap against the number of questions.

The lines of the power plot: detectable gaps over numbers of questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from matplotlib.figure import Figure

from analysis.report.figures import GRID, HUMAN, INK, MODELS, new_figure
from sampling.draw.power import exact_match, precision, text_score
from sampling.draw.power_study import StudyPower


@dataclass(frozen=True)
class PowerLine:
    """Detectable gaps in percentage points at numbers of questions, for one number of answers."""

    responses: int
    questions: Sequence[int]
    same_people: Sequence[float]
    new_people: Sequence[float]


def power_figure(lines: Sequence[PowerLine], own_questions: int, own_responses: int) -> Figure:
    """Draw a line a number of answers a question: solid for new questions, dashed for new people.

    The study's own number of questions is marked.
    """
    figure, axes = new_figure(7.2, 4.2)
    for number, line in enumerate(lines):
        own = line.responses == own_responses
        colour = HUMAN if own else MODELS[number % len(MODELS)]
        width = 2.4 if own else 1.2
        name = f"{line.responses} answer{'s' if line.responses > 1 else ''} a question"
        axes.plot(line.questions, line.same_people, color=colour, linewidth=width, label=name)
        axes.plot(
            line.questions, line.new_people, color=colour, linewidth=width, linestyle=(0, (4, 3))
        )
    axes.axvline(own_questions, color=INK, linewidth=0.9)
    axes.annotate(
        f"{own_questions} questions",
        (own_questions, 1),
        xycoords=("data", "axes fraction"),
        xytext=(4, -10),
        textcoords="offset points",
        fontsize=8.5,
    )
    axes.set_xscale("log")
    ticks = [count for count in lines[0].questions if count in _round_counts(lines[0].questions)]
    axes.set_xticks(ticks, [f"{count:,}" for count in ticks])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.grid(color=GRID, linewidth=0.6)
    axes.tick_params(length=0)
    axes.set_xlabel("questions")
    axes.set_ylabel("smallest gap detected in 8 of 10 studies, points")
    axes.legend(frameon=False, title="solid: same people; dashed: new people")
    return figure


def _round_counts(counts: Sequence[int]) -> set[int]:
    """Take every other count where there are many."""
    return set(counts[:: 2 if len(counts) > 8 else 1])


TIMES = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 8.0)


def power_lines(found: StudyPower) -> list[PowerLine]:
    """Give the detectable gap in points for 1, 2, 3, 5 and the study's own number of answers.

    More answers than there are people are left out.
    """
    own = found.own[0].design
    score = (text_score if found.own[0].metric == "ned" else exact_match)(found.assumed)
    counts = sorted({max(2, round(own.questions * times)) for times in TIMES})
    lines = []
    shown = {1, *(one for one in (2, 3, 5) if one <= own.people), own.responses}
    for responses in sorted(shown):
        rows = [
            precision(
                score, "all", replace(own, questions=count, responses=responses), found.assumed
            )
            for count in counts
        ]
        same = [100 * (one.detectable_questions or 0.0) for one in rows]
        new = [100 * (one.detectable_people or one.detectable_questions or 0.0) for one in rows]
        lines.append(PowerLine(responses, counts, same, new))
    return lines
