"""Texts are kept for everybody who reads a language, and for nobody else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import update

from study_server.store.schema.database import transaction
from study_server.store.schema.tables import ParticipantTable

LANGUAGES = '\n[server]\nlanguages = ["en", "id"]\n'
NOT_TAKEN = "This answer was not taken"


def test_what_one_person_is_told_in_two_languages_reaches_nobody_in_the_wrong_one(
    small_study: Callable[..., Any],
) -> None:
    study = small_study(toml=LANGUAGES)
    first, second = study.visit("P01"), study.visit("P02", until="/language")
    second.post("/language", language="id")
    while second.path != "/question":
        second.go_on()
    # P01 changed over to Indonesian on another device; this one still goes by English.
    with transaction(study.engine) as session:
        session.execute(
            update(ParticipantTable)
            .where(ParticipantTable.pseudonym == "P01")
            .values(language="id")
        )
    first.post("/sign-in", link="nonsense", slot="x", key="k")
    assert '<html lang="id">' in first.page
    second.post("/question", slot="x", key="k", answer="x")
    assert '<html lang="id">' in second.page
    assert NOT_TAKEN not in first.page + second.page
