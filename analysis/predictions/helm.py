"""Run folders of HELM: `scenario_state.json`, else `display_predictions.json`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from analysis.predictions.options import is_letter, options_of
from analysis.predictions.rows import PredictionRow, as_text
from analysis.predictions.tables import read_json
from sampling.study.errors import StudyError

STATE = "scenario_state.json"
DISPLAY = "display_predictions.json"
STATS = "per_instance_stats.json"
_NUMBERED = re.compile(r"id(\d+)")


def read_helm_run(folder: Path) -> list[PredictionRow]:
    """Read one run folder, named by itself or by a file in it.

    Perturbed rows are left out; train trials are declared runs.

    Raises
    ------
    StudyError
        When the folder has neither of the two files.
    """
    folder = folder if folder.is_dir() else folder.parent
    reported = _reported(folder / STATS)
    if (folder / STATE).exists():
        state = read_json(folder / STATE)
        model = as_text((state.get("adapter_spec") or {}).get("model"))
        rows = [_state_row(one, folder.name, model) for one in state.get("request_states") or ()]
    elif (folder / DISPLAY).exists():
        rows = [_display_row(one, folder.name) for one in read_json(folder / DISPLAY)]
    else:
        raise StudyError(f"{folder.name}: a HELM run folder needs {STATE} or {DISPLAY}")
    return [_with_scores(row, reported) for row in rows if row is not None]


def _state_row(state: Mapping[str, Any], name: str, model: str | None) -> PredictionRow | None:
    instance = state["instance"]
    if instance.get("perturbation"):
        return None
    result = state.get("result") or {}
    completions = result.get("completions") or [{}]
    answered = result.get("success", True)
    raw = completions[0].get("text") if answered else None
    extra = instance.get("extra_data") or {}
    identifier = as_text(instance.get("id"))
    return PredictionRow(
        raw=raw,
        options={**(state.get("output_mapping") or {})},
        place=f"{name} instance {identifier}",
        identifier=as_text(extra.get("sample_id")) or as_text(extra.get("id")) or identifier,
        row=_row_number(identifier),
        model=model,
        run=_trial(state.get("train_trial_index")),
        question=str((instance.get("input") or {}).get("text") or ""),
    )


def _display_row(shown: Mapping[str, Any], name: str) -> PredictionRow | None:
    if shown.get("perturbation"):
        return None
    identifier = as_text(shown.get("instance_id"))
    said, mapped = shown.get("predicted_text"), shown.get("mapped_output")
    return PredictionRow(
        raw=said if mapped and is_letter(said) else mapped or said,
        options=options_of(said, mapped),
        place=f"{name} instance {identifier}",
        identifier=identifier,
        row=_row_number(identifier),
        run=_trial(shown.get("train_trial_index")),
        reported=dict(shown.get("stats") or {}),
    )


def _with_scores(
    row: PredictionRow, reported: Mapping[tuple[str, str], Mapping[str, Any]]
) -> PredictionRow:
    """Add the run's own scores from `per_instance_stats.json`."""
    identifier = row.place.rpartition(" ")[2]
    found = reported.get((identifier, row.run))
    return row if found is None else replace(row, reported={**row.reported, **found})


def _reported(path: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Read the scores of each instance and train trial, when the file is there."""
    if not path.exists():
        return {}
    return {
        (str(one.get("instance_id")), _trial(one.get("train_trial_index"))): {
            str((stat.get("name") or {}).get("name")): stat.get("mean")
            for stat in one.get("stats") or ()
        }
        for one in read_json(path)
        if not one.get("perturbation")
    }


def _trial(index: Any) -> str:
    return f"trial {int(index) + 1}" if index else ""


def _row_number(identifier: str | None) -> int | None:
    """Give the row that HELM numbered an instance by (`id0` is the first)."""
    numbered = _NUMBERED.fullmatch(identifier or "")
    return int(numbered[1]) if numbered else None
