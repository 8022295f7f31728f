"""Blinding: every address, header, cookie and image byte a participant can get at."""

from __future__ import annotations

import base64
import html
import io
import json
import re
import zlib
from collections.abc import Callable
from importlib import resources
from typing import Any

from PIL import Image
from sqlalchemy import select, update

from study_server.store.schema.database import reading, transaction
from study_server.store.schema.tables import ImageTable, QuestionTable, SlotTable

Study = Callable[..., Any]

# What only the benchmark's files and the coordinator know; random tokens may hold short ones by
# chance, in the middle.
SECRETS = re.compile(
    r"leaf\d{3}|__q\d|gold=|collection (Khmer|Tamil|Balinese)|key (Khmer|Tamil|Balinese)"
    r"|annotator|\.jpe?g\b|(?<![\w-])P0[23](?![\w-])",
    re.IGNORECASE,
)
ADDRESSES = re.compile(r'(?:href|src|action|data-[a-z-]+)="(/[^"]*)"')
GUESSES = [
    "/coordinator", "/coordinator/", "/coordinator/questions", "/coordinator/export",
    "/coordinator/log", "/metrics", "/export", "/api", "/api/questions", "/questions",
    "/answers", "/keys", "/responses", "/responses.jsonl", "/study.db", "/study.toml",
    "/question/1", "/question?slot=1", "/image/", "/image/1", "/image/../study.toml",
    "/image/..%2f..%2fstudy.toml", "/images/gold=Khmer_000.jpg", "/practice/x/1", "/static/",
    "/static/../app.py", "/static/..%2fapp.py", "/static/vendor/stamp.txt",
    "/static/participant/question.js.map",
    "/static/vendor/openseadragon/openseadragon.min.js.map", "/.git/config", "/robots.txt",
    "/favicon.ico", "/openapi.json", "/debug", "/console", "/session", "/healthz",
]  # fmt: skip


def fetch(client: Any, address: str) -> tuple[int, bytes, str]:
    reply = client.get(address, buffered=True)
    headers = "\n".join(f"{name}: {value}" for name, value in reply.headers)
    return reply.status_code, reply.get_data(), headers


def readable(body: bytes) -> str:
    """Give everything a body says, compressed PNG texts and cookies' insides included."""
    return html.unescape(body.decode("utf-8", errors="replace"))


def crawl(client: Any, starts: list[str]) -> dict[str, tuple[int, bytes, str]]:
    """Follow every address that any page names."""
    seen: dict[str, tuple[int, bytes, str]] = {}
    waiting = list(starts)
    while waiting:
        address = waiting.pop()
        if address in seen or address == "/withdraw":
            continue
        seen[address] = fetch(client, address)
        body = readable(seen[address][1])
        waiting += [html.unescape(found) for found in ADDRESSES.findall(body)]
    return seen


def static_files() -> list[str]:
    folder = resources.files("study_server") / "static"
    names: list[str] = []
    waiting = [("", folder)]
    while waiting:
        prefix, place = waiting.pop()
        for entry in place.iterdir():
            if entry.is_dir():
                waiting.append((f"{prefix}{entry.name}/", entry))
            else:
                names.append(f"/static/{prefix}{entry.name}")
    return names


def test_no_address_header_cookie_or_image_says_what_it_must_not(
    small_study: Study, answer_for: Callable[[str], Any]
) -> None:
    study = small_study(people=3, responses=2)
    visit = study.visit("P01")
    with reading(study.engine) as session:
        images = list(session.scalars(select(ImageTable.public_id)))
        slots = list(session.scalars(select(SlotTable.public_id)))
    guesses = [*GUESSES, *static_files()]
    guesses += [f"/image/{public_id}" for public_id in images]
    guesses += [f"/question?slot={slot}" for slot in slots] + [f"/p/{slot}" for slot in slots[:3]]
    found: dict[str, tuple[int, bytes, str]] = {}
    while visit.path == "/question":
        found |= {f"{visit.path} {len(found)}": (200, visit.page.encode(), "")}
        found |= crawl(visit.client, ["/", "/question", "/instructions", *guesses])
        visit.get("/question")
        visit.answer(answer_for(visit.page))
    assert sum(status == 200 for status, _, _ in found.values()) > 20
    told = {
        address: SECRETS.search(text)[0]  # type: ignore[index]
        for address, (_, body, headers) in found.items()
        if not address.startswith("/static/vendor/")
        for text in [f"{readable(body)}\n{headers}"]
        if SECRETS.search(text)
    }
    assert told == {}


def test_error_pages_say_nothing_either(small_study: Study) -> None:
    visit = small_study(people=3, responses=2).visit("P01")
    for path, fields in (
        ("/question", {"slot": "no such slot", "key": "k", "answer": "Khmer"}),
        ("/question", {"slot": visit.field("slot"), "key": "k", "answer": "not a label"}),
        ("/question", {"slot": visit.field("slot"), "key": "", "answer": "Khmer"}),
        ("/problem", {"slot": "x", "key": "k"}),
        ("/language", {"language": "tlh"}),
        ("/nowhere", {}),
    ):
        reply = visit.client.post(path, data={"csrf_token": visit.field("csrf_token"), **fields})
        assert 400 <= reply.status_code < 500
        assert not SECRETS.search(readable(reply.get_data()))


def test_a_participant_gets_no_image_of_anybody_else(small_study: Study) -> None:
    study = small_study(people=3, responses=1)
    visit = study.visit("P01")
    with reading(study.engine) as session:
        mine = {row.public_id for row in session.execute(_images_of(1))}
        every = set(session.scalars(select(ImageTable.public_id)))
    codes = {name: visit.client.get(f"/image/{name}", buffered=True).status_code for name in every}
    assert {name for name, code in codes.items() if code == 200} == mine
    assert len(mine) == 2


def _images_of(participant: int) -> Any:
    return (
        select(ImageTable.public_id)
        .join(QuestionTable, QuestionTable.image_id == ImageTable.id)
        .join(SlotTable, SlotTable.question_id == QuestionTable.id)
        .where(SlotTable.participant_id == participant)
    )


def test_the_cookie_holds_numbers_a_language_and_a_form_token_only(small_study: Study) -> None:
    study = small_study()
    visit = study.visit("P01")
    cookie = next(iter(visit.client._cookies.values())).value
    payload = cookie.removeprefix(".").split(".")[0]
    raw = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
    held = json.loads(zlib.decompress(raw) if cookie.startswith(".") else raw)
    assert set(held) == {"participant", "link", "language", "csrf_token", "_permanent"}


def test_an_image_is_the_benchmarks_own_compressed_picture_without_metadata(
    small_study: Study,
) -> None:
    study = small_study()
    visit = study.visit("P01")
    address = re.search(r'data-image="([^"]+)"', visit.page)[1]  # type: ignore[index]
    reply = visit.client.get(address)
    served = reply.get_data()
    original = (study.study.images_folder / "gold=Khmer_000.jpg").read_bytes()
    assert reply.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    assert len(served) < len(original)
    assert served[served.index(b"\xff\xda") :] == original[original.index(b"\xff\xda") :]
    with Image.open(io.BytesIO(served)) as picture, Image.open(io.BytesIO(original)) as source:
        assert picture.tobytes() == source.tobytes()
        assert set(picture.info) <= {"jfif", "jfif_version", "jfif_density", "jfif_unit"}


def test_every_page_of_a_category_offers_the_same_options(small_study: Study) -> None:
    study = small_study(people=2, rounds=2)
    visit, seen = study.visit("P01"), {}
    while visit.path == "/question":
        asked = re.search(r'id="asked"[^>]*>([^<]*)', visit.page)[1]  # type: ignore[index]
        options = re.findall(r'name="answer" value="([^"]*)"', visit.page)
        assert seen.setdefault(asked, options) == options
        visit.answer(html.unescape(options[0]) if len(options) > 1 else "4")
    assert len(seen) == 6


TOKENS = re.compile(
    r'/image/[\w-]+|name="(?:slot|key|csrf_token)" value="[^"]*"|\d+ of 12|"\d+" max'
)


def test_pages_of_two_collections_differ_in_nothing_but_random_tokens(
    small_study: Study, answer_for: Callable[[str], Any]
) -> None:
    study = small_study(people=2, rounds=2)
    with transaction(study.engine) as session:
        # The second round asks the same of other leaves: each of another collection.
        session.execute(
            update(QuestionTable).where(QuestionTable.id > 6).values(collection="Sundanese")
        )
    visit, pages = study.visit("P01"), []
    while visit.path == "/question":
        pages.append(TOKENS.sub("", visit.page).replace(' data-next=""', ""))
        visit.answer(answer_for(visit.page))
    assert len(pages) == 12
    # The last question has no next image.
    assert pages[:5] == pages[6:11]


def test_replies_to_scripts_say_nothing_either(
    small_study: Study, answer_for: Callable[[str], Any]
) -> None:
    visit = small_study(people=3, responses=2).visit("P01")
    sent = {name: visit.field(name) for name in ("slot", "key", "csrf_token")}
    script = {"Accept": "application/json"}
    replies = [
        visit.client.post(path, data={**sent, **fields}, headers=script)
        for path, fields in (
            ("/question", {"answer": "no label"}),
            ("/question", {"answer": "Khmer", "slot": "no such slot"}),
            ("/question", {"answer": "Khmer", "csrf_token": "stale"}),
            ("/question", {"answer": answer_for(visit.page)}),
            ("/question", {"answer": answer_for(visit.page)}),
            ("/preview", {"answer": "x"}),
            ("/skip", {"reason": "x"}),
            ("/problem", {"kind": "image"}),
            ("/nowhere", {}),
        )
    ]
    replies.append(visit.client.get("/session", headers=script))
    assert [reply.status_code for reply in replies] == [
        422, 409, 400, 200, 200, 200, 409, 409, 404, 200,
    ]  # fmt: skip
    keys = {key for reply in replies for key in reply.get_json()}
    assert keys == {
        "field", "message", "problem", "next", "csrf_token", "saved", "text", "characters",
        "request_id", "signed_in",
    }  # fmt: skip
    for reply in replies:
        assert not SECRETS.search(readable(reply.get_data()) + str(reply.headers))
