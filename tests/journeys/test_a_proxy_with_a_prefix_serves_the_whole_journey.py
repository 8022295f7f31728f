"""A reverse proxy at `/study`, two workers behind it, and a real browser in front."""

from __future__ import annotations

import http.client
import http.server
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser
PREFIX = "/study"
PEOPLE = 3


class Proxy(http.server.BaseHTTPRequestHandler):
    """Passes on what is below the prefix, and says so in the headers nginx and Caddy send."""

    protocol_version = "HTTP/1.1"
    port = 0
    outside: list[str]

    def do_GET(self) -> None:
        if not self.path.startswith(f"{PREFIX}/"):
            self.outside.append(self.path)
            self.send_error(404)
            return
        length = int(self.headers.get("Content-Length") or 0)
        headers = {name: value for name, value in self.headers.items() if name != "Connection"}
        headers |= {
            "X-Forwarded-For": "203.0.113.7",
            "X-Forwarded-Proto": "http",
            "X-Forwarded-Host": self.headers["Host"],
            "X-Forwarded-Prefix": PREFIX,
        }
        behind = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        body = self.rfile.read(length)
        behind.request(self.command, self.path.removeprefix(PREFIX), body, headers)
        reply = behind.getresponse()
        content = reply.read()
        self.send_response(reply.status)
        for name, value in reply.getheaders():
            if name.lower() not in {"connection", "transfer-encoding", "content-length"}:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        behind.close()

    do_POST = do_GET  # noqa: N815 - the name that http.server looks for

    def log_message(self, *_arguments: Any) -> None:
        return


@pytest.fixture(scope="module")
def proxied(
    make_small_study: Callable[..., Path],
    run_process: Callable[..., Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Any, str, list[str]]]:
    """A server with two workers, the proxy's address before it, and what was asked beside it."""
    toml = "\n[server]\ntrusted_proxies = 1\n"
    server = run_process(
        make_small_study(tmp_path_factory.mktemp("proxied") / "study", people=PEOPLE, toml=toml),
        "--workers",
        "2",
    )
    outside: list[str] = []
    handler = type("Handler", (Proxy,), {"port": server.port, "outside": outside})
    proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    yield server, f"http://127.0.0.1:{proxy.server_port}{PREFIX}", outside
    proxy.shutdown()
    proxy.server_close()


def test_a_participant_goes_from_the_link_to_the_thank_you_page(
    proxied: tuple[Any, str, list[str]], page: Page
) -> None:
    server, address, outside = proxied
    faults: list[str] = []
    page.on("response", lambda reply: faults.append(reply.url) if reply.status >= 400 else None)
    page.goto(f"{address}/p/{server.links['P01'].rsplit('/', 1)[1]}")
    page.get_by_role("button", name="English").click()
    page.get_by_role("button", name="I have read the instructions").click()
    for _question in range(6):
        page.wait_for_selector("#frame[data-shown=yes]")
        assert page.url == f"{address}/question"
        asked = page.locator("#asked").inner_text()
        if "lines" in asked:
            page.locator("#count").fill("4")
        elif "written" in asked:
            page.locator("#text").fill("ក")
        else:
            page.locator("[name=answer]").nth(1).check()
        page.locator("#submit").click()
        page.wait_for_function(
            "words => document.getElementById('asked')?.innerText !== words", arg=asked
        )
    page.wait_for_url(f"{address}/done")
    assert faults == []
    assert outside == []
    rows = [row for row in server.responses() if row["participant"] == "P01"]
    assert [row["status"] for row in rows] == ["answered"] * 6


def test_a_coordinator_signs_in_and_sees_the_dashboard(
    proxied: tuple[Any, str, list[str]], page: Page
) -> None:
    server, address, outside = proxied
    passcode = re.search(r"passcode: (\S+)", server.run("coordinator", "add", "ana"))
    assert passcode
    page.goto(f"{address}/coordinator/")
    page.locator("[name=name]").fill("ana")
    page.locator("[name=passcode]").fill(passcode[1])
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(re.compile(rf"{address}/coordinator/?$"))
    assert "Small leaves" in page.content()
    (cookie,) = [one for one in page.context.cookies() if "coordinator" in one["name"]]
    assert cookie["path"] == f"{PREFIX}/coordinator"
    assert outside == []
