"""The manifest of a sample: everything another person needs to draw it again and weigh it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sampling.answers.vocabularies import READING_RULE
from sampling.benchmark.benchmark import BenchmarkRecord
from sampling.benchmark.near_duplicates import NearDuplicate
from sampling.draw.draw import Sample
from sampling.draw.strata import RULE, StratumDraw
from sampling.study.definition import StudyDefinition
from sampling.study.errors import StudyError
from sampling.study.files import write_whole

FORMAT = "lontar sample 1"
NEEDED = ("seed", "settings", "inputs", "strata", "shortages", "replacements", "images")
ANEW = (
    "put back the file that was there, or delete it and draw again with `lontar sample`, which "
    "then knows of no replaced question"
)
SPREAD_NOTE = (
    "With spread the questions of a stratum are not a simple random sample: each one's chance "
    "stays close to n/N, but which are drawn together depends on their images."
)


def frame_digest(records: Sequence[BenchmarkRecord]) -> str:
    """Digest the records that could be drawn, whatever order they stand in.

    SHA-256 over the sorted canonical JSON of each record's fields, a line each.
    """
    lines = sorted(
        json.dumps(record.fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        for record in records
    )
    hashed = hashlib.sha256()
    for line in lines:
        hashed.update(line.encode("utf-8") + b"\n")
    return hashed.hexdigest()


def build_manifest(
    sample: Sample,
    definition: StudyDefinition,
    inputs: Mapping[str, Any],
    lontar_version: str,
    image_digests: Mapping[str, str],
    near_duplicates: Sequence[NearDuplicate],
) -> dict[str, Any]:
    """Describe a sample: seed, rule, inputs, and per stratum N, n, chance and weight.

    A question's `inclusion_probability` is n/N of its stratum, and `stratum_weight` is N of the
    stratum over N of all: the share it has of the frame, which a mean over the frame weighs by.
    No time is in it: the same inputs give the same bytes.
    """
    table = definition.sample
    total = sum(stratum.available for stratum in sample.draw.strata)
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "lontar_version": lontar_version,
        "rule": RULE,
        "reading_rule": definition.analysis.reading_rule or READING_RULE,
        "seed": definition.study.seed,
        "settings": sample_settings(definition),
        "inputs": dict(inputs),
        "n_frame": total,
        "n_sample": len(sample.questions),
        "strata": [_stratum(one, table.strata, total) for one in sample.draw.strata],
        "shortages": [
            {
                "stratum": dict(zip(table.strata, one.stratum, strict=True)),
                "asked": one.asked,
                "available": one.available,
            }
            for one in sample.draw.strata
            if one.available < one.asked
        ],
    }
    if table.spread is not None:
        uses = sample.draw.spread_uses
        manifest["spread"] = {
            "field": table.spread,
            "different_values": sum(uses.values()),
            "values_by_uses": {str(times): number for times, number in uses.items()},
            "note": SPREAD_NOTE,
        }
    manifest["replacements"] = [
        {"removed": one.removed, "replacement": one.replacement, "reason": one.reason}
        for one in sample.replacements
    ]
    manifest["images"] = dict(image_digests)
    manifest["near_duplicates"] = [one._asdict() for one in near_duplicates]
    return manifest


def sample_settings(definition: StudyDefinition) -> dict[str, Any]:
    """Give the settings that decide a draw, as the manifest holds them."""
    settings = definition.sample.model_dump(mode="json")
    return {"where": definition.benchmark.model_dump(mode="json")["where"], **settings}


def _stratum(one: StratumDraw, fields: Sequence[str], total: int) -> dict[str, Any]:
    drawn = len(one.drawn)
    return {
        "stratum": dict(zip(fields, one.stratum, strict=True)),
        "N": one.available,
        "n": drawn,
        "inclusion_probability": drawn / one.available if one.available else None,
        "stratum_weight": one.available / total,
        "drawn": list(one.drawn),
        "reserve": list(one.following),
    }


def manifest_strata(manifest: Mapping[str, Any]) -> tuple[StratumDraw, ...]:
    """Give the strata of a manifest as the draw knew them."""
    short = {tuple(one["stratum"].values()): one["asked"] for one in manifest["shortages"]}
    return tuple(
        StratumDraw(
            stratum=tuple(one["stratum"].values()),
            available=one["N"],
            asked=short.get(tuple(one["stratum"].values()), one["n"]),
            drawn=tuple(one["drawn"]),
            following=tuple(one["reserve"]),
        )
        for one in manifest["strata"]
    )


def recorded_faults(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """List the questions that a manifest says were found faulty, with their reasons."""
    return [(one["removed"], one["reason"]) for one in manifest["replacements"]]


def write_manifest(path: Path, manifest: Mapping[str, Any]) -> None:
    """Write `sample/manifest.json`."""
    write_whole(path, json.dumps(manifest, ensure_ascii=False, indent=1) + "\n")


def read_manifest(path: Path) -> dict[str, Any] | None:
    """Read a manifest that `lontar sample` wrote; None when there is none."""
    if not path.exists():
        return None
    try:
        manifest: Any = json.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise StudyError(f"{path.name}: not valid JSON: {error}; {ANEW}") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise StudyError(f"{path.name}: not a manifest of `lontar sample` ({FORMAT!r}); {ANEW}")
    missing = [name for name in NEEDED if name not in manifest]
    if missing:
        raise StudyError(f"{path.name}: has no {', '.join(missing)}; {ANEW}")
    return manifest
