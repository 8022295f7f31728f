"""The words that stand over columns and for metrics, one each."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.report.blocks import DataTable, Row
from analysis.report.result_tables import filled_columns

METRIC_NAMES = {
    "em": "exact match",
    "f1": "F1",
    "w1": "within one line",
    "ned": "NED",
    "char_f1": "character F1",
}

SIMILARITY = "NED (edit similarity)"

HEADINGS = {
    "ac1": "AC1",
    "alpha": "alpha",
    "alpha_distance": "distance",
    "alpha_high": "to",
    "alpha_low": "from",
    "brennan_prediger": "Brennan–Prediger",
    "char_f1": "char. F1, %",
    "char_f1_gap": "char. F1 gap",
    "consistent_char_f1": "consistent char. F1, %",
    "consistent_ned": "consistent NED, %",
    "em": "EM, %",
    "em_gap": "EM gap",
    "em_lenient": "EM lenient, %",
    "em_before": "EM before, %",
    "exact_agreement": "exact, %",
    "exact_high": "to",
    "exact_low": "from",
    "pairwise_f1": "F1 of pairs, %",
    "similarity": "similarity, %",
    "similarity_high": "to",
    "similarity_low": "from",
    "within_one": "within one, %",
    "f1": "F1, %",
    "f1_gap": "F1 gap",
    "high": "to",
    "low": "from",
    "jaccard": "Jaccard, %",
    "lenient_char_f1": "consistent char. F1, %",
    "lenient_ned": "consistent NED, %",
    "mde": "detectable gap",
    "n": "n",
    "n_em": "n",
    "n_empty": "nothing read",
    "n_text": "n",
    "n_w1": "n (counts)",
    "ned": "NED, %",
    "ned_gap": "NED gap",
    "p_holm": "p (Holm)",
    "p_sign_flip": "p (sign-flip)",
    "precision": "precision, %",
    "recall": "recall, %",
    "t2_low": "T2 from",
    "t2_high": "to",
    "t3_low": "T3 from",
    "t3_high": "to",
    "w1": "W1, %",
    "w1_gap": "W1 gap",
}


def heading(column: str) -> str:
    """Give a column's heading: its own, or its name in words.

    >>> heading("f1"), heading("n_questions")
    ('F1, %', 'questions')
    """
    words = column.removeprefix("n_") if column.startswith("n_") else column
    return HEADINGS.get(column, words.replace("_", " "))


def table_of(
    caption: str,
    rows: Sequence[Row],
    text_columns: int = 1,
    *,
    columns: Sequence[str] = (),
    folded: bool = False,
) -> list[DataTable]:
    """Lay rows out as a table, with the given columns or all that hold something.

    Gives no table where there are no rows.
    """
    if not rows:
        return []
    filled = filled_columns(rows)
    chosen = [name for name in columns if name in filled] or filled
    pairs = [(name, heading(name)) for name in chosen]
    return [DataTable(caption, pairs, [_present(row) for row in rows], text_columns, folded)]


def _present(row: Row) -> Row:
    """Show an empty cell as a dash."""
    return {name: value or "—" for name, value in row.items()}
