"""How every figure looks, and how it is written: the same bytes from the same numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.spines import Spine

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
