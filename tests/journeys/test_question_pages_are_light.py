"""What a question page costs on the wire, and that it asks nobody else."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.browser

FIRST_PAGE_BYTES = 250_000
NEXT_PAGE_BYTES = 30_000


@pytest.mark.parametrize("language", ["en", "id", "km", "ta"])
def test_the_first_question_page_and_the_next_are_light(
    new_context: Any, person: Any, language: str
) -> None:
    person.page.goto(f"{person.server.address}/language")
    person.page.locator(f"[name=language][value={language}]").click()
    person.wait_for_image()
    # Another browser, with nothing kept.
    context = new_context()
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    addresses: dict[str, str] = {}
    sizes: dict[str, float] = {}
    wire.on(
        "Network.responseReceived",
        lambda event: addresses.update({event["requestId"]: event["response"]["url"]}),
    )
    wire.on(
        "Network.loadingFinished",
        lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}),
    )

    def weight() -> float:
        page.wait_for_selector("#frame[data-shown=yes]")
        page.wait_for_timeout(200)
        total = sum(n for one, n in sizes.items() if "/image/" not in addresses.get(one, ""))
        sizes.clear()
        return total

    page.goto(person.link)
    assert 20_000 < weight() < FIRST_PAGE_BYTES
    asked = page.locator("#asked").inner_text()
    page.locator("[name=answer]").first.check()
    page.locator("#submit").click()
    page.wait_for_function("w => document.getElementById('asked')?.innerText !== w", arg=asked)
    assert 500 < weight() < NEXT_PAGE_BYTES
    assert {address.split("/")[2] for address in addresses.values()} == {
        person.server.address.removeprefix("http://")
    }


def test_two_studies_in_one_browser_do_not_mix(
    make_small_study: Any, run_server: Any, tmp_path: Any, person: Any
) -> None:
    other = run_server(make_small_study(tmp_path / "other", people=2))
    page = person.page.context.new_page()
    page.goto(other.links["P01"])
    page.get_by_role("button", name="English").click()
    asked = person.asked
    person.give_answer()
    person.save()
    person.wait_for_next(asked)
    page.get_by_role("button", name="I have read the instructions").click()
    page.wait_for_selector("#asked")
    assert page.url.startswith(other.address)
    assert len(person.page.context.cookies()) == 2
    other.stop()
