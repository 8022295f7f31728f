"""Writes the public bundle: nothing is written when anything in it must not be public."""

from __future__ import annotations

import shutil
from pathlib import Path

from analysis.release.contents import bundle_files, describe_and_seal, forbidden_words
from analysis.release.leaks import find_leaks
from analysis.scored import ScoredStudy
from sampling.errors import StudyError
from sampling.study_folder import StudyFolder


def write_bundle(study: StudyFolder, scored: ScoredStudy, key: str) -> list[Path]:
    """Build, scan and write `release/`, replacing an earlier bundle as a whole.

    `key` is the study's secret that shuffles people's codes.

    Raises
    ------
    StudyError
        With every place that holds contact data, a personal link, a machine's path, a pseudonym
        or an annotator's id.
    """
    files = describe_and_seal(study, bundle_files(study, scored, key))
    texts = [name for name in files if name.startswith("instructions/")]
    leaks = find_leaks(files, forbidden_words(study, scored, key), texts)
    if leaks:
        raise StudyError(*(f"release/{leak}; nothing was written" for leak in leaks[:50]))
    fresh = study.release_folder.with_name("release.new")
    shutil.rmtree(fresh, ignore_errors=True)
    for name, text in files.items():
        target = fresh / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    shutil.rmtree(study.release_folder, ignore_errors=True)
    fresh.rename(study.release_folder)
    return [study.release_folder / name for name in sorted(files)]
