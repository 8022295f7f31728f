"""The category plot: one score of every evaluator, one row a category."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from analysis.report.drawing import GRID, colour_of, new_figure


def category_figure(
    percent_by_evaluator: Mapping[str, Mapping[str, float]], categories: Sequence[str], score: str
) -> Figure:
    """Draw a dot for each evaluator in each category, joined by a line from worst to best.

    The dots stand a little above and below the line, so that equal scores do not hide each other.

    Parameters
    ----------
    percent_by_evaluator : evaluator to category to the score in per cent, people first
    categories : the rows, from top to bottom
    score : what the score is called
    """
    models = [name for name in percent_by_evaluator if name != "Human"]
    figure, axes = new_figure(7.2, 1.3 + 0.38 * len(categories))
    for row, category in enumerate(categories):
        values = [group[category] for group in percent_by_evaluator.values() if category in group]
        if values:
            axes.plot((min(values), max(values)), (row, row), color=GRID, linewidth=2, zorder=1)
    middle = (len(percent_by_evaluator) - 1) / 2
    for place, (evaluator, group) in enumerate(percent_by_evaluator.items()):
        rows = [row for row, category in enumerate(categories) if category in group]
        beside = (place - middle) * min(0.16, 0.6 / len(percent_by_evaluator))
        axes.plot(
            [group[categories[row]] for row in rows],
            [row + beside for row in rows],
            "D" if evaluator == "Human" else "o",
            color=colour_of(evaluator, models),
            markersize=7,
            alpha=0.9,
            label=evaluator,
            zorder=3,
        )
    axes.set_yticks(range(len(categories)), categories)
    axes.set_ylim(len(categories) - 0.5, -0.5)
    axes.set_xlim(-2, 102)
    axes.grid(axis="x", color=GRID, linewidth=0.6)
    axes.tick_params(length=0)
    axes.set_xlabel(f"{score}, %")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4, frameon=False)
    return figure
