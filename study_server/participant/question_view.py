"""What the question page's template needs: the options in their order, with words and keys."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.assignment.order import options_in_order
from study_server.store.answering.work import NextWork
from study_server.store.asking.participants import Visitor
from study_server.web.configuration import RunningStudy

# Letters left for answers: f, i, r and + - are the viewer's.
SHORTCUTS = "1234567890abcdeghjklmnopqstuvwxyz"
LONG_VOCABULARY = 12
WIDE_LEAF = 2.2
SAME_FOR_ALL = "as_given"


@dataclass(frozen=True)
class Option:
    """One answer to choose: its label, what the participant reads in which language, help and key.

    `language` is empty where the benchmark's own words are shown, whose language is not declared.
    """

    label: str
    words: str
    language: str
    help: str
    key: str
    exclusive: bool
    chosen: bool


@dataclass(frozen=True)
class QuestionView:
    """One question as it is shown, and the tokens its form sends back."""

    work: NextWork
    vocabulary: Vocabulary
    options: tuple[Option, ...]
    slot: str
    key: str
    typed: str
    wide: bool
    has_filter: bool
    helped: bool
    note: str
    own_order: bool


def option_order(study: RunningStudy, visitor: Visitor, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Give the labels as they are declared, or in an order of this participant's own."""
    order = study.settings["assignment"]["option_order"]
    return options_in_order(vocabulary, order, study.settings["order_seed"], visitor.pseudonym)


def view_question(
    study: RunningStudy,
    visitor: Visitor,
    work: NextWork,
    language: str,
    typed: Mapping[str, Any] | None = None,
) -> QuestionView:
    """Prepare a question for its page; `typed` holds what was sent before and was not accepted."""
    vocabulary = study.vocabularies[work.source, work.category]
    sent = list((typed or {}).get("answer", []))
    glosses = vocabulary.gloss.get(language, {})
    options = tuple(
        Option(
            label,
            glosses.get(label, label),
            language if label in glosses else "",
            vocabulary.help.get(label, ""),
            SHORTCUTS[place] if place < len(SHORTCUTS) else "",
            label in vocabulary.exclusive,
            label in sent,
        )
        for place, label in enumerate(option_order(study, visitor, vocabulary))
    )
    typing = vocabulary.format in {AnswerFormat.COUNT, AnswerFormat.TEXT}
    return QuestionView(
        work=work,
        vocabulary=vocabulary,
        options=options if not typing else (),
        slot=work.public_id,
        key=(typed or {}).get("key") or secrets.token_urlsafe(16),
        typed=sent[0] if typing and sent else "",
        wide=bool(work.width and work.height and work.width >= WIDE_LEAF * work.height),
        has_filter=len(options) > LONG_VOCABULARY and not typing,
        helped=any(option.help for option in options),
        note=vocabulary.help.get("", ""),
        own_order=study.settings["assignment"]["option_order"] != SAME_FOR_ALL,
    )
