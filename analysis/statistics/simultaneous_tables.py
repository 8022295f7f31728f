"""The tables of simultaneous intervals, over all categories and over all collections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from analysis.agreement.study_arrays import Grouping, metric_view
from analysis.arrays import FloatArray, Undefined
from analysis.inference.equivalence import difference_statement
from analysis.inference.gap import paired_gap
from analysis.inference.interval import Interval, Target
from analysis.inference.means import human_intervals
from analysis.inference.resampling import resampled_totals
from analysis.inference.scored_responses import ScoredResponses, dense_codes
from analysis.inference.simultaneous import (
    SimultaneousCritical,
    bonferroni_critical,
    max_t_critical,
)
from analysis.statistics.context import (
    Row,
    Setting,
    exact_estimate,
    exact_human,
    limits,
    number,
    points,
    reason,
)
from analysis.table11.table11 import HUMAN, Measure

COLUMNS = (
    "comparison",
    "metric",
    "group",
    "n_human",
    "n_model",
    "n_images",
    "estimate",
    "low",
    "high",
    "target",
    "critical",
    "scale",
    "cluster",
    "method",
    "statement",
    "reason",
)


MOST_CELLS = 20_000_000  # images x columns beyond which resampling gives way to Bonferroni


@dataclass(frozen=True)
class _Subject:
    """People alone (`model` None), or people minus a model, on one measure in some groups."""

    measure: Measure
    model: str | None
    grouping: Grouping

    @property
    def name(self) -> str:
        return HUMAN if self.model is None else f"{HUMAN} - {self.model}"


def simultaneous_rows(setting: Setting, groupings: Sequence[Grouping]) -> tuple[list[Row], ...]:
    """List the intervals of each group, jointly at the level, for people and each model's gap.

    Images are drawn within collections, with all the questions and answers about them: groups
    that share images vary together, as they would in new draws. One table for each grouping; no
    rows for a single group. Scores of texts have rows by category alone, for their mean is that
    of the categories.

    Parameters
    ----------
    groupings : ways to group the questions, such as by category and by collection
    """
    tables: tuple[list[Row], ...] = tuple([] for _ in groupings)
    for measure in setting.measures:
        subjects = [
            (table, _Subject(measure, model, grouping))
            for table, grouping in zip(tables, groupings, strict=True)
            if len(grouping.names) > 1
            if not measure.macro or grouping is setting.arrays.category
            for model in (None, *setting.arrays.models)
        ]
        criticals = _criticals(setting, measure, [subject for _, subject in subjects])
        for (table, subject), critical in zip(subjects, criticals, strict=True):
            groups = _groups_of(setting, subject)
            table += [
                _row(setting, subject.grouping.names[code], subject, data, critical)
                for code, data in groups.items()
                if len(groups) > 1
            ]
    return tables


def _criticals(
    setting: Setting, measure: Measure, subjects: Sequence[_Subject]
) -> list[SimultaneousCritical]:
    """Resample once for all subjects of a measure, and read off each one's critical value."""
    if not subjects:
        return []
    blocks = [_image_totals(setting, subject) for subject in subjects]
    width = sum(block.shape[1] for block in blocks)
    present = np.flatnonzero(np.any([block.any(axis=1) for block in blocks], axis=0))
    if present.size * width > MOST_CELLS or present.size < 2:
        sizes = [len(subject.grouping.names) for subject in subjects]
        return [bonferroni_critical(size, setting.level) for size in sizes]
    collection = np.zeros(blocks[0].shape[0], dtype=np.int64)
    collection[setting.arrays.image] = setting.arrays.collection.codes
    stream = setting.stream("simultaneous", measure.name)
    totals = np.hstack(blocks)[present]
    strata = dense_codes(collection[present])
    drawn = resampled_totals(totals, strata, setting.resamples, stream)
    parts = np.split(drawn, np.cumsum([block.shape[1] for block in blocks])[:-1], axis=1)
    return [
        _critical(part, subject, setting.level)
        for part, subject in zip(parts, subjects, strict=True)
    ]


def _critical(drawn: FloatArray, subject: _Subject, level: float) -> SimultaneousCritical:
    """Turn resampled totals into the groups' means or gaps, and those into a critical value."""
    blocks = drawn.reshape(drawn.shape[0], -1, len(subject.grouping.names))
    replicates = _share(blocks[:, 0], blocks[:, 1])
    if subject.model is not None:
        replicates = replicates - _share(blocks[:, 2], blocks[:, 3])
    some = blocks[:, 1].any(axis=0)
    if not some.any():
        return bonferroni_critical(some.size, level)
    return max_t_critical(replicates[:, some], level)


@dataclass(frozen=True)
class _GroupData:
    responses: ScoredResponses
    model: FloatArray | None


def _groups_of(setting: Setting, subject: _Subject) -> dict[int, _GroupData]:
    """Take the responses of each group that has any."""
    scores = None if subject.model is None else _model_scores(setting, subject)
    found = {}
    for code in range(len(subject.grouping.names)):
        chosen = subject.grouping.codes == code
        if scores is not None:
            chosen &= ~np.isnan(scores)
        view = metric_view(setting.arrays, subject.measure.column, chosen)
        if view is not None:
            model = None if scores is None else scores[view.positions]
            found[code] = _GroupData(view.responses, model)
    return found


def _model_scores(setting: Setting, subject: _Subject) -> FloatArray:
    return setting.arrays.models[str(subject.model)][subject.measure.column]


def _image_totals(setting: Setting, subject: _Subject) -> FloatArray:
    """Sum up what each image brings to each group, shape (images, 2 groups or 4 groups).

    Columns, for every group: the scores, the number of answers, and for a gap the model's scores
    and the number of its questions.
    """
    arrays, grouping = setting.arrays, subject.grouping
    score = arrays.scores[subject.measure.column]
    kept = ~np.isnan(score)
    scores = None if subject.model is None else _model_scores(setting, subject)
    if scores is not None:
        kept &= ~np.isnan(scores)[arrays.question]
    n_groups, n_images = len(grouping.names), int(arrays.image.max()) + 1
    question = arrays.question[kept]
    cell = arrays.image[question] * n_groups + grouping.codes[question]
    size = n_images * n_groups
    parts = [np.bincount(cell, weights=score[kept], minlength=size)]
    parts.append(np.bincount(cell, minlength=size).astype(np.float64))
    if scores is not None:
        asked = np.unique(question)
        cell = arrays.image[asked] * n_groups + grouping.codes[asked]
        parts.append(np.bincount(cell, weights=scores[asked], minlength=size))
        parts.append(np.bincount(cell, minlength=size).astype(np.float64))
    return np.column_stack([part.reshape(n_images, n_groups) for part in parts])


def _share(total: FloatArray, count: FloatArray) -> FloatArray:
    """Divide; a group that no draw reached takes its overall share, which moves nothing."""
    overall = total.sum(axis=0) / np.maximum(count.sum(axis=0), 1e-12)
    shares = np.broadcast_to(overall, total.shape).copy()
    np.divide(total, count, out=shares, where=count > 1e-12)
    return shares


def _row(
    setting: Setting,
    group: str,
    subject: _Subject,
    data: _GroupData,
    critical: SimultaneousCritical,
) -> Row:
    people, level = data.responses, critical.level()
    interval: Interval | Undefined
    exact: Fraction = exact_human(people)
    if data.model is None:
        interval = human_intervals(people, people.image, level, "by image").new_questions
        statement = ""
    else:
        exact -= exact_estimate(data.model, None)
        interval = paired_gap(people, data.model, people.image, level).new_questions
        statement = difference_statement(HUMAN, str(subject.model), interval)
    texts: Mapping[str, str] = limits(interval, "low", "high")
    return {
        "comparison": subject.name,
        "metric": subject.measure.name,
        "group": group,
        "n_human": str(people.n_responses),
        "n_model": "" if data.model is None else str(data.model.size),
        "n_images": str(int(people.image.max()) + 1),
        "estimate": points(exact),
        **texts,
        "target": Target.T2.value,
        "critical": number(critical.critical),
        "scale": "standard normal, taken to Student's t at its level",
        "cluster": "image",
        "method": f"{critical.method} over {critical.n_groups} groups, by image",
        "statement": statement,
        "reason": reason(interval),
    }
