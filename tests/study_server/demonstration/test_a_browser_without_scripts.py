"""The demonstration's browser reads a page and sends a form the way a real one does."""

from __future__ import annotations

import threading
import urllib.parse
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from study_server.demonstration.browsing import Browser, read_page

FORM = """<!doctype html><title>T</title><style>p { }</style>
<p>What is <em>visible</em>?</p><img src="image/1"><a href="/help">Instructions</a>
<form method="post" action="/answer">
<input type="hidden" name="slot" value="7&amp;8">
<input type="radio" name="answer" value="yes"><input type="radio" name="answer" value="no" checked>
<input type="checkbox" name="agree"><textarea name="comment"></textarea>
<button name="act" value="save">Save</button><button name="act" value="skip">Skip</button>
</form>"""


class Echo(BaseHTTPRequestHandler):
    """Shows the form, and what was sent; sets a cookie and asks for it."""

    def do_GET(self) -> None:
        if self.path == "/away":
            self.send_response(303)
            self.send_header("Location", "/question")
            self.send_header("Set-Cookie", "who=P01")
            self.end_headers()
            return
        missing = self.path != "/question" or "who=P01" not in self.headers.get("Cookie", "")
        self.reply(404 if missing else 200, FORM)

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.reply(200, self.rfile.read(length).decode())

    def reply(self, status: int, text: str) -> None:
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_it_follows_a_redirect_and_keeps_the_cookie(address: str) -> None:
    page = Browser().open(f"{address}/away")
    assert (page.status, page.address) == (200, f"{address}/question")


def test_it_reads_words_images_and_links(address: str) -> None:
    page = Browser().open(f"{address}/away")
    assert page.text.startswith("T What is visible ?")
    assert page.images == (f"{address}/image/1",)
    assert page.links == ((f"{address}/help", "Instructions"),)


def test_it_sends_hidden_fields_and_what_was_filled_in(address: str) -> None:
    browser = Browser()
    page = browser.open(f"{address}/away")
    answer = browser.submit(page, page.forms[0], [("answer", "yes"), ("act", "save")])
    # The unticked box and the other button stay out; what was ticked before is replaced.
    assert urllib.parse.parse_qsl(answer.text, keep_blank_values=True) == [
        ("slot", "7&8"),
        ("comment", ""),
        ("answer", "yes"),
        ("act", "save"),
    ]


def test_an_error_page_is_a_page(address: str) -> None:
    assert Browser().open(f"{address}/nowhere").status == 404


def test_a_form_knows_its_controls() -> None:
    form = read_page("http://h/", 200, FORM).forms[0]
    assert [control.value for control in form.named("answer")] == ["yes", "no"]
    assert [control.ticked for control in form.named("answer")] == [False, True]
