"""What a worker reads of the study once, when it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from sampling.answers.vocabularies import Vocabulary
from study_server.store.asking.content import vocabulary_of
from study_server.store.schema.tables import StudyTable, VocabularyTable


@dataclass(frozen=True)
class ServedStudy:
    """The study's name in addresses and for people, its settings, and every vocabulary.

    `vocabularies` is by source (`benchmark`, `practice`, `attention`) and category.
    """

    public_id: str
    name: str
    settings: Mapping[str, Any]
    vocabularies: Mapping[tuple[str, str], Vocabulary]


def served_study(session: Session) -> ServedStudy | None:
    """Read the study, or None when the database holds none yet."""
    study = session.get(StudyTable, 1)
    if study is None:
        return None
    rows = session.execute(
        select(VocabularyTable.source, VocabularyTable.category, VocabularyTable.entry)
    )
    vocabularies = {
        (row.source, row.category): vocabulary_of(row.category, row.entry) for row in rows
    }
    return ServedStudy(study.public_id, study.name, study.settings, vocabularies)
