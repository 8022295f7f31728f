"""The human run as a log of inspect_ai, so that its viewer and its tools can read it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.scoring.exact import exact_mean
from analysis.scoring.scored import METRICS, TEXT_METRICS, ScoredStudy
from sampling.benchmark.question_files import read_questions
from sampling.study.folder import StudyFolder
from sampling.study.keyed import digest

LOG_VERSION = 2
TASK = "human_baseline"
MODEL = "human/panel"
NO_TIME = "1970-01-01T00:00:00+00:00"  # where no response has a time: logs need one


def write_inspect_log(study: StudyFolder, scored: ScoredStudy, target: Path) -> None:
    """Write the human run as one log, which `inspect view` opens."""
    asked = {one.sample_id: one.question_en for one in read_questions(study.questions_file)}
    table = study.definition.study
    log = inspect_log(table.name, table.seed, scored, asked)
    text = json.dumps(log, ensure_ascii=False, separators=(",", ":"))
    target.write_text(text + "\n", encoding="utf-8", newline="")


def inspect_log(
    name: str, seed: str, scored: ScoredStudy, asked: Mapping[str, str]
) -> dict[str, Any]:
    """Lay out the answered responses as samples: epoch = response index, one scorer a metric.

    Each sample's output names its participant as the model `human/P03`. Ids follow from the
    study's name and seed, times from the responses, so that the same study gives the same log.
    `asked` holds the text of each question.

    Examples
    --------
    >>> questions = pd.DataFrame({"ground_truth": ["Khmer"], "category": ["Script"],
    ...     "script_name": ["Khmer"], "image_name": ["a.jpg"]}, index=["q1"])
    >>> one = pd.DataFrame({"sample_id": ["q1"], "participant": ["P03"], "raw_response": ["Khmer"],
    ...     "normalized": ["Khmer"], "scoring_status": ["valid"], "invalid_reason": [None],
    ...     "submitted_at": [pd.NaT], "active_seconds": [3.5], "exact_match": [1.0]})
    >>> log = inspect_log("A study", "1", ScoredStudy(questions, one, {}), {"q1": "Which?"})
    >>> sample = log["samples"][0]
    >>> sample["epoch"], sample["output"]["model"], sample["scores"]["exact_match"]["value"]
    (1, 'human/P03', 1.0)
    """
    responses = scored.responses
    metrics = [name for name in (*METRICS, *TEXT_METRICS) if name in responses]
    epochs = responses.groupby("sample_id", sort=False).cumcount() + 1
    questions = scored.questions.to_dict("index")
    started, ended = _times(responses["submitted_at"])
    samples = [
        _sample(row, int(epoch), questions[row["sample_id"]], asked, metrics)
        for epoch, row in zip(epochs, responses.to_dict("records"), strict=True)
    ]
    return {
        "version": LOG_VERSION,
        "status": "success",
        "eval": _specification(name, seed, list(scored.questions.index), started, epochs),
        "plan": {"name": "plan", "steps": [], "config": {}},
        "results": {
            "total_samples": len(samples),
            "completed_samples": len(samples),
            "scores": [_mean(metric, responses) for metric in metrics],
        },
        "stats": {"started_at": started, "completed_at": ended, "model_usage": {}},
        "samples": samples,
    }


def _specification(
    name: str, seed: str, ids: list[str], created: str, epochs: pd.Series
) -> dict[str, Any]:
    """Lay out what a log calls its evaluation: the task, the data set, the model."""
    return {
        "eval_id": _id(name, seed, "eval"),
        "run_id": _id(name, seed, "run"),
        "task_id": _id(name, seed, "task"),
        "created": created,
        "task": TASK,
        "task_version": 0,
        "dataset": {"name": name, "samples": len(ids), "sample_ids": ids, "shuffled": False},
        "model": MODEL,
        "config": {"epochs": int(epochs.max())},
        "metadata": {"study": name},
    }


def _sample(
    row: Mapping[Any, Any],
    epoch: int,
    question: Mapping[Any, Any],
    asked: Mapping[str, str],
    metrics: list[str],
) -> dict[str, Any]:
    """Lay out one response as a sample."""
    given = _text(row["raw_response"])
    text = asked.get(row["sample_id"], "")
    model = f"human/{row['participant']}"
    answer = {"role": "assistant", "content": given, "source": "generate", "model": model}
    return {
        "id": row["sample_id"],
        "epoch": epoch,
        "input": text,
        "target": _target(question["ground_truth"]),
        "messages": [{"role": "user", "content": text, "source": "input"}, answer],
        "output": {
            "model": model,
            "choices": [{"message": answer, "stop_reason": "stop"}],
            "completion": given,
        },
        "scores": {
            metric: {"value": row[metric], "answer": _text(row["normalized"])}
            for metric in metrics
            if not pd.isna(row[metric])
        },
        "metadata": {
            "category": question["category"],
            "script_name": question["script_name"],
            "image_name": question["image_name"],
            "participant": row["participant"],
            "active_seconds": None if pd.isna(row["active_seconds"]) else row["active_seconds"],
            "scoring_status": row["scoring_status"],
            "invalid_reason": row["invalid_reason"],
        },
    }


def _mean(metric: str, responses: pd.DataFrame) -> dict[str, Any]:
    found = exact_mean(responses[metric])
    mean = {"name": "mean", "value": 0.0 if found is None else float(found)}
    metrics = {} if found is None else {"mean": mean}
    return {"name": metric, "scorer": metric, "params": {}, "metrics": metrics}


def _times(submitted: pd.Series) -> tuple[str, str]:
    """Give the first and the last time of a response, in ISO 8601."""
    known = submitted.dropna()
    if known.empty:
        return NO_TIME, NO_TIME
    return known.min().isoformat(), known.max().isoformat()


def _id(*parts: str) -> str:
    return digest("inspect log", *parts).hex()[:22]


def _target(key: Any) -> str | list[str]:
    return list(key) if isinstance(key, tuple) else str(key)


def _text(value: Any) -> str:
    """Write an answer as text: labels of a set joined by a comma, nothing as the empty text."""
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)
