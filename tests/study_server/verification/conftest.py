"""A small study that was answered, exported, analysed and released by its commands."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import Engine

from study_server.cli import lontar
from study_server.store.answering.answers import Submission, submit
from study_server.store.asking.participants import record_step
from study_server.store.assigning.slots import current_slot
from study_server.store.schema.database import transaction


@dataclass
class ReleasedStudy:
    """The folder of a study with its database, exports, results and bundle."""

    root: Path
    engine: Engine

    def run(self, *arguments: str) -> str:
        """Run a command and give what it printed."""
        done = CliRunner().invoke(lontar, ["-C", str(self.root), *arguments])
        # The benchmark of this study is not there, so that its sample is never what it should be.
        assert done.exit_code == (1 if arguments == ("verify",) else 0), done.output
        return done.stdout

    def change(self, name: str, old: str, new: str) -> None:
        """Change a text once in a file of the study."""
        text = (self.root / name).read_text("utf-8")
        assert old in text
        (self.root / name).write_text(text.replace(old, new, 1), "utf-8")


@pytest.fixture
def released(small_study: Callable[..., Any], noon: datetime) -> ReleasedStudy:
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
    made = ReleasedStudy(study.study.root, study.engine)
    for command in ("export", "analyze", "release"):
        made.run(command)
    return made


def key_of(vocabulary: dict[str, Any]) -> object:
    """Give any key that is valid for a category."""
    label = next(iter(vocabulary.get("labels", ["x"])))
    return {"count": 4, "multi": [label], "text": "ខ្មែរ"}.get(vocabulary["format"], label)
