"""A transcriber's page in Chromium: what is typed, pasted, inserted, composed is what is stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

PEOPLE = [f"P{number:02}" for number in range(1, 13)]
STUDY = """
[study]
name = "Signs"
seed = "signs"
[benchmark]
questions = ["benchmark/test.jsonl"]
vocabularies = "benchmark/vocabularies.json"
images = "benchmark/images"
[sample]
strata = ["category"]
per_stratum = 1
[assignment]
responses_per_question = 12
[server]
languages = ["en", "zh"]
[text]
writing_mode = "vertical"
"""


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory,
    small_image: Callable[[str], bytes],
    run_server: Callable[..., Any],
) -> Any:
    """A study of one text, which twelve people transcribe; columns run from top to bottom."""
    folder = tmp_path_factory.mktemp("signs") / "study"
    question = {
        "sample_id": "stele",
        "image_name": "stele.jpg",
        "category": "Stele",
        "question_en": "What is written?",
    }
    plan = "".join(f"{one},stele,{index},1,1\n" for index, one in enumerate(PEOPLE, 1))
    files = {
        "study.toml": STUDY,
        "participants.csv": "participant,annotator_ids\n" + "".join(f"{one},\n" for one in PEOPLE),
        "benchmark/vocabularies.json": '{"Stele": {"format": "text"}}',
        "sample/questions.jsonl": json.dumps(question) + "\n",
        "plan/assignment.csv": f"participant,sample_id,response_index,session,position\n{plan}",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    image = folder / "benchmark" / "images" / "stele.jpg"
    image.parent.mkdir()
    image.write_bytes(small_image("stele"))
    return run_server(folder)


@pytest.fixture(scope="module")
def unused(server: Any) -> Iterator[tuple[str, str]]:
    """Names and links that nobody has opened yet."""
    return iter(server.links.items())


class Transcriber:
    """Somebody at the page of their one text."""

    def __init__(self, page: Page, server: Any, name: str, link: str) -> None:
        self.page, self.server, self.name = page, server, name
        page.goto(link)
        page.get_by_role("button", name="English").click()
        page.get_by_role("button", name="I have read the instructions").click()
        self.wait_for_image()
        self.text = page.locator("#text")

    def wait_for_image(self) -> None:
        self.page.wait_for_selector("#frame[data-shown=yes]")

    def save(self) -> dict[str, Any]:
        """Save, and give the row that the server then exports."""
        self.page.get_by_role("button", name="Save and go on").click()
        expect(self.page.locator(".code")).to_be_visible()
        return next(row for row in self.server.responses() if row["participant"] == self.name)

    def insert(self, mark: str) -> None:
        self.page.locator(f"[data-insert='{mark}']").click()


@pytest.fixture
def transcriber(page: Page, server: Any, unused: Iterator[tuple[str, str]]) -> Transcriber:
    return Transcriber(page, server, *next(unused))


def code_points(text: str) -> list[str]:
    return [f"U+{ord(one):04X}" for one in text]


def test_what_is_typed_pasted_and_inserted_is_stored_by_its_code_points(
    transcriber: Transcriber,
) -> None:
    page, text = transcriber.page, transcriber.text
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    text.focus()
    page.keyboard.type("ab")
    for mark in ("□", "<unrecognizable>", "=", "-", "~", "〇"):
        transcriber.insert(mark)
    page.keyboard.press("Enter")
    # Pasted, with a line break: from extension A, B, C, F, a compatibility ideograph that must
    # not become U+8C48, and an ideograph with its variation selector.
    pasted = "㐀𠮷\n𪜀𭀀豈葛\U000e0100"
    page.evaluate("text => navigator.clipboard.writeText(text)", pasted)
    page.keyboard.press("Control+V")
    # By code point: extensions B, G and H, in the ways that people write them.
    for written in ("U+2A6D6", "30EDE", "\\u{31350}", "&#x323AF; 0x3134A"):
        page.locator("#code-point").fill(written)
        page.locator("#code-point").press("Enter")
    # Pairs go round what is typed next, or round what is selected.
    transcriber.insert("（）")
    page.keyboard.insert_text("小注")
    page.keyboard.press("End")
    transcriber.insert("<note></note>")
    page.keyboard.insert_text("眉批")
    text.evaluate("one => one.setSelectionRange(0, 2)")
    transcriber.insert("<ignore></ignore>")
    expected = (
        "<ignore>ab</ignore>□<unrecognizable>=-~〇\n㐀𠮷\n𪜀𭀀豈葛\U000e0100"
        "𪛖𰻞\U00031350\U000323af\U0003134a（小注）<note>眉批</note>"
    )
    # Read as: tags and brackets go, the special token is one: 2+1+1+4 on the first line, 2 on the
    # second, 5 pasted and 5 entered, 4 noted; the variation selector is no character by itself.
    expect(page.locator("#preview-count")).to_contain_text("23")
    row = transcriber.save()
    assert code_points(row["raw_response"]) == code_points(expected)
    assert row["status"] == "answered"


def test_a_mark_can_be_undone_like_anything_that_was_typed(transcriber: Transcriber) -> None:
    page = transcriber.page
    transcriber.text.focus()
    page.keyboard.type("ab")
    transcriber.insert("<unrecognizable>")
    page.keyboard.press("Control+Z")
    expect(transcriber.text).to_have_value("ab")


def test_a_code_point_that_is_none_inserts_nothing(transcriber: Transcriber) -> None:
    field = transcriber.page.locator("#code-point")
    for written in ("", "U+D800", "U+110000", "山", "4E00 zz"):
        field.fill(written)
        field.press("Enter")
        expect(field).to_have_attribute("aria-invalid", "true")
    expect(transcriber.text).to_have_value("")


def test_no_key_of_an_input_method_is_taken_for_a_shortcut(transcriber: Transcriber) -> None:
    page = transcriber.page
    sent: list[str] = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    method = page.context.new_cdp_session(page)

    def compose(text: str) -> None:
        method.send(
            "Input.imeSetComposition",
            {"text": text, "selectionStart": len(text), "selectionEnd": len(text)},
        )

    transcriber.text.focus()
    compose("shan")
    assert page.evaluate("document.getElementById('text').value") == "shan"
    turned = "document.getElementById('frame').viewer.viewport.getRotation()"
    # Choosing a candidate: Enter, Ctrl+Enter, letters and digits belong to the input method.
    for key in ("Enter", "Control+Enter", "r", "f", "i", "?", "1", "Escape"):
        page.keyboard.press(key)
        compose("shan")
    method.send("Input.insertText", {"text": "山"})
    compose("shui")
    method.send("Input.insertText", {"text": "水"})
    assert page.evaluate(turned) == 0
    expect(page.locator("#instructions-dialog")).to_be_hidden()
    # The last key of a choice may come after the composition, with 229 for its code.
    page.evaluate(
        """() => document.getElementById("text").dispatchEvent(new KeyboardEvent("keydown",
            {key: "Enter", ctrlKey: true, keyCode: 229, bubbles: true, cancelable: true}))"""
    )
    field = page.locator("#code-point")
    field.focus()
    compose("4E00")
    page.keyboard.press("Enter")
    assert [url for url in sent if not url.endswith("/preview")] == []
    expect(page.locator("#asked")).to_have_text("What is written?")
    # Control and Enter save when nothing is being composed.
    transcriber.text.fill("山水")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".code")).to_be_visible()
    rows = [row for row in transcriber.server.responses() if row["participant"] == transcriber.name]
    assert [row["raw_response"] for row in rows] == ["山水"]


def test_a_character_that_no_font_shows_is_named_and_stored_all_the_same(
    transcriber: Transcriber,
) -> None:
    page = transcriber.page
    warning = page.locator("#missing-glyphs")
    # The page's own font shows Khmer; Latin is everywhere.
    transcriber.text.fill("ខ្មែរ abc")
    expect(page.locator("#preview")).to_have_text("ខ្មែរabc")
    expect(warning).to_be_hidden()
    # Plane 3 ends with code points that are not assigned to anything.
    transcriber.text.fill("ខ្មែរ abc\U0003fffb")
    expect(warning).to_contain_text("U+3FFFB")
    assert "U+1781" not in warning.inner_text()
    assert transcriber.save()["raw_response"] == "ខ្មែរ abc\U0003fffb"


def test_a_long_list_of_missing_characters_is_cut_and_counted(transcriber: Transcriber) -> None:
    many = "".join(chr(0x3FF00 + number) for number in range(30))
    transcriber.text.fill(many)
    warning = transcriber.page.locator("#missing-glyphs")
    expect(warning).to_contain_text("U+3FF0B, … (30)")
    assert "U+3FF0C" not in warning.inner_text()


def test_a_draft_outlives_the_page_and_is_read_again(transcriber: Transcriber) -> None:
    page = transcriber.page
    transcriber.text.fill("𠮷\n𰻞")
    page.reload()
    transcriber.wait_for_image()
    expect(transcriber.text).to_have_value("𠮷\n𰻞")
    expect(page.locator("#preview")).to_have_text("𠮷𰻞")
    expect(page.locator("#preview-count")).to_contain_text("2")
    transcriber.text.fill("")
    page.get_by_label("Nothing can be read").check()
    page.reload()
    transcriber.wait_for_image()
    expect(page.get_by_label("Nothing can be read")).to_be_checked()


def test_nothing_legible_is_an_answered_empty_text_and_not_a_skip(
    transcriber: Transcriber,
) -> None:
    page = transcriber.page
    transcriber.text.fill("甲")
    page.get_by_label("Nothing can be read").check()
    page.get_by_role("button", name="Save and go on").click()
    expect(page.locator("#answer-error")).to_contain_text("not both")
    transcriber.text.fill("")
    row = transcriber.save()
    assert (row["status"], row["raw_response"]) == ("answered", "")
    assert row["response_index"] is not None


def test_columns_run_from_top_to_bottom_and_the_image_turns(transcriber: Transcriber) -> None:
    page, text = transcriber.page, transcriber.text
    mode = "one => getComputedStyle(one).writingMode"
    assert text.evaluate(mode) == "vertical-rl"
    page.get_by_role("button", name="Vertical").click()
    assert text.evaluate(mode) == "horizontal-tb"
    page.get_by_role("button", name="Vertical").click()
    assert text.evaluate(mode) == "vertical-rl"
    page.get_by_role("button", name="Turn the image").click()
    page.locator("#leaf").press("r")
    viewport = "document.getElementById('frame').viewer.viewport"
    page.wait_for_function(f"() => {viewport}.getRotation() === 180")
    # Turned, a leaf that nobody has zoomed into is still seen whole: as wide as it was is it high.
    page.locator("#leaf").press("r")
    page.wait_for_function(f"() => {viewport}.getRotation() === 270")
    page.wait_for_function(f"() => {viewport}.getBoundsNoRotate(true).height >= 0.99")


def test_the_chosen_direction_stays_and_signs_are_told_by_their_code_points(
    transcriber: Transcriber,
) -> None:
    page, text = transcriber.page, transcriber.text
    mode = "one => getComputedStyle(one).writingMode"
    page.get_by_role("button", name="Vertical").click()
    assert text.evaluate(mode) == "horizontal-tb"
    page.reload()
    transcriber.wait_for_image()
    assert text.evaluate(mode) == "horizontal-tb"
    expect(page.get_by_role("button", name="Vertical")).to_have_attribute("aria-pressed", "false")
    titles = {mark: page.locator(f"[data-insert='{mark}']") for mark in ("〇", "（）", "=")}
    expect(titles["〇"]).to_have_attribute("title", "Insert 〇 (U+3007)")
    expect(titles["（）"]).to_have_attribute("title", "Insert （） (U+FF08 U+FF09)")
    expect(titles["="]).to_have_attribute("title", "Insert =")
    field = page.locator("#code-point")
    field.fill("zz")
    field.press("Enter")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("4E00")
    assert field.get_attribute("aria-invalid") is None


def test_how_it_will_be_read_is_seen_without_scrolling_while_one_writes(
    transcriber: Transcriber,
) -> None:
    page = transcriber.page
    page.set_viewport_size({"width": 1366, "height": 768})
    for vertical in (True, False):
        transcriber.text.fill("山水清音")
        line = page.locator("#preview-line")
        expect(line).to_be_visible()
        foot, seen = page.locator(".foot").bounding_box(), line.bounding_box()
        assert foot is not None
        assert seen is not None
        assert seen["y"] + seen["height"] <= foot["y"] + 1, vertical
        page.get_by_role("button", name="Vertical").click()


def test_chinese_is_offered_and_its_rules_are_one_key_away(
    page: Page, server: Any, unused: Iterator[tuple[str, str]]
) -> None:
    _name, link = next(unused)
    page.goto(link)
    page.get_by_role("button", name="中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh")
    expect(page.locator("main")).to_contain_text("从最右一列开始")
    page.locator("main button[type=submit]").click()
    page.wait_for_selector("#frame[data-shown=yes]")
    page.locator("#leaf").press("i")
    expect(page.locator("#instructions-dialog")).to_contain_text("释文转写")
