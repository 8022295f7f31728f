"""`gaps.csv` and `equivalence.csv`: how far people and each model differ, and how surely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from analysis.arrays import Undefined
from analysis.inference.equivalence import (
    Equivalence,
    allowing_for_all,
    equivalence_test,
    gap_statement,
)
from analysis.inference.gap import PairedGap, detectable_gaps, paired_gap
from analysis.inference.hypothesis_tests import SignFlip, sign_flip
from analysis.inference.interval import Interval
from analysis.inference.scored_responses import relative_weights
from analysis.inference.simultaneous import holm
from analysis.statistics.context import (
    Row,
    Setting,
    SharedView,
    exact_estimate,
    exact_human,
    limits,
    own_clusters,
    points,
    probability,
    probability_below,
    reason,
    shared_view,
)
from analysis.statistics.run_tables import gap_with_runs
from analysis.table11.table11 import HUMAN, Measure

GAP_COLUMNS = (
    "model",
    "metric",
    "gap",
    "t2_low",
    "t2_high",
    "t3_low",
    "t3_high",
    "p_sign_flip",
    "p_holm",
    "p_t",
    "mde",
    "mde_t3",
    "t2_question_low",
    "t2_question_high",
    "t3_question_low",
    "t3_question_high",
    "n_human",
    "n_model",
    "n_images",
    "method",
    "statement",
    "reason",
)
EQUIVALENCE_COLUMNS = (
    "model",
    "metric",
    "margin",
    "gap",
    "low",
    "high",
    "p_lower",
    "p_upper",
    "p",
    "p_holm",
    "equivalent",
    "statement",
    "reason",
)


@dataclass(frozen=True)
class ComparedGap:
    """One model's gap on one measure, clustered by image and by question, with its test."""

    model: str
    measure: Measure
    shared: SharedView
    exact: Fraction
    by_image: PairedGap
    by_question: PairedGap
    detectable: tuple[float | None, float | None]
    test: SignFlip


def compared_gaps(setting: Setting) -> list[ComparedGap]:
    """Compare people with every model on every measure."""
    found = []
    for model in setting.arrays.models:
        for measure in setting.measures:
            shared = shared_view(setting, measure, model)
            if shared is not None:
                found.append(_compare(setting, model, measure, shared))
    return found


def _compare(setting: Setting, model: str, measure: Measure, shared: SharedView) -> ComparedGap:
    people = shared.responses
    questions = own_clusters(people.n_questions)
    by_image = paired_gap(people, shared.model, people.image, setting.level)
    by_image = gap_with_runs(by_image, setting, measure, model, shared.positions)
    stream = setting.stream("sign-flip", measure.name, model)
    exact = exact_human(people) - exact_estimate(shared.model, people.group)
    return ComparedGap(
        model=model,
        measure=measure,
        shared=shared,
        exact=exact,
        by_image=by_image,
        by_question=gap_with_runs(
            paired_gap(people, shared.model, questions, setting.level),
            setting,
            measure,
            model,
            shared.positions,
        ),
        detectable=detectable_gaps(people, shared.model, people.image, setting.level),
        test=sign_flip(
            by_image.differences * relative_weights(people.group, people.n_questions),
            people.image,
            setting.resamples,
            stream,
        ),
    )


def gap_rows(gaps: list[ComparedGap], setting: Setting) -> list[Row]:
    """Print the gaps; Holm's adjustment is over the models, for each measure."""
    adjusted = adjust_by_measure([(gap.measure.name, gap.test.p) for gap in gaps])
    upper = adjust_by_measure([(gap.measure.name, gap.test.upper) for gap in gaps])
    return [
        _gap_row(gap, p, probability_below(p, bound), setting.level)
        for gap, p, bound in zip(gaps, adjusted, upper, strict=True)
    ]


def _gap_row(gap: ComparedGap, adjusted: float | None, p_holm: str, level: float) -> Row:
    questions, people = gap.by_image.new_questions, gap.by_image.new_people
    n_images = int(gap.shared.responses.image.max()) + 1
    return {
        "model": gap.model,
        "metric": gap.measure.name,
        "gap": points(gap.exact),
        **limits(questions, "t2_low", "t2_high"),
        **limits(people, "t3_low", "t3_high"),
        "p_sign_flip": probability_below(gap.test.p, gap.test.upper),
        "p_holm": p_holm,
        "p_t": probability(score_test(questions)),
        "mde": points(gap.detectable[0]),
        "mde_t3": points(gap.detectable[1]),
        **limits(gap.by_question.new_questions, "t2_question_low", "t2_question_high"),
        **limits(gap.by_question.new_people, "t3_question_low", "t3_question_high"),
        "n_human": str(gap.by_image.n_responses),
        "n_model": str(gap.by_image.n_questions),
        "n_images": str(n_images),
        "method": f"{'exact' if gap.test.exact else 'sampled'} sign-flips of images",
        "statement": allowing_for_all(
            gap_statement(HUMAN, gap.model, questions, people),
            HUMAN,
            gap.model,
            questions,
            adjusted,
            1 - level,
        ),
        "reason": reason(questions, people),
    }


def score_test(interval: Interval | Undefined) -> float | None:
    """Return the two-sided p-value of the test that the interval inverts; None where undefined."""
    if isinstance(interval, Undefined) or interval.comparison is None:
        return None
    return interval.comparison.p_equal()


def equivalence_rows(gaps: list[ComparedGap], setting: Setting) -> list[Row]:
    """Test each gap against the declared margin; no rows where none was declared.

    Holm's adjustment is over the models, for each measure: with several models each has its chance
    to look alike by luck.
    """
    margin = setting.margin
    if margin is None:
        return []
    alpha = 1 - setting.level
    found = [_equivalence(gap, margin, alpha) for gap in gaps]
    adjusted = adjust_by_measure(
        [
            (gap.measure.name, None if isinstance(one, Undefined) else one.p)
            for gap, one in zip(gaps, found, strict=True)
        ]
    )
    return [
        _equivalence_row(gap, one, p, margin, alpha)
        for gap, one, p in zip(gaps, found, adjusted, strict=True)
    ]


def _equivalence(gap: ComparedGap, margin: float, alpha: float) -> Equivalence | Undefined:
    return equivalence_test(gap.by_image.new_questions, margin, alpha)


def _equivalence_row(
    gap: ComparedGap,
    found: Equivalence | Undefined,
    adjusted: float | None,
    margin: float,
    alpha: float,
) -> Row:
    """Print one test; equivalence is claimed where the adjusted p-value is below α."""
    row = {"model": gap.model, "metric": gap.measure.name, "margin": points(margin)}
    row["gap"] = points(gap.exact)
    if isinstance(found, Undefined):
        return (
            row
            | dict.fromkeys(EQUIVALENCE_COLUMNS[4:], "")
            | {
                "statement": f"no claim: {found.reason}",
                "reason": found.reason,
            }
        )
    equivalent = adjusted is not None and adjusted < alpha
    within = f"within {points(margin)} points of each other for new questions"
    return row | {
        "low": points(found.low),
        "high": points(found.high),
        "p_lower": probability(found.p_lower),
        "p_upper": probability(found.p_upper),
        "p": probability(found.p),
        "p_holm": probability(adjusted),
        "equivalent": "yes" if equivalent else "no",
        "statement": f"{HUMAN} and {gap.model} are {within}"
        if equivalent
        else f"equivalence of {HUMAN} and {gap.model} is not shown",
        "reason": "",
    }


def adjust_by_measure(tests: Sequence[tuple[str, float | None]]) -> list[float | None]:
    """Adjust p-values by Holm within each measure, keeping their order."""
    adjusted: list[float | None] = [None] * len(tests)
    for name in dict.fromkeys(name for name, _ in tests):
        places = [place for place, test in enumerate(tests) if test[0] == name]
        for place, p in zip(places, holm([tests[place][1] for place in places]), strict=True):
            adjusted[place] = p
    return adjusted
