"""Checks a study's bundle: by itself, against those who were erased, and against the study."""

from __future__ import annotations

from pathlib import Path

from analysis.release.contents import SUMS
from analysis.release.pooling import is_pooled
from analysis.release.study_comparison import differences_from_study
from analysis.release.verification import HOLDS, NOT_CHECKED, bundle_digest, verify_bundle
from analysis.results import RUN
from analysis.scoring.study import score_study
from sampling.record.verdicts import State, Verdict, verdict
from sampling.study.folder import StudyFolder
from study_server.folder.erasure_verification import left_in_bundle
from study_server.folder.secret_files import release_key

PART = "bundle"
FROM_STUDY = (
    "every file has its checksum, every answer is scored again, people's numbers are made again "
    "from the answers, and the data are those of the study and its results"
)
NOT_RECOMPUTED = "not made again here: models' numbers, intervals and tests; see results above"
LEFT_OUT = "not compared with the study: the datasheet, croissant.json and the instructions"
OTHER_CODES = "people's codes and the plan (secrets/release.key is not here)"


def verify_bundle_alone(folder: Path) -> Verdict:
    """Check a bundle without its study."""
    problems = verify_bundle(folder)
    notes = [] if problems else [NOT_CHECKED]
    return verdict(PART, HOLDS, problems, [*notes, *_digest(folder)])


def verify_bundle_of(study: StudyFolder) -> Verdict:
    """Check the bundle of a study, and compare it with the study."""
    folder = study.release_folder
    if not (folder / SUMS).is_file():
        return Verdict(PART, State.ABSENT, "no release/; `lontar release` builds the bundle")
    problems = verify_bundle(folder) or left_in_bundle(study)
    if problems or not (study.results_folder / RUN).is_file():
        notes = [] if problems else [NOT_CHECKED]
        notes += ["not compared with the study", *_digest(folder)]
        return verdict(PART, HOLDS, problems, notes)
    key, pooled = release_key(study.root), is_pooled(folder)
    scored = score_study(study)
    known = pooled or key is not None
    problems = list(
        differences_from_study(study, scored, key or "", own_codes=known, pooled=pooled)
    )
    left_out = LEFT_OUT if known else f"{LEFT_OUT}, {OTHER_CODES}"
    return verdict(PART, FROM_STUDY, problems, [NOT_RECOMPUTED, left_out, *_digest(folder)])


def _digest(folder: Path) -> list[str]:
    """Repeat the digest that `lontar release` printed."""
    if not (folder / SUMS).is_file():
        return []
    return [f"the digest of {SUMS} is {bundle_digest(folder)}: is it the one that was published?"]
