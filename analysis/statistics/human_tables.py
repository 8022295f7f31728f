"""`human_reference.csv` and `alt_test.csv`: people against people, and models in their place."""

from __future__ import annotations

from analysis.array_types import IntArray
from analysis.human_reference.alternative_annotator import (
    FEWEST_QUESTIONS,
    alternative_annotator_test,
)
from analysis.human_reference.leave_one_out import one_against_others
from analysis.statistics.aggregate_rows import aggregate_rows
from analysis.statistics.label_answers import LabelAnswers, label_answers
from analysis.statistics.printed import Row, number, points
from analysis.statistics.reference_rows import gap_row, mean_row
from analysis.statistics.setting import Setting
from analysis.statistics.text_reference_rows import text_rows
from analysis.table11 import HUMAN
from analysis.undefined import Undefined

ALT_COLUMNS = (
    "model",
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
    return [
        row for model, given in answers.models.items() for row in _curve_rows(answers, model, given)
    ]


def _curve_rows(answers: LabelAnswers, model: str, given: IntArray) -> list[Row]:
    found = alternative_annotator_test(
        answers.question, answers.participant, answers.answer, given, EPSILONS
    )
    if isinstance(found, Undefined):
        empty = dict.fromkeys(ALT_COLUMNS, "")
        return [empty | {"model": model, "reason": found.reason}]
    few = f"only participants with {FEWEST_QUESTIONS} questions or more"
    return [
        {
            "model": model,
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
