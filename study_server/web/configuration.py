"""What a server process is told when it starts, and what it reads once from the database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from flask import current_app
from sqlalchemy import Engine

from sampling.answers.vocabularies import Vocabulary
from sampling.study.definition import TextTable
from sampling.study.errors import StudyError
from study_server.store.asking.content import reading_rule_of, served_study
from study_server.store.schema.database import reading

EXTENSION = "lontar"


@dataclass(frozen=True)
class ServerConfiguration:
    """What cannot come from the database: its address, the secret, and where images lie.

    `study_root` is the study's folder, which coordinators freeze and compare with the freeze.
    `image_folders` maps a source (`benchmark`, `practice`, `attention`) to a folder or address.
    """

    database_url: str
    secret_key: bytes
    image_folders: Mapping[str, str]
    image_cache: Path | None = None
    study_root: Path | None = None


@dataclass(frozen=True)
class RunningStudy:
    """The study as a worker serves it. `settings` holds what `study.toml` says of the pages."""

    engine: Engine
    configuration: ServerConfiguration
    public_id: str
    name: str
    settings: Mapping[str, Any]
    vocabularies: Mapping[tuple[str, str], Vocabulary]

    @property
    def languages(self) -> tuple[str, ...]:
        return tuple(self.settings["server"]["languages"])

    @property
    def text_rules(self) -> TextTable:
        """How a transcription is read before it is compared."""
        return TextTable.model_validate(self.settings["text"])

    @property
    def reading_rule(self) -> int:
        """The rule by which answers are read."""
        return reading_rule_of(self.settings)

    @property
    def cookie_name(self) -> str:
        """A name of its own, so that two studies in one browser never mix."""
        return f"lontar_{self.public_id[:12]}"


def load_study(engine: Engine, configuration: ServerConfiguration) -> RunningStudy:
    """Read what a worker needs to know all the time."""
    with reading(engine) as session:
        study = served_study(session)
    if study is None:
        raise StudyError("the database holds no study yet; start it with `lontar serve`")
    return RunningStudy(
        engine, configuration, study.public_id, study.name, study.settings, study.vocabularies
    )


def running_study() -> RunningStudy:
    """Give the study that the current request belongs to."""
    return cast(RunningStudy, current_app.extensions[EXTENSION])
