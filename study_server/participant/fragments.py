"""Parts of a page that are the same for everyone: rendered once for a language and URL prefix."""

from __future__ import annotations

from collections.abc import Hashable

from flask import current_app, g, render_template, request
from markupsafe import Markup

from study_server.participant.languages import current_language

EXTENSION = "lontar_fragments"
MOST_PLACES, MOST_KEPT = 64, 2_000
Fragments = dict[tuple[Hashable, ...], Markup]


def fragment(template: str, **values: Hashable) -> Markup:
    """Give a template's text for these values, which is all that it may depend on."""
    kept: Fragments | None = g.get("fragments")
    if kept is None:
        kept = g.fragments = _of_this_place()
    key = (template, *values.values())
    if key not in kept:
        if len(kept) > MOST_KEPT:
            kept.clear()
        kept[key] = Markup(render_template(template, **values))  # noqa: S704 - rendered just now
    return kept[key]


def _of_this_place() -> Fragments:
    """Give what is kept for the language and URL prefix of the request."""
    places: dict[tuple[str, str], Fragments]
    places = current_app.extensions.setdefault(EXTENSION, {})
    if len(places) > MOST_PLACES:
        places.clear()
    return places.setdefault((current_language(), request.script_root), {})
