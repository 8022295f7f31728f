"""What every statistics table is made from: the arrays, the measures and the settings.

Numbers as the statistics tables print them; an undefined one is empty.
Random numbers that follow from the study's seed and a purpose.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from analysis.agreement.answer_codes import AnswerCodes, answer_codes
from analysis.agreement.study_arrays import (
    Grouping,
    MetricView,
    StudyArrays,
    metric_view,
    study_arrays,
)
from analysis.arrays import BoolArray, FloatArray, IntArray, Undefined
from analysis.inference.interval import Interval
from analysis.inference.scored_responses import ScoredResponses
from analysis.scoring.exact import LARGEST_DENOMINATOR, exact_mean, percent
from analysis.scoring.scored import ScoredStudy
from analysis.table11.overall_scores import Strata
from analysis.table11.table11 import Measure, measures_of
from sampling.answers.vocabularies import AnswerFormat
from sampling.study.definition import StudyDefinition
from sampling.study.keyed import digest


def generator(seed: str, *purpose: str) -> np.random.Generator:
    """Make the generator of one purpose: same seed and purpose, same numbers.

    Each purpose has its own stream, so that adding a table changes no other. NumPy promises a
    stream only within one of its versions (NEP 19), so a run records the version it had.

    Parameters
    ----------
    seed : the study's seed
    purpose : what the numbers are for, such as `"sign-flip", "Model A", "em"`

    Examples
    --------
    >>> first, second = generator("s", "a"), generator("s", "a")
    >>> bool(first.random() == second.random())
    True
    """
    key = int.from_bytes(digest("lontar-statistics-v1", seed, *purpose), "big")
    return np.random.Generator(np.random.PCG64(key))


Row: TypeAlias = Mapping[str, str]


def points(share: float | Fraction | Undefined | None) -> str:
    """Print a share, or a difference of shares, in percentage points with two decimals.

    A float is taken for the ratio of small numbers that it was rounded from: a half-way case, whose
    denominator is at most 20,000, is then rounded up as it should be, whatever its last bits are.

    >>> points(0.28906250), points(Undefined("one question")), points(None)
    ('28.91', '', '')
    >>> points(0.03125 - 1e-17), points(sum([0.1, 0.2, 0.3]) / 96)  # 0.6/96 = 0.625 %
    ('3.13', '0.63')
    """
    if share is None or isinstance(share, Undefined):
        return ""
    if isinstance(share, Fraction):
        return percent(share)
    return percent(Fraction(share).limit_denominator(LARGEST_DENOMINATOR))


def number(value: float | Undefined | None, decimals: int = 4) -> str:
    """Print a coefficient, a p-value or seconds, rounded half up; nothing prints as -0.

    >>> number(0.8135), number(-1e-9), number(None)
    ('0.8135', '0.0000', '')
    """
    if value is None or isinstance(value, Undefined):
        return ""
    return percent(Fraction(float(value)) / 100, decimals)


def probability(p: float | Undefined | None) -> str:
    """Print a p-value with six decimals, a smaller one by its power of ten.

    >>> probability(0.125), probability(3.2e-12), probability(None)
    ('0.125000', '3.2e-12', '')
    """
    if isinstance(p, float) and 0 < p < 1e-6:
        return f"{p:.1e}"
    return number(p, 6)


def probability_below(p: float | None, upper: float | None) -> str:
    """Print a p-value, or where it is only known to be below something that, after `< `.

    The bound is rounded up to two digits.

    >>> probability_below(0.0125, 0.0125), probability_below(1 / 10_001, 2 / 10_001)
    ('0.012500', '< 0.0002')
    >>> probability_below(3 / 10_001, 6 / 10_001), probability_below(0.6, 1.0)
    ('< 0.0006', '0.600000')
    """
    if p is None or upper is None or upper <= p or upper >= 1:
        return probability(p)
    places = 1 - math.floor(math.log10(upper))
    bound = math.ceil(round(upper * 10**places, 9)) / 10**places
    return f"< {bound:.{places}f}".rstrip("0")


def limits(interval: Interval | Undefined, low: str, high: str) -> dict[str, str]:
    """Print an interval's limits, in points, under two column names."""
    if isinstance(interval, Undefined):
        return {low: "", high: ""}
    return {low: points(interval.low), high: points(interval.high)}


def reason(*results: object) -> str:
    """Give the reasons of whatever is undefined, and of levels not promised, each once.

    >>> reason(Undefined("one participant"), 0.5, Undefined("one participant"))
    'one participant'
    """
    found = [result.reason for result in results if isinstance(result, Undefined)]
    found += [result.note for result in results if isinstance(result, Interval) and result.note]
    return "; ".join(dict.fromkeys(found))


@dataclass(frozen=True)
class Setting:
    """A scored study with all that its statistics need.

    Attributes
    ----------
    level : the confidence level, such as 0.95
    margin : the declared equivalence margin as a share, or None
    stratum_sizes : N_h by the names of the strata, where the whole test set is known
    category_names : what a category is called in a table, where that is not its own name
    """

    scored: ScoredStudy
    arrays: StudyArrays
    codes: AnswerCodes
    measures: tuple[Measure, ...]
    level: float
    resamples: int
    seed: str
    margin: float | None
    questions_per_session: int
    stratum_sizes: Mapping[str, int] | None
    category_names: Mapping[str, str]

    def stream(self, *purpose: str) -> np.random.Generator:
        """Give the random numbers of one purpose."""
        return generator(self.seed, *purpose)

    @property
    def labelled(self) -> BoolArray:
        """Which questions have answers that can be equal, not transcriptions, shape (n,)."""
        formats = self.scored.questions["answer_format"].to_numpy(dtype=object)
        return np.array([one != AnswerFormat.TEXT.value for one in formats], dtype=bool)


def make_setting(
    scored: ScoredStudy,
    definition: StudyDefinition,
    strata: Strata | None = None,
) -> Setting:
    """Turn a scored study and its definition into a setting.

    Categories and collections are named as `[benchmark] display` says.
    """
    measures = measures_of(scored.questions)
    analysis = definition.analysis
    margin = analysis.equivalence_margin
    columns = [measure.column for measure in measures]
    arrays = study_arrays(scored, columns, definition.sample.strata)
    display = definition.benchmark.display
    drawn = arrays.stratum if strata is None else _drawn_strata(arrays, strata)
    divisions = arrays.divisions
    if divisions is not None:
        divisions = np.column_stack([divisions[:, :-1], drawn.codes])
    arrays = replace(
        arrays,
        category=_displayed(arrays.category, display.get("category", {})),
        collection=_displayed(arrays.collection, display.get("script_name", {})),
        stratum=drawn,
        divisions=divisions,
    )
    return Setting(
        scored=scored,
        arrays=arrays,
        codes=answer_codes(scored),
        measures=measures,
        level=analysis.confidence_level,
        resamples=analysis.resamples,
        seed=definition.study.seed,
        margin=None if margin is None else margin / 100,
        questions_per_session=definition.assignment.questions_per_session,
        stratum_sizes=None if strata is None else strata.size,
        category_names=display.get("category", {}),
    )


def _displayed(grouping: Grouping, display: Mapping[str, str]) -> Grouping:
    return Grouping(tuple(display.get(name, name) for name in grouping.names), grouping.codes)


def _drawn_strata(arrays: StudyArrays, strata: Strata) -> Grouping:
    """Take the strata that the sample was drawn from; questions beyond it make one more."""
    labels = [strata.of_question.get(sample_id, "") for sample_id in arrays.sample_ids]
    names = sorted(set(labels))
    codes = np.array([names.index(label) for label in labels], dtype=np.int64)
    return Grouping(tuple(names), codes)


def view_of(setting: Setting, measure: Measure) -> MetricView | None:
    """Take the human responses that a measure applies to; None when there is none."""
    return metric_view(setting.arrays, measure.column, macro=measure.macro)


@dataclass(frozen=True)
class SharedView:
    """People and one model on the questions that both answered: who, and which."""

    responses: ScoredResponses
    model: FloatArray
    participants: IntArray
    positions: IntArray


def shared_view(setting: Setting, measure: Measure, model: str) -> SharedView | None:
    """Take the responses and a model's scores on the questions both answered; None if none."""
    scores = setting.arrays.models[model][measure.column]
    view = metric_view(setting.arrays, measure.column, ~np.isnan(scores), measure.macro)
    if view is None:
        return None
    return SharedView(view.responses, scores[view.positions], view.participants, view.positions)


def model_view(setting: Setting, measure: Measure, model: str) -> tuple[FloatArray, IntArray]:
    """Give a model's scores and the positions of the questions it answered."""
    scores = setting.arrays.models[model][measure.column]
    positions = np.flatnonzero(~np.isnan(scores)).astype(np.int64)
    return scores[positions], positions


def exact_estimate(values: FloatArray, group: IntArray | None) -> Fraction:
    """Average scores exactly, or the groups' means where there are groups; n is at least 1."""
    if group is None:
        return exact_mean(values) or Fraction(0)
    means = [exact_mean(values[group == code]) or Fraction(0) for code in np.unique(group)]
    return sum(means, Fraction(0)) / len(means)


def exact_human(responses: ScoredResponses) -> Fraction:
    """Give the human mean as an exact fraction."""
    group = None if responses.group is None else responses.group[responses.question]
    return exact_estimate(responses.score, group)


def own_clusters(n_questions: int) -> IntArray:
    """Make every question its own cluster."""
    return np.arange(n_questions, dtype=np.int64)
