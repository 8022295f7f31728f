"""The dashboard under load: 5,000 questions, 15,000 answers, five coordinators polling every 5 s.

Prints, from one run, how long the page and its live part take (95th percentile, unchanged and
changed) and how long participants' submissions take without and with the coordinators watching.

    python benchmarks/dashboard.py [SECONDS]
"""

from __future__ import annotations

import http.client
import multiprocessing
import secrets
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from itsdangerous import URLSafeTimedSerializer
from sqlalchemy import insert, select, update

from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.assignment.plan import Slot
from sampling.assignment.roster import Participant
from sampling.study.questions import Question
from sampling.study.study_toml import parse_definition
from study_server.coordinator.access import SALT
from study_server.demonstration.browsing import Browser
from study_server.serving import serve
from study_server.store.asking.content import StudyContent
from study_server.store.asking.participants import add_link, recount
from study_server.store.asking.sync import synchronize
from study_server.store.schema.database import open_engine, transaction
from study_server.store.schema.migration import migrate
from study_server.store.schema.tables import AnswerTable, ParticipantTable, SlotTable, StudyTable
from study_server.store.steering.coordinators import add_account
from study_server.web.configuration import ServerConfiguration

QUESTIONS, PEOPLE, K, OPEN_PER_PERSON = 5_000, 150, 3, 95
COORDINATORS, POLL_SECONDS, PAGE_EVERY, WRITERS = 5, 5.0, 12, 8
KINDS = {200: "changed", 304: "unchanged"}
SECRET = b"a secret of thirty-two bytes or so"

Times = dict[str, list[float]]


def study_content() -> StudyContent:
    definition = parse_definition(
        {
            "study": {"name": "Big", "seed": "big"},
            "benchmark": {"questions": "q.jsonl", "vocabularies": "v.json"},
            "sample": {"strata": ["category"], "per_stratum": 1},
            "server": {"languages": ["en"]},
        }
    ).model_dump(mode="json")
    settings = {name: definition[name] for name in ("server", "consent", "assignment", "text")}
    categories = [f"Category {number}" for number in range(8)]
    questions = tuple(
        Question(
            f"q{n:05d}", f"i{n % 900}.png", categories[n % 8], "What?", f"Collection {n // 8 % 8}"
        )
        for n in range(QUESTIONS)
    )
    positions = [0] * PEOPLE
    slots = []
    for n, question in enumerate(questions):
        for index in range(K):
            person = (K * n + index) % PEOPLE
            positions[person] += 1
            session = 1 + (positions[person] - 1) // 32
            slots.append(
                Slot(f"P{person:03d}", question.sample_id, index + 1, session, positions[person])
            )
    return StudyContent(
        name="Big",
        responses_per_question=K,
        settings={**settings, "texts": {}, "order_seed": "x", "display": {}},
        digests={"plan": "of the benchmark"},
        vocabularies={
            "benchmark": {
                name: Vocabulary(name, AnswerFormat.SINGLE, ("a", "b", "c", "d"))
                for name in categories
            }
        },
        questions=questions,
        participants=tuple(Participant(f"P{number:03d}") for number in range(PEOPLE)),
        read_slots=lambda: tuple(slots),
    )


def fill(url: str) -> tuple[list[str], str]:
    """Load the study, answer all but the last questions of the writers; give links and cookie."""
    engine = open_engine(url)
    migrate(engine)
    start = datetime.now(UTC) - timedelta(days=5)
    with transaction(engine) as session:
        synchronize(session, study_content(), start)
        held = session.execute(
            select(SlotTable).join(ParticipantTable).where(SlotTable.participant_id.is_not(None))
        ).scalars()
        answers = []
        for number, slot in enumerate(held):
            if (slot.participant_id or 0) <= WRITERS and slot.position > 100 - OPEN_PER_PERSON:
                continue
            sent = start + timedelta(seconds=20 * number)
            slot.answered_at = slot.shown_at = sent
            answers.append(
                {
                    "question_id": slot.question_id,
                    "response_index": slot.response_index,
                    "participant_id": slot.participant_id,
                    "submission_key": secrets.token_hex(8),
                    "raw_response": "abcd"[number % 4],
                    "shown_at": sent - timedelta(seconds=25),
                    "submitted_at": sent,
                    "active_seconds": 5.0 + number % 30,
                }
            )
        session.flush()
        session.execute(insert(AnswerTable), answers)
        session.execute(
            update(ParticipantTable).values(
                state="active",
                language="en",
                instructions_seen_at=start,
                last_seen_at=start,
                session_reached=99,
            )
        )
        recount(session)
        links = [add_link(session, number + 1, start) for number in range(WRITERS)]
        add_account(session, "bench", "coordinator", "unused", start)
        public_id = session.scalars(select(StudyTable.public_id)).one()
    token = URLSafeTimedSerializer(SECRET, salt=SALT).dumps([1, 0])
    return links, f"lontar_{public_id[:12]}_coordinator={token}"


def ask(address: str, path: str, headers: dict[str, str]) -> tuple[str, http.client.HTTPMessage]:
    """Ask for a page on a connection of its own, as a browser that comes back after a while."""
    connection = http.client.HTTPConnection(address)
    connection.request("GET", path, headers=headers)
    reply = connection.getresponse()
    reply.read()
    connection.close()
    if reply.status not in KINDS:
        raise SystemExit(f"{path}: {reply.status}")
    return KINDS[reply.status], reply.headers


def poll(number: int, address: str, cookie: str, until: float, times: Times) -> None:
    """Watch like a coordinator: the page once a minute, its live part every five seconds."""
    etag, turn = "", 0
    time.sleep(POLL_SECONDS * number / COORDINATORS)
    while time.monotonic() < until:
        headers = {"Cookie": cookie}
        path, kind = "/coordinator/", "page"
        if (turn + number) % PAGE_EVERY:
            path = "/coordinator/live"
            headers |= {"HX-Request": "true", "If-None-Match": etag}
        began = time.perf_counter()
        found, replied = ask(address, path, headers)
        if path.endswith("live"):
            kind, etag = found, replied.get("ETag", "")
        times.setdefault(kind, []).append(time.perf_counter() - began)
        turn += 1
        time.sleep(max(0.0, POLL_SECONDS - (time.perf_counter() - began)))


def watchers(address: str, cookie: str, until: float, times: Times) -> list[Callable[[], None]]:
    """Coordinators whose polls do not all fall together."""
    return [partial(poll, number, address, cookie, until, times) for number in range(COORDINATORS)]


def answer(link: str, until: float, times: list[float]) -> None:
    browser = Browser()
    page = browser.open(link)
    while time.monotonic() < until:
        form = next((one for one in page.forms if one.named("answer")), None)
        if form is None:
            return
        began = time.perf_counter()
        page = browser.submit(page, form, [("answer", "a")])
        times.append(time.perf_counter() - began)
        time.sleep(1.0)


def together(jobs: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def p95(times: list[float]) -> str:
    if len(times) < 2:
        return "too few"
    late = 1000 * statistics.quantiles(times, n=20, method="inclusive")[-1]
    return f"{late:.0f} ms (most {1000 * max(times):.0f}) of {len(times)}"


def told(times: Times) -> str:
    every = [one for found in times.values() for one in found]
    return ", ".join(f"{kind} {p95(times[kind])}" for kind in sorted(times)) + f"; all {p95(every)}"


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 30.0
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'study.db'}"
        links, cookie = fill(url)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        configuration = ServerConfiguration(url, SECRET, {"benchmark": folder})
        server = multiprocessing.get_context("spawn").Process(
            target=serve, args=(configuration, "127.0.0.1", port, 2)
        )
        server.start()
        address = f"127.0.0.1:{port}"
        try:
            wait_for(address)
            measure(address, [f"http://{address}/p/{token}" for token in links], cookie, seconds)
        finally:
            server.terminate()
            server.join()


def measure(address: str, links: list[str], cookie: str, seconds: float) -> None:
    quiet: Times = {}
    together(watchers(address, cookie, time.monotonic() + seconds, quiet))
    print(f"nobody answers:  {told(quiet)}")
    alone: list[float] = []
    until_alone = time.monotonic() + seconds / 2
    together([partial(answer, link, until_alone, alone) for link in links])
    watched: list[float] = []
    busy: Times = {}
    until_watched = time.monotonic() + seconds
    together(
        watchers(address, cookie, until_watched, busy)
        + [partial(answer, link, until_watched, watched) for link in links]
    )
    print(f"{WRITERS} people answer: {told(busy)}")
    print(f"submissions:     unwatched {p95(alone)}, watched {p95(watched)}")


def wait_for(address: str) -> None:
    for _ in range(300):
        try:
            connection = http.client.HTTPConnection(address)
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.1)


if __name__ == "__main__":
    main()
