"""Parts of a page that are the same for everyone, rendered once for each language."""

from __future__ import annotations

from typing import Any

from flask import current_app, render_template
from markupsafe import Markup

from study_server.participant.languages import current_language

EXTENSION = "lontar_fragments"
Fragments = dict[tuple[Any, ...], Markup]


def fragment(template: str, **values: str | bool) -> Markup:
    """Give a template's text for these values, which is all that it may depend on."""
    kept: Fragments = current_app.extensions.setdefault(EXTENSION, {})
    key = (template, current_language(), *values.values())
    if key not in kept:
        kept[key] = Markup(render_template(template, **values))  # noqa: S704 - rendered just now
    return kept[key]
