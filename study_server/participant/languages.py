"""Interface languages: which one a visitor reads, and how its name is written.

Which languages the participants' pages themselves are translated into.
Parts of a page that are the same for everyone: rendered once for a language and URL prefix.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from importlib import resources
from typing import Any

from babel import Locale
from babel.support import Translations
from flask import Flask, current_app, g, render_template, request, session
from flask_babel import Babel, force_locale, get_domain, refresh
from markupsafe import Markup

from study_server.web.configuration import running_study

SOURCE = "en"


def has_catalog(language: str) -> bool:
    """Tell whether the pages' own words exist in a language, or in the one it is a kind of.

    >>> has_catalog("en"), has_catalog("zh"), has_catalog("zh-TW"), has_catalog("eo")
    (True, True, True, False)
    """
    folder = resources.files("study_server") / "translations"
    kinds = (language.replace("-", "_"), language.split("-", maxsplit=1)[0])
    return any(
        kind == SOURCE or (folder / kind / "LC_MESSAGES" / "messages.mo").is_file()
        for kind in kinds
    )


def describe_languages(languages: Sequence[str]) -> str:
    """List a study's languages, and say for which of them buttons and messages stay English.

    >>> describe_languages(["en", "eo"])
    'en, eo; no translation of buttons and messages into eo: they are English there'
    """
    missing = [language for language in languages if not has_catalog(language)]
    said = ", ".join(languages)
    if not missing:
        return said
    names = ", ".join(missing)
    return f"{said}; no translation of buttons and messages into {names}: they are English there"


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
