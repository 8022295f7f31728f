"""The agreement of pairs of people, for new people (T3): a row of `intervals.csv`, and columns."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from analysis.agreement.answer_matches import match_responses
from analysis.inference.interval import Interval
from analysis.inference.pairs_of_people import AgreementWithOthers, new_people_interval
from analysis.inference.scored_responses import dense_codes, distinct_codes
from analysis.scoring.transcription_scores import edit_similarity
from analysis.statistics.setting import Setting
from analysis.undefined import Undefined
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
    _put_similarities(setting, share)
    positions, question = distinct_codes(arrays.question[paired])
    return AgreementWithOthers(
        share=share[paired],
        question=question,
        participant=dense_codes(arrays.participant[paired]),
        image=dense_codes(arrays.image[positions]),
        category=dense_codes(arrays.category.codes[positions]),
    )


def _put_similarities(setting: Setting, share: np.ndarray) -> None:
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
