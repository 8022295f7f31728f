"""Choosing one model's answers among those of its files, by name, condition and declared run."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from analysis.predictions.joining import JoinedRow
from analysis.predictions.rows import PredictionRow
from sampling.study.errors import Problems, StudyError

RAW_FILTERS = ("", "filter none")


@dataclass(frozen=True)
class ModelAnswers:
    """One model's answers to the sample: for each condition, one row a question.

    A declared run after the first is a condition of its own, such as `constrained (epoch 2)`.
    `repeats` are the conditions that repeat the headline one, itself first: its declared runs,
    but not other filters of the same answers. `outside` counts the answers to questions of the
    benchmark outside the sample.
    """

    name: str
    headline: str
    by_condition: Mapping[str, tuple[JoinedRow, ...]]
    repeats: tuple[str, ...] = ()
    outside: int = 0
    warnings: tuple[str, ...] = field(default=())


def choose(
    name: str,
    rows: Sequence[JoinedRow],
    sample: frozenset[str],
    default_condition: str,
    wanted_condition: str,
    problems: Problems | None = None,
) -> ModelAnswers:
    """Take the rows of one model, split by condition and run.

    Parameters
    ----------
    name : str
        The model's name in `study.toml`. Where the files hold several models it chooses one.
    rows : sequence of JoinedRow
        Every row of the model's files.
    sample : frozenset of str
        The ids to keep; the other questions of the benchmark are counted.
    default_condition : str
        The condition of rows that say none.
    wanted_condition : str
        The condition that Table 11 takes.
    problems : Problems or None
        What was found wrong with the files before, to be told together with what is found here.

    Raises
    ------
    StudyError
        With those, when none of several models has the name, when a question is answered twice in
        one condition and run, or when the wanted condition is absent and several others are there.
    """
    problems = Problems() if problems is None else problems
    own = _of_model(name, rows, problems)
    _note_repeated(name, own, default_condition, problems)
    problems.raise_if_any()
    kept = [joined for joined in own if joined.sample_id in sample]
    runs = _runs(kept, default_condition)
    by_condition: dict[str, list[JoinedRow]] = {}
    told: dict[str, tuple[str, str]] = {}
    for joined in sorted(kept, key=lambda joined: joined.sample_id):
        condition = joined.row.condition or default_condition
        run = joined.row.run
        label = condition if run == runs[condition] else f"{condition} ({run or 'first run'})"
        by_condition.setdefault(label, []).append(joined)
        told[label] = (condition, run)
    headline, notes = _headline(name, by_condition, wanted_condition)
    return ModelAnswers(
        name=name,
        headline=headline,
        by_condition={key: tuple(by_condition[key]) for key in sorted(by_condition)},
        repeats=_repeats(headline, told),
        outside=len(own) - len(kept),
        warnings=(*_run_notes(name, told), *notes),
    )


def _of_model(name: str, rows: Sequence[JoinedRow], problems: Problems) -> list[JoinedRow]:
    """Take every row when the files name one model at most, else those of the wanted name."""
    named = {joined.row.model for joined in rows if joined.row.model is not None}
    if len(named) <= 1:
        return list(rows)
    wanted = [model for model in named if _folded(model) == _folded(name)]
    if not wanted and not len(problems):  # else its rows may be among those that were left out
        problems.add(
            f"study.toml [[models]] {name!r}",
            f"its files hold {len(named)} models, none of that name: {', '.join(sorted(named))}; "
            "use one of these as `name`",
        )
    return [joined for joined in rows if joined.row.model in wanted]


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def _note_repeated(
    name: str, rows: Sequence[JoinedRow], default_condition: str, problems: Problems
) -> None:
    """Note a second answer to one question in one condition and run, naming both lines."""
    first: dict[tuple[str, str, str], PredictionRow] = {}
    for joined in rows:
        row = joined.row
        key = (joined.sample_id, row.condition or default_condition, row.run)
        earlier = first.setdefault(key, row)
        if earlier is not row:
            problems.add(
                row.place,
                f"question {joined.sample_id!r} is answered twice by {name} in condition "
                f"{key[1]!r} (first at {earlier.place}); keep one",
                "repeated answers",
            )


def _runs(rows: Iterable[JoinedRow], default_condition: str) -> dict[str, str]:
    """Name each condition's first run: the unfiltered one, else the first in natural order."""
    found: dict[str, set[str]] = {}
    for joined in rows:
        found.setdefault(joined.row.condition or default_condition, set()).add(joined.row.run)
    return {
        condition: min(runs, key=lambda run: (run not in RAW_FILTERS, len(run), run))
        for condition, runs in found.items()
    }


def _repeats(headline: str, told: Mapping[str, tuple[str, str]]) -> tuple[str, ...]:
    """List the conditions that repeat the headline one, in natural order of their runs."""
    if headline not in told:
        return ()
    condition, first = told[headline]
    alike = [
        (len(run), run, label)
        for label, (other, run) in told.items()
        if label != headline and other == condition and _filter_of(run) == _filter_of(first)
    ]
    return (headline, *(label for *_, label in sorted(alike)))


def _run_notes(name: str, told: Mapping[str, tuple[str, str]]) -> list[str]:
    """Say what Table 11 takes of the conditions that have several runs."""
    counts = Counter(condition for condition, _ in told.values())
    return [
        f"{name}: {count} declared runs in condition {condition!r}; Table 11 takes the mean of "
        "those read alike, and each is shown as a condition"
        for condition, count in sorted(counts.items())
        if count > 1
    ]


def _filter_of(run: str) -> str:
    """Give the filter that a run was read through, if it names one.

    >>> _filter_of("filter strict-match, repeat 2"), _filter_of("epoch 2")
    ('filter strict-match', '')
    """
    named = run.partition(", repeat ")[0]
    return named if named.startswith("filter ") and named not in RAW_FILTERS else ""


def _headline(
    name: str, by_condition: Mapping[str, Sequence[JoinedRow]], wanted: str
) -> tuple[str, list[str]]:
    """Find the condition that Table 11 takes."""
    rows = [joined.row for joined_rows in by_condition.values() for joined in joined_rows]
    doubts = sorted({row.note for row in rows if row.note})
    notes = [f"{name}: {doubt}" for doubt in doubts]
    if wanted in by_condition or not by_condition:
        return wanted, notes
    if len(by_condition) == 1:
        (only,) = by_condition
        notes.append(f"{name}: no answers in condition {wanted!r}; Table 11 takes {only!r}")
        return only, notes
    raise StudyError(
        f"study.toml [[models]] {name!r}: no answers in condition {wanted!r}; its files hold "
        f"{', '.join(map(repr, sorted(by_condition)))}: choose one with `condition = ...`"
    )
