"""Interface languages: which one a visitor reads, and how its name is written."""

from __future__ import annotations

from babel import Locale
from flask import Flask, g, request
from flask_babel import Babel

from study_server.configuration import running_study

DRAFTS = ("id", "km", "ta")


def set_up_languages(app: Flask) -> None:
    """Let Flask-Babel ask us for the language of each request."""
    app.config.setdefault("BABEL_DEFAULT_LOCALE", "en")
    Babel(app, locale_selector=current_language)


def current_language() -> str:
    """Give the participant's own choice, else the browser's, else the study's first."""
    languages = running_study().languages
    visitor = g.get("visitor")
    if visitor is not None and visitor.language in languages:
        return str(visitor.language)
    return request.accept_languages.best_match(languages) or languages[0]


def language_name(code: str) -> str:
    """Write a language's name in itself.

    >>> language_name("id")
    'Indonesia'
    """
    return Locale.parse(code, sep="-").get_display_name(code) or code
