"""Quality without keys: agreement so far and flags, from the answers as they are stored."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Any

import numpy as np

from analysis.agreement.answer_table import AnswerTable, answer_table
from analysis.agreement.coefficients import alpha as alpha_of
from analysis.agreement.distances import (
    edit_distance,
    interval_distance,
    jaccard_distance,
    label_sets,
    nominal_distance,
)
from analysis.agreement.exact import mean_pairwise
from analysis.arrays import FloatArray, Undefined
from analysis.human_reference.quality_flags import AnswerTraces, Flag, FlagRules, quality_flags
from analysis.scoring.scores import edit_similarity
from sampling.answers.normalization import read_text
from sampling.answers.transcription import tokenize
from sampling.answers.vocabularies import READING_RULE, AnswerFormat
from sampling.study.definition import TextTable
from study_server.store.steering.quality import GivenAnswer

MOST_TEXTS = 500


@dataclass(frozen=True)
class AgreementSoFar:
    """Agreement in one category, over the questions that two people or more have answered.

    `alike` is the share of pairs with the same answer; for texts the mean similarity of pairs.
    """

    category: str
    questions: int
    alike: float | Undefined
    alpha: float | Undefined
    texts: bool = False


def agreement_so_far(
    answers: Sequence[GivenAnswer],
    entries: Mapping[str, Mapping[str, Any]],
    rules: TextTable = TextTable(),  # noqa: B008 - frozen
    reading_rule: int = READING_RULE,
) -> tuple[AgreementSoFar, ...]:
    """Give pairwise agreement and Krippendorff's alpha by category, undefined with reason.

    Texts are read as they are scored, by `[text]` and the reading rule of the study.
    """
    by_category: dict[str, list[GivenAnswer]] = {category: [] for category in entries}
    for answer in answers:
        by_category.setdefault(answer.category, []).append(answer)
    found = []
    for category, given in by_category.items():
        answer_format = AnswerFormat(entries[category]["format"])
        if answer_format is AnswerFormat.TEXT:
            given = [_as_read(one, rules, reading_rule) for one in given]  # noqa: PLW2901
        found.append(_agreement(category, given, answer_format, rules))
    return tuple(found)


def overall_agreement(rows: Sequence[AgreementSoFar]) -> tuple[float | Undefined, int]:
    """Average agreement over the categories where it is defined; say how many they are."""
    defined = [row.alike for row in rows if not isinstance(row.alike, Undefined)]
    if not defined:
        return Undefined("no question has two answers yet"), 0
    return sum(defined) / len(defined), len(defined)


def flags_so_far(
    traces: AnswerTraces,
    visits: Mapping[int, Sequence[datetime]],
    attention: Mapping[int, tuple[int, int]],
    rules: FlagRules,
) -> tuple[Flag, ...]:
    """Give every flag on the answers so far; `Flag.participant` is the participant's id."""
    signed_in = {
        person: np.array([moment.timestamp() for moment in moments])
        for person, moments in visits.items()
    }
    return quality_flags(traces, signed_in, attention, rules)


def medians_so_far(traces: AnswerTraces) -> dict[int, float]:
    """Give the median active time of every participant's answers, in seconds, where known."""
    known = ~np.isnan(traces.active_seconds)
    person, seconds = traces.participant[known], traces.active_seconds[known]
    begins = np.flatnonzero(person[1:] != person[:-1]) + 1
    return {
        int(theirs[0]): float(np.median(times))
        for theirs, times in zip(np.split(person, begins), np.split(seconds, begins), strict=True)
        if len(theirs)
    }


def _agreement(
    category: str, given: Sequence[GivenAnswer], answer_format: AnswerFormat, rules: TextTable
) -> AgreementSoFar:
    texts = answer_format is AnswerFormat.TEXT
    values = {text: code for code, text in enumerate(sorted({one.response for one in given}))}
    table = answer_table(
        np.array([one.question_id for one in given], dtype=np.int64),
        np.array([values[one.response] for one in given], dtype=np.int64),
        [_value(text, answer_format) for text in values],
    )
    if not table.n_paired:
        nothing = Undefined("no question has two answers yet")
        return AgreementSoFar(category, 0, nothing, nothing, texts)
    if texts:
        alike = _similarity(given, rules)
    else:
        alike = float(mean_pairwise(table, np.eye(len(table.values)), table.point_weights)[0])
    alpha = _alpha(table, answer_format, rules)
    return AgreementSoFar(category, table.n_paired, alike, alpha, texts)


def _as_read(answer: GivenAnswer, rules: TextTable, rule: int) -> GivenAnswer:
    """Write a stored text as it is read when it is scored."""
    read = read_text(str(json.loads(answer.response)), rules, rule)
    return answer._replace(response=json.dumps(read, ensure_ascii=False))


def _similarity(given: Sequence[GivenAnswer], rules: TextTable) -> float:
    """Average the similarity of two people's texts within questions, then over the questions."""
    units: dict[int, list[tuple[str, ...]]] = {}
    for one in given:
        units.setdefault(one.question_id, []).append(tokenize(json.loads(one.response), rules))
    means = []
    for texts in units.values():
        pairs = [float(edit_similarity(*pair)) for pair in combinations(texts, 2)]
        means += [sum(pairs) / len(pairs)] if pairs else []
    return sum(means) / len(means)


def _alpha(table: AnswerTable, answer_format: AnswerFormat, rules: TextTable) -> float | Undefined:
    """Give alpha with the format's own distance."""
    if answer_format is AnswerFormat.TEXT and len(table.values) > MOST_TEXTS:
        return Undefined("too many different texts to compare while the study runs")
    found = float(alpha_of(table, _distance(table, answer_format, rules), table.point_weights)[0])
    if np.isnan(found):
        return Undefined("every answer was the same")
    return found


def _distance(table: AnswerTable, answer_format: AnswerFormat, rules: TextTable) -> FloatArray:
    """Give the distance of the format: numbers, sets, texts, or the same and not the same."""
    if answer_format is AnswerFormat.COUNT:
        return interval_distance([float(str(value)) for value in table.values])
    if answer_format is AnswerFormat.MULTI:
        return jaccard_distance(label_sets(table.values))
    if answer_format is AnswerFormat.TEXT:
        return edit_distance([tokenize(str(value), rules) for value in table.values])
    return nominal_distance(len(table.values))


def _value(text: str, answer_format: AnswerFormat) -> Hashable:
    """Read a stored answer: a label, a number, or a set of labels."""
    read = json.loads(text)
    if answer_format is AnswerFormat.MULTI:
        return frozenset(read)
    return read if isinstance(read, int) else str(read)


def answer_traces(
    answers: Sequence[GivenAnswer], entries: Mapping[str, Mapping[str, Any]]
) -> AnswerTraces:
    """Write the answers as the arrays that flags are found in."""
    places = {
        (category, json.dumps(label, ensure_ascii=False)): place
        for category, entry in entries.items()
        if entry["format"] in {"single", "binary"}
        for place, label in enumerate(entry["labels"])
    }
    columns = zip(*answers, strict=True) if answers else [()] * len(GivenAnswer._fields)
    people, questions, categories, responses, active, opened = columns
    named = {name: code for code, name in enumerate(sorted(set(categories)))}
    values = {text: code for code, text in enumerate(sorted(set(responses)))}
    pairs = zip(categories, responses, strict=True)
    return AnswerTraces(
        participant=np.array(people, dtype=np.int64),
        question=np.array(questions, dtype=np.int64),
        category=np.array([named[name] for name in categories], dtype=np.int64),
        answer=np.array([values[text] for text in responses], dtype=np.int64),
        place=np.array([places.get(pair, -1) for pair in pairs], dtype=np.int64),
        active_seconds=np.array(active, dtype=np.float64),
        open_seconds=np.array(opened, dtype=np.float64),
    )
