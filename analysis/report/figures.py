"""How every figure looks, and how it is written: the same bytes from the same numbers.

The agreement heat map: how well each two participants agree.
The gap plot: human minus model with intervals, one line a model and metric.
The category plot: one score of every evaluator, one row a category.
The participants' forest plot: each person's score with its interval.
The plot of counts (of lines, say): how far counts lie from the key, for each evaluator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.spines import Spine
from numpy.typing import NDArray

HUMAN = "#8a4b08"
MODELS = ("#1f5a8a", "#2a7f62", "#7b4b94", "#b03a48", "#5b6b7a", "#c07a1e")
GRID = "#d9d4cb"
INK = "#2b2622"

_LOOK: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "svg.hashsalt": "lontar",
    "svg.fonttype": "path",
    "axes.edgecolor": GRID,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": "white",
    "axes.facecolor": "none",
}


def new_figure(width_inches: float, height_inches: float) -> tuple[Figure, Axes]:
    """Start a figure of one set of axes in the house's look."""
    with mpl.rc_context(_LOOK):
        figure = Figure(figsize=(width_inches, height_inches), layout="constrained")
        axes = figure.add_subplot()
    axes.set_axisbelow(True)
    return figure, axes


def colour_of(evaluator: str, models: list[str]) -> str:
    """Give people one colour and every model its own, in the order of `study.toml`."""
    return HUMAN if evaluator == "Human" else MODELS[models.index(evaluator) % len(MODELS)]


def write_figure(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write a figure as SVG and as PNG (160 dots an inch), without any date.

    Lines end where their numbers do: matplotlib's own square caps add half a line's width at each
    end, so that the thicker of two intervals looks wider than it is.
    """
    for line in figure.findobj(Line2D):
        line.set_solid_capstyle("butt")
        line.set_dash_capstyle("butt")
    for spine in figure.findobj(Spine):
        spine.set_capstyle("butt")
    folder.mkdir(parents=True, exist_ok=True)
    svg, png = folder / f"{name}.svg", folder / f"{name}.png"
    with mpl.rc_context(_LOOK):
        figure.savefig(svg, facecolor="none", metadata={"Date": None, "Creator": "Lontar"})
        figure.savefig(png, dpi=160, metadata={"Software": "Lontar"})
    return [svg, png]


def agreement_figure(
    participants: Sequence[str],
    percent: NDArray[np.float64],
    shared: NDArray[np.int64],
    measure: str,
) -> Figure:
    """Draw a square for each pair: agreement in per cent and, under it, the questions they share.

    Parameters
    ----------
    participants : P names
    percent : (P, P), NaN where a pair shares no question; the diagonal is not drawn
    shared : (P, P) numbers of shared questions
    measure : what the percentages are
    """
    size = len(participants)
    figure, axes = new_figure(1.6 + 0.62 * size, 1.2 + 0.58 * size)
    shown = np.ma.masked_invalid(np.where(np.eye(size, dtype=bool), np.nan, percent))
    picture = axes.imshow(shown, cmap=mpl.colormaps["YlOrBr"], vmin=0, vmax=100)
    for row in range(size):
        for column in range(size):
            if row == column:
                continue
            value = percent[row, column]
            label = "—" if np.isnan(value) else f"{value:.0f}"
            dark = not np.isnan(value) and value > 70
            axes.text(
                column,
                row,
                f"{label}\n{shared[row, column]}",
                ha="center",
                va="center",
                fontsize=7,
                color="white" if dark else "black",
            )
    axes.set_xticks(range(size), participants, rotation=45, ha="right")
    axes.set_yticks(range(size), participants)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    figure.colorbar(picture, ax=axes, label=f"{measure}, %", shrink=0.8)
    return figure


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


@dataclass(frozen=True)
class ParticipantLine:
    """One person: score in per cent, its exact interval, and adjusted for their questions."""

    participant: str
    percent: float
    interval: tuple[float, float] | None
    adjusted: float | None
    responses: int


def participant_figure(lines: Sequence[ParticipantLine], mean_percent: float, score: str) -> Figure:
    """Draw each person's dot and interval, the adjusted value hollow, the mean as a line."""
    figure, axes = new_figure(7.2, 1.3 + 0.36 * len(lines))
    for row, line in enumerate(lines):
        if line.interval is not None:
            axes.plot(line.interval, (row, row), color=HUMAN, linewidth=1.4, zorder=2)
        axes.plot(line.percent, row, "o", color=HUMAN, markersize=6, zorder=3)
        if line.adjusted is not None:
            axes.plot(line.adjusted, row, "o", mfc="white", mec=HUMAN, markersize=5, zorder=4)
    axes.axvline(mean_percent, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
    axes.set_yticks(
        range(len(lines)), [f"{line.participant} (n = {line.responses})" for line in lines]
    )
    axes.set_ylim(len(lines) - 0.5, -0.5)
    axes.grid(axis="x", color=GRID, linewidth=0.6)
    axes.tick_params(length=0)
    axes.set_xlabel(f"{score}, % (hollow: adjusted for the questions this person got)")
    return figure
