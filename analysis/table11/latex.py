r"""Tables for a paper: LaTeX with booktabs that compiles as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analysis.table11.table11 import REPORTED

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "—": "---",
        "–": "--",
        "−": "$-$",
    }
)


def latex_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    caption: str,
    label: str,
    rule_after: int | None = None,
) -> str:
    """Print a table: the first column to the left, the others to the right.

    `rule_after` puts a rule after that many rows; negative numbers count from the end. A table
    that is wider than the column is made smaller, and no other.
    """
    place = None if rule_after is None else rule_after % max(len(rows), 1)
    lines = [
        r"% needs \usepackage{booktabs,graphicx}",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{latex(caption)}}}",
        rf"\label{{tab:{label}}}",
        r"\medskip",
        r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
        rf"\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}",
        r"\toprule",
        _line(header),
        r"\midrule",
    ]
    for number, cells in enumerate(rows):
        if number and number == place:
            lines.append(r"\midrule")
        lines.append(_line(cells))
    lines += [r"\bottomrule", r"\end{tabular}}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def category_latex(
    breakdown: Sequence[Mapping[str, str]],
    agreement: Sequence[Mapping[str, str]],
    overall: Mapping[str, str],
    score: str,
    title: str,
) -> str:
    """Print one score by category, a column an evaluator in its headline condition.

    `breakdown` and `agreement` are the rows of `by_category.csv` and `agreement.csv`, whose last
    row is the overall one; `overall` gives each evaluator's score there, as Table 11 has it.
    """
    first: dict[str, str] = {}
    for row in breakdown:
        first.setdefault(row["evaluator"], row["condition"])
    cells = {
        (row["group"], row["evaluator"]): row.get(score, "")
        for row in breakdown
        if first[row["evaluator"]] == row["condition"]
    }
    last = agreement[-1]["category"]
    cells |= {(last, name): printed for name, printed in overall.items()}
    rows = [
        [
            one["category"],
            *(cells.get((one["category"], name)) or "—" for name in first),
            one["similarity"] or one["exact_agreement"] or "—",
        ]
        for one in agreement
    ]
    header = [
        "Category",
        *(f"{_marked(name, condition)} {title} (%)" for name, condition in first.items()),
        "Agreement (%)",
    ]
    caption = (
        f"{title} by category, with the agreement of pairs of people; overall {title} is that of "
        "the table of all evaluators, overall agreement the mean of the categories."
    )
    return latex_table(header, rows, caption, "by-category", rule_after=-1)


def _marked(name: str, condition: str) -> str:
    """Name a column, marking numbers that were typed in."""
    return f"{name} ({REPORTED})" if condition == REPORTED else name


def latex(text: str) -> str:
    r"""Write text so that LaTeX prints it as it is.

    >>> latex("A_1 & 50 %")
    'A\\_1 \\& 50 \\%'
    """
    return text.translate(_LATEX)


def _line(cells: Sequence[str]) -> str:
    return " & ".join(map(_cell, cells)) + r" \\"


def _cell(cell: str) -> str:
    """Write a cell; the sign of a negative number is a minus, not a hyphen."""
    negative = len(cell) > 1 and cell[0] == "-" and cell[1].isdigit()
    return f"$-${cell[1:]}" if negative else latex(cell)
