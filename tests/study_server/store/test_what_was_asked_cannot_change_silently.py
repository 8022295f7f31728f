"""Loading a study's files: idempotent, and refused where answers would lose their meaning."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, inspect, select, text

from sampling.study.errors import StudyError
from sampling.study.folder import open_study
from study_server.folder.loading import prepare_database
from study_server.store.answering.answers import Submission, submit
from study_server.store.asking.participants import find_participant, record_step
from study_server.store.asking.sync import has_answers, holds_study
from study_server.store.assigning.slots import current_slot
from study_server.store.schema.database import open_engine, reading, transaction
from study_server.store.schema.migration import migrate
from study_server.store.schema.tables import (
    Base,
    ImageTable,
    ParticipantTable,
    QuestionTable,
    SlotTable,
    StudyTable,
)

Study = Callable[..., Any]


def load(study: Any, noon: datetime) -> None:
    prepare_database(open_study(study.study.root), noon).dispose()


def answer_once(study: Any, noon: datetime) -> None:
    with transaction(study.engine) as session:
        record_step(session, 1, state="active")
        slot = current_slot(session, 1)
        submit(session, 1, Submission(slot.public_id, "k", "Khmer"), noon)


def snapshot(study: Any) -> list[Any]:
    with reading(study.engine) as session:
        return [
            session.execute(select(table.__table__).order_by(*table.__table__.primary_key)).all()
            for table in (QuestionTable, SlotTable, ImageTable, ParticipantTable)
        ]


def rewrite(study: Any, name: str, old: str, new: str) -> None:
    file = study.study.root / name
    before = file.read_text(encoding="utf-8")
    assert old in before
    file.write_text(before.replace(old, new), encoding="utf-8")


def test_loading_again_changes_nothing(small_study_anywhere: Study, noon: datetime) -> None:
    study = small_study_anywhere()
    before = snapshot(study)
    load(study, noon)
    assert snapshot(study) == before


def test_before_the_first_answer_files_may_change_and_images_keep_their_ids(
    small_study: Study, noon: datetime
) -> None:
    study = small_study()
    with reading(study.engine) as session:
        ids = dict(session.execute(select(ImageTable.image_name, ImageTable.public_id)).all())
    rewrite(study, "sample/questions.jsonl", "Which script is it?", "Which script do you see?")
    load(study, noon)
    with reading(study.engine) as session:
        assert (
            session.scalar(select(QuestionTable.question_en).limit(1)) == "Which script do you see?"
        )
        now = dict(session.execute(select(ImageTable.image_name, ImageTable.public_id)).all())
    assert now == ids


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("sample/questions.jsonl", "Which script is it?", "Which?", "sample/questions.jsonl"),
        ("benchmark/vocabularies.json", "Balinese", "Bali", "benchmark/vocabularies.json"),
        ("plan/assignment.csv", "P01,leaf000__q0,1,1,1\n", "", "plan/assignment.csv"),
        ("study.toml", "responses_per_question = 3", "responses_per_question = 2",
         "responses_per_question"),
        ("study.toml", "responses_per_question = 3", "responses_per_question = 4",
         "responses_per_question"),
    ],
)  # fmt: skip
def test_after_an_answer_a_change_is_refused_and_named(
    small_study: Study, noon: datetime, name: str, old: str, new: str, told: str
) -> None:
    study = small_study()
    answer_once(study, noon)
    before = snapshot(study)
    rewrite(study, name, old, new)
    with pytest.raises(StudyError, match=told):
        load(study, noon)
    assert snapshot(study) == before


def test_settings_and_new_people_are_taken_over_at_any_time(
    small_study: Study, noon: datetime
) -> None:
    study = small_study()
    answer_once(study, noon)
    with (study.study.root / "study.toml").open("a") as file:
        file.write("\n[server]\ncomments = true\n")
    with (study.study.root / "participants.csv").open("a") as file:
        file.write("P04,\n")
    load(study, noon)
    with reading(study.engine) as session:
        assert session.get(StudyTable, 1).settings["server"]["comments"] is True
        assert find_participant(session, " p04") is not None


def test_one_person_has_one_spelling(small_study: Study, noon: datetime) -> None:
    study = small_study()
    with reading(study.engine) as session:
        found = [find_participant(session, name) for name in ("P01", "p01 ", " P01")]
        assert len({person.id for person in found if person}) == 1
        assert session.scalar(select(func.count()).select_from(ParticipantTable)) == 3


def test_a_plan_that_breaks_the_rules_is_refused_with_its_faults(
    small_study: Study, noon: datetime
) -> None:
    study = small_study()
    rewrite(study, "plan/assignment.csv", "P01,leaf000__q0,1,1,1\n", "P02,leaf000__q0,1,1,1\n")
    with pytest.raises(StudyError, match="leaf000__q0: 2 different people of 3"):
        load(study, noon)


def test_practice_may_not_show_an_image_of_the_sample(
    make_small_study: Callable[..., Path], tmp_path: Path, noon: datetime
) -> None:
    folder = make_small_study(
        tmp_path / "s",
        toml='\n[practice]\nquestions = "p.jsonl"\nkeys = "k.jsonl"\nimages = "benchmark/images"\n',
    )
    question = {"sample_id": "p1", "image_name": "gold=Khmer_000.jpg", "category": "Drawings",
                "question_en": "Any?"}  # fmt: skip
    (folder / "p.jsonl").write_text(json.dumps(question) + "\n")
    (folder / "k.jsonl").write_text('{"sample_id": "p1", "answer": "no"}\n')
    with pytest.raises(StudyError, match="an image of the sample"):
        prepare_database(open_study(folder), noon)


@pytest.mark.parametrize("missing", ["sample/questions.jsonl", "plan/assignment.csv"])
def test_what_is_missing_is_named_with_the_command_that_makes_it(
    make_small_study: Callable[..., Path], tmp_path: Path, noon: datetime, missing: str
) -> None:
    folder = make_small_study(tmp_path / "s")
    (folder / missing).unlink()
    with pytest.raises(StudyError, match=r"not found; .*`lontar (sample|assign)`"):
        prepare_database(open_study(folder), noon)


def test_migrations_make_exactly_the_schema_that_the_code_has(
    small_study_anywhere: Study,
) -> None:
    engine = small_study_anywhere().engine
    found = inspect(engine)
    for table in Base.metadata.sorted_tables:
        columns = {column["name"]: column["nullable"] for column in found.get_columns(table.name)}
        assert columns == {column.name: column.nullable for column in table.columns}
        unique = {tuple(one["column_names"]) for one in found.get_unique_constraints(table.name)}
        declared = {
            tuple(column.name for column in one.columns)
            for one in table.constraints
            if type(one).__name__ == "UniqueConstraint"
        }
        assert unique == declared
        indexes = {one["name"] for one in found.get_indexes(table.name)} - {
            one["name"] for one in found.get_unique_constraints(table.name)
        }
        assert {one.name for one in table.indexes} <= indexes
        assert len(found.get_foreign_keys(table.name)) == len(table.foreign_key_constraints)


def test_a_database_from_a_newer_version_is_refused_with_advice(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'study.db'}")
    migrate(engine)
    with transaction(engine) as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StudyError, match="newer version"):
        migrate(engine)
    engine.dispose()


def test_a_folder_that_may_not_be_written_to_is_said_plainly(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'no such folder' / 'study.db'}")
    with pytest.raises(StudyError, match="cannot be opened for writing"):
        migrate(engine)
    engine.dispose()


def test_a_file_that_is_no_database_is_said_plainly_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "study.db"
    file.write_text("no database at all")
    engine = open_engine(f"sqlite:///{file}")
    with pytest.raises(StudyError, match=r"study\.db: is no database, or a damaged one"):
        migrate(engine)
    # The first look of `lontar status`, `export` and `verify`, and that of `sample` and `assign`.
    with pytest.raises(StudyError, match="put a backup in its place"):
        holds_study(engine)
    with pytest.raises(StudyError, match="put a backup in its place"):
        has_answers(file)
    engine.dispose()
    assert file.read_text() == "no database at all"


def test_an_interrupted_migration_leaves_nothing_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'study.db'}")

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("alembic.runtime.migration.HeadMaintainer.update_to_step", stop)
    with pytest.raises(KeyboardInterrupt):
        migrate(engine)
    assert inspect(engine).get_table_names() == []
    monkeypatch.undo()
    migrate(engine)
    assert "answer" in inspect(engine).get_table_names()
    engine.dispose()
