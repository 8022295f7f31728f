"""`lontar freeze --check` and verify: not frozen, gone, exchanged, or as it was frozen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner, Result

from sampling.record.freeze import make_freeze, write_freeze
from sampling.record.verdicts import State
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder, open_study
from study_server.commands.freeze import freeze_command
from study_server.coordinator.frozen import freeze_study
from study_server.folder.verification import verify_freeze
from study_server.store.schema.database import transaction
from study_server.store.steering.coordination import Decision
from study_server.web import clock


def check(study: StudyFolder) -> Result:
    return CliRunner().invoke(freeze_command, ["--check"], obj=study.root)


@pytest.fixture
def study(small_study: Callable[..., Any]) -> StudyFolder:
    """A study with a database, not frozen yet."""
    found: StudyFolder = small_study().study
    return found


@pytest.fixture
def frozen(small_study: Callable[..., Any]) -> StudyFolder:
    made = small_study()
    found: StudyFolder = made.study
    with transaction(made.engine) as session:
        freeze_study(session, found, Decision(clock.now(), "maria", ""), with_keys=True)
    return found


def change(study: StudyFolder, old: str, new: str) -> None:
    text = study.definition_file.read_text(encoding="utf-8")
    assert old in text
    study.definition_file.write_text(text.replace(old, new), encoding="utf-8")


def test_a_study_never_frozen_is_said_to_be_so_and_ends_with_one(study: StudyFolder) -> None:
    told = check(study)
    assert isinstance(told.exception, StudyError)
    assert "not frozen; `lontar freeze`" in str(told.exception)
    assert verify_freeze(study).state is State.ABSENT


def test_an_untouched_freeze_has_no_deviations(frozen: StudyFolder) -> None:
    told = check(frozen)
    assert (told.exit_code, told.stdout, told.stderr) == (0, "", "no deviations from the freeze\n")


def test_a_deviation_is_shown(frozen: StudyFolder) -> None:
    frozen.vocabularies_file.write_text("{}", encoding="utf-8")
    told = check(frozen)
    assert (told.exit_code, told.stderr) == (0, "1 deviation from the freeze\n")


def test_another_seed_is_a_deviation(frozen: StudyFolder) -> None:
    seed = frozen.definition.study.seed
    change(frozen, f'seed = "{seed}"', 'seed = "luckier"')
    told = check(frozen)
    assert told.stdout == f'sample: [study] seed: "{seed}" when frozen, now "luckier"\n'


def test_a_freeze_that_was_deleted_is_missed_where_the_log_tells_of_it(
    frozen: StudyFolder,
) -> None:
    frozen.freeze_file.unlink()
    with pytest.raises(StudyError, match=r"freeze\.json: is gone, and the log says .* frozen on"):
        verify_freeze(frozen)


def test_a_freeze_written_anew_over_other_files_is_not_the_one_of_the_log(
    frozen: StudyFolder,
) -> None:
    frozen.vocabularies_file.write_text("{}", encoding="utf-8")
    again = open_study(frozen.root)
    write_freeze(frozen.freeze_file, make_freeze(again, "2026-03-02T00:00:00Z", 0))
    with pytest.raises(StudyError, match=r"is not the freeze of .* that the log tells of"):
        verify_freeze(again)
