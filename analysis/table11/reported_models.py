"""Models known only by the numbers of a paper: printed as reported, never recomputed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from analysis.scoring.percentages import percent
from analysis.table11.breakdowns import COLUMNS, TEXT_COLUMNS
from analysis.table11.table11 import REPORTED, Table11, Table11Row
from sampling.study.definition import ModelTable
from sampling.study.errors import Problems, did_you_mean

OVERALL = "overall"
METRICS = (*COLUMNS, *TEXT_COLUMNS)


def with_reported(table: Table11, models: Sequence[ModelTable], groups: Collection[str]) -> Table11:
    """Add a row for each model that has aggregates and no predictions, in the given order.

    No gap is taken to such a row: its number is not over the same questions. `groups` are the
    names that some table has a row for; a note says which typed-in groups are none of them.

    Raises
    ------
    StudyError
        With every metric that is not one of ours.
    """
    only_reported = [model for model in models if model.predictions is None]
    check_aggregates(models)
    lost = tuple(
        f"{fault}; its numbers are in no table." for fault in unknown_groups(models, groups)
    )
    if not only_reported:
        return replace(table, notes=(*table.notes, *lost))
    order = {model.name: place for place, model in enumerate(models)}
    rows = [*table.rows[1:], *(_row(model, table) for model in only_reported)]
    rows.sort(key=lambda row: order.get(row.model or row.evaluator, len(order)))
    names = ", ".join(model.name for model in only_reported)
    note = (
        f"Reported, not recomputed: {names}. These numbers were typed in and are not over the "
        "sampled questions, so no gap to them is taken."
    )
    return replace(table, rows=(table.rows[0], *rows), notes=(*table.notes, note, *lost))


def reported_breakdown(
    models: Iterable[ModelTable], groups: Iterable[str], display: Mapping[str, str]
) -> list[dict[str, str]]:
    """Lay out the numbers that were typed in for some groups, such as the categories.

    A group may be typed under its own name or under the one that tables print.
    """
    known = sorted(set(groups))
    return [
        {
            "evaluator": model.name,
            "condition": REPORTED,
            "group": display.get(group, group),
            **{metric: percent(share(value)) for metric, value in metrics.items()},
        }
        for model in models
        for group in known
        if (metrics := model.aggregates.get(group, model.aggregates.get(display.get(group, group))))
    ]


def check_aggregates(models: Iterable[ModelTable]) -> None:
    """Refuse metrics that no table has, naming the nearest, and values beyond 0 to 100."""
    problems = Problems()
    for model in models:
        for group, metrics in model.aggregates.items():
            where = f"study.toml [[models]] {model.name!r} aggregates {group!r}"
            for metric, value in metrics.items():
                if metric not in METRICS:
                    hint = did_you_mean(metric, METRICS) or f" (known: {', '.join(METRICS)})"
                    problems.add(where, f"unknown metric {metric!r}{hint}")
                elif not 0 <= value <= 100:
                    problems.add(where, f"{metric} = {value} is no percentage from 0 to 100")
    problems.raise_if_any()


def unknown_groups(models: Iterable[ModelTable], groups: Collection[str]) -> list[str]:
    """Name the typed-in groups that are none of the given ones, each with the nearest.

    >>> model = ModelTable(name="M", aggregates={"overall": {}, "seal": {}})
    >>> unknown_groups([model], ["seals"])
    ["M: no group is called 'seal' (did you mean 'seals'?)"]
    """
    known = {OVERALL, *groups}
    return [
        f"{model.name}: no group is called {group!r}{did_you_mean(group, sorted(known))}"
        for model in models
        for group in model.aggregates
        if group not in known
    ]


def share(value: float) -> Fraction:
    """Take a percentage as it was typed.

    >>> share(52.08)
    Fraction(651, 1250)
    """
    return Fraction(str(value)) / 100


def _row(model: ModelTable, table: Table11) -> Table11Row:
    values = model.aggregates.get(OVERALL, {})
    return Table11Row(
        evaluator=model.name,
        kind=REPORTED,
        counts={},
        means={
            one.name: share(values[one.name]) if one.name in values else None
            for one in table.measures
        },
        question_means={},
        group=model.group,
    )
