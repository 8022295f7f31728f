"""`human_reference.csv` and `alt_test.csv`: people against people, and models in their place."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from analysis.agreement.answer_codes import same_answer
from analysis.arrays import FloatArray, IntArray, Undefined
from analysis.human_reference.aggregates import one_against_others
from analysis.human_reference.alternative_annotator import (
    FEWEST_QUESTIONS,
    Similarity,
    alternative_annotator_test,
)
from analysis.statistics.context import Row, Setting, number, points
from analysis.statistics.label_tables import LabelAnswers, label_answers
from analysis.statistics.reference_rows import aggregate_rows, gap_row, mean_row, text_rows
from analysis.table11.table11 import HUMAN

ALT_COLUMNS = (
    "model",
    "compared_by",
    "epsilon",
    "winning_rate",
    "advantage_probability",
    "n_participants",
    "n_rejected",
    "n_constant",
    "reason",
)
EPSILONS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
OTHERS = "agreement with the other people"
ANY_OTHER = "same answer as any of the other people"


def reference_rows(setting: Setting) -> list[Row]:
    """List the secondary comparisons, each labelled with what it is matched with."""
    answers = label_answers(setting)
    if answers is None:
        return text_rows(setting)
    labels = _agreement_rows(setting, answers) + aggregate_rows(setting, answers)
    return labels + text_rows(setting)


def _agreement_rows(setting: Setting, answers: LabelAnswers) -> list[Row]:
    """Compare people with the others, and models with the same people: no key is used."""
    alone = one_against_others(answers.question, answers.answer, None, answers.n_questions)
    rows = [
        mean_row(setting, reference, HUMAN, values, alone.questions, "yes", note)
        for reference, values, note in (
            (OTHERS, alone.human, "its mean is pairwise exact agreement, question by question"),
            (ANY_OTHER, alone.human_any, "against K-1 people"),
        )
    ]
    for model, given in answers.models.items():
        found = one_against_others(answers.question, answers.answer, given, answers.n_questions)
        for reference, human, own, note in (
            (OTHERS, found.human, found.model, "against K people; the mean is that of K-1"),
            (ANY_OTHER, found.human_any, found.model_any, "against the same K-1 people"),
        ):
            where = found.questions
            rows.append(mean_row(setting, reference, model, own, where, "yes", note))
            gap = human - own
            rows.append(gap_row(setting, reference, model, gap, where))
    return rows


def alternative_annotator_rows(setting: Setting) -> list[Row]:
    """Give the whole curve over ε for every model."""
    answers = label_answers(setting)
    if answers is None:
        return []
    similarities: dict[str, Similarity] = {"exact": same_answer}
    if any(isinstance(value, frozenset) for value in setting.codes.values):
        similarities["jaccard"] = set_similarity(setting.codes.values)
    return [
        row
        for model, given in answers.models.items()
        for name, similarity in similarities.items()
        for row in _curve_rows(answers, model, given, name, similarity)
    ]


def set_similarity(values: Sequence[Hashable]) -> Similarity:
    """Compare answers by Jaccard's index where they are sets of labels, else by equality."""
    width = max(len(values), 1)

    def compare(first: IntArray, second: IntArray) -> FloatArray:
        similar = same_answer(first, second)
        valid = (first >= 0) & (second >= 0)
        pairs, place = np.unique(first[valid] * width + second[valid], return_inverse=True)
        known = [_jaccard(*(values[code] for code in divmod(pair, width))) for pair in pairs]
        similar[valid] = np.array(known, dtype=np.float64)[place]
        return similar

    return compare


def _jaccard(first: Hashable, second: Hashable) -> float:
    """Give |A∩B| / |A∪B| of two sets, or whether two other answers are equal."""
    if first == second:
        return 1.0
    if not (isinstance(first, frozenset) and isinstance(second, frozenset)):
        return 0.0
    return len(first & second) / len(first | second)


def _curve_rows(
    answers: LabelAnswers, model: str, given: IntArray, name: str, similarity: Similarity
) -> list[Row]:
    found = alternative_annotator_test(
        answers.question,
        answers.participant,
        answers.answer,
        given,
        EPSILONS,
        similarity=similarity,
    )
    if isinstance(found, Undefined):
        empty = dict.fromkeys(ALT_COLUMNS, "")
        return [empty | {"model": model, "compared_by": name, "reason": found.reason}]
    few = f"only participants with {FEWEST_QUESTIONS} questions or more"
    return [
        {
            "model": model,
            "compared_by": name,
            "epsilon": number(one.epsilon, 2),
            "winning_rate": points(one.winning_rate),
            "advantage_probability": points(found.advantage),
            "n_participants": str(len(found.participants)),
            "n_rejected": str(sum(one.rejected)),
            "n_constant": str(one.constant),
            "reason": few if len(found.participants) < int(answers.participant.max()) + 1 else "",
        }
        for one in found.curve
    ]
