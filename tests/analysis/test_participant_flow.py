import json

import pandas as pd
import pytest

from analysis.report.participant_flow import read_flow
from analysis.scoring.scored import ScoredStudy
from sampling.study.folder import StudyFolder
from sampling.study.study_toml import parse_definition


@pytest.fixture
def study(tmp_path):
    definition = parse_definition(
        {
            "study": {"name": "A study", "seed": "1"},
            "benchmark": {"questions": "q", "vocabularies": "v"},
            "sample": {"strata": ["category"], "per_stratum": 1},
        }
    )
    (tmp_path / "responses").mkdir()
    rows = [
        {"sample_id": "q1", "participant": "P1", "status": "answered", "raw_response": "yes"},
        {"sample_id": "q2", "participant": "P1", "status": "skipped"},
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "responses" / "responses.jsonl").write_text(text, encoding="utf-8")
    (tmp_path / "participants.csv").write_text("participant,annotator_ids\nP1,\nP2,\n")
    return StudyFolder(tmp_path, definition)


@pytest.fixture
def scored():
    return ScoredStudy(pd.DataFrame(), pd.DataFrame({"participant": ["P1"]}), {})


def test_without_an_export_the_files_say_what_they_can(study, scored):
    flow = read_flow(study, scored)
    assert flow.people == {"listed": 2, "answered": 1, "analysed": 1}
    assert flow.responses == {"answered": 1, "skipped": 1}


def export(study):
    recorded = {"participants": {"invited": 3, "consented": 2}}
    (study.root / "responses" / "flow.json").write_text(json.dumps(recorded))


def test_the_export_tells_every_step(study, scored):
    export(study)
    consent = study.definition.consent.model_copy(update={"required": True})
    asking = StudyFolder(study.root, study.definition.model_copy(update={"consent": consent}))
    assert read_flow(asking, scored).people == {"invited": 3, "consented": 2, "analysed": 1}


def test_nobody_is_counted_as_consenting_where_nobody_was_asked(study, scored):
    export(study)
    assert read_flow(study, scored).people == {"invited": 3, "analysed": 1}
