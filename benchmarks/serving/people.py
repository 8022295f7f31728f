"""People who answer: each reads the page they are led to and does what it asks."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from serving.client import Connection, Reply, Timings, filled, hidden

AROUND = {
    "/language": [("language", "en")],
    "/consent": [("agree", "yes")],
    "/instructions": [],
    "/break": [],
}
JSON = "application/json"


@dataclass
class Tally:
    """What a crowd did and met, shared by its people."""

    timings: Timings = field(default_factory=Timings)
    statuses: Counter[int] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    acknowledged: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    def note(self, reply: Reply, what: str, *allowed: int) -> None:
        """Count a reply; any status that is not allowed is an error."""
        self.statuses[reply.status] += 1
        if reply.status not in allowed:
            self.errors.append(f"{what}: {reply.status} {reply.body[:200]!r}")


class Person:
    """One participant with one browser."""

    def __init__(self, host: str, port: int, token: str, tally: Tally, seed: str) -> None:
        self.connection = Connection(host, port)
        self.token, self.tally = token, tally
        self.random = random.Random(seed)
        self.answered = 0

    async def sign_in(self) -> None:
        reply = await self.connection.get(f"/p/{self.token}")
        self.tally.note(reply, "sign in", 303)

    async def where(self, path: str = "/question") -> tuple[str, bytes, float]:
        """Follow redirects to the page this person is led to; give its path and body."""
        seconds = 0.0
        for _hop in range(8):
            reply = await self.connection.get(path)
            self.tally.note(reply, f"GET {path}", 200, 303)
            seconds += reply.seconds
            if reply.status >= 400:
                return "", reply.body, seconds
            if reply.status != 303:
                return path, reply.body, seconds
            path = urlsplit(reply.location).path
        raise RuntimeError("redirected for ever")

    async def next_question(self, path: str = "/question") -> tuple[bytes, float] | None:
        """Go on to the next question, through whatever lies before it; None at the end."""
        for _page in range(8):
            path, page, seconds = await self.where(path)
            if path == "/question":
                return page, seconds
            if path not in AROUND:
                return None
            form = [("csrf_token", hidden(page, "csrf_token")), *AROUND[path]]
            reply = await self.connection.post(path, form)
            self.tally.note(reply, f"POST {path}", 303)
            path = urlsplit(reply.location).path
        raise RuntimeError("never came to a question")

    async def work(self, most: int) -> None:
        """Answer so many questions, or all there are, as the page's form does."""
        path = "/question"
        while self.answered < most:
            found = await self.next_question(path)
            if found is None:
                return
            page, seconds = found
            reply = await self.connection.post("/question", filled(page, self.random.randrange(99)))
            self.tally.note(reply, "POST /question", 303)
            self.tally.timings.note(seconds, reply.seconds)
            self.answered += 1
            path = urlsplit(reply.location).path


def outcome_of(reply: Reply) -> str:
    """Give what a server said of a submission."""
    if reply.status != 200:
        return str(reply.status)
    return str(json.loads(reply.body)["saved"])


async def crowd(people: list[Person], clients: int, most: int) -> None:
    """Let so many people at a time answer; the others wait for their turn."""
    turns = asyncio.Semaphore(clients)

    async def one(person: Person) -> None:
        async with turns:
            await person.work(most)

    await asyncio.gather(*(one(person) for person in people))
