"""What every statistics table is made from: the arrays, the measures and the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from analysis.agreement.answer_codes import AnswerCodes, answer_codes
from analysis.agreement.study_arrays import (
    Grouping,
    MetricView,
    StudyArrays,
    metric_view,
    study_arrays,
)
from analysis.array_types import BoolArray, FloatArray, IntArray
from analysis.inference.scored_responses import ScoredResponses
from analysis.scoring.exact_means import exact_mean
from analysis.scoring.scored import ScoredStudy
from analysis.statistics.random_streams import generator
from analysis.table11.overall_scores import Strata
from analysis.table11.table11 import Measure, measures_of
from sampling.answers.vocabularies import AnswerFormat
from sampling.study.definition import StudyDefinition


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
    arrays = replace(
        arrays,
        category=_displayed(arrays.category, display.get("category", {})),
        collection=_displayed(arrays.collection, display.get("script_name", {})),
        stratum=arrays.stratum if strata is None else _drawn_strata(arrays, strata),
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
