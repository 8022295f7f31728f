"""`intervals.csv`: every headline number with the interval of each target, by each method.

The agreement of pairs of people, for new people (T3): a row of `intervals.csv`, and columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from analysis.agreement.answer_codes import match_responses, pairwise_agreement
from analysis.arrays import FloatArray, IntArray, Undefined
from analysis.inference.interval import Interval, Target
from analysis.inference.means import human_intervals, model_interval
from analysis.inference.pairs_of_people import AgreementWithOthers, new_people_interval
from analysis.inference.scored_responses import (
    ScoredResponses,
    dense_codes,
    distinct_codes,
    grouped_mean,
)
from analysis.scoring.scores import edit_similarity
from analysis.statistics.context import (
    Row,
    Setting,
    exact_estimate,
    exact_human,
    limits,
    model_view,
    own_clusters,
    points,
    reason,
    shared_view,
    view_of,
)
from analysis.statistics.run_tables import score_with_runs
from analysis.statistics.second_opinions import (
    Opinion,
    conservative_for_people,
    within_strata,
)
from analysis.table11.pair_agreement import mean_pairwise_similarity
from analysis.table11.table11 import HUMAN, Measure
from sampling.answers.transcription import tokenize


def agreement_with_others(setting: Setting) -> AgreementWithOthers | None:
    """Take each response's agreement with the others to its question; None without any pair.

    Equal answers, or for texts the mean edit similarity; an invalid answer is like no other.
    """
    arrays = setting.arrays
    matches = match_responses(arrays.question, setting.codes.responses)
    paired = matches.others > 0
    if not paired.any():
        return None
    share = matches.matching_others / np.maximum(matches.others, 1)
    _put_similarities_to_others(setting, share)
    positions, question = distinct_codes(arrays.question[paired])
    return AgreementWithOthers(
        share=share[paired],
        question=question,
        participant=dense_codes(arrays.participant[paired]),
        image=dense_codes(arrays.image[positions]),
        category=dense_codes(arrays.category.codes[positions]),
    )


def _put_similarities_to_others(setting: Setting, share: np.ndarray) -> None:
    """Replace the shares of equal texts by the mean edit similarity to the others."""
    texts = ~setting.labelled
    if not texts.any():
        return
    rules = setting.scored.text_rules
    given: dict[int, list[tuple[int, list[str] | None]]] = {}
    answers = setting.scored.responses["normalized"]
    pairs = zip(setting.arrays.question.tolist(), answers, strict=True)
    for place, (question, answer) in enumerate(pairs):
        if texts[question]:
            tokens = list(tokenize(answer, rules)) if isinstance(answer, str) else None
            given.setdefault(question, []).append((place, tokens))
    for own in given.values():
        for place, _ in own:
            share[place] = 0.0
        for (one, first), (other, second) in combinations(own, 2):
            if first is not None and second is not None:
                similar = float(edit_similarity(first, second)) / (len(own) - 1)
                share[one] += similar
                share[other] += similar


def agreement_for_new_people(setting: Setting) -> Interval | Undefined | None:
    """Return the T3 interval of agreement, clustered by image; None without any pair."""
    answers = agreement_with_others(setting)
    if answers is None:
        return None
    return new_people_interval(answers, setting.level, "by image")


COLUMNS = (
    "evaluator",
    "metric",
    "target",
    "n",
    "n_questions",
    "estimate",
    "low",
    "high",
    "standard_error",
    "scale",
    "cluster",
    "method",
    "headline",
    "reason",
)
POINTS = "percentage points"
OBSERVED = Undefined("all observed: no interval")


@dataclass(frozen=True)
class _Subject:
    """Whose number a row is: evaluator, metric, answers, questions, the exact estimate."""

    evaluator: str
    metric: str
    n: int
    n_questions: int
    estimate: Fraction


@dataclass(frozen=True)
class AgreementValues:
    """How far pairs agree on each question, for questions with two answers or more."""

    values: FloatArray
    images: IntArray
    categories: IntArray
    n_answers: int


def agreement_values(setting: Setting) -> AgreementValues | None:
    """Take the agreement of the questions that have it, exact or for texts mean similarity.

    None when no question has two answers.
    """
    arrays = setting.arrays
    shares = pairwise_agreement(arrays.question, setting.codes.responses, arrays.n_questions)
    _put_similarities(setting, shares)
    kept = np.flatnonzero(~np.isnan(shares))
    if kept.size == 0:
        return None
    answers = np.bincount(arrays.question, minlength=arrays.n_questions)[kept]
    return AgreementValues(
        values=shares[kept],
        images=dense_codes(arrays.image[kept]),
        categories=dense_codes(arrays.category.codes[kept]),
        n_answers=int(answers.sum()),
    )


def _put_similarities(setting: Setting, shares: FloatArray) -> None:
    """Replace the shares of equal texts by the mean edit similarity of the pairs."""
    texts = ~setting.labelled
    if not texts.any():
        return
    given: dict[int, list[str | None]] = {}
    answers = setting.scored.responses["normalized"]
    for question, answer in zip(setting.arrays.question.tolist(), answers, strict=True):
        if texts[question]:
            text = answer if isinstance(answer, str) else None
            given.setdefault(question, []).append(text)
    for question, own in given.items():
        if len(own) > 1:
            shares[question] = float(mean_pairwise_similarity(own, setting.scored.text_rules))


def interval_rows(setting: Setting) -> list[Row]:
    """List the intervals of every evaluator and measure."""
    rows = [row for measure in setting.measures for row in _human_rows(setting, measure)]
    rows += _agreement_rows(setting)
    for model in setting.arrays.models:
        for measure in setting.measures:
            rows += _model_rows(setting, measure, model)
            rows += _gap_rows(setting, measure, model)
    return rows


def _human_rows(setting: Setting, measure: Measure) -> list[Row]:
    view = view_of(setting, measure)
    if view is None:
        return []
    people, level = view.responses, setting.level
    subject = _Subject(
        HUMAN, measure.name, people.n_responses, people.n_questions, exact_human(people)
    )
    by_image = human_intervals(people, people.image, level, "by image")
    by_question = human_intervals(people, own_clusters(people.n_questions), level, "by question")
    rows = [
        _row(subject, Opinion(Target.T1, "these questions, these people", OBSERVED), True),
        _row(subject, Opinion(Target.T2, "by image", by_image.new_questions), True),
        _row(subject, Opinion(Target.T2, "by question", by_question.new_questions)),
        _row(subject, Opinion(Target.T3, "crossed, by image", by_image.new_people), True),
        _row(subject, Opinion(Target.T3, "crossed, by question", by_question.new_people)),
    ]
    counts = people.responses_per_question
    totals = np.column_stack([people.question_means * counts, counts])
    further = conservative_for_people(setting, measure, people)
    if counts.min() < counts.max():
        further.append(_mean_over_questions(setting, people))
    further += within_strata(setting, HUMAN, measure, totals, view.positions)
    return rows + [_row(subject, opinion) for opinion in further]


def _mean_over_questions(setting: Setting, people: ScoredResponses) -> Opinion:
    """Weigh every question alike, where some have more answers than others."""
    means, method = people.question_means, "mean over questions, by image"
    interval = model_interval(
        means, people.image, people.group, setting.level, method, people.strata
    )
    return Opinion(Target.T2, method, interval, grouped_mean(means, people.group))


def _model_rows(setting: Setting, measure: Measure, model: str) -> list[Row]:
    scores, positions = model_view(setting, measure, model)
    if scores.size == 0:
        return []
    group = dense_codes(setting.arrays.category.codes[positions]) if measure.macro else None
    exact = exact_estimate(scores, group)
    subject = _Subject(model, measure.name, scores.size, scores.size, exact)
    images = dense_codes(setting.arrays.image[positions])
    rows = [_row(subject, Opinion(Target.T1, "these questions", OBSERVED), True)]
    for method, clusters in (("by image", images), ("by question", own_clusters(scores.size))):
        strata = setting.arrays.divided(positions)
        interval = model_interval(scores, clusters, group, setting.level, method, strata)
        interval = score_with_runs(interval, setting, measure, model, positions)
        rows.append(_row(subject, Opinion(Target.T2, method, interval), method == "by image"))
    totals = np.column_stack([scores, np.ones(scores.size)])
    further = within_strata(setting, model, measure, totals, positions)
    return rows + [_row(subject, opinion) for opinion in further]


def _gap_rows(setting: Setting, measure: Measure, model: str) -> list[Row]:
    """List a gap's intervals by the methods that `gaps.csv` has no column for."""
    shared = shared_view(setting, measure, model)
    if shared is None or measure.macro:
        return []
    people = shared.responses
    exact = exact_human(people) - exact_estimate(shared.model, None)
    name = f"{HUMAN} - {model}"
    subject = _Subject(name, measure.name, people.n_responses, people.n_questions, exact)
    differences = people.question_means - shared.model
    totals = np.column_stack([differences, np.ones(differences.size)])
    found = within_strata(setting, name, measure, totals, shared.positions, (-1.0, 1.0))
    return [_row(subject, opinion) for opinion in found]


def _agreement_rows(setting: Setting) -> list[Row]:
    """List the intervals of pairwise agreement, the macro-average over categories."""
    found = agreement_values(setting)
    if found is None:
        return []
    exact = exact_estimate(found.values, found.categories)
    n_questions = found.values.size
    subject = _Subject(HUMAN, "agreement", found.n_answers, n_questions, exact)
    rows = [_row(subject, Opinion(Target.T1, "these questions, these people", OBSERVED), True)]
    for method, clusters in (
        ("by image", found.images),
        ("by question", own_clusters(n_questions)),
    ):
        interval = model_interval(found.values, clusters, found.categories, setting.level, method)
        rows.append(_row(subject, Opinion(Target.T2, method, interval), method == "by image"))
    new_people = agreement_for_new_people(setting)
    if new_people is not None:
        rows.append(_row(subject, Opinion(Target.T3, "by image", new_people), True))
    return rows


def _clusters(opinion: Opinion) -> str:
    """Name what a standard error takes for drawn together, people too where they are drawn."""
    unit = "image" if "by image" in opinion.method else "question"
    return f"{unit} and person" if opinion.target is Target.T3 else unit


def _row(subject: _Subject, opinion: Opinion, headline: bool = False) -> Row:
    interval = opinion.interval
    estimate = subject.estimate if opinion.estimate is None else opinion.estimate
    return {
        "evaluator": subject.evaluator,
        "metric": subject.metric,
        "target": opinion.target.value,
        "n": str(subject.n),
        "n_questions": str(subject.n_questions),
        "estimate": points(estimate),
        **limits(interval, "low", "high"),
        "standard_error": points(interval.standard_error) if isinstance(interval, Interval) else "",
        "scale": POINTS if isinstance(interval, Interval) else "",
        "cluster": _clusters(opinion) if isinstance(interval, Interval) else "",
        "method": interval.method if isinstance(interval, Interval) else opinion.method,
        "headline": "yes" if headline else "no",
        "reason": reason(interval),
    }
