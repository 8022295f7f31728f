"""The agreement heat map: how well each two participants agree."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from analysis.report.drawing import new_figure


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
