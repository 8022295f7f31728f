"""The files of the public bundle, put together in memory and checked before any is written.

The texts participants read, as they are released: the study's own before the built-in ones.
"""

from __future__ import annotations

import csv
import hashlib
import importlib.resources
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from analysis.release.croissant import RecordField, croissant_metadata
from analysis.release.datasheet import datasheet
from analysis.release.rows import (
    RESPONSE_FIELDS,
    demographic_counts,
    pooled_rows,
    read_demographics,
    release_codes,
    response_rows,
)
from analysis.report.checklist_answers import (
    PER_PARTICIPANT,
    PER_PARTICIPANT_CODES,
    PER_PARTICIPANT_POOLED,
)
from analysis.report.participant_flow import collected_here
from analysis.scoring.scored import ScoredStudy
from analysis.table11.multiverse import count_forbidden
from analysis.table11.run_record import recorded_inputs
from sampling.assignment.plan import read_plan
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder


def instruction_texts(study: StudyFolder) -> dict[str, str]:
    """Give `language/step.md` to its text for every language the study offers.

    A text in the study's `[instructions] folder`, or named by `[consent] text`, replaces the
    built-in one of the same name.
    """
    texts = built_in_texts(study.definition.server.languages)
    own = study.definition.instructions.folder
    for language in study.definition.server.languages:
        if own is not None:
            for path in sorted((study.root / own / language).glob("*.md")):
                texts[f"{language}/{path.name}"] = path.read_text(encoding="utf-8-sig")
    consent = study.definition.consent.text
    if consent is not None:
        for language in study.definition.server.languages:
            texts.pop(f"{language}/consent.md", None)
        texts["consent.md"] = (study.root / consent).read_text(encoding="utf-8-sig")
    return texts


def built_in_texts(languages: Iterable[str]) -> dict[str, str]:
    """Give `language/step.md` to its text for the texts that come with the package."""
    texts: dict[str, str] = {}
    for language in languages:
        built_in = importlib.resources.files("instructions") / language
        if built_in.is_dir():
            for step in sorted(built_in.iterdir(), key=lambda entry: entry.name):
                if step.name.endswith(".md"):
                    texts[f"{language}/{step.name}"] = step.read_text(encoding="utf-8")
    return texts


SUMS = "SHA256SUMS"
RULES = "scoring_rules.json"

# Tables of `results/` that name no participant, and what each holds.
TABLES = {
    "table11.csv": "the comparison of people and models",
    "table11.md": "the same, to read",
    "agreement.csv": "agreement between people, by category",
    "by_category.csv": "scores by category",
    "by_collection.csv": "scores by collection",
    "intervals.csv": "how sure each number is",
    "transcriptions.csv": "of texts, every evaluator's scores under both ways of reading them",
    "gaps.csv": "gaps between people and models, with intervals and tests",
    "checklist.json": "the reporting checklist, for machines",
    "checklist.md": "the reporting checklist, to read",
    "run.json": "what the tables were made from, by digest",
}
NEEDED = ("table11.csv", "agreement.csv", "checklist.json", "run.json")


def bundle_files(
    study: StudyFolder, scored: ScoredStudy, key: str, *, pooled: bool = False
) -> dict[str, str]:
    """Put together every file of the bundle, name to text; `key` shuffles people's codes.

    `pooled` leaves out what joins the answers of one person: codes, the plan, days and times.

    Raises
    ------
    StudyError
        When `lontar analyze` has not been run, or was run on other responses than are there now.
    """
    _check_results(study)
    codes = release_codes(_everybody(study, scored), key)
    rows = response_rows(scored, codes)
    files = {
        "questions.jsonl": study.questions_file.read_text(encoding="utf-8-sig"),
        "vocabularies.json": study.vocabularies_file.read_text(encoding="utf-8-sig"),
        RULES: _json(
            {
                "reading_rule": study.reading_rule,
                "text": study.definition.text.model_dump(mode="json"),
                "display": study.definition.benchmark.display,
            }
        ),
        "responses.jsonl": _json_lines(pooled_rows(rows) if pooled else rows),
        **{
            name: _of_this_bundle((study.results_folder / name).read_text(encoding="utf-8"), pooled)
            for name in TABLES
            if _has_rows(study.results_folder / name)
        },
        **{f"instructions/{name}": text for name, text in instruction_texts(study).items()},
    }
    if study.assignment_file.is_file() and not pooled:
        files["assignment.csv"] = _assignment(study, codes)
    if study.manifest_file.is_file():
        files["sample_manifest.json"] = study.manifest_file.read_text(encoding="utf-8")
    if study.definition.release.demographics is not None:
        files["demographics.csv"] = _demographics(study, set(codes))
    here = collected_here(study)
    files["datasheet.md"] = datasheet(
        study.definition,
        scored,
        count_forbidden(study, scored),
        describe(files, collected_here=here),
        collected_here=here,
        pooled=pooled,
    )
    return files


def _of_this_bundle(text: str, pooled: bool) -> str:
    """Say in the checklist what this bundle holds of each participant, not what it may hold."""
    return text.replace(
        PER_PARTICIPANT, PER_PARTICIPANT_POOLED if pooled else PER_PARTICIPANT_CODES
    )


def describe(names: Iterable[str], *, collected_here: bool) -> dict[str, str]:
    """Say in a few words what each file of the bundle holds.

    Where answers came from elsewhere, nothing shows that anybody read the instructions.
    """
    known = TABLES | {
        "questions.jsonl": "the questions people answered, without references",
        "vocabularies.json": "the allowed answers of each category",
        "responses.jsonl": "one row a response: as given and scored, and the reference answer",
        RULES: "how a transcription is read before it is scored, and the names tables print",
        "assignment.csv": "who was given which question, in which order",
        "sample_manifest.json": "how the questions were drawn, to draw them again",
        "demographics.csv": "who the people were, in counts",
        "croissant.json": "a description of the files that tools can read",
        "datasheet.md": "this text",
    }
    texts = "what participants read" if collected_here else "what the tool's own pages would say"
    return {name: known.get(name, texts) for name in names}


def describe_and_seal(study: StudyFolder, files: Mapping[str, str]) -> dict[str, str]:
    """Add the Croissant description and the checksums of everything."""
    sealed = dict(files)
    first_row = json.loads(files["responses.jsonl"].split("\n", 1)[0] or "{}")
    record_sets: dict[str, list[RecordField]] = {
        "responses.jsonl": [field for field in RESPONSE_FIELDS if field.name in first_row]
    }
    sums = {name: _sha256(text) for name, text in files.items()}
    metadata = croissant_metadata(
        study.definition.study.name, study.definition.release, sums, record_sets
    )
    sealed["croissant.json"] = _json(metadata)
    sums["croissant.json"] = _sha256(sealed["croissant.json"])
    sealed[SUMS] = "".join(f"{sha256}  {name}\n" for name, sha256 in sorted(sums.items()))
    return sealed


def forbidden_words(study: StudyFolder, scored: ScoredStudy, key: str) -> dict[str, set[str]]:
    """List what must not stand in the bundle: pseudonyms, annotators' ids, completion codes."""
    everybody = _everybody(study, scored)
    words = {"a participant's pseudonym": everybody}
    if study.roster_file.is_file():
        rows = csv.DictReader(io.StringIO(study.roster_file.read_text(encoding="utf-8-sig")))
        ids = {part.strip() for row in rows for part in (row.get("annotator_ids") or "").split(";")}
        words["an annotator's id"] = ids - {""}
    if study.completion_codes_file.is_file():
        rows = csv.DictReader(
            io.StringIO(study.completion_codes_file.read_text(encoding="utf-8-sig"))
        )
        words["a completion code"] = {row.get("completion_code") or "" for row in rows} - {""}
    codes = set(release_codes(everybody, key).values())
    return {kind: group - codes for kind, group in words.items()}


def _has_rows(path: Path) -> bool:
    """Tell whether a table is there and has more than its header."""
    return path.is_file() and path.read_bytes().count(b"\n") > 1


def _check_results(study: StudyFolder) -> None:
    missing = [name for name in NEEDED if not (study.results_folder / name).is_file()]
    if missing:
        raise StudyError(f"results/: no {', '.join(missing)}; run `lontar analyze` first")
    inputs = recorded_inputs(study.results_folder / "run.json")
    analyzed = inputs.get("responses/responses.jsonl")
    now = hashlib.sha256(study.responses_file.read_bytes()).hexdigest()
    if analyzed not in (None, now):
        raise StudyError(
            "results/: made from other responses than are there now; run `lontar analyze` again"
        )


def _everybody(study: StudyFolder, scored: ScoredStudy) -> set[str]:
    everybody = set(scored.responses["participant"])
    if study.assignment_file.is_file():
        everybody |= {slot.participant for slot in read_plan(study.assignment_file)}
    return everybody


def _assignment(study: StudyFolder, codes: Mapping[str, str]) -> str:
    rows = [
        (codes[slot.participant], slot.position, slot.session, slot.sample_id, slot.response_index)
        for slot in read_plan(study.assignment_file)
    ]
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(["participant", "sample_id", "response_index", "session", "position"])
    for participant, position, session, sample_id, index in sorted(rows):
        writer.writerow([participant, sample_id, index, session, position])
    return output.getvalue()


def _demographics(study: StudyFolder, participants: set[str]) -> str:
    release = study.definition.release
    path: Path = study.root / (release.demographics or "")
    counts = demographic_counts(read_demographics(path, participants), release.k_anonymity)
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(["attribute", "value", "people"])
    writer.writerows(counts)
    return output.getvalue()


def _json_lines(rows: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _json(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
