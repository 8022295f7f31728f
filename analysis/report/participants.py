"""The participants' forest plot: each person's score with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from analysis.report.drawing import GRID, HUMAN, INK, new_figure


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
