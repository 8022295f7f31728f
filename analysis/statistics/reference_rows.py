"""The rows that `human_reference.csv` is made of: a mean of one value a question, or a gap."""

from __future__ import annotations

from analysis.array_types import FloatArray, IntArray
from analysis.inference.cluster import cluster_variance, model_contributions
from analysis.inference.interval import Interval, Target, t_interval
from analysis.inference.means import model_interval
from analysis.inference.scored_responses import dense_codes
from analysis.statistics.printed import Row, limits, points, reason
from analysis.statistics.setting import Setting
from analysis.table11.table11 import HUMAN
from analysis.undefined import Undefined

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
