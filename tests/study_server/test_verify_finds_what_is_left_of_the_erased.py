"""`lontar verify`: files made before an erasure are told as long as they hold the erased."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from click.testing import CliRunner, Result

from study_server.cli import lontar
from study_server.store.answers import Submission, submit
from study_server.store.database import transaction
from study_server.store.participants import record_step
from study_server.store.slots import current_slot


@pytest.fixture
def released(small_study: Callable[..., Any], noon: datetime) -> Any:
    """Two people answered everything; their answers were exported, analysed and released."""
    study = small_study(people=2)
    folder = study.study.root / "sample"
    asked = map(json.loads, (folder / "questions.jsonl").read_text("utf-8").splitlines())
    vocabularies = json.loads(study.study.vocabularies_file.read_text("utf-8"))
    keys = [
        {"sample_id": one["sample_id"], "answer": key_of(vocabularies[one["category"]])}
        for one in asked
    ]
    (folder / "keys.jsonl").write_text("".join(json.dumps(key) + "\n" for key in keys), "utf-8")
    with transaction(study.engine) as session:
        for person in (1, 2):
            record_step(session, person, state="active")
            for number in range(6):
                slot = current_slot(session, person)
                sent = Submission(slot.public_id, f"{person}-{number}", f"answer {person}")
                submit(session, person, sent, noon)
    for command in ("export", "analyze", "release"):
        run(study, command)
    return study


def key_of(vocabulary: dict[str, Any]) -> object:
    """Give any key that is valid for a category."""
    label = next(iter(vocabulary.get("labels", ["x"])))
    return {"count": 4, "multi": [label], "text": "ខ្មែរ"}.get(vocabulary["format"], label)


def run(study: Any, *arguments: str) -> Result:
    done = CliRunner().invoke(lontar, ["-C", str(study.study.root), *arguments])
    # The benchmark of this study is not there, so that its sample is never what it should be.
    assert done.exit_code == (1 if arguments == ("verify",) else 0), done.output
    return done


def test_nothing_is_said_while_nobody_was_erased(released: Any) -> None:
    told = run(released, "verify").stdout
    assert "erasure absent   nobody was erased" in told
    assert "bundle  holds" in told


def test_a_bundle_exports_and_results_from_before_an_erasure_are_told(released: Any) -> None:
    run(released, "erase", "P02", "--yes")
    told = run(released, "verify").stdout
    assert "bundle  differs" in told
    assert "release/responses.jsonl: 6 answers are not in the study any more, and P02 (on" in told
    assert "responses/responses.jsonl: 6 answers are of P02, who was erased on" in told
    assert "results/responses_scored.jsonl: 6 answers are of P02" in told


def test_what_is_made_again_holds(released: Any) -> None:
    run(released, "erase", "P02", "--yes")
    for command in ("export", "analyze", "release"):
        run(released, command)
    told = run(released, "verify").stdout
    assert "erasure holds" in told
    assert "bundle  holds" in told


def test_the_exported_log_tells_as_much_where_the_database_is_away(released: Any) -> None:
    run(released, "erase", "P02", "--yes")
    run(released, "export")
    released.engine.dispose()
    released.study.database_file.unlink()
    told = run(released, "verify").stdout
    assert "release/responses.jsonl: 6 answers are not in the study any more" in told
