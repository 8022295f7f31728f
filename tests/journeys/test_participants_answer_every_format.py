"""Every answer format, by mouse, by keyboard alone, by touch, and without scripts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

ODD = ["Don't know <5 & >2", "C#, F#", "None", "ខ្មែរ", "עברית", "a;b\nc", '"q"']


def test_the_keyboard_alone_answers_every_format(person: Any) -> None:
    keys = person.page.keyboard
    for pressed, asked in (
        (["2", "Enter"], "script"),
        (["2", "3", "Enter"], "damage"),
        (["1", "Enter"], "drawing"),
        (["1", "2", "Enter"], "lines"),
    ):
        assert asked in person.asked
        words = person.asked
        for key in pressed:
            keys.press(key)
        person.wait_for_next(words)
        person.wait_for_image()
    words = person.asked
    while person.page.evaluate("document.activeElement.id") != "text":
        keys.press("Tab")
    keys.type("ខ្មែរ 1?")
    keys.press("Control+Enter")
    person.wait_for_next(words)
    person.wait_for_image()
    keys.press("7")
    keys.press("Enter")
    expect(person.page.locator(".code")).to_be_visible()
    assert person.stored() == ["Khmer", ["cracks", "stains"], "yes", 12, "ខ្មែរ 1?", '"q"']


@pytest.mark.parametrize("place", range(len(ODD)))
def test_what_is_stored_is_the_label_whatever_its_characters(person: Any, place: int) -> None:
    person.go_to("Which of these")
    person.page.locator("[name=answer]").nth(place).check()
    person.save()
    expect(person.page.locator(".code")).to_be_visible()
    assert person.stored()[-1] == ODD[place]


def test_touch_alone_answers(new_context: Any, person: Any) -> None:
    context = new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    person.page = context.new_page()
    person.page.goto(person.link)
    person.wait_for_image()
    for taps in (["Khmer"], ["cracks", "stains"], ["yes"]):
        words = person.asked
        for label in taps:
            person.page.get_by_label(label).tap()
        person.page.locator("#submit").tap()
        person.wait_for_next(words)
        person.wait_for_image()
    words = person.asked
    for _ in range(3):
        person.page.get_by_label("One more").tap()
    person.page.locator("#submit").tap()
    person.wait_for_next(words)
    # The first tap gives the smallest number, each further one more.
    assert person.stored() == ["Khmer", ["cracks", "stains"], "yes", 2]


def test_without_scripts_every_format_can_be_answered(new_context: Any, person: Any) -> None:
    context = new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(person.link)
    assert page.locator("#plain img").bounding_box()["width"] > 300
    for act in (
        lambda: page.get_by_label("Khmer").check(),
        lambda: page.get_by_label("cracks").check(),
        lambda: page.get_by_label("yes").check(),
        lambda: page.locator("#count").fill("4"),
        lambda: page.locator("#text").fill("line one\nline two"),
        lambda: page.get_by_label("None").check(),
    ):
        act()
        page.get_by_role("button", name="Save and go on").click()
    expect(page.locator(".code")).to_be_visible()
    assert person.stored() == ["Khmer", ["cracks"], "yes", 4, "line one\nline two", "None"]


def test_an_exclusive_answer_clears_the_others_and_says_so(person: Any) -> None:
    person.go_to("damage")
    page = person.page
    page.get_by_label("cracks").check()
    page.get_by_label("stains").check()
    page.get_by_label("intact").check()
    expect(page.get_by_label("cracks")).not_to_be_checked()
    expect(page.locator("#state")).to_contain_text("cleared")
    page.get_by_label("fading").check()
    expect(page.get_by_label("intact")).not_to_be_checked()


@pytest.mark.parametrize("typed", ["", "3.5", "four", "31", "-1", "1e3"])
def test_a_count_refuses_what_is_no_whole_number_in_range_and_explains(
    person: Any, typed: str
) -> None:
    person.go_to("lines")
    person.page.locator("#count").fill(typed)
    person.save()
    error = person.page.locator("#answer-error")
    expect(error).to_contain_text("whole number")
    expect(person.page.locator("#count")).to_be_focused()
    expect(person.page.locator("#count")).to_have_attribute("aria-invalid", "true")


def test_saving_nothing_names_the_field_and_focuses_it(person: Any) -> None:
    person.page.keyboard.press("Enter")
    expect(person.page.locator("#answer-error")).to_be_visible()
    expect(person.page.locator("[name=answer]").first).to_be_focused()


def test_shortcuts_are_off_while_typing(person: Any) -> None:
    person.go_to("written")
    text = person.page.locator("#text")
    text.focus()
    text.press_sequentially("i?f12+")
    expect(text).to_have_value("i?f12+")
    expect(person.page.locator("#instructions-dialog")).to_be_hidden()


def test_instructions_and_keys_are_one_key_away(person: Any) -> None:
    page = person.page
    page.keyboard.press("i")
    expect(page.locator("#instructions-dialog")).to_contain_text("Judge only what you can see")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("#keys-dialog")).to_contain_text("zoom")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    expect(page.get_by_label("Khmer")).to_be_checked()


def test_single_keys_can_be_turned_off_and_stay_off(person: Any) -> None:
    page = person.page
    page.keyboard.press("?")
    page.get_by_label("Single keys are on").press("Space")
    page.keyboard.press("Escape")
    page.reload()
    person.wait_for_image()
    for key in ("2", "i", "?", "+", "f"):
        page.keyboard.press(key)
    assert page.locator("[name=answer]:checked").count() == 0
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator(".option kbd").first).to_be_hidden()
    # Enter is no single character: it saves as everywhere.
    asked = person.asked
    page.get_by_label("Khmer").press("Space")
    page.keyboard.press("Enter")
    person.wait_for_next(asked)
    page.get_by_role("button", name="Keys").click()
    page.get_by_label("Single keys are on").check()
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    expect(page.get_by_label("cracks")).to_be_checked()


def test_keys_and_buttons_zoom_move_and_fit_the_image(person: Any) -> None:
    page = person.page
    zoom = "document.getElementById('frame').viewer.viewport.getZoom()"
    centre = "document.getElementById('frame').viewer.viewport.getCenter().x"
    home = page.evaluate(zoom)
    page.keyboard.press("+")
    page.get_by_role("button", name="Zoom in").click()
    assert page.evaluate(zoom) == pytest.approx(home * 2.25)
    before = page.evaluate(centre)
    page.keyboard.press("Shift+ArrowRight")
    assert page.evaluate(centre) > before
    page.keyboard.press("Home")
    assert page.evaluate(zoom) == pytest.approx(home)


def test_marks_pasted_text_and_code_points_are_stored_exactly(person: Any) -> None:
    person.go_to("written")
    page = person.page
    text = page.locator("#text")
    text.focus()
    page.keyboard.insert_text("甲𠀀")
    page.locator("[data-insert='□']").click()
    page.locator("#code-point").fill("U+3007")
    page.locator("#code-point").press("Enter")
    page.locator("[data-insert='<note></note>']").click()
    page.keyboard.insert_text("小")
    expect(page.locator("#preview")).to_have_text("甲𠀀□〇小")
    expect(page.locator("#preview-count")).to_contain_text("5")
    words = person.asked
    person.save()
    person.wait_for_next(words)
    assert person.stored()[-1] == "甲𠀀□〇<note>小</note>"


def test_nothing_legible_is_an_answer(person: Any) -> None:
    person.go_to("written")
    person.page.get_by_label("Nothing can be read").check()
    words = person.asked
    person.save()
    person.wait_for_next(words)
    assert person.stored()[-1] == ""


def test_a_long_vocabulary_has_a_filter(
    make_small_study: Any, run_server: Any, tmp_path: Any, page: Page
) -> None:
    folder = make_small_study(tmp_path / "study", people=1)
    file = folder / "benchmark" / "vocabularies.json"
    vocabularies = json.loads(file.read_text(encoding="utf-8"))
    vocabularies["Script Name"]["labels"] += [f"Écriture {number}" for number in range(1, 21)]
    file.write_text(json.dumps(vocabularies), encoding="utf-8")
    server = run_server(folder)
    page.goto(server.links["P01"])
    page.get_by_role("button", name="English").click()
    page.get_by_role("button", name="I have read the instructions").click()
    page.wait_for_selector("#frame[data-shown=yes]")
    page.get_by_label("Khmer").check()
    page.get_by_label("Find an answer").fill("ecriture 1")
    # Écriture 1 and 10 to 19, and the answer that is chosen already.
    expect(page.locator(".option:visible")).to_have_count(12)
    page.get_by_label("Find an answer").fill("ecriture 20")
    page.get_by_label("Écriture 20").check()
    page.locator("#submit").click()
    expect(page.locator("#asked")).to_contain_text("damage")
    assert [row["raw_response"] for row in server.responses()] == ["Écriture 20"]
    server.stop()
