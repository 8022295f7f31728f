"""No machine's paths, no registry's address, no unfinished business, no third-party request."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

FOREIGN = {
    "a machine's path": r"(?<![\w.)}\]])/(?:work|tmp|root|home|Users)/",
    "a registry's address": r"pypi\.org|registry\.npmjs|pythonhosted\.org|--index-url",
    "unfinished business": r"\b(?:TODO|FIXME|XXX)\b",
}
# Files whose subject is such lines.
ABOUT_FOREIGN_LINES = {
    "tests/architecture/test_files_hold_nothing_foreign.py",
    "analysis/release/leaks.py",
    "tests/analysis/release/test_leaks.py",
}
BINARY = {".png", ".jpg", ".woff", ".woff2", ".ico", ".mo", ".parquet", ".eval"}
FETCHING = {"src", "srcset", "href", "action", "formaction", "poster", "data"}
NOT_FETCHED = {"a"}
ELSEWHERE = re.compile(r"^\s*(?:https?:)?//", re.IGNORECASE)
IN_STYLE_OR_SCRIPT = re.compile(
    r"""(?:url\(|@import|import|fetch\()\s*["'`(]*\s*(?:https?:)?//""", re.IGNORECASE
)


def text_files(repository: Path) -> Iterator[Path]:
    """Give the files that git knows or would add, as text."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\0")
    for name in filter(None, names):
        path = repository / name
        if path.is_file() and path.suffix not in BINARY and name not in ABOUT_FOREIGN_LINES:
            yield path


def foreign_faults(path: Path) -> list[str]:
    return [
        f"{path.name}:{number}: {what}: {found.group()}"
        for number, line in enumerate(path.read_text().splitlines(), 1)
        for what, pattern in FOREIGN.items()
        if (found := re.search(pattern, line))
    ]


class Requests(HTMLParser):
    """Collects the addresses elsewhere that a browser would fetch for a page."""

    def __init__(self) -> None:
        super().__init__()
        self.elsewhere: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in NOT_FETCHED:
            self.elsewhere += [
                value
                for name, value in attrs
                if name in FETCHING and value and ELSEWHERE.match(value)
            ]


def request_faults(path: Path) -> list[str]:
    text = path.read_text()
    requests = Requests()
    if path.suffix in {".html", ".svg"}:
        requests.feed(text)
    return [
        f"{path.name}: {found}" for found in requests.elsewhere + IN_STYLE_OR_SCRIPT.findall(text)
    ]


def test_no_file_holds_anything_foreign(repository: Path) -> None:
    faults = [fault for path in text_files(repository) for fault in foreign_faults(path)]
    assert not faults, "\n".join(faults)


def test_the_lock_file_and_the_constraints_hold_no_address(repository: Path) -> None:
    assert '"resolved"' not in (repository / "package-lock.json").read_text()
    assert "://" not in (repository / "constraints.txt").read_text()


def test_pages_styles_and_scripts_ask_nobody_else(repository: Path) -> None:
    own = [
        path
        for folder in (repository / "templates", repository / "study_server")
        for path in sorted(folder.rglob("*"))
        if path.suffix in {".html", ".css", ".js", ".svg"} and "vendor" not in path.parts
    ]
    faults = [fault for path in own for fault in request_faults(path)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "line",
    [
        "folder = '/tmp/study'",
        "see /work/main",
        "https://pypi.org/simple",
        "# TODO: later",
    ],
)
def test_a_planted_foreign_line_is_found(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.py").write_text(f"x = 1\n{line}\n")
    assert len(foreign_faults(tmp_path / "a.py")) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", '<script src="https://cdn.example/x.js"></script>'),
        ("a.html", '<link rel="stylesheet" href="//cdn.example/x.css">'),
        ("a.html", '<style>body { background: url("https://cdn.example/x.png") }</style>'),
        ("a.css", "@import 'https://cdn.example/x.css';"),
        ("a.js", 'fetch("https://cdn.example/x.json")'),
    ],
)
def test_a_planted_third_party_request_is_found(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert len(request_faults(tmp_path / name)) == 1


def test_a_link_that_a_person_may_follow_is_no_request(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="https://example.org/paper">the paper</a>')
    assert request_faults(tmp_path / "a.html") == []
