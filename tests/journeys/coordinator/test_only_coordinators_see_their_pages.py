"""Access: denied by default, participants get 403 or 404 everywhere, analysts only read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from study_server.app import create_app
from study_server.coordinator.access import ANALYST_ENDPOINTS, OPEN_ENDPOINTS
from study_server.coordinator.offered import OFFERED
from study_server.web.configuration import ServerConfiguration

pytestmark = pytest.mark.browser

VALUES = {
    "sample_id": "Khmer-Material-0",
    "pseudonym": "P1",
    "name": "pause",
    "limit": "20",
    "anything": "nothing/at/all",
}


def coordinator_addresses(running: Any) -> list[tuple[str, str, str]]:
    """List (method, address, endpoint) of every coordinator's page there is."""
    app = create_app(ServerConfiguration(f"sqlite:///{running.folder / 'study.db'}", b"x" * 32, {}))
    adapter = app.url_map.bind("127.0.0.1")
    found = []
    for rule in app.url_map.iter_rules():
        if not str(rule.endpoint).startswith("coordinator."):
            continue
        values = {name: VALUES[name] for name in rule.arguments}
        if rule.endpoint == "coordinator.exports.download":
            values["name"] = "responses.jsonl"
        if rule.endpoint in {"coordinator.dashboard.question", "coordinator.dashboard.image"}:
            values["sample_id"] = VALUES["sample_id"]
        address = adapter.build(str(rule.endpoint), values)
        methods = sorted(set(rule.methods or ()) & {"GET", "POST"})
        found += [(method, address, str(rule.endpoint)) for method in methods]
    assert len(found) > 15
    return found


def test_a_participant_gets_403_or_404_on_every_coordinators_address(
    running: Any, page: Page
) -> None:
    page.goto(running.links["P1"])
    token = str(page.locator("[name=csrf_token]").first.get_attribute("value"))
    others = [("GET", f"/coordinator{more}", "") for more in ("", "/", "/nothing", "/live?x=1")]
    others.append(("GET", "/metrics", ""))
    for method, address, _ in [*coordinator_addresses(running), *others]:
        reply = page.request.fetch(
            f"{running.address}{address}",
            method=method,
            form={"csrf_token": token, "reason": "I want to"} if method == "POST" else None,
            max_redirects=0,
            fail_on_status_code=False,
        )
        assert reply.status in {403, 404}, (method, address, reply.status)
        assert "Participants" not in reply.text()
    assert "open" in running.lontar("status").splitlines()[0]


def test_nobody_sees_anything_before_signing_in(running: Any, page: Page) -> None:
    for method, address, endpoint in coordinator_addresses(running):
        reply = page.request.fetch(
            f"{running.address}{address}", method=method, max_redirects=0, fail_on_status_code=False
        )
        if endpoint in OPEN_ENDPOINTS:
            continue
        assert reply.status in {303, 400, 403}, (method, address, reply.status)
        if reply.status == 303:
            assert reply.headers["location"].endswith("/coordinator/sign-in")


def test_an_analyst_reads_and_exports_and_changes_nothing(
    running: Any,
    signing_in: Callable[..., None],
    page: Page,
) -> None:
    passcode = running.lontar("coordinator", "add", "ada", "--role", "analyst").split()[-1]
    signing_in(page, running, "ada", passcode)
    expect(page.get_by_text("ada (analyst)")).to_be_visible()
    expect(page.get_by_role("link", name="Steer")).to_have_count(0)
    for method, address, endpoint in coordinator_addresses(running):
        if method == "POST" or endpoint in OPEN_ENDPOINTS:
            continue
        reply = page.request.get(
            f"{running.address}{address}", max_redirects=0, fail_on_status_code=False
        )
        expected = 200 if endpoint in ANALYST_ENDPOINTS else 403
        expected = 404 if endpoint == "coordinator.nowhere" else expected
        assert reply.status == expected, (address, reply.status)
    token = str(page.locator("form.account [name=csrf_token]").get_attribute("value"))
    steering = [f"/coordinator/steer/{name}" for name in OFFERED]
    for address in (*steering, "/coordinator/preview"):
        reply = page.request.post(
            f"{running.address}{address}",
            form={"csrf_token": token, "reason": "I want to", "participant": "P1", "limit": "99"},
            max_redirects=0,
        )
        assert reply.status == 403, address
    actors = {event["actor"] for event in running.events()}
    assert not any("ada" in actor for actor in actors)


def test_a_wrong_passcode_is_refused_and_guessing_is_slowed_down(running: Any, page: Page) -> None:
    page.goto(f"{running.address}/coordinator/sign-in")
    for _ in range(5):
        page.get_by_label("Name").fill("Maria ")
        page.get_by_label("Passcode").fill("wrong-wrong")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("alert")).to_contain_text("do not belong together")
    page.get_by_label("Passcode").fill(running.passcode)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("Too many attempts")


def test_a_new_passcode_signs_out_everywhere(running: Any, signed_in: Page) -> None:
    running.lontar("coordinator", "passcode", "maria")
    signed_in.goto(f"{running.address}/coordinator")
    expect(signed_in.get_by_role("heading", name="Coordinator’s sign-in")).to_be_visible()


def test_a_preview_takes_no_slot_and_enters_no_export(running: Any, signed_in: Page) -> None:
    page = signed_in
    page.goto(f"{running.address}/coordinator/steer")
    page.get_by_role("button", name="Preview as a participant").click()
    page.wait_for_url("**/instructions")
    page.get_by_role("button").first.click()
    for _ in range(2):
        page.locator("#answer-form").wait_for()
        if page.locator("#answer-form input[type=radio]").count():
            page.locator("#answer-form input[type=radio]").first.check(force=True)
        else:
            page.locator("#answer-form [name=answer]").fill("7")
        with page.expect_navigation():
            page.locator("#submit").click()
    page.goto(f"{running.address}/coordinator")
    expect(page.locator(".figure").first).to_have_text("0 of 72")
    assert running.export() == []
