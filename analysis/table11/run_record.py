"""The record of a run: what the results were made from, by digest, and with which versions.

What scoring does, by digest: the same numbers for the same answers, whatever the code looks like.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import json
import platform
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.predictions.reading import find_prediction_files
from analysis.scoring.basis import build_basis
from analysis.scoring.exact import (
    exact_mean,
    exact_mean_of_groups,
    exact_question_means,
    percent_or_empty,
)
from analysis.scoring.scored import ScoredStudy, score_answer, score_columns
from analysis.table11.table11 import build_table11
from sampling.answers.normalization import NormalizedAnswer, ScoringStatus
from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.study.definition import TextTable
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder
from sampling.study.questions import Key, Question
from sampling.tables.row_files import read_text

PACKAGES = ("lontar", "numpy", "pandas", "scipy", "rapidfuzz", "matplotlib")
CHUNK_BYTES = 1 << 20


def write_run_record(study: StudyFolder, target: Path, warnings: Iterable[str]) -> None:
    """Write `run.json`; the same inputs and versions give the same bytes."""
    text = json.dumps(run_record(study, warnings), ensure_ascii=False, indent=1)
    target.write_text(text + "\n", encoding="utf-8", newline="")


def run_record(study: StudyFolder, warnings: Iterable[str] = ()) -> dict[str, Any]:
    """List the inputs with their SHA-256, the settings, the seed and the versions."""
    definition = study.definition
    return {
        "study": definition.study.name,
        "seed": definition.study.seed,
        "reading_rule": study.reading_rule,
        "settings": definition.analysis.model_dump(mode="json"),
        "inputs": {name: file_digest(path) for name, path in sorted(_inputs(study).items())},
        "versions": {
            "python": platform.python_version(),
            **{package: _version(package) for package in PACKAGES},
        },
        "warnings": list(warnings),
    }


def recorded_inputs(path: Path) -> dict[str, Any]:
    """Give the digests of the inputs that a `run.json` records.

    Raises
    ------
    StudyError
        When it is not the record of a run.
    """
    try:
        run = json.loads(read_text(path, f"results/{path.name}"))
    except json.JSONDecodeError:
        run = None
    inputs = run.get("inputs") if isinstance(run, dict) else None
    if not isinstance(inputs, dict):
        raise StudyError(
            f"results/{path.name}: is not the record of a run; `lontar analyze` makes it again"
        )
    return inputs


def file_digest(path: Path) -> str:
    """Give the SHA-256 of a file in hexadecimal."""
    found = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK_BYTES):
            found.update(chunk)
    return found.hexdigest()


def _inputs(study: StudyFolder) -> dict[str, Path]:
    """Name every file that the results are made from and that is there."""
    fixed = (
        study.definition_file,
        study.vocabularies_file,
        study.roster_file,
        study.questions_file,
        study.keys_file,
        study.manifest_file,
        study.assignment_file,
        study.freeze_file,
        study.responses_file,
        *((study.annotators_file,) if study.annotators_file is not None else ()),
    )
    files = [path for path in fixed if path.is_file()]
    for model in study.definition.models:
        for path in find_prediction_files(study.root, model.predictions or ()):
            inside = sorted(path.glob("*.json")) if path.is_dir() else [path]
            files.extend(inside)
    return {_name(path, study.root): path for path in files}


def _name(path: Path, root: Path) -> str:
    """Name a file by its path inside the study, or by its last parts outside it."""
    try:
        return path.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        return "/".join(("...", *path.parts[-2:]))


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


# Answers with their keys, by format; every measure of each is in the digest of what scoring does.
_PAIRS: dict[AnswerFormat, tuple[tuple[Any, Any], ...]] = {
    AnswerFormat.SINGLE: (("a", "a"), ("b", "a"), (None, "a")),
    AnswerFormat.BINARY: (("yes", "yes"), ("no", "yes"), (None, "no")),
    AnswerFormat.COUNT: ((5, 5), (6, 5), (4, 5), (7, 5), (0, 1), (None, 5)),
    AnswerFormat.MULTI: (
        *((("a", "b"), ("a", "b")), (("a",), ("a", "b")), (("a", "b", "c"), ("a",))),
        *(((), ()), (("a",), ()), ((), ("a",)), (("c",), ("a", "b")), (None, ("a",))),
    ),
    AnswerFormat.TEXT: (
        *(("abcd", "abcd"), ("dcba", "abcd"), ("abc", "abcd"), ("", "abcd"), (None, "abcd")),
        *(("aab", "abb"), ("<unrecognizable>b", "ab"), ("<unrecognizable>", "<undeciphered>")),
    ),
}
_PRINTED = ((29, 32), (672, 768), (1, 1), (-1, 32), (-1, 1_000_000), (1, 3), (2, 3), (0, 1))
# A study in small: category, key, what three people said, what a model said.
_STUDY: tuple[tuple[str, Any, tuple[Any, ...], Any], ...] = (
    ("single", "a", ("a", "A.", "b"), "a"),
    ("single", "b", ("a", "b", "The answer is b."), "It is b."),
    ("binary", "yes", ("yes", "no", "YES"), "Yes, it is."),
    ("count", 5, ("5", 6, "seven"), "5 lines"),
    ("count", 12, (12, "12", "11"), "between 3 and 4"),
    ("multi", ["a", "b"], (["a"], ["a", "b"], ["c", "b", "a"]), "a; b"),
    ("multi", ["c"], (["c"], [], ["a", "b"]), "c and a"),
    ("text", "abcde", ("abcde", "abcd", "edcba"), "<res>abxde</res>"),
    ("text", "fgh", ("fgh", "", "fg h."), "gfh"),
)


@functools.cache
def scores_digest() -> str:
    """Digest what scoring does: every measure of fixed answers, what is printed, a Table 11.

    Returns
    -------
    str
        SHA-256 in hexadecimal. The same whatever the code looks like, as long as each number is.
    """
    found = [*_measures(), *_printed(), *_small_table()]
    return hashlib.sha256("\n".join(found).encode("utf-8")).hexdigest()


def _measures() -> Iterator[str]:
    """Score fixed answers by every measure."""
    for answer_format, pairs in _PAIRS.items():
        vocabulary = Vocabulary("Category", answer_format, ("a", "b", "c"))
        for pair in pairs:
            given, key = (
                NormalizedAnswer(
                    ScoringStatus.INVALID if value is None else ScoringStatus.VALID, value
                )
                for value in pair
            )
            found = score_answer(given, key, vocabulary, TextTable())
            measures = (found.exact_match, found.precision, found.recall, found.f1, found.jaccard)
            others = (found.within_one, found.ned, found.char_f1)
            yield " ".join(map(str, (answer_format, pair, *measures, *others)))


def _printed() -> Iterator[str]:
    """Print fixed fractions, and average fixed scores."""
    for numerator, denominator in _PRINTED:
        yield percent_or_empty(Fraction(numerator, denominator))
    yield percent_or_empty(None)
    scores = pd.Series([1.0, 0.0, 2 / 3, float("nan"), 1 / 7])
    groups, ids = pd.Series(["x", "x", "y", "y", "z"]), pd.Series(["1", "1", "2", "3", "4"])
    yield str(exact_mean(scores))
    yield str(exact_mean_of_groups(scores, groups))
    yield str(exact_question_means(scores, ids, groups))


def _small_table() -> Iterator[str]:
    """Read, score and average a study in small, strictly and leniently, into Table 11."""
    labels = {"binary": ("yes", "no"), "count": (), "text": ()}
    vocabularies = {
        one.value: Vocabulary(one.value, one, labels.get(one.value, ("a", "b", "c")))
        for one in AnswerFormat
    }
    questions = [
        Question(f"q{number}", "", category, "") for number, (category, *_) in enumerate(_STUDY)
    ]
    keys = [Key(f"q{number}", key) for number, (_, key, *_) in enumerate(_STUDY)]
    basis = build_basis(questions, keys, vocabularies, TextTable())
    places = np.arange(len(_STUDY), dtype=np.int64)
    people = [(number, answer) for number, (*_, said, _) in enumerate(_STUDY) for answer in said]
    asked = np.array([number for number, _ in people], dtype=np.int64)
    responses = pd.concat(
        [
            pd.DataFrame({"sample_id": [f"q{number}" for number in asked]}),
            score_columns([answer for _, answer in people], asked, basis),
        ],
        axis=1,
    )
    model = pd.concat(
        [
            pd.DataFrame({"sample_id": [f"q{number}" for number in places]}),
            score_columns([answer for *_, answer in _STUDY], places, basis),
        ],
        axis=1,
    )
    for frame in (responses, model):
        scores = frame.select_dtypes("number")
        yield scores.to_csv(index=False, float_format="%.12f")
    for row in build_table11(
        ScoredStudy(basis.questions, responses, {"model": model}, vocabularies=vocabularies)
    ).rows:
        means = (row.means, row.question_means, row.gaps, row.question_gaps)
        yield f"{row.evaluator} {sorted(row.counts.items())} {row.agreement}"
        yield " ".join(str(value) for each in means for _, value in sorted(each.items()))
