"""Writes the public bundle: nothing is written when anything in it must not be public."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.release.contents import bundle_files, describe_and_seal, forbidden_words
from analysis.release.leaks import Leak, find_leaks, ordinary_in_bundle
from analysis.scoring.scored import ScoredStudy
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder

SHOWN_AT_MOST = 50
REMEDY = (
    "Nothing was written. Take each out of the text it comes from (study.toml, the questions, "
    "vocabularies or instructions), run `lontar analyze` and then `lontar release` again. An "
    "answer is not to be changed: one that names a person can only be erased, by `lontar erase`."
)


@dataclass(frozen=True)
class Bundle:
    """The files that were written, and the names they could not be searched for.

    `ordinary` are pseudonyms and annotators' ids that are also words of the study's texts.
    """

    files: tuple[Path, ...]
    ordinary: frozenset[str]


def _refusal(leaks: Sequence[Leak]) -> StudyError:
    """Name every place, up to fifty, then once what that means and what to do."""
    *lines, last = (f"release/{leak}" for leak in leaks[:SHOWN_AT_MOST])
    more = len(leaks) - SHOWN_AT_MOST
    rest = f"\nand {more:,} more" if more > 0 else ""
    return StudyError(*lines, f"{last}{rest}\n{REMEDY}", total=len(leaks))


def write_bundle(
    study: StudyFolder, scored: ScoredStudy, key: str, *, pooled: bool = False
) -> Bundle:
    """Build, scan and write `release/`, replacing an earlier bundle as a whole.

    `key` is the study's secret that shuffles people's codes; `pooled` leaves the codes out, and
    whatever else joins the answers of one person.

    Raises
    ------
    StudyError
        With every place that holds contact data, a personal link, a machine's path, a pseudonym
        or an annotator's id.
    """
    files = describe_and_seal(study, bundle_files(study, scored, key, pooled=pooled))
    texts = [name for name in files if name.startswith("instructions/")]
    names = forbidden_words(study, scored, key)
    ordinary = ordinary_in_bundle(study, files, set().union(*names.values()))
    leaks = find_leaks(files, {kind: group - ordinary for kind, group in names.items()}, texts)
    if leaks:
        raise _refusal(leaks)
    fresh = study.release_folder.with_name("release.new")
    shutil.rmtree(fresh, ignore_errors=True)
    for name, text in files.items():
        target = fresh / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    shutil.rmtree(study.release_folder, ignore_errors=True)
    fresh.rename(study.release_folder)
    written = tuple(study.release_folder / name for name in sorted(files))
    return Bundle(written, frozenset(ordinary))
