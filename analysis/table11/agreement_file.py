"""`agreement.csv`: agreement by category with a macro-averaged last row."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from analysis.scoring.percentages import percent_or_empty
from analysis.scoring.scored import ScoredStudy
from analysis.table11.breakdowns import in_order
from analysis.table11.pair_agreement import category_agreement
from analysis.table11.table11_files import as_csv

OVERALL = "overall"


def write_agreement(
    scored: ScoredStudy,
    folder: Path,
    extra: Mapping[str, Mapping[str, str]] | None = None,
    display: Mapping[str, str] | None = None,
) -> list[dict[str, str]]:
    """Write `agreement.csv` and give its rows.

    `extra` gives further columns by category (or `overall`) and name.
    """
    rows = agreement_rows(scored, extra or {}, display or {})
    (folder / "agreement.csv").write_text(as_csv(rows), encoding="utf-8", newline="")
    return rows


def agreement_rows(
    scored: ScoredStudy,
    extra: Mapping[str, Mapping[str, str]],
    display: Mapping[str, str],
) -> list[dict[str, str]]:
    """Lay out agreement by category; the last row averages the categories that have one.

    `exact_agreement` is exact; `similarity` is the mean pairwise NED, for texts only.
    """
    place = in_order(display)
    found = sorted(
        category_agreement(scored),
        key=lambda one: place(display.get(one.category, one.category)),
    )
    names = list(dict.fromkeys(name for cells in extra.values() for name in cells))
    rows = [
        _row(
            display.get(one.category, one.category),
            one.n_questions,
            one.n_single,
            one.exact,
            one.similarity,
        )
        | {name: extra.get(one.category, {}).get(name, "") for name in names}
        for one in found
    ]
    overall = _row(
        OVERALL,
        sum(one.n_questions for one in found),
        sum(one.n_single for one in found),
        _macro([one.exact for one in found]),
        _macro([one.similarity for one in found]),
    )
    rows.append(overall | {name: extra.get(OVERALL, {}).get(name, "") for name in names})
    return rows


def _row(
    category: str,
    n_questions: int,
    n_single: int,
    exact: Fraction | None,
    similarity: Fraction | None,
) -> dict[str, str]:
    return {
        "category": category,
        "n_questions": str(n_questions),
        "exact_agreement": percent_or_empty(exact),
        "n_single_answer": str(n_single),
        "similarity": percent_or_empty(similarity),
    }


def _macro(values: list[Fraction | None]) -> Fraction | None:
    defined = [value for value in values if value is not None]
    return sum(defined, Fraction(0)) / len(defined) if defined else None
