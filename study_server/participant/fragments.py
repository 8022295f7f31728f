"""Parts of a page that are the same for everyone: rendered once for a language and URL prefix."""

from __future__ import annotations

from collections.abc import Hashable

from flask import current_app, render_template, request
from markupsafe import Markup

from study_server.participant.languages import current_language

EXTENSION = "lontar_fragments"
MOST_KEPT = 2_000
Fragments = dict[tuple[Hashable, ...], Markup]


def fragment(template: str, **values: Hashable) -> Markup:
    """Give a template's text for these values, which is all that it may depend on."""
    kept: Fragments = current_app.extensions.setdefault(EXTENSION, {})
    key = (template, current_language(), request.script_root, *values.values())
    if key not in kept:
        if len(kept) > MOST_KEPT:
            kept.clear()
        kept[key] = Markup(render_template(template, **values))  # noqa: S704 - rendered just now
    return kept[key]
