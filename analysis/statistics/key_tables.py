"""`dawid_skene.csv`: participants' accuracies without keys, and the key as one more rater.

`key_audit.csv` and `key_audit_questions.csv`: where all people contradict the key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from analysis.arrays import BoolArray, FloatArray, IntArray
from analysis.human_reference.dawid_skene import Block, OneCoin, one_coin
from analysis.human_reference.key_audit import KeyAudit, audit_keys, score_if_people_are_right
from analysis.statistics.context import Row, Setting, number, points
from analysis.statistics.label_tables import LabelAnswers, label_answers
from sampling.answers.vocabularies import AnswerFormat
from sampling.draw.limits import wilson_limits

COLUMNS = ("rater", "kind", "n", "score", "accuracy", "accuracy_with_key", "note")


@dataclass(frozen=True)
class CategoryKeys:
    """The questions of one category that were answered, and their keys among its values."""

    positions: IntArray
    keys: IntArray


@dataclass(frozen=True)
class CoinFit:
    """The one-coin model of a study: one block and one set of keys for each category."""

    categories: Sequence[CategoryKeys]
    coin: OneCoin


def fit_coins(setting: Setting, answers: LabelAnswers, *, with_key: bool) -> CoinFit:
    """Fit the model to all categories together; with the key as the last rater or without."""
    n_raters = len(setting.arrays.participants) + (1 if with_key else 0)
    blocks, categories = [], []
    codes = setting.arrays.category.codes[answers.question]
    for category in np.unique(codes):
        block, keys = _block(setting, answers, codes == category, n_raters if with_key else None)
        blocks.append(block)
        categories.append(keys)
    return CoinFit(categories, one_coin(blocks, n_raters))


def _block(
    setting: Setting, answers: LabelAnswers, chosen: np.ndarray, n_raters: int | None
) -> tuple[Block, CategoryKeys]:
    """Number the questions and the answers of one category from 0."""
    positions = np.unique(answers.question[chosen])
    valid = chosen & (answers.answer >= 0)
    question = np.searchsorted(positions, answers.question[valid])
    rater, answer = answers.participant[valid], answers.answer[valid]
    keys = setting.codes.keys[positions]
    if n_raters is not None:
        question = np.concatenate([question, np.arange(positions.size)])
        rater = np.concatenate([rater, np.full(positions.size, n_raters - 1)])
        answer = np.concatenate([answer, keys])
    values = np.unique(np.concatenate([answer, keys]))
    declared = declared_values(setting, int(positions[0]))
    block = Block(
        question=question.astype(np.int64),
        rater=rater,
        answer=np.searchsorted(values, answer).astype(np.int64),
        n_questions=int(positions.size),
        n_values=max(declared, int(values.size), 2),
    )
    local = np.searchsorted(values, keys).astype(np.int64)
    return block, CategoryKeys(positions.astype(np.int64), local)


def declared_values(setting: Setting, position: int) -> int:
    """Return how many answers a question's category declares; 0 where that is not bounded.

    Labels for one label or yes and no; the whole numbers from `min` to `max` for a count; for a set
    of L labels L and not the 2^L - 1 sets: nobody draws among all these alike, and the model would
    take two people with the same slip for right, a slip being one wrong set in 2^L - 2.
    """
    question = setting.scored.questions.iloc[position]
    vocabulary = setting.scored.vocabularies.get(str(question["category"]))
    if vocabulary is None:
        return int(question["vocabulary_size"])
    if vocabulary.format is AnswerFormat.COUNT:
        if vocabulary.maximum is None:
            return 0
        return vocabulary.maximum - vocabulary.minimum + 1
    return len(vocabulary.labels)


def key_probabilities(fit: CoinFit) -> dict[int, float]:
    """Give how probable each question's key is by the people's answers alone."""
    probable: dict[int, float] = {}
    for one, posterior in zip(fit.categories, fit.coin.posteriors, strict=True):
        found = posterior[np.arange(one.keys.size), one.keys]
        probable.update(zip(one.positions.tolist(), found.tolist(), strict=True))
    return probable


def consensus_score(fit: CoinFit) -> FloatArray:
    """Score each question's most probable answer; a tie gives the share that is the key."""
    scores = []
    for one, posterior in zip(fit.categories, fit.coin.posteriors, strict=True):
        tied = posterior >= posterior.max(axis=1, keepdims=True) - 1e-9
        scores.append(tied[np.arange(one.keys.size), one.keys] / tied.sum(axis=1))
    return np.concatenate(scores)


def coin_rows(setting: Setting) -> list[Row]:
    """List the participants' accuracies, the key's, and how the consensus fares."""
    answers = label_answers(setting)
    if answers is None:
        return []
    without = fit_coins(setting, answers, with_key=False)
    with_key = fit_coins(setting, answers, with_key=True)
    return [
        *_participant_rows(setting, answers, without.coin, with_key.coin),
        *_last_rows(consensus_score(without), float(with_key.coin.accuracy[-1])),
    ]


def _participant_rows(
    setting: Setting, answers: LabelAnswers, without: OneCoin, with_key: OneCoin
) -> list[Row]:
    return [
        {
            "rater": name,
            "kind": "participant",
            "n": str(int(own.sum())),
            "score": points(float(answers.exact[own].mean())),
            "accuracy": number(float(without.accuracy[person])),
            "accuracy_with_key": number(float(with_key.accuracy[person])),
            "note": "",
        }
        for person, name in enumerate(setting.arrays.participants)
        if (own := answers.participant == person).any()
    ]


def _last_rows(scores: FloatArray, key_accuracy: float) -> list[Row]:
    """Describe the key as a rater, and the consensus against the key."""
    empty = dict.fromkeys(COLUMNS, "")
    key = {
        "rater": "key",
        "kind": "key",
        "n": str(scores.size),
        "accuracy_with_key": number(key_accuracy),
        "note": "the key as one more rater: a low value points to doubtful keys",
    }
    consensus = {
        "rater": "consensus",
        "kind": "consensus",
        "n": str(scores.size),
        "score": points(float(scores.mean())),
        "note": "the most probable answers without the key, scored against it",
    }
    return [empty | key, empty | consensus]


AUDIT_COLUMNS = (
    "category",
    "n_questions",
    "n_suspect",
    "share",
    "low",
    "high",
    "expected",
    "em",
    "em_if_people_are_right",
)
SUSPECT_COLUMNS = ("sample_id", "category", "collection", "key", "people", "n_people", "p_key")


def key_audit_rows(setting: Setting) -> tuple[list[Row], list[Row]]:
    """Count the questions whose key all people contradict in one voice, and list them."""
    answers = label_answers(setting)
    if answers is None:
        return [], []
    names = setting.arrays.category.names
    rows, suspects = [], []
    expected = 0.0
    for code, name in enumerate(names):
        chosen = setting.arrays.category.codes[answers.question] == code
        if chosen.any():
            found = _audit(setting, answers, chosen)
            expected += found.expected
            suspects += found.suspects.tolist()
            rows.append(_audit_row(name, answers, chosen, found, setting.level))
    everyone = np.ones(answers.question.size, dtype=bool)
    asked = int(np.count_nonzero(np.bincount(answers.question) >= 2))
    total = KeyAudit(np.array(sorted(suspects), dtype=np.int64), asked, expected)
    rows.append(_audit_row("overall", answers, everyone, total, setting.level))
    return rows, _suspect_rows(setting, answers, total.suspects)


def _audit(setting: Setting, answers: LabelAnswers, chosen: BoolArray) -> KeyAudit:
    return audit_keys(answers.question[chosen], answers.answer[chosen], setting.codes.keys)


def _audit_row(
    name: str, answers: LabelAnswers, chosen: BoolArray, found: KeyAudit, level: float
) -> Row:
    n, hits = found.n_questions, found.suspects.size
    critical = float(stats.norm.ppf((1 + level) / 2))
    low, high = wilson_limits(hits / n, n, critical) if n else (None, None)
    exact = answers.exact[chosen]
    right = score_if_people_are_right(answers.question[chosen], exact, found.suspects.tolist())
    return {
        "category": name,
        "n_questions": str(n),
        "n_suspect": str(hits),
        "share": points(hits / n) if n else "",
        "low": points(low),
        "high": points(high),
        "expected": number(found.expected, 2),
        "em": points(float(exact.mean())),
        "em_if_people_are_right": points(right),
    }


def _suspect_rows(setting: Setting, answers: LabelAnswers, suspects: IntArray) -> list[Row]:
    arrays, codes = setting.arrays, setting.codes
    probable = key_probabilities(fit_coins(setting, answers, with_key=False))
    rows: list[Row] = []
    for place in suspects.tolist():
        own = answers.answer[answers.question == place]
        rows.append(
            {
                "sample_id": arrays.sample_ids[place],
                "category": arrays.category.names[arrays.category.codes[place]],
                "collection": arrays.collection.names[arrays.collection.codes[place]],
                "key": _text(codes.values[codes.keys[place]]),
                "people": _text(codes.values[own[0]]),
                "n_people": str(own.size),
                "p_key": number(probable.get(place)),
            }
        )
    return rows


def _text(value: object) -> str:
    """Print an answer; a set of labels in alphabetical order, separated by `; `."""
    return "; ".join(sorted(value)) if isinstance(value, frozenset) else str(value)
