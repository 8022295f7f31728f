"""The gap plot: human minus model with intervals, one line a model and metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from analysis.report.drawing import GRID, INK, colour_of, new_figure


@dataclass(frozen=True)
class GapBar:
    """One gap in percentage points with its intervals for new questions (T2) and people too (T3).

    An interval is (low, high), or None where it is not defined.
    """

    model: str
    metric: str
    gap: float
    new_questions: tuple[float, float] | None
    new_people: tuple[float, float] | None


def gap_figure(bars: Sequence[GapBar]) -> Figure:
    """Draw each gap as a dot, T2 as a thick and T3 as a thin line; zero is marked."""
    models = list(dict.fromkeys(bar.model for bar in bars))
    figure, axes = new_figure(7.2, 1.1 + 0.42 * len(bars))
    for row, bar in enumerate(bars):
        colour = colour_of(bar.model, models)
        if bar.new_people is not None:
            axes.plot(bar.new_people, (row, row), color=colour, linewidth=1.2, zorder=2)
        if bar.new_questions is not None:
            axes.plot(
                bar.new_questions, (row, row), color=colour, linewidth=4, alpha=0.45, zorder=2
            )
        axes.plot(bar.gap, row, "o", color=colour, markersize=6, zorder=3)
        axes.annotate(
            f"{bar.gap:+.2f}",
            (bar.gap, row),
            xytext=(0, 6),
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    axes.axvline(0, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
    axes.set_yticks(range(len(bars)), [f"{bar.model} · {bar.metric}" for bar in bars])
    axes.set_ylim(len(bars) - 0.4, -0.7)
    axes.grid(axis="x", color=GRID, linewidth=0.6)
    axes.tick_params(length=0)
    axes.set_xlabel("human − model, percentage points")
    return figure
