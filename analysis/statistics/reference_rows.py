"""The rows of `human_reference.csv` that take several answers as one: majority, best, worst.

The rows that `human_reference.csv` is made of: a mean of one value a question, or a gap.
The rows of `human_reference.csv` for transcriptions, which are alike rather than equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.agreement.answer_codes import ABSENT
from analysis.arrays import FloatArray, IntArray, Undefined
from analysis.human_reference.aggregates import (
    best_of,
    chance_of_one_right,
    majority_credit,
    worst_of,
)
from analysis.human_reference.participants import model_similarity
from analysis.inference.cluster import cluster_variance, model_contributions
from analysis.inference.interval import Interval, Target, t_interval
from analysis.inference.means import model_interval
from analysis.inference.scored_responses import dense_codes
from analysis.statistics.context import Row, Setting, limits, points, reason
from analysis.statistics.label_tables import LabelAnswers
from analysis.table11.pair_agreement import mean_pairwise_similarity
from analysis.table11.table11 import HUMAN

COLUMNS = (
    "reference",
    "evaluator",
    "n_questions",
    "estimate",
    "low",
    "high",
    "target",
    "matched",
    "note",
    "reason",
)


def mean_row(
    setting: Setting,
    reference: str,
    evaluator: str,
    values: FloatArray,
    where: IntArray,
    matched: str,
    note: str,
) -> Row:
    """Give the mean over questions and its T2 interval, clustered by image.

    `where` are the questions' places in the study; `matched` says whether people and models are
    compared alike.
    """
    if values.size == 0:
        none = Undefined("no question has two answers, or the model gave none")
        return _row(reference, evaluator, 0, None, none, matched, note)
    images = dense_codes(setting.arrays.image[where])
    interval = model_interval(values, images, None, setting.level, "by image")
    return _row(reference, evaluator, values.size, float(values.mean()), interval, matched, note)


def gap_row(
    setting: Setting,
    reference: str,
    model: str,
    gap: FloatArray,
    where: IntArray,
    note: str = "",
) -> Row:
    """Give the mean difference between people and a model, question by question.

    A note means that the two are not compared alike.
    """
    name = f"{HUMAN} - {model}"
    matched = "no" if note else "yes"
    if gap.size == 0:
        none = Undefined("no question has two answers, or the model gave none")
        return _row(reference, name, 0, None, none, matched, note)
    found = cluster_variance(model_contributions(gap), dense_codes(setting.arrays.image[where]))
    mean = float(gap.mean())
    interval: Interval | Undefined
    if isinstance(found, Undefined):
        interval = found
    else:
        interval = t_interval(
            mean, found.variance, found.degrees, setting.level, Target.T2, "by image"
        )
    return _row(reference, name, gap.size, mean, interval, matched, note)


def _row(
    reference: str,
    evaluator: str,
    n: int,
    estimate: float | None,
    interval: Interval | Undefined,
    matched: str,
    note: str,
) -> Row:
    return {
        "reference": reference,
        "evaluator": evaluator,
        "n_questions": str(n),
        "estimate": points(estimate),
        **limits(interval, "low", "high"),
        "target": Target.T2.value,
        "matched": matched,
        "note": note,
        "reason": reason(interval),
    }


SIMILARITY = "similarity to the other people"


def text_rows(setting: Setting) -> list[Row]:
    """Compare people's texts with the others', and models' with the same people's: no key."""
    people = _people(setting)
    if not people:
        return []
    where = np.array(sorted(people), dtype=np.int64)
    rules = setting.scored.text_rules
    human = np.array(
        [float(mean_pairwise_similarity(people[place], rules)) for place in where.tolist()]
    )
    note = "its mean over categories is the agreement of the headline table"
    rows = [mean_row(setting, SIMILARITY, HUMAN, human, where, "yes", note)]
    for model in setting.arrays.models:
        own, asked = _model(setting, model, people)
        kept = np.isin(where, asked)
        note = "against K people; the mean is that of K-1"
        rows.append(mean_row(setting, SIMILARITY, model, own, asked, "yes", note))
        rows.append(gap_row(setting, SIMILARITY, model, human[kept] - own, asked))
    return rows


def _people(setting: Setting) -> dict[int, list[str | None]]:
    """Take the texts of each question with two or more, by its place in the study."""
    texts = ~setting.labelled
    if not texts.any():
        return {}
    found: dict[int, list[str | None]] = {}
    answers = setting.scored.responses["normalized"]
    for place, answer in zip(setting.arrays.question.tolist(), answers, strict=True):
        if texts[place]:
            found.setdefault(place, []).append(_text(answer))
    return {place: own for place, own in found.items() if len(own) > 1}


def _model(
    setting: Setting, model: str, people: Mapping[int, list[str | None]]
) -> tuple[FloatArray, IntArray]:
    """Give a model's mean similarity to the people, and the places of its questions."""
    frame = setting.scored.runs_of(model)[0]
    places = setting.scored.questions.index.get_indexer(pd.Index(frame["sample_id"]))
    rules = setting.scored.text_rules
    given = {
        place: _text(answer)
        for place, answer in zip(places.tolist(), frame["normalized"], strict=True)
        if place in people
    }
    asked = sorted(given)
    own = [float(model_similarity(given[place], people[place], rules)) for place in asked]
    return np.array(own, dtype=np.float64), np.array(asked, dtype=np.int64)


def _text(answer: object) -> str | None:
    return answer if isinstance(answer, str) else None


UNMATCHED = "several people against one run of a model, which is another kind of evaluator"


@dataclass(frozen=True)
class _Several:
    """Several answers to each question, of people or of a model's runs; wrong ones included."""

    question: IntArray
    answer: IntArray
    right: FloatArray


def aggregate_rows(setting: Setting, answers: LabelAnswers) -> list[Row]:
    """Score majority, best and worst of K, and the chance that one of k is right.

    K is the commonest number of answers, and only questions with K of them are taken. A model
    with K declared runs or more has the same of its first K, and the gap between the two; one
    with fewer has its first run beside the people's majority, marked as not matched.
    """
    people = _Several(answers.question, answers.answer, answers.exact)
    sizes = np.bincount(people.question, minlength=answers.n_questions)
    k = commonest_number(sizes)
    rows: list[Row] = []
    if k >= 2:
        own = _aggregates(_of_questions(people, sizes == k), k, answers.n_questions)
        matched = {
            model: _aggregates(_first_runs(setting, runs, k), k, answers.n_questions)
            for model, runs in answers.runs.items()
            if len(runs) >= k
        }
        for reference, values in own.items():
            rows += _compared(setting, answers, reference, values, matched)
    return rows + _chance_rows(setting, answers, people, int(sizes.max()))


def commonest_number(sizes: IntArray) -> int:
    """Give the commonest number of answers to a question, of two or more; 0 where there is none.

    >>> commonest_number(np.array([3, 3, 2, 2, 1, 1, 1])), commonest_number(np.array([1, 0]))
    (3, 0)
    """
    counts = np.bincount(sizes, minlength=3)
    counts[:2] = 0
    return int(np.flatnonzero(counts == counts.max())[-1]) if counts.any() else 0


def _of_questions(several: _Several, chosen: np.ndarray) -> _Several:
    kept = chosen[several.question]
    return _Several(several.question[kept], several.answer[kept], several.right[kept])


def _first_runs(setting: Setting, runs: tuple[IntArray, ...], k: int) -> _Several:
    """Take a model's first k answers to each question that all of these runs answered."""
    given = np.array(runs[:k])
    asked = np.flatnonzero((given != ABSENT).all(axis=0))
    question = np.tile(asked, k)
    answer = given[:, asked].ravel()
    # Two invalid answers are different answers, also when they stand in the same line of files.
    answer = np.where(answer < 0, ABSENT - 1 - np.arange(answer.size), answer)
    right = (answer == setting.codes.keys[question]).astype(np.float64)
    return _Several(question.astype(np.int64), answer, right)


def _aggregates(several: _Several, k: int, n: int) -> dict[str, FloatArray]:
    """Give each question's majority credit, best and worst score; NaN where it has none."""
    question, answer, right = several.question, several.answer, several.right
    return {
        f"majority of {k}": majority_credit(question, answer, right == 1, n),
        f"best of {k}": best_of(question, right, n),
        f"worst of {k}": worst_of(question, right, n),
    }


def _compared(
    setting: Setting,
    answers: LabelAnswers,
    reference: str,
    people: FloatArray,
    matched: Mapping[str, Mapping[str, FloatArray]],
) -> list[Row]:
    """Give one aggregate of people, then each model's own, or its first run beside a majority."""
    where = np.flatnonzero(~np.isnan(people))
    alike = bool(answers.models) and set(matched) == set(answers.models)
    note = "" if alike else UNMATCHED
    rows = [
        mean_row(setting, reference, HUMAN, people[where], where, "yes" if alike else "no", note)
    ]
    for model, codes in answers.models.items():
        own = matched[model][reference] if model in matched else _one_run(setting, codes)
        if model not in matched and not reference.startswith("majority"):
            continue
        note = "" if model in matched else f"of people, against one run of {model}"
        if model in matched:
            asked = np.flatnonzero(~np.isnan(own))
            rows.append(mean_row(setting, reference, model, own[asked], asked, "yes", note))
        shared = np.flatnonzero(~np.isnan(own) & ~np.isnan(people))
        rows.append(gap_row(setting, reference, model, people[shared] - own[shared], shared, note))
    return rows


def _one_run(setting: Setting, codes: IntArray) -> FloatArray:
    """Give a model's exact match on each question, NaN where it gave no answer."""
    right = (codes == setting.codes.keys).astype(np.float64)
    return np.where(codes == ABSENT, np.nan, right)


def _chance_rows(setting: Setting, answers: LabelAnswers, people: _Several, most: int) -> list[Row]:
    """Give the chance that one of k answers is right, of people and of models with k runs."""
    rows = []
    for k in range(1, most + 1):
        runs = {model: given for model, given in answers.runs.items() if len(given) >= k}
        alike = k == 1 or (bool(answers.models) and set(runs) == set(answers.models))
        note = "matches one run" if k == 1 else "" if alike else UNMATCHED
        rows.append(_chance_row(setting, HUMAN, people, k, note, matched=alike))
        if k > 1:
            rows += [
                _chance_row(
                    setting, model, _first_runs(setting, given, len(given)), k, "", matched=True
                )
                for model, given in runs.items()
            ]
    return rows


def _chance_row(
    setting: Setting, evaluator: str, several: _Several, k: int, note: str, *, matched: bool
) -> Row:
    n = setting.arrays.n_questions
    sizes = np.bincount(several.question, minlength=n)
    right = np.bincount(several.question, weights=several.right, minlength=n).astype(np.int64)
    chance = chance_of_one_right(sizes, right, k)
    where = np.flatnonzero(~np.isnan(chance))
    said = "yes" if matched else "no"
    return mean_row(setting, f"one of {k} right", evaluator, chance[where], where, said, note)
