"""Interface languages: which one a visitor reads, and how its name is written."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from babel import Locale
from babel.support import Translations
from flask import Flask, g, request, session
from flask_babel import Babel, force_locale, get_domain, refresh
from markupsafe import Markup

from study_server.participant.catalogs import has_catalog
from study_server.web.configuration import running_study

# Where a language's own short name would be taken for something else.
NAMES = {"id": "Bahasa Indonesia"}
Translate = Callable[..., Markup]


def set_up_languages(app: Flask) -> None:
    """Let Flask-Babel ask us for the language of each request."""
    app.config.setdefault("BABEL_DEFAULT_LOCALE", "en")
    Babel(app, locale_selector=current_language)
    i18n: Any = app.jinja_env
    i18n.install_gettext_callables(_translate, _translate_number, newstyle=True)
    i18n.globals.update(gettext=_translate, _=_translate, has_catalog=has_catalog)
    app.context_processor(_for_templates)


def _translate(text: str, **values: Any) -> Markup:
    """Translate a text of a template."""
    return _translator(current_language())(text, **values)


@cache
def _translator(language: str) -> Translate:
    """Give what translates into a language, and keeps the texts that need no values.

    A page has many, and most are the same on every page.
    """
    kept: dict[str, Markup] = {}
    catalog = _catalog(language)

    def translate(text: str, **values: Any) -> Markup:
        found = kept.get(text)
        if found is None or values:
            found = Markup(catalog.gettext(text)) % (values or ())  # noqa: S704 - all ours
        if not values:
            kept[text] = found
        return found

    return translate


def _for_templates() -> dict[str, Translate]:
    """Give templates the words for their texts, chosen once a page."""
    return {"_": _translator(current_language())}


def _translate_number(one: str, many: str, number: int) -> str:
    return str(_catalog(current_language()).ngettext(one, many, number))


@cache
def _catalog(language: str) -> Translations:
    """Give the texts of a language, whichever language this request is in."""
    with force_locale(language):
        found: Translations = get_domain().get_translations()
    return found


def language_may_differ() -> None:
    """Choose the language anew: who is here has become known, or another one is."""
    g.pop("place", None)
    refresh()


def current_language() -> str:
    """Give the participant's own choice, else the browser's, else the study's first.

    Where nobody's row was read, as on a page for a fault, the session remembers the choice.
    """
    languages = running_study().languages
    visitor = g.get("visitor")
    if visitor is not None and visitor.language in languages:
        return str(visitor.language)
    if visitor is None and session.get("language") in languages:
        return str(session["language"])
    if len(languages) == 1:
        return languages[0]
    return request.accept_languages.best_match(languages) or languages[0]


def language_name(code: str) -> str:
    """Write a language's name in itself.

    >>> language_name("id"), language_name("en")
    ('Bahasa Indonesia', 'English')
    """
    return NAMES.get(code) or Locale.parse(code, sep="-").get_display_name(code) or code
