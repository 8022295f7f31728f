"""`key_audit.csv` and `key_audit_questions.csv`: where all people contradict the key."""

from __future__ import annotations

import numpy as np
from scipy import stats

from analysis.array_types import BoolArray, IntArray
from analysis.human_reference.key_audit import KeyAudit, audit_keys, score_if_people_are_right
from analysis.statistics.coin_table import fit_coins, key_probabilities
from analysis.statistics.label_answers import LabelAnswers, label_answers
from analysis.statistics.printed import Row, number, points
from analysis.statistics.setting import Setting
from sampling.draw.limits import wilson_limits

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
