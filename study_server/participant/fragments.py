"""Parts of a page that are the same for everyone: rendered once for a language and URL prefix."""

from __future__ import annotations

from collections.abc import Hashable

from flask import current_app, g, render_template, request
from markupsafe import Markup

from study_server.participant.languages import current_language

EXTENSION = "lontar_fragments"
MOST_KEPT = 2_000
Fragments = dict[tuple[Hashable, ...], Markup]


def fragment(template: str, **values: Hashable) -> Markup:
    """Give a template's text for these values, which is all that it may depend on."""
    kept: Fragments = current_app.extensions.setdefault(EXTENSION, {})
    key = (_place(), template, *values.values())
    found = kept.get(key)
    if found is None:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        found = Markup(render_template(template, **values))  # noqa: S704 - rendered just now
        kept[key] = found
    return found


def _place() -> tuple[str, str]:
    """Give the language and URL prefix of the request, looked up once a page."""
    found: tuple[str, str] | None = g.get("place")
    if found is None:
        found = g.place = current_language(), request.script_root
    return found
