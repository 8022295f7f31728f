"""The report's figures: drawn from result tables, written to `figures/`, and set into the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from analysis.report.blocks import METRIC_NAMES, SIMILARITY, Picture, Row, interval, number
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
from analysis.scoring.scored import ScoredStudy
from analysis.table11.pair_agreement import mean_pairwise_similarity
from analysis.table11.table11 import REPORTED, measures_of
from sampling.answers.vocabularies import AnswerFormat

FARTHEST = 3


@dataclass(frozen=True)
class Pictures:
    """Draws into one folder; each method gives no picture where there is nothing to show."""

    folder: Path
    level: str = "95 %"

    def gaps(self, rows: Sequence[Row]) -> list[Picture]:
        bars = [
            GapBar(
                row["model"],
                METRIC_NAMES.get(row["metric"], row["metric"]),
                float(row["gap"]),
                interval(row, "t2_low", "t2_high"),
                interval(row, "t3_low", "t3_high"),
            )
            for row in rows
            if row["gap"]
        ]
        caption = (
            f"Human minus model, with {self.level} intervals: thick for new questions, thin for "
            "new people too. Left of zero the model is ahead."
        )
        return [self._picture("gaps", gap_figure(bars), caption)] if bars else []

    def categories(self, scored: ScoredStudy, rows: Sequence[Row]) -> list[Picture]:
        """Draw every evaluator in every category: texts by similarity, the rest by exact match."""
        percents: dict[str, dict[str, float]] = {}
        headline = _first_conditions(rows)
        for row in rows:
            value = number(row["ned"] or row["em"])
            if value is not None and headline[row["evaluator"]] == row["condition"]:
                typed = f" ({REPORTED})" if row["condition"] == REPORTED else ""
                percents.setdefault(row["evaluator"] + typed, {})[row["group"]] = value
        if not percents:
            return []
        groups = list(dict.fromkeys(row["group"] for row in rows))
        sizes = scored.questions["category"].value_counts()
        each = f"{sizes.min()}" if sizes.nunique() == 1 else f"{sizes.min()} to {sizes.max()}"
        caption = f"Each evaluator in each category, {each} questions each."
        score = for_answers(scored, METRIC_NAMES["em"], SIMILARITY)
        return [self._picture("categories", category_figure(percents, groups, score), caption)]

    def agreement(self, scored: ScoredStudy) -> list[Picture]:
        names, percent, shared = pair_agreement(scored)
        if len(names) < 2:
            return []
        measure = for_answers(scored, "same answer", SIMILARITY)
        caption = (
            f"For each two people: {measure} in per cent, and below it how many questions they "
            "share. Few shared questions make differences between squares mostly chance."
        )
        figure = agreement_figure(names, percent, shared, measure)
        return [self._picture("agreement", figure, caption)]

    def line_counts(self, rows: Sequence[Row]) -> list[Picture]:
        labels = [*(str(n) for n in range(FARTHEST)), f"{FARTHEST} or more", "no count"]
        shares: dict[str, list[float]] = {}
        headline = _first_conditions(rows)
        for row in rows:
            if headline[row["evaluator"]] != row["condition"]:
                continue
            place = int(row["absolute_error"]) if row["absolute_error"].isdigit() else FARTHEST + 1
            place = min(place, FARTHEST) if row["absolute_error"].isdigit() else place
            bar = shares.setdefault(row["evaluator"], [0.0] * len(labels))
            bar[place] += number(row["percent"]) or 0.0
        caption = "How far counts lie from the key."
        return [self._picture("line_counts", line_count_figure(shares, labels), caption)]

    def participants(self, scored: ScoredStudy, rows: Sequence[Row]) -> list[Picture]:
        """Draw each person's score on the first measure of Table 11."""
        metric = measures_of(scored.questions)[0].name
        lines = [
            ParticipantLine(
                row["participant"],
                float(row["score"]),
                interval(row, "low", "high"),
                number(row["adjusted"]),
                int(row["n"]),
            )
            for row in rows
            if row.get("metric") == metric and row["score"]
        ]
        if not lines:
            return []
        total = sum(line.percent * line.responses for line in lines)
        mean = total / sum(line.responses for line in lines)
        exact = any(line.interval for line in lines)
        limits = f" with an exact {self.level} interval" if exact else ""
        caption = f"Each person{limits}; dashed: the mean of all."
        figure = participant_figure(lines, mean, METRIC_NAMES[metric])
        return [self._picture("participants", figure, caption)]

    def _picture(self, name: str, figure: Figure, caption: str) -> Picture:
        svg, _ = write_figure(figure, self.folder, name)
        return Picture(caption, inline_svg(svg.read_text(encoding="utf-8"), name))


def inline_svg(text: str, name: str) -> str:
    """Cut an SVG file down to its element, with ids that no other picture of the page has.

    >>> inline_svg('<?xml version="1.0"?><svg><path id="a"/><use href="#a"/></svg>', "gaps")
    '<svg><path id="gaps-a"/><use href="#gaps-a"/></svg>'
    """
    element = text[text.index("<svg") :].strip()
    element = re.sub(r'\bid="', f'id="{name}-', element)
    return re.sub(r'(href="#|url\(#)', rf"\g<1>{name}-", element)


def pair_agreement(
    scored: ScoredStudy,
) -> tuple[
    list[str],
    np.ndarray[tuple[int, int], np.dtype[np.float64]],
    np.ndarray[tuple[int, int], np.dtype[np.int64]],
]:
    """Count for each pair of people the questions they share and how far they answered alike.

    Texts are alike by their edit similarity, other answers wholly or not at all; two invalid
    answers are not alike. Returns names, per cent (P, P; NaN where nothing is shared) and shared
    questions (P, P).
    """
    formats, rules = scored.questions["answer_format"], scored.text_rules
    names = sorted(set(scored.responses["participant"]))
    place = {name: index for index, name in enumerate(names)}
    shared = np.zeros((len(names), len(names)), dtype=np.int64)
    alike = np.zeros((len(names), len(names)))
    for sample_id, question in scored.responses.groupby("sample_id", sort=False):
        text = formats[sample_id] == AnswerFormat.TEXT.value
        answers = list(zip(question["participant"], question["normalized"], strict=True))
        for (one, answer), (other, other_answer) in combinations(answers, 2):
            if text:
                same = float(mean_pairwise_similarity([answer, other_answer], rules))
            else:
                same = float(answer is not None and answer == other_answer)
            for row, column in ((place[one], place[other]), (place[other], place[one])):
                shared[row, column] += 1
                alike[row, column] += same
    with np.errstate(invalid="ignore"):
        return names, 100.0 * alike / shared, shared


def for_answers(scored: ScoredStudy, labels: str, texts: str) -> str:
    """Name what is measured: of labels, of texts, or of both."""
    kinds = set(scored.questions["answer_format"] == AnswerFormat.TEXT.value)
    if kinds == {True, False}:
        return f"{labels} (texts: {texts})"
    return texts if kinds == {True} else labels


def _first_conditions(rows: Sequence[Row]) -> dict[str, str]:
    """Give each evaluator's headline condition: tables list it first."""
    first: dict[str, str] = {}
    for row in rows:
        first.setdefault(row["evaluator"], row["condition"])
    return first
