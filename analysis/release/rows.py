"""The rows of the public bundle: every response with its scores, under a code for the person.

Who the participants were, in counts that point at nobody.
Takes out of a bundle what joins answers of one person: their codes and whatever follows them.
Names for participants in public files that say nothing about who they are.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.release.croissant import RecordField
from analysis.scoring.scored import METRICS, TEXT_METRICS, ScoredStudy
from sampling.assignment.roster import same_identity
from sampling.study.errors import StudyError
from sampling.study.keyed import shuffled


def release_codes(pseudonyms: Iterable[str], key: str) -> dict[str, str]:
    """Give each pseudonym a code whose number says nothing: not its spelling, not its place.

    A coordinator may have chosen initials as pseudonyms, or numbered people as they joined, and
    who took part knows them. The order is shuffled by a key: the same key gives the same codes,
    and where it is a secret, nobody without it finds out whose they are.

    >>> sorted(release_codes(["Anna", "Budi", "Chea"], "a secret").values())
    ['R1', 'R2', 'R3']
    """
    order = shuffled(sorted(set(pseudonyms)), key, "release codes")
    width = len(str(len(order)))
    return {name: f"R{number:0{width}d}" for number, name in enumerate(order, start=1)}


def demographic_counts(rows: list[dict[str, str]], k: int) -> list[tuple[str, str, str]]:
    """Count each attribute's values, one attribute at a time, none under k people.

    Values held by fewer than k people are joined as "other"; if even together they are fewer than
    k, the attribute's smallest shown value joins them, so that no count can be worked out from the
    total. The people column is never looked at.

    Returns
    -------
    list of (attribute, value, count)
        "fewer than k" in place of the count where the whole group is smaller than k.

    >>> people = [{"participant": str(n), "years": "10+" if n < 5 else "5-9"} for n in range(6)]
    >>> demographic_counts(people, 3)
    [('years', 'other', '6')]
    """
    result = []
    attributes = [name for name in (rows[0] if rows else {}) if name != "participant"]
    for attribute in attributes:
        counts = Counter(row[attribute].strip() or "not stated" for row in rows)
        shown = {value: count for value, count in counts.items() if count >= k}
        rest = sum(counts.values()) - sum(shown.values())
        while 0 < rest < k and shown:
            smallest = min(shown, key=lambda value: (shown[value], value))
            rest += shown.pop(smallest)
        result += [(attribute, value, str(count)) for value, count in sorted(shown.items())]
        if rest:
            result.append((attribute, "other", str(rest) if rest >= k else f"fewer than {k}"))
    return result


def read_demographics(path: Path, participants: set[str]) -> list[dict[str, str]]:
    """Read the coordinator's table of coarse attributes, one row a participant."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise StudyError(
            f"{path.name}: not found; study.toml [release] demographics names it"
        ) from None
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    if not rows or "participant" not in rows[0]:
        raise StudyError(f"{path.name} line 1: no column participant")
    known = {same_identity(name) for name in participants}
    unknown = [row["participant"] for row in rows if same_identity(row["participant"]) not in known]
    if unknown:
        raise StudyError(f"{path.name}: not in the roster: {', '.join(sorted(unknown))}")
    return [{name: value or "" for name, value in row.items() if name} for row in rows]


RESPONSE_FIELDS = (
    RecordField("sample_id", "the question's id in the benchmark"),
    RecordField("category", "the question's category"),
    RecordField("script_name", "the collection the image is from"),
    RecordField("participant", "a code that says nothing about the person"),
    RecordField("response_index", "1 to k within a question", "sc:Integer"),
    RecordField("raw_response", "the answer as it was given"),
    RecordField("normalized_response", "the answer as it was scored"),
    RecordField("ground_truth", "the benchmark's reference answer, normalised"),
    RecordField("scoring_status", "valid, valid_oov or invalid"),
    RecordField("invalid_reason", "why an answer could not be read"),
    RecordField("exact_match", "1 if equal to the reference", "sc:Float"),
    RecordField("precision", "share of the given labels that are right", "sc:Float"),
    RecordField("recall", "share of the reference's labels that were given", "sc:Float"),
    RecordField("f1", "harmonic mean of precision and recall", "sc:Float"),
    RecordField("jaccard", "shared labels over all labels", "sc:Float"),
    RecordField("within_one", "for counts, 1 if off by one at most", "sc:Float"),
    RecordField("ned", "for texts, 1 - edit distance over the longer length", "sc:Float"),
    RecordField("char_f1", "for texts, F1 over characters", "sc:Float"),
    RecordField("submitted_on", "the day of the answer (UTC)", "sc:Date"),
    RecordField("active_seconds", "time of activity on the question's page", "sc:Float"),
)


def response_rows(scored: ScoredStudy, codes: Mapping[str, str]) -> list[dict[str, Any]]:
    """Give one row an analysed response, sorted by question and index, fields as declared above.

    Times are cut to the day: an hour can tell where in the world somebody works.
    """
    frame = scored.responses
    questions = scored.questions.loc[frame["sample_id"]]
    fields = [field.name for field in RESPONSE_FIELDS if field.name not in TEXT_METRICS]
    fields += [metric for metric in TEXT_METRICS if metric in frame]
    columns: dict[str, list[Any]] = {
        "sample_id": frame["sample_id"].tolist(),
        "category": questions["category"].tolist(),
        "script_name": questions["script_name"].tolist(),
        "participant": [codes[name] for name in frame["participant"]],
        "response_index": [_whole(value) for value in frame["response_index"]],
        "raw_response": frame["raw_response"].tolist(),
        "normalized_response": [_plain(value) for value in frame["normalized"]],
        "ground_truth": [_plain(value) for value in questions["ground_truth"]],
        "scoring_status": frame["scoring_status"].tolist(),
        "invalid_reason": frame["invalid_reason"].tolist(),
        "submitted_on": [_day(value) for value in frame["submitted_at"]],
        "active_seconds": [_number(value) for value in frame["active_seconds"]],
    }
    for metric in (*METRICS, *TEXT_METRICS):
        if metric in frame:
            columns[metric] = [_number(value) for value in frame[metric]]
    ordered = [columns[field] for field in fields]
    return [dict(zip(fields, values, strict=True)) for values in zip(*ordered, strict=True)]


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _number(value: float) -> float | int | None:
    """Give a JSON number, whole ones without a point, or null."""
    if math.isnan(value):
        return None
    return int(value) if value == int(value) else float(value)


def _whole(value: float) -> int | None:
    return None if math.isnan(value) else int(value)


def _day(value: pd.Timestamp) -> str | None:
    return None if pd.isna(value) else value.strftime("%Y-%m-%d")


POOLED = ("participant", "submitted_on", "active_seconds")


def is_pooled(folder: Path) -> bool:
    """Tell whether the answers of a bundle stand without the people who gave them."""
    with (folder / "responses.jsonl").open(encoding="utf-8") as rows:
        first = next(rows, "").strip()
    return bool(first) and "participant" not in json.loads(first)


def pooled_rows(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Leave out who gave each answer, on which day and how fast.

    A person's index, their days and their pace join their answers as a code does, so that indices
    are given anew: within a question the answers stand in the order of their own text.

    Parameters
    ----------
    rows : rows of `responses.jsonl`, whose fields stay in their order

    Examples
    --------
    >>> given = {"sample_id": "q", "participant": "R2", "response_index": 1, "raw_response": "yes"}
    >>> other = {"sample_id": "q", "participant": "R1", "response_index": 2, "raw_response": "no"}
    >>> [tuple(row.values()) for row in pooled_rows([given, other])]
    [('q', 1, 'no'), ('q', 2, 'yes')]
    """
    by_question: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        kept = {name: value for name, value in row.items() if name not in POOLED}
        by_question[row["sample_id"]].append(kept)
    return [
        {**row, "response_index": index}
        for sample_id in sorted(by_question)
        for index, row in enumerate(
            sorted(
                by_question[sample_id],
                key=lambda row: json.dumps(
                    [row["raw_response"], {**row, "response_index": 0}], ensure_ascii=False
                ),
            ),
            start=1,
        )
    ]
