"""What the report claims, sentence by sentence: a number, its intervals, and nothing more."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analysis.report.blocks import METRIC_NAMES, Row, read_rows, signed
from analysis.table11.table11 import HUMAN

HEADLINES = ("em", "ned")
MOST_PAIRS = 3  # of models that are compared in words; the table has all
TARGETS = (("t2", "new questions"), ("t3", "new people too"))


def score_claims(table11: Sequence[Row], level: str) -> list[str]:
    """Say what people scored, and how sure that is."""
    return [
        f"People, {METRIC_NAMES[metric]}: {row[metric]} %{_intervals(row, f'{metric}_', level)}."
        for row in table11
        for metric in HEADLINES
        if row["evaluator"] == HUMAN and row.get(metric)
    ]


def gap_claims(gaps: Sequence[Row], level: str) -> list[str]:
    """Say what each model's headline gap and its intervals allow."""
    return [claim_sentence(row, level) for row in gaps if row["metric"] in HEADLINES]


def claim_sentence(row: Row, level: str) -> str:
    """Say what a gap and its intervals allow, and nothing more."""
    metric = METRIC_NAMES.get(row["metric"], row["metric"])
    gap = f"{row['model']}, {metric}: gap {signed(row['gap'])} points"
    return f"{gap}{_intervals(row, '', level)}. {_sentence(row['statement'])}"


def difference_claims(differences: Sequence[Row]) -> list[str]:
    """Say of a few models whether one is shown to be above another."""
    rows = [row for row in differences if row["metric"] in HEADLINES]
    if len(rows) > MOST_PAIRS:
        return []
    return [
        f"{row['model_a']} and {row['model_b']}, {METRIC_NAMES[row['metric']]}: difference "
        f"{signed(row['difference'])} points. {_sentence(row['statement'])}"
        for row in rows
    ]


def score_intervals(table11: Sequence[Row]) -> list[Row]:
    """Lay out every score of Table 11, and people's agreement, with the intervals it has."""
    rows: list[Row] = []
    for row in table11:
        for metric, name in {**METRIC_NAMES, "agreement": "agreement"}.items():
            ends = {
                f"{target}_{end}": row.get(f"{metric}_{target}_{end}", "")
                for target, _ in TARGETS
                for end in ("low", "high")
            }
            if row.get(metric) and any(ends.values()):
                named = {"evaluator": row["evaluator"], "metric": name, "score": row[metric]}
                rows.append(named | ends)
    return rows


def no_new_people_notes(folder: Path) -> list[str]:
    """Say which of people's numbers have no interval for new people, and why."""
    rows = [
        row
        for row in read_rows(folder, "intervals")
        if row["evaluator"] == HUMAN
        and row["target"] == "T3"
        and row["headline"] == "yes"
        and row["reason"]
    ]
    named: dict[str, list[str]] = {}
    for row in rows:
        named.setdefault(row["reason"], []).append(METRIC_NAMES.get(row["metric"], row["metric"]))
    return [
        f"No T3 interval of people's {', '.join(names)}: {why}." for why, names in named.items()
    ]


def same_width_note(folder: Path) -> list[str]:
    """Say why T3 is no wider than T2, where people's variance came out as zero."""
    measures = [
        row["metric"]
        for row in read_rows(folder, "variance_components")
        if row["component"] == "participant" and row["value"] and not float(row["value"])
    ]
    if not measures:
        return []
    further = [
        f"{row['low']} to {row['high']} ({row['method']})"
        for row in read_rows(folder, "intervals")
        if row["evaluator"] == HUMAN
        and row["metric"] == measures[0]
        and row["target"] == "T3"
        and row["headline"] == "no"
        and row["low"]
        and not row["method"].startswith("crossed")
    ]
    *names, last = [METRIC_NAMES.get(metric, metric) for metric in measures]
    listed = f"{', '.join(names)} and {last}" if names else last
    note = (
        f"In {listed}, people differed no more than chance would have them differ: their variance "
        "is estimated as zero, so that new people hardly widen an interval. Few people say little "
        "about how much people differ."
    )
    if further:
        first = METRIC_NAMES.get(measures[0], measures[0])
        note += f" T3 intervals of {first} that do not rest on it: {'; '.join(further)}."
    return [note]


def _intervals(row: Row, prefix: str, level: str) -> str:
    ends = [
        f"{signed(row[f'{prefix}{target}_low'])} to {signed(row[f'{prefix}{target}_high'])} "
        f"({name})"
        for target, name in TARGETS
        if row.get(f"{prefix}{target}_low")
    ]
    return f", {level} interval {'; '.join(ends)}" if ends else ""


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
