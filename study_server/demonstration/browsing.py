"""A browser without scripts: keeps cookies, follows redirects, reads a page's one main form."""

from __future__ import annotations

import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookiejar import CookieJar

TIMEOUT_SECONDS = 60.0
TICKS = {"radio", "checkbox"}


@dataclass(frozen=True)
class Control:
    """One field of a form: an input, a button, a select or a text area."""

    kind: str
    name: str
    value: str
    ticked: bool = False
    required: bool = False


@dataclass
class Form:
    """One form as it stands in the page, before anything is typed."""

    action: str
    method: str
    controls: list[Control] = field(default_factory=list)

    def named(self, name: str) -> list[Control]:
        """Give the controls of one name."""
        return [control for control in self.controls if control.name == name]


@dataclass(frozen=True)
class Page:
    """What came back: the address after redirects, the text, the forms, the images."""

    address: str
    status: int
    text: str
    forms: tuple[Form, ...]
    images: tuple[str, ...]
    links: tuple[tuple[str, str], ...]


class Browser:
    """One person's browser: its own cookies, one page at a time."""

    def __init__(self) -> None:
        self._opener = urllib.request.build_opener(
            # A proxy of the surroundings must not see, or break, a request to this machine.
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPCookieProcessor(CookieJar()),
        )

    def open(self, address: str, data: bytes | None = None) -> Page:
        """Fetch a page; a page with an error status is a page too."""
        try:
            with self._opener.open(address, data, TIMEOUT_SECONDS) as answer:
                body, status, final = answer.read(), answer.status, answer.url
        except urllib.error.HTTPError as error:
            with error:
                body, status, final = error.read(), error.code, error.url
        return read_page(final, status, body.decode("utf-8"))

    def fetch(self, address: str) -> bytes:
        """Fetch bytes, such as an image, as the page that shows them would."""
        with self._opener.open(address, None, TIMEOUT_SECONDS) as answer:
            content: bytes = answer.read()
        return content

    def submit(self, page: Page, form: Form, filled: list[tuple[str, str]]) -> Page:
        """Send a form: its hidden fields, and `filled` for what a person ticks, types, presses."""
        names = {name for name, _ in filled}
        sent = [
            (control.name, control.value)
            for control in form.controls
            if control.name
            and control.name not in names
            and control.kind not in {"submit", "button", "image"}
            and (control.kind not in TICKS or control.ticked)
        ]
        encoded = urllib.parse.urlencode(sent + filled)
        address = urllib.parse.urljoin(page.address, form.action)
        if form.method == "post":
            return self.open(address, encoded.encode())
        return self.open(f"{address.split('?')[0]}?{encoded}")


def read_page(address: str, status: int, text: str) -> Page:
    """Read the forms, image addresses, links and words of a page.

    >>> page = read_page("http://h/q", 200, "<form method=post><input name=n value=5></form>")
    >>> page.forms[0].named("n")[0].value
    '5'
    """
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return Page(
        address=address,
        status=status,
        text=" ".join(" ".join(reader.words).split()),
        forms=tuple(reader.forms),
        images=tuple(urllib.parse.urljoin(address, source) for source in reader.images),
        links=tuple((urllib.parse.urljoin(address, to), words) for to, words in reader.links),
    )


class _Reader(HTMLParser):
    """Collects what `Page` holds."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.images: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.words: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a form, a control, an image or a link."""
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(given.get("action", ""), given.get("method", "get").lower()))
        elif tag in {"input", "button", "textarea"} and self.forms:
            usual = {"input": "text", "button": "submit", "textarea": "textarea"}[tag]
            self.forms[-1].controls.append(
                Control(
                    kind=given.get("type", usual),
                    name=given.get("name", ""),
                    value=given.get("value", "on" if given.get("type") in TICKS else ""),
                    ticked="checked" in given,
                    required="required" in given,
                )
            )
        elif tag == "img" and "src" in given:
            self.images.append(given["src"])
        elif tag == "a" and "href" in given:
            self.links.append((given["href"], ""))
        if tag in {"a", "script", "style"}:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close a link, a script or a style."""
        if self._open and self._open[-1] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        """Note the words a person reads."""
        if self._open and self._open[-1] in {"script", "style"}:
            return
        if self._open and self.links:
            to, words = self.links[-1]
            self.links[-1] = (to, f"{words}{data}")
        self.words.append(data)
