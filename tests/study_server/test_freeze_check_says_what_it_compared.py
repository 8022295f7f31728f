"""`lontar freeze --check` and verify: not frozen, gone, exchanged, or as it was frozen."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from click.testing import CliRunner, Result

from sampling.record.freeze import deviations, make_freeze, write_freeze
from sampling.record.verdicts import State
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder, open_study
from study_server.commands.collection import export_command
from study_server.commands.freeze import freeze_command
from study_server.coordinator.frozen import freeze_study
from study_server.folder.verification import verify_freeze
from study_server.store.assigning.run_state import RunState, load_run_state
from study_server.store.schema.database import transaction
from study_server.store.schema.events import read_log
from study_server.store.steering.coordination import Decision, set_study_state
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


@pytest.mark.parametrize("numbered", [True, False])
def test_a_closing_is_named_with_its_numbers_from_the_log_or_else_from_the_database(
    small_study: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, numbered: bool
) -> None:
    made = small_study()
    study: StudyFolder = made.study
    decision = Decision(clock.now() + timedelta(seconds=2), "maria", "no time left")
    with transaction(made.engine) as session:
        freeze_study(session, study, Decision(clock.now(), "maria", ""), with_keys=True)
        if not numbered:  # As version 0.1.0 wrote it.
            monkeypatch.setattr(RunState, "closing", {})
        set_study_state(session, "closed", decision)
        monkeypatch.undo()
        numbers = load_run_state(session).closing
        assert tuple(read_log(session))[-1].details == (numbers if numbered else {})
    told = (
        f"study: closed with {numbers['missing']} of {numbers['needed']} answers missing, "
        f"{numbers['incomplete']} questions incomplete (no time left)\n"
    )
    found = check(study)
    assert found.stdout.endswith(told), found.stdout
    assert found.stderr == "1 deviation from the freeze\n"
    # The report reads what was exported.
    CliRunner().invoke(export_command, [], obj=study.root, catch_exceptions=False)
    [deviation] = deviations(study)
    assert f"{deviation.sentence}\n".endswith(told)


def test_a_reason_that_looks_like_contact_details_freezes_nothing(study: StudyFolder) -> None:
    study.freeze_file.unlink(missing_ok=True)
    arguments = ["--reason", "agreed with name@example.org"]
    refused = CliRunner().invoke(freeze_command, arguments, obj=study.root)
    assert isinstance(refused.exception, StudyError)
    assert "--names-nobody" in str(refused.exception)
    assert not study.freeze_file.exists()
    done = CliRunner().invoke(freeze_command, [*arguments, "--names-nobody"], obj=study.root)
    assert (done.exit_code, study.freeze_file.exists()) == (0, True)
