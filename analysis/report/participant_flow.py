"""The participants' flow: how many were invited, and how many are left at each step."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from analysis.scoring.responses import read_responses
from analysis.scoring.scored import ScoredStudy
from sampling.assignment.roster import read_roster
from sampling.study.folder import StudyFolder

FLOW, LOG = "flow.json", "events.jsonl"
STEPS = {
    "listed": "listed in the roster",
    "invited": "invited",
    "signed_in": "signed in",
    "consented": "consented",
    "answered": "answered at least one question",
    "finished": "finished their share",
    "analysed": "analysed",
}


@dataclass(frozen=True)
class ParticipantFlow:
    """People at each step, responses by status; a step that nobody recorded is absent."""

    people: Mapping[str, int]
    responses: Mapping[str, int]


def collected_here(study: StudyFolder) -> bool:
    """Tell whether the answers came through this tool's pages: its record lies beside them."""
    return any(study.responses_file.with_name(name).is_file() for name in (FLOW, LOG))


def read_flow(study: StudyFolder, scored: ScoredStudy) -> ParticipantFlow:
    """Read `responses/flow.json`, written by `lontar export`, or count what the files show.

    Consent is a step only where it was asked for. Without that file nobody knows who of the roster
    was invited: it lists people, which is a step of its own.
    """
    people: dict[str, int] = {}
    path = study.responses_file.with_name(FLOW)
    if path.is_file():
        recorded: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8-sig"))
        people.update(recorded.get("participants", {}))
        if not study.definition.consent.required:
            people.pop("consented", None)
    else:
        if study.roster_file.is_file():
            people["listed"] = len(read_roster(study.roster_file))
        people["answered"] = int(scored.responses["participant"].nunique())
    people["analysed"] = int(scored.responses["participant"].nunique())
    statuses = read_responses(study.responses_file)["status"].value_counts()
    responses = {str(status): int(count) for status, count in sorted(statuses.items())}
    return ParticipantFlow(people, responses)
