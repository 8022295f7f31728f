"""The lines of the power plot: detectable gaps over numbers of questions."""

from __future__ import annotations

from dataclasses import replace

from analysis.report.power import PowerLine
from sampling.draw.power import exact_match, precision, text_score
from sampling.draw.power_study import StudyPower

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
