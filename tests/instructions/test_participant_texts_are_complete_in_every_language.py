"""The participants' texts are complete in every language, and drafts say that they are drafts."""

from __future__ import annotations

from importlib.resources import files

import pytest

from study_server.participant.pages import participant_text

STEPS = {
    "break",
    "consent",
    "format_binary",
    "format_count",
    "format_multi",
    "format_single",
    "format_text",
    "instructions",
    "practice",
    "thanks",
    "withdrawn",
}
DRAFTS = ("id", "km", "ta", "zh")
DRAFT = "<!-- draft: awaiting review by a native reader -->"
# A letter of each language's script.
LETTERS = {"id": "a", "km": "ក", "ta": "க", "zh": "的"}


def source(language: str, step: str) -> str:
    return (files("instructions") / language / f"{step}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["en", *DRAFTS])
def test_every_step_and_answer_format_has_a_text(language: str) -> None:
    names = {
        entry.name.removesuffix(".md") for entry in (files("instructions") / language).iterdir()
    }
    assert names == STEPS


@pytest.mark.parametrize("language", DRAFTS)
@pytest.mark.parametrize("step", sorted(STEPS))
def test_a_translation_opens_with_the_mark_of_a_draft_which_is_not_shown(
    language: str, step: str
) -> None:
    assert source(language, step).splitlines()[0] == DRAFT
    shown = participant_text({}, step, language)
    assert shown.language == language
    assert "draft" not in shown.html


@pytest.mark.parametrize("step", sorted(STEPS))
def test_the_english_texts_are_no_drafts(step: str) -> None:
    assert "<!--" not in source("en", step)


@pytest.mark.parametrize("language", ["en", *DRAFTS])
@pytest.mark.parametrize("step", sorted(STEPS))
def test_no_sign_of_markdown_is_left_on_the_page(language: str, step: str) -> None:
    html = str(participant_text({}, step, language).html)
    assert "**" not in html
    assert "`" not in html
    assert "#" not in html


@pytest.mark.parametrize("language", DRAFTS)
def test_a_translation_has_the_parts_of_the_english_text(language: str) -> None:
    for step in ("consent", "instructions", "format_text"):
        english, translated = source("en", step), source(language, step)
        for sign in ("\n# ", "\n## ", "\n- ", "\n**"):
            assert translated.count(sign) in (english.count(sign), ("\n" + english).count(sign))
        assert LETTERS[language] in translated


def test_the_rules_of_the_study_are_all_in_the_instructions() -> None:
    text = source("en", "instructions")
    for rule in (
        "Judge only what you can see",
        "no outside knowledge of history or language",
        "no AI tools",
        "Do not discuss",
        "no time limit",
    ):
        assert rule in text


def test_the_marks_that_a_transcription_is_scored_by_are_explained_in_every_language() -> None:
    for language in ("en", *DRAFTS):
        text = source(language, "format_text")
        marks = ("□", "<unrecognizable>", "=", "-", "~", "〇", "（）", "<ignore>", "<note>")
        for mark in marks:
            assert f"`{mark}`" in text, (language, mark)
