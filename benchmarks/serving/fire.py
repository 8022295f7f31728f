"""People under fire: they click twice, lose replies, open two tabs, leave for good, come back late.

Every submission is remembered with what the server said of it, so that the end can be judged.
"""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

from serving.client import Connection, Reply, filled, hidden
from serving.people import JSON, Person, Tally, outcome_of

TWICE, VANISH, TWO_TABS = 0.15, 0.15, 0.1
KEPT = {"saved", "edited", "surplus"}
POLL_SECONDS = 0.2


class Restless(Person):
    """A participant whom everything happens to; `leaves_after` so many answers, by `how`."""

    def __init__(
        self,
        host: str,
        port: int,
        token: str,
        tally: Tally,
        seed: str,
        leaves_after: int | None = None,
        how: str = "vanish",
    ) -> None:
        super().__init__(host, port, token, tally, seed)
        self.leaves_after, self.how = leaves_after, how
        self.stale: bytes | None = None
        self.gone = False

    async def live(self, over: asyncio.Event) -> None:
        """Answer whatever comes until the study is over, or until this person leaves."""
        await self.sign_in()
        while not over.is_set():
            found = await self.next_question()
            if found is None:
                await asyncio.sleep(POLL_SECONDS)
                continue
            page, _seconds = found
            if self.leaves_after is not None and self.answered >= self.leaves_after:
                await self._leave(page)
                return
            await self._answer(page)
            self.answered += 1

    async def come_back_late(self) -> None:
        """Send the page that was open when this person vanished, long after it was given away."""
        if self.stale is not None:
            await self._send(self.connection, filled(self.stale, 7), 200, 409)

    async def _leave(self, page: bytes) -> None:
        self.gone, self.stale = True, page
        if self.how == "withdraw":
            form = [("csrf_token", hidden(page, "csrf_token"))]
            self.tally.note(await self.connection.post("/withdraw", form), "withdraw", 303)

    async def _answer(self, page: bytes) -> None:
        """Answer a question in one of the ways that clients answer."""
        form = filled(page, self.random.randrange(99))
        other = Connection(self.connection.host, self.connection.port, self.connection.cookies)
        luck = self.random.random()
        if luck < TWICE:
            await asyncio.gather(
                self._send(self.connection, form, 200), self._send(other, form, 200)
            )
        elif luck < TWICE + VANISH:
            await other.send_and_vanish("/question", form, self.random.random() * 0.02)
            await self._send(self.connection, form, 200)
        elif luck < TWICE + VANISH + TWO_TABS:
            _path, second, _took = await self.where()
            again = second if b'name="slot"' in second else page
            same = [*filled(again, 0)[:3], *form[3:]]
            same = same if hidden(again, "slot") == hidden(page, "slot") else form
            await asyncio.gather(
                self._send(self.connection, form, 200), self._send(other, same, 200)
            )
        else:
            await self._send(self.connection, form, 200)
        other.close()

    async def _send(
        self, connection: Connection, form: list[tuple[str, str]], *allowed: int
    ) -> Reply:
        reply = await connection.post("/question", form, JSON)
        self.tally.note(reply, "POST /question", *allowed)
        outcome = outcome_of(reply)
        self.tally.outcomes[outcome] += 1
        if outcome in KEPT:
            self.tally.acknowledged[dict(form)["key"]] = outcome
        return reply


class Coordinator:
    """A coordinator who signs in and steers over the web."""

    def __init__(self, host: str, port: int, tally: Tally) -> None:
        self.connection, self.tally = Connection(host, port), tally

    async def sign_in(self, name: str, passcode: str) -> None:
        page = await self.connection.get("/coordinator/sign-in")
        form = [("csrf_token", hidden(page.body, "csrf_token")), ("name", name)]
        reply = await self.connection.post("/coordinator/sign-in", [*form, ("passcode", passcode)])
        self.tally.note(reply, "coordinator signs in", 303)

    async def look(self) -> None:
        """Look at the dashboard, as its page does every few seconds."""
        for path in ("/coordinator/", "/coordinator/live", "/healthz"):
            self.tally.note(await self.connection.get(path), path, 200, 304)

    async def steer(self, name: str, **fields: str) -> bool:
        """Do something to the study; tell whether it was done."""
        address = f"/coordinator/steer/{name}"
        query = "&".join(f"{key}={value}" for key, value in fields.items())
        page = await self.connection.get(f"{address}?{query}")
        self.tally.note(page, f"GET {address}", 200)
        form = [("csrf_token", hidden(page.body, "csrf_token")), ("reason", "they left")]
        reply = await self.connection.post(address, [*form, *fields.items()])
        self.tally.note(reply, f"POST {address}", 303, 409)
        return reply.status == 303 and urlsplit(reply.location).path != address
