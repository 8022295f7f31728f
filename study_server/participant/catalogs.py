"""Which languages the participants' pages themselves are translated into."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

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
