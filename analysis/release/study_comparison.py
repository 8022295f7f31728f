"""Compares a bundle with what its study would release now, file by file."""

from __future__ import annotations

import json
from collections.abc import Iterator

from analysis.release.contents import SUMS, bundle_files
from analysis.scoring.scored import ScoredStudy
from sampling.study.folder import StudyFolder

# What the package writes in its own words, which differ from version to version.
OWN_WORDS = ("datasheet.md", "instructions/")
REMEDY = "`lontar release` builds the bundle again"


def differences_from_study(
    study: StudyFolder, scored: ScoredStudy, key: str, *, own_codes: bool, pooled: bool = False
) -> Iterator[str]:
    """Say which data of a bundle are not those of the study.

    `own_codes` is whether `key` is what people's codes were shuffled by. Where it may be another
    one, answers are compared without their codes, and the plan is not. `pooled` is whether the
    bundle was made without codes.

    Raises
    ------
    StudyError
        When `results/` is not there, or made from other responses.
    """
    files = bundle_files(study, scored, key, pooled=pooled)
    for path in sorted(study.release_folder.iterdir()):
        if path.is_file() and path.name not in {*files, SUMS, "croissant.json"}:
            yield f"release/{path.name}: is no file that the study has to release; {REMEDY}"
    for name, text in sorted(files.items()):
        path = study.release_folder / name
        if name.startswith(OWN_WORDS) or (name == "assignment.csv" and not own_codes):
            continue
        found = path.read_text(encoding="utf-8") if path.is_file() else None
        if name == "responses.jsonl" and not own_codes and found is not None:
            found, text = _without_codes(found), _without_codes(text)  # noqa: PLW2901 - both alike
        if found is None:
            yield f"release/{name}: is not in the bundle; {REMEDY}"
        elif found != text:
            yield f"release/{name}: is not that of the study; {REMEDY}"


def _without_codes(rows: str) -> str:
    """Give rows of JSON without the participants' codes."""
    records = [json.loads(line) for line in rows.split("\n") if line]
    return "\n".join(json.dumps({**record, "participant": ""}) for record in records)
