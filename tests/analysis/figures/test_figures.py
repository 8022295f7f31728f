import re

import numpy as np
import pytest

from analysis.report.figures import (
    GapBar,
    ParticipantLine,
    agreement_figure,
    category_figure,
    gap_figure,
    line_count_figure,
    participant_figure,
    write_figure,
)
from analysis.report.power_figure import PowerLine, power_figure


def gaps():
    return gap_figure(
        [GapBar("A", "EM", 28.91, (22.6, 35.2), (21.7, 36.1)), GapBar("B", "W1", 3.1, None, None)]
    )


def categories():
    return category_figure(
        {"Human": {"Script": 90.0}, "A": {"Script": 50.0}}, ["Script", "Holes"], "EM"
    )


def agreement():
    percent = np.array([[100.0, np.nan], [np.nan, 100.0]])
    return agreement_figure(["P1", "P2"], percent, np.array([[3, 0], [0, 3]]), "alike")


def line_counts():
    return line_count_figure({"Human": [90, 10], "A": [60, 40]}, ["0", "1"])


def participants():
    return participant_figure([ParticipantLine("P1", 87.5, (80, 93), 88, 96)], 87.5, "EM")


def power():
    return power_figure([PowerLine(3, [64, 128, 256], [20, 15, 10], [21, 17, 13])], 256, 3)


FIGURES = [gaps, categories, agreement, line_counts, participants, power]


@pytest.mark.parametrize("draw", FIGURES)
def test_the_same_numbers_give_the_same_bytes(draw, tmp_path):
    first = [file.read_bytes() for file in write_figure(draw(), tmp_path / "1", "figure")]
    second = [file.read_bytes() for file in write_figure(draw(), tmp_path / "2", "figure")]
    assert first == second


def texts(figure):
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def test_a_gap_is_written_beside_its_dot():
    assert texts(gaps()) == ["+28.91", "+3.10"]


def test_a_pair_without_a_shared_question_shows_a_dash():
    assert texts(agreement()) == ["—\n0", "—\n0"]


@pytest.mark.parametrize("draw", FIGURES)
def test_no_line_reaches_beyond_its_numbers(draw, tmp_path):
    svg = write_figure(draw(), tmp_path, "figure")[0].read_text(encoding="utf-8")
    assert set(re.findall(r"stroke-linecap: (\w+)", svg)) <= {"butt"}


def test_an_interval_is_as_long_on_paper_as_its_numbers_say(tmp_path):
    # T2 is 12 points long and T3 is 18: two thirds, whatever the scale and the widths of the lines.
    bar = GapBar("A", "EM", 10.0, (4.0, 16.0), (1.0, 19.0))
    svg = write_figure(gap_figure([bar]), tmp_path, "gaps")[0].read_text(encoding="utf-8")
    lengths = {}
    for width in ("4", "1.2"):
        start, end = re.search(
            rf'<path d="M ([\d.]+) [\d.]+ \nL ([\d.]+) [\d.]+ \n" [^>]*stroke-width: {width}"',
            svg,
        ).groups()
        lengths[width] = float(end) - float(start)
    assert lengths["4"] / lengths["1.2"] == pytest.approx(12 / 18, abs=1e-4)
