"""The interface's catalogs: every sentence, with its placeholders, in every language."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

LANGUAGES = ("id", "km", "ta", "zh")
FOLDER = Path(str(resources.files("study_server"))) / "translations"
ROOT = FOLDER.parents[1]
PLACEHOLDERS = re.compile(r"%\(\w+\)s")


def catalog(language: str) -> Any:
    with (FOLDER / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file)


def forms(text: Any) -> tuple[str, ...]:
    """Give the plural forms of a sentence, or the sentence."""
    return (text,) if isinstance(text, str) else tuple(text)


def extracted() -> set[str]:
    """Every sentence that the participants' pages and scripts ask a translation for."""
    found: set[str] = set()
    for folder, methods in (
        (ROOT / "study_server" / "participant", [("**.py", "python")]),
        (ROOT / "templates" / "participant", [("**.html", "jinja2")]),
    ):
        for _file, _line, message, *_ in extract_from_dir(folder, methods):
            found.add(message)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_translated(language: str) -> None:
    translated = {
        message.id for message in catalog(language) if message.id and all(forms(message.string))
    }
    assert extracted() - translated == set()
    assert translated - extracted() == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_are_kept(language: str) -> None:
    wrong = [
        message.id
        for message in catalog(language)
        if any(
            set(PLACEHOLDERS.findall(form)) != set(PLACEHOLDERS.findall(forms(message.id)[-1]))
            for form in forms(message.string)
        )
    ]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalog_says_whether_it_is_a_draft(language: str) -> None:
    text = (FOLDER / language / "LC_MESSAGES" / "messages.po").read_text(encoding="utf-8")
    assert "DRAFT" in text


def built_in(language: str) -> dict[str, str]:
    folder = ROOT / "instructions" / language
    return {file.name: file.read_text(encoding="utf-8") for file in folder.glob("*.md")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_for_participants_is_there_whole_and_called_a_draft(language: str) -> None:
    ours, theirs = built_in("en"), built_in(language)
    assert sorted(ours) == sorted(theirs)
    for name, text in ours.items():
        assert theirs[name].startswith("<!-- draft: awaiting review by a native reader -->"), name
        for sign in (r"(?m)^#+ ", r"(?m)^- ", r"\*\*", r"(?m)^$", "`"):
            found = len(re.findall(sign, theirs[name]))
            assert found == len(re.findall(sign, text)), f"{name}: {sign}"


def test_a_participant_reads_the_language_they_chose(
    small_study: Callable[..., Any],
) -> None:
    visit = small_study().visit("P01", until="/language")
    visit.post("/language", language="id")
    assert '<html lang="id">' in visit.page
    assert "Saya sudah membaca petunjuk" in visit.page
    visit.post("/instructions")
    assert "Simpan dan lanjutkan" in visit.page


def test_faults_are_told_in_the_chosen_language_too(small_study: Callable[..., Any]) -> None:
    study = small_study()
    visit = study.visit("P01", until="/language")
    visit.post("/language", language="id")
    for client in (visit.client, study.visit("P01", until="/instructions").client):
        missing = client.get("/nowhere", headers={"Accept-Language": "en"})
        assert "Tidak ada apa-apa di sini" in missing.text
        stale = client.post("/instructions", headers={"Accept-Language": "en"})
        assert (stale.status_code, "Belum tersimpan" in stale.text) == (400, True)


def test_a_gloss_is_shown_and_the_label_is_stored(small_study: Callable[..., Any]) -> None:
    visit = small_study().visit("P01", until="/language")
    visit.post("/language", language="id")
    visit.post("/instructions")
    visit.answer("Khmer")
    assert 'value="cracks"' in visit.page
    assert ">retak<" in visit.page


def test_a_language_without_a_catalog_is_offered_and_said_to_have_english_buttons(
    small_study: Callable[..., Any],
) -> None:
    visit = small_study(toml='[server]\nlanguages = ["en", "zh", "eo"]\n').visit(
        "P01", until="/language"
    )
    assert visit.page.count("buttons in English") == 1
    assert 'lang="eo">Esperanto <small lang="en">buttons in English</small>' in visit.page
    visit.post("/language", language="eo")
    assert '<html lang="eo">' in visit.page
    # The built-in text is there in English only, and says so to screen readers.
    assert 'lang="en"' in visit.page
    assert "I have read the instructions" in visit.page
