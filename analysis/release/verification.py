"""Checks a public bundle by itself: checksums, distinct answers, and every score once more."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from analysis.percentages import percent
from analysis.release.contents import RULES, SUMS
from analysis.scored_rows import score_answer
from sampling.definition import TextTable
from sampling.normalization import normalize, normalize_reference
from sampling.vocabulary_files import read_vocabularies

SHOWN_AT_MOST = 20


def verify_bundle(folder: Path) -> list[str]:
    """List what is wrong with a bundle; an empty list says that all of it holds.

    Every file is compared with its checksum, nobody answers a question twice, no two answers
    share an index, every response scores today what it says, and the mean of exact match is that
    of the bundle's Table 11.
    """
    if not (folder / SUMS).is_file():
        return [f"{SUMS}: not found; this is no bundle, or an incomplete one"]
    problems = list(_changed_files(folder))
    if problems:
        return problems
    text = (folder / "responses.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.split("\n") if line]
    problems += _repeated(rows)
    problems += list(_rescored(folder, rows))[:SHOWN_AT_MOST]
    return problems + _table(folder, rows)


def _changed_files(folder: Path) -> Iterator[str]:
    """Compare every file with `SHA256SUMS`, and every line there with a file."""
    listed = {}
    for line in (folder / SUMS).read_text(encoding="utf-8").splitlines():
        sha256, _, name = line.partition("  ")
        listed[name] = sha256
    present = {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    } - {SUMS}
    for name in sorted(listed.keys() | present):
        if name not in present:
            yield f"{name}: is missing"
        elif name not in listed:
            yield f"{name}: is not in {SUMS}"
        elif hashlib.sha256((folder / name).read_bytes()).hexdigest() != listed[name]:
            yield f"{name}: was changed after the bundle was made"


def _repeated(rows: list[dict[str, Any]]) -> list[str]:
    problems = []
    for field, what in (("participant", "answered by"), ("response_index", "has twice index")):
        counts = Counter((row["sample_id"], row[field]) for row in rows)
        problems += [
            f"responses.jsonl: question {sample_id} {what} {value} {count} times"
            for (sample_id, value), count in sorted(counts.items(), key=str)
            if count > 1
        ]
    return problems


def _rescored(folder: Path, rows: list[dict[str, Any]]) -> Iterator[str]:
    """Normalise and score every response again and compare."""
    rules = json.loads((folder / RULES).read_text(encoding="utf-8"))
    text_rules = TextTable.model_validate(rules["text"])
    references: dict[str, list[Any]] = {}
    for row in rows:
        references.setdefault(row["category"], []).append(row["ground_truth"])
    vocabularies = read_vocabularies(folder / "vocabularies.json", references)
    for number, row in enumerate(rows, start=1):
        vocabulary = vocabularies[row["category"]]
        answer = normalize(row["raw_response"], vocabulary, text_rules=text_rules)
        key = normalize_reference(row["ground_truth"], vocabulary, text_rules=text_rules)
        found = score_answer(answer, key, vocabulary, text_rules)
        for metric in ("exact_match", "f1", "within_one", "ned", "char_f1"):
            now = getattr(found, metric)
            if metric in row and not _equal(row[metric], now):
                where = f"responses.jsonl line {number}"
                yield f"{where}: {metric} is {row[metric]}, scored again it is {now}"


def _equal(said: float | None, now: Fraction | None) -> bool:
    if said is None or now is None:
        return said is None and now is None
    return abs(float(now) - said) < 1e-12


def _table(folder: Path, rows: list[dict[str, Any]]) -> list[str]:
    """Compare the human row of the bundle's Table 11 with the responses."""
    table = csv.DictReader(io.StringIO((folder / "table11.csv").read_text(encoding="utf-8")))
    human = next((row for row in table if row["evaluator"] == "Human"), None)
    if human is None:
        return ["table11.csv: has no row Human"]
    if not human.get("em") or not rows:
        return []
    right = sum(1 for row in rows if row["exact_match"] == 1)
    mean = percent(Fraction(right, len(rows)))
    if human["em"] != mean:
        return [f"table11.csv: Human em is {human['em']}, the responses give {mean}"]
    return []
