"""With fewer connections than threads everybody gets through: nobody waits for who waits."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text

from study_server.store.schema.database import glancing, noting, open_engine, transaction, writing

THREADS, TIMES = 12, 20


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_writers_of_every_kind_share_two_connections(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:///{tmp_path / 'study.db'}"
    if kind == "postgres":
        url = request.getfixturevalue("postgres_url")
    engine = open_engine(url, pool_size=1)
    with transaction(engine) as session:
        session.execute(text("CREATE TABLE counted (number INTEGER)"))
        session.execute(text("INSERT INTO counted VALUES (0)"))
    add = text("UPDATE counted SET number = number + 1")

    def in_transaction() -> None:
        with transaction(engine) as session:
            session.execute(add)

    def in_plain_statements() -> None:
        with writing(engine) as connection:
            connection.execute(add)

    def at_a_glance() -> None:
        with glancing(engine) as connection, noting(connection):
            connection.execute(add)

    def work(write: Callable[[], None]) -> None:
        for _ in range(TIMES):
            write()

    kinds = (in_transaction, in_plain_statements, at_a_glance)
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(work, kinds * (THREADS // len(kinds))))
    with glancing(engine) as connection:
        total = connection.scalar(text("SELECT number FROM counted"))
    engine.dispose()
    assert total == THREADS * TIMES
