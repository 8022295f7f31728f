"""Reads an answer out of a submitted form, or says what is missing and what would be right."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from sampling.answers.vocabularies import AnswerFormat, Vocabulary

Form = MultiDict[str, str]
Raw = str | int | list[str]
LONGEST_TEXT = 100_000
LONGEST_COMMENT = 10_000
WHOLE_NUMBER = re.compile(r"[+-]?\d{1,9}")


@dataclass(frozen=True)
class FieldError:
    """What is wrong with which field, in the participant's language."""

    field: str
    message: str


def read_answer(form: Form, vocabulary: Vocabulary) -> Raw | FieldError:
    """Read the answer in the vocabulary's format: labels as they are spelled there."""
    match vocabulary.format:
        case AnswerFormat.SINGLE | AnswerFormat.BINARY:
            return _read_one(form.getlist("answer"), vocabulary)
        case AnswerFormat.MULTI:
            return _read_several(form.getlist("answer"), vocabulary)
        case AnswerFormat.COUNT:
            return _read_count(form.get("answer", ""), vocabulary)
        case AnswerFormat.TEXT:
            return _read_text(form)


def _labels(values: Sequence[str], vocabulary: Vocabulary) -> list[str] | None:
    """Give the labels in the vocabulary's order and spelling; None when one is none of them.

    Browsers send line breaks as CR LF, whatever the label has.
    """
    known = {_spelling(label): label for label in vocabulary.labels}
    chosen = {known.get(_spelling(value)) for value in values}
    if None in chosen:
        return None
    return [label for label in vocabulary.labels if label in chosen]


def _spelling(text: str) -> str:
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))


def _read_one(values: Sequence[str], vocabulary: Vocabulary) -> str | FieldError:
    labels = _labels(values, vocabulary)
    if labels is None:
        return FieldError("answer", _("That is not one of the answers. Choose again."))
    if not labels:
        return FieldError("answer", _("Choose one answer."))
    if len(labels) > 1:
        return FieldError("answer", _("Choose one answer only."))
    return labels[0]


def _read_several(values: Sequence[str], vocabulary: Vocabulary) -> list[str] | FieldError:
    labels = _labels(values, vocabulary)
    if labels is None:
        return FieldError("answer", _("That is not one of the answers. Choose again."))
    if not labels:
        return FieldError("answer", _("Choose at least one answer."))
    alone = [label for label in labels if label in vocabulary.exclusive]
    if alone and len(labels) > 1:
        message = _("“%(label)s” cannot stand beside other answers.", label=alone[0])
        return FieldError("answer", message)
    return labels


def _read_count(value: str, vocabulary: Vocabulary) -> int | FieldError:
    if not value.strip():
        return FieldError("answer", _("Enter a whole number."))
    if not WHOLE_NUMBER.fullmatch(value.strip()):
        return FieldError("answer", _("Enter one whole number, in digits only."))
    number = int(value.strip())
    low, high = vocabulary.minimum, vocabulary.maximum
    if high is not None and not low <= number <= high:
        message = _("Enter a whole number from %(low)s to %(high)s.", low=low, high=high)
        return FieldError("answer", message)
    if number < low:
        return FieldError("answer", _("Enter a whole number of at least %(low)s.", low=low))
    return number


def _read_text(form: Form) -> str | FieldError:
    text = form.get("answer", "").replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > LONGEST_TEXT:
        return FieldError("answer", _("This is longer than an answer can be."))
    if form.get("unreadable"):
        if text.strip():
            return FieldError(
                "answer", _("Either transcribe, or say that nothing can be read: not both.")
            )
        return ""
    if not text.strip():
        return FieldError(
            "answer", _("Transcribe what you can read, or say that nothing can be read.")
        )
    return text


def read_confidence(form: Form, asked: bool) -> int | FieldError | None:
    """Read the confidence, from 1 to 5, where the study asks for it."""
    if not asked:
        return None
    value = form.get("confidence", "")
    if value not in {"1", "2", "3", "4", "5"}:
        return FieldError("confidence", _("Say how sure you are."))
    return int(value)


def read_comment(form: Form, offered: bool) -> str | None:
    """Read the comment, where the study offers one."""
    comment = form.get("comment", "").replace("\r\n", "\n").replace("\x00", "").strip()
    return comment[:LONGEST_COMMENT] or None if offered else None


def read_seconds(form: Form) -> float | None:
    """Read the active time the page measured; nothing when it is no time."""
    try:
        seconds = float(form.get("active_seconds", ""))
    except ValueError:
        return None
    return round(max(seconds, 0.0), 3) if seconds == seconds and seconds < float("inf") else None


def read_adjustments(form: Form, offered: bool) -> dict[str, float] | None:
    """Read what the page was seen with; None where it was seen as it is.

    That is the brightness and contrast of the image, in percent, where they can be set, and
    `page_translated` where a browser had translated the page.
    """
    seen = {}
    for name in ("brightness", "contrast") if offered else ():
        value = form.get(name, "100")
        seen[name] = float(value) if re.fullmatch(r"\d{1,3}", value) else 100.0
    if set(seen.values()) == {100.0}:
        seen = {}
    if form.get("page_translated") == "1":
        seen["page_translated"] = 1.0
    return seen or None
