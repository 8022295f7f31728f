"""The participants' texts: Markdown by language and step, the study's own before the built-in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

FALLBACK = "en"
ANY_LANGUAGE = "*"

# The first line of a draft: it speaks to those who review the text.
_COMMENT = re.compile(r"\A<!--.*?-->\s*", re.DOTALL)
_renderer = MarkdownIt("commonmark", {"html": False})


@dataclass(frozen=True)
class ParticipantText:
    """A rendered text, and the language it is in."""

    html: Markup
    language: str


def participant_text(settings: Mapping[str, Any], step: str, language: str) -> ParticipantText:
    """Give the text of a step: in the language, else in English, else nothing."""
    own = settings.get("texts", {})
    for candidate in (language, ANY_LANGUAGE):
        if step in own.get(candidate, {}):
            found = language if candidate == ANY_LANGUAGE else candidate
            return ParticipantText(_render(own[candidate][step]), found)
    for candidate in (language, FALLBACK):
        text = _built_in(step, candidate)
        if text is not None:
            return ParticipantText(_render(text), candidate)
    return ParticipantText(Markup(""), FALLBACK)


@cache
def _built_in(step: str, language: str) -> str | None:
    """Read a text of the package."""
    file = resources.files("instructions") / language / f"{step}.md"
    return file.read_text(encoding="utf-8") if file.is_file() else None


@cache
def _render(text: str) -> Markup:
    """Render Markdown; a comment before it is left out, other HTML is shown as text."""
    return Markup(_renderer.render(_COMMENT.sub("", text)))  # noqa: S704 - the renderer escapes HTML
