"""Loads a study's files into its database, again and again without harm.

Who leaves with the roster: people it names no longer, as long as they have done nothing.
Whether a collection has begun: a question that files alone cannot answer.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Collection, Mapping
from datetime import datetime
from pathlib import Path

from sqlalchemy import Engine, delete, exists, insert, inspect, select, update
from sqlalchemy.orm import Session

from sampling.assignment.roster import same_identity
from sampling.study.errors import StudyError
from study_server.store.asking.content import (
    StudyContent,
    exclusion_rows,
    image_rows,
    outside_rows,
    question_rows,
    slot_rows,
    vocabulary_rows,
)
from study_server.store.asking.participants import add_participants, recount, take_quotas
from study_server.store.schema.database import (
    URL_VARIABLE,
    database_url,
    open_engine,
    reading,
    taken_for_one,
)
from study_server.store.schema.events import append_event
from study_server.store.schema.tables import (
    AnswerTable,
    ExclusionTable,
    ImageTable,
    LinkTable,
    OutsideAnswerTable,
    OutsideQuestionTable,
    ParticipantTable,
    ProblemTable,
    QuestionTable,
    ReleasedSlotTable,
    SetAsideTable,
    SlotTable,
    StudyTable,
    VisitTable,
    VocabularyTable,
)

KEEPS = (AnswerTable, SetAsideTable, ProblemTable, SlotTable)
GOES = (ExclusionTable, LinkTable, OutsideAnswerTable, ReleasedSlotTable, VisitTable)


def remove_participants(session: Session, folded: Collection[str], at: datetime) -> list[str]:
    """Remove people who hold nothing and have answered nothing; give their pseudonyms.

    Whoever holds a question or answered one stays: a coordinator withdraws them.
    """
    query = select(ParticipantTable.id, ParticipantTable.pseudonym).where(
        ParticipantTable.folded_pseudonym.in_(folded),
        ParticipantTable.preview.is_(False),
        *(~exists().where(table.participant_id == ParticipantTable.id) for table in KEEPS),
    )
    people = session.execute(query.order_by(ParticipantTable.pseudonym)).all()
    for person in people:
        for table in GOES:
            session.execute(delete(table).where(table.participant_id == person.id))
        session.execute(delete(ParticipantTable).where(ParticipantTable.id == person.id))
        subject = f"participant:{person.pseudonym}"
        reason = "the roster names them no longer"
        append_event(session, at, "command line", "participant.removed", subject, reason)
    return [person.pseudonym for person in people]


ADVICE = (
    "answers exist, so this may no longer change; put the files back as they were, "
    "or start another study folder"
)


def synchronize(session: Session, content: StudyContent, at: datetime) -> bool:
    """Bring the database in line with the study's files; tell whether anything changed.

    Settings and new participants are taken over at any time, and who left the roster and has done
    nothing yet leaves. What was asked (questions, plan,
    vocabularies, k) is loaded until the first answer and may not change after it.

    Raises
    ------
    StudyError
        When a file that may no longer change did; every such file is named.
    """
    study = session.get(StudyTable, 1, with_for_update=True)
    if study is None:
        study = _create(session, content, at)
    left = _left_roster(study, content)
    changed = _take_settings(session, study, content)
    added = add_participants(session, content.participants, at)
    asked = {name: content.digests[name] for name in sorted(content.digests)}
    if study.digests == asked:
        if added:
            _bar_new_people(session, content)
        session.flush()
        if changed or added:
            reason = "study.toml or the roster changed"
            append_event(session, at, "command line", "study.settings_taken", "study", reason)
        remove_participants(session, left, at)
        return changed or added
    if holds_responses(session):
        _refuse(study.digests, asked)
    _load(session, content)
    study.digests = asked
    session.flush()
    remove_participants(session, left, at)
    details = {"questions": len(content.questions), "people": len(content.participants)}
    append_event(session, at, "command line", "study.loaded", "study", "", details)
    return True


def is_loaded(session: Session, content: StudyContent) -> bool:
    """Tell whether what is asked was loaded from these very files."""
    digests = session.scalar(select(StudyTable.digests))
    return digests == dict(content.digests)


def take_digests(session: Session, digests: Mapping[str, str]) -> None:
    """Take files as loaded that were written from the database itself."""
    session.execute(update(StudyTable).values(digests={name: digests[name] for name in digests}))


def holds_responses(session: Session) -> bool:
    """Tell whether anybody has answered, skipped or withdrawn anything yet."""
    answered = select(exists(select(AnswerTable.question_id)))
    set_aside = select(exists(select(SetAsideTable.id)))
    return bool(session.scalar(answered) or session.scalar(set_aside))


def _create(session: Session, content: StudyContent, at: datetime) -> StudyTable:
    """Add the one row of the study."""
    study = StudyTable(
        id=1,
        public_id=secrets.token_hex(16),
        name=content.name,
        state="open",
        responses_per_question=content.responses_per_question,
        settings={},
        digests={},
        created_at=at,
    )
    session.add(study)
    session.flush()
    return study


def _take_settings(session: Session, study: StudyTable, content: StudyContent) -> bool:
    """Take over what may change at any time; a coordinator's quotas stay unless the roster's do."""
    quotas = {same_identity(person.pseudonym): person.quota for person in content.participants}
    settings = {**content.settings, "quotas": quotas}
    if (study.name, study.settings) == (content.name, settings):
        return False
    take_quotas(session, study.settings.get("quotas", {}), quotas)
    study.name, study.settings = content.name, settings
    return True


def _left_roster(study: StudyTable, content: StudyContent) -> set[str]:
    """Name, folded, who was in the roster when it was last read and is not any more."""
    return set((study.settings or {}).get("quotas", {})) - {
        same_identity(person.pseudonym) for person in content.participants
    }


def _refuse(before: Mapping[str, str], now: Mapping[str, str]) -> None:
    """Name everything that differs from what the answers were given to."""
    names = sorted(set(before) | set(now))
    changed = [name for name in names if before.get(name) != now.get(name)]
    raise StudyError(*(f"{name}: changed since it was loaded, and {ADVICE}" for name in changed))


def _load(session: Session, content: StudyContent) -> None:
    """Replace what is asked, keeping the random ids of images that were known before."""
    known: dict[tuple[str, str], str] = {
        (row.source, row.image_name): row.public_id
        for row in session.execute(
            select(ImageTable.source, ImageTable.image_name, ImageTable.public_id)
        )
    }
    for table in (
        ReleasedSlotTable,
        SlotTable,
        ExclusionTable,
        ProblemTable,
        OutsideAnswerTable,
        OutsideQuestionTable,
        QuestionTable,
        ImageTable,
        VocabularyTable,
    ):
        session.execute(delete(table))
    people = _participant_ids(session)
    session.execute(insert(VocabularyTable), vocabulary_rows(content))
    images = image_rows(content, known)
    session.execute(insert(ImageTable), images)
    image_ids = {(row["source"], row["image_name"]): row["id"] for row in images}
    questions = question_rows(content, image_ids)
    session.execute(insert(QuestionTable), questions)
    question_ids = {row["sample_id"]: row["id"] for row in questions}
    for table, rows in (
        (OutsideQuestionTable, outside_rows(content, image_ids)),
        (ExclusionTable, exclusion_rows(content, people, question_ids)),
        (SlotTable, slot_rows(content, people, question_ids)),
    ):
        if rows:
            session.execute(insert(table), rows)
    study = update(StudyTable).values(responses_per_question=content.responses_per_question)
    session.execute(study)
    recount(session)


def _bar_new_people(session: Session, content: StudyContent) -> None:
    """Bar whoever joined the roster while the study runs from the questions they had a part in."""
    questions = session.execute(select(QuestionTable.sample_id, QuestionTable.id))
    ids = {row.sample_id: row.id for row in questions}
    barred = session.execute(select(ExclusionTable.participant_id, ExclusionTable.question_id))
    known = {(row.participant_id, row.question_id) for row in barred}
    rows = [
        row
        for row in exclusion_rows(content, _participant_ids(session), ids)
        if (row["participant_id"], row["question_id"]) not in known
    ]
    if rows:
        session.execute(insert(ExclusionTable), rows)


def _participant_ids(session: Session) -> dict[str, int]:
    """Map every folded pseudonym to its participant's id."""
    rows = session.execute(select(ParticipantTable.folded_pseudonym, ParticipantTable.id))
    return {row.folded_pseudonym: row.id for row in rows}


def holds_study(engine: Engine) -> bool:
    """Tell whether a study was ever loaded into a database, of whichever version its tables are."""
    with taken_for_one(engine):
        if not inspect(engine).has_table(StudyTable.__tablename__):
            return False
        with reading(engine) as session:
            return session.scalar(select(StudyTable.id)) is not None


def has_answers(database_file: Path) -> bool:
    """Tell whether a study's database exists and anybody has answered in it."""
    if not os.environ.get(URL_VARIABLE) and not database_file.exists():
        return False
    engine = open_engine(database_url(database_file))
    try:
        with taken_for_one(engine):
            if not inspect(engine).has_table(AnswerTable.__tablename__):
                return False
            with reading(engine) as session:
                return holds_responses(session)
    finally:
        engine.dispose()
