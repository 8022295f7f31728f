"""The scored study: the data frames on which every table, interval and figure is built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd

from sampling.answers.vocabularies import Vocabulary
from sampling.study.definition import TextTable

METRICS = ("exact_match", "precision", "recall", "f1", "jaccard", "within_one")
TEXT_METRICS = ("ned", "char_f1")


@dataclass(frozen=True)
class ScoredStudy:
    """Questions, human responses and model predictions, scored by one scorer.

    Attributes
    ----------
    questions : DataFrame, one row a question of the sample, indexed by `sample_id`, sorted
        `category`, `script_name`, `image_name`, `question_type`, `answer_format` (an
        `AnswerFormat` value), `cardinality` ("single" or "multi": a key of two labels or more),
        `ground_truth` (normalised: str, int or tuple of str), `vocabulary_size` (declared; 0 for
        counts and text).
    responses : DataFrame, one row an `answered` response, sorted by `sample_id`, `response_index`
        `sample_id`, `participant`, `response_index`, `shown_at`, `submitted_at` (aware UTC or
        NaT), `active_seconds` (float, NaN where unknown), with a plan also `position` and
        `session` (float from 1, NaN where the plan does not hold the answer), `normalized`
        (hashable; None when invalid), `scoring_status`, `invalid_reason`, then `METRICS` and the
        same with `lenient_` before them: float64 in [0, 1], `within_one` NaN unless a count; a
        text study has `TEXT_METRICS` as well.
    predictions : mapping of model name to DataFrame, in the order of `study.toml`
        One row a question the model answered in the headline condition, with `sample_id`,
        `model_name`, `condition` and the same normalised and score columns. With several declared
        runs each score is the mean over them, and what is no score is that of no answer.
    conditions : mapping of (model name, condition) to DataFrame
        Every prompt condition that the prediction files hold, the headline one included.
    repeats : mapping of model name to the conditions that are declared runs of the wanted one,
        the first run first; for models with two runs or more.
    outside : how many further answers each model gave, to questions outside the sample.
    warnings : what is odd but no reason to stop, in the order it was found.
    vocabularies : the vocabulary of each category.
    text_rules : how transcriptions are read and which tokens are one unit.
    """

    questions: pd.DataFrame
    responses: pd.DataFrame
    predictions: Mapping[str, pd.DataFrame]
    conditions: Mapping[tuple[str, str], pd.DataFrame] = field(default_factory=dict)
    repeats: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    outside: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    vocabularies: Mapping[str, Vocabulary] = field(default_factory=dict)
    text_rules: TextTable = field(default_factory=TextTable)

    def runs_of(self, name: str) -> tuple[pd.DataFrame, ...]:
        """Return a model's declared runs of the headline condition; one frame where it has one."""
        labels = self.repeats.get(name, ())
        if not labels:
            return (self.predictions[name],)
        return tuple(self.conditions[name, label] for label in labels)
