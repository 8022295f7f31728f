"""The plot of counts (of lines, say): how far counts lie from the key, for each evaluator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from analysis.report.drawing import GRID, colour_of, new_figure


def line_count_figure(
    share_by_evaluator: Mapping[str, Sequence[float]], labels: Sequence[str]
) -> Figure:
    """Draw grouped bars: the share of counts, in per cent, at each distance from the key.

    Parameters
    ----------
    share_by_evaluator : evaluator to one percentage for each label
    labels : distances such as "0", "1", "2", "3 or more", "no count"
    """
    models = [name for name in share_by_evaluator if name != "Human"]
    figure, axes = new_figure(7.2, 3.0)
    width = 0.8 / max(len(share_by_evaluator), 1)
    for place, (evaluator, shares) in enumerate(share_by_evaluator.items()):
        lefts = [group - 0.4 + (place + 0.5) * width for group in range(len(labels))]
        colour = colour_of(evaluator, models)
        bars = axes.bar(lefts, shares, width * 0.92, color=colour, label=evaluator)
        axes.bar_label(bars, fmt=lambda value: f"{value:.0f}" if value else "", fontsize=7.5)
    axes.set_xticks(range(len(labels)), labels)
    axes.margins(y=0.12)
    axes.grid(axis="y", color=GRID, linewidth=0.6)
    axes.tick_params(length=0)
    axes.set_xlabel("distance of the count from the key")
    axes.set_ylabel("share of counts, %")
    axes.legend(frameon=False)
    return figure
