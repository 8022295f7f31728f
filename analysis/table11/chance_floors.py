"""Chance floors: what a constant answer or a uniform guess would score in each category."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pandas as pd

from analysis.scoring.exact import exact_mean, percent, percent_or_empty
from analysis.scoring.scored import ScoredStudy
from analysis.table11.breakdowns import evaluators
from sampling.answers.vocabularies import AnswerFormat, Vocabulary

Row = dict[str, str]


def chance_floors(scored: ScoredStudy) -> list[Row]:
    """Give the floors of each category, then of each category within each collection.

    Never looking, and always giving the commonest key, already scores `constant_em`. Texts have
    no floor: nobody transcribes without looking.
    """
    questions, vocabularies = _labelled(scored.questions), scored.vocabularies
    rows = [
        _floor(str(category), "", part, vocabularies[str(category)])
        for category, part in questions.groupby("category", sort=True)
    ]
    cells = questions.groupby(["category", "script_name"], sort=True)
    rows.extend(
        _floor(str(category), str(collection), part, vocabularies[str(category)])
        for (category, collection), part in cells
        if str(collection)
    )
    return rows


def above_chance(scored: ScoredStudy) -> list[Row]:
    """Rescale each evaluator's EM so that the constant answer is 0 and a perfect one is 100.

    (EM - floor) / (1 - floor); empty where the floor is 1 and no answer could do better. Texts
    are left out.
    """
    questions = _labelled(scored.questions)
    keys = questions["ground_truth"]
    floors = {
        category: Fraction(_commonest(keys[group])[1], len(group))
        for category, group in questions.groupby("category", sort=True).groups.items()
    }
    rows = []
    for one in evaluators(scored):
        category = one.frame["sample_id"].map(questions["category"])
        for name, part in one.frame.groupby(category, sort=True):
            mean, floor = exact_mean(part["exact_match"]), floors[name]
            scale = None if mean is None or floor == 1 else (mean - floor) / (1 - floor)
            rows.append(
                {
                    "evaluator": one.name,
                    "condition": one.condition,
                    "category": str(name),
                    "n": str(len(part)),
                    "em": percent_or_empty(mean),
                    "constant_em": percent(floor),
                    "em_above_chance": percent_or_empty(scale),
                }
            )
    return rows


def _labelled(questions: pd.DataFrame) -> pd.DataFrame:
    """Leave transcriptions out."""
    return questions[questions["answer_format"] != AnswerFormat.TEXT.value]


def uniform_guess(vocabulary: Vocabulary) -> Fraction | None:
    """Give the chance that a uniform guess over the declared vocabulary is right.

    Among the labels for single and binary; among the sets that the form allows (exclusive labels
    alone, none empty) for multi; among the numbers of a bounded count; None otherwise.

    >>> from sampling.answers.vocabularies import Vocabulary
    >>> str(uniform_guess(Vocabulary("c", AnswerFormat.MULTI, ("a", "b", "c"), {}, {"c"})))
    '1/4'
    """
    match vocabulary.format:
        case AnswerFormat.SINGLE | AnswerFormat.BINARY:
            return Fraction(1, len(vocabulary.labels)) if vocabulary.labels else None
        case AnswerFormat.MULTI:
            alone = len(vocabulary.exclusive)
            sets = 2 ** (len(vocabulary.labels) - alone) - 1 + alone
            return Fraction(1, sets) if sets > 0 else None
        case AnswerFormat.COUNT if vocabulary.maximum is not None:
            return Fraction(1, vocabulary.maximum - vocabulary.minimum + 1)
        case _:
            return None


def _floor(category: str, collection: str, part: pd.DataFrame, vocabulary: Vocabulary) -> Row:
    answer, count = _commonest(part["ground_truth"])
    shown = "; ".join(map(str, answer)) if isinstance(answer, tuple) else str(answer)
    return {
        "category": category,
        "collection": collection,
        "n": str(len(part)),
        "distinct_keys": str(part["ground_truth"].nunique()),
        "constant_answer": shown,
        "constant_em": percent(Fraction(count, len(part))),
        "uniform_em": percent_or_empty(uniform_guess(vocabulary)),
    }


def _commonest(keys: pd.Series) -> tuple[object, int]:
    """Find the commonest key; of equally common ones the first in order of text."""
    counts = Counter(keys)
    return min(counts.items(), key=lambda item: (-item[1], str(item[0])))
