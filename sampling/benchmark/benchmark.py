"""The benchmark as a study uses it: its records and vocabularies, read and checked at once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sampling.answers.key_checks import KeyCheck
from sampling.answers.vocabularies import Vocabulary
from sampling.answers.vocabulary_files import read_vocabularies
from sampling.benchmark.image_names import REMEDY, check_images
from sampling.benchmark.question_files import (
    MISSING,
    REQUIRED,
    explain_missing,
    missing_columns,
    question_of,
)
from sampling.study.definition import BenchmarkTable
from sampling.study.errors import Problems, StudyError, did_you_mean
from sampling.study.files import collection_paused
from sampling.study.folder import StudyFolder
from sampling.study.questions import Question
from sampling.tables.field_mapping import PEER_NAMES, FieldMapping, holes_of, row_test
from sampling.tables.find_files import read_question_files


@dataclass(frozen=True)
class BenchmarkRecord:
    """One question of the benchmark with its raw key and every field of its row.

    `place` says where it was read: `test.jsonl line 3`.
    """

    question: Question
    answer: Any
    fields: Mapping[str, Any]
    place: str


@dataclass(frozen=True)
class Benchmark:
    """The records that `where` keeps, and the vocabulary of each category.

    `other_ids` are the ids that `where` leaves out; `warnings` say what is odd but no fault.
    """

    records: tuple[BenchmarkRecord, ...]
    vocabularies: Mapping[str, Vocabulary]
    other_ids: frozenset[str] = frozenset()
    warnings: tuple[str, ...] = field(default=())


Row = tuple[str, dict[str, Any]]
MOST_NAMES = 200
PATTERNS = "rows that a pattern does not fit"
# No field of a file: the letters of the question's pattern that this question has no option for.
ABSENT_OPTIONS = "[options that are absent]"
EXTRACT = "the question files hold the images: write them there by `lontar check --extract-images`"
NOT_WORD = re.compile(r"[\W_]")
NEEDED = (*REQUIRED, "answer")


def read_benchmark(study: StudyFolder) -> Benchmark:
    """Read and check a study's benchmark.

    Raises
    ------
    StudyError
        With every problem at once, each with its file and line: files that are missing or broken,
        ids that stand twice, fields that are missing or of the wrong type, categories and answers
        outside the vocabularies (the nearest word is named), missing images where `images` is set.
        Problems of one kind are listed twenty times, then counted.
    """
    problems = Problems()
    with collection_paused():
        return _read_checked(study, problems)


def _read_checked(study: StudyFolder, problems: Problems) -> Benchmark:
    """Read everything, check everything, then raise once."""
    table = study.definition.benchmark
    rows, other_ids, told, holds_images = _read_rows(study, problems)
    vocabularies = _read_vocabularies(study, rows, problems)
    records = _records(rows, study, vocabularies, told, problems)
    if table.images is not None and study.images_folder is not None:
        images = ((record.place, record.question.image_name) for record in records)
        remedy = EXTRACT if holds_images else REMEDY
        check_images(images, study.images_folder, table.images, problems, remedy)
    problems.raise_if_any()
    return Benchmark(records, vocabularies or {}, other_ids, _warnings(records))


def _read_rows(
    study: StudyFolder, problems: Problems
) -> tuple[list[Row], frozenset[str], frozenset[str], bool]:
    """Read every row with its fields mapped; set apart what `where` leaves out.

    Also gives the fields of ours that are mapped to one that no row has, and whether rows hold
    their images.
    """
    table = study.definition.benchmark
    rows: list[Row] = []
    other_ids = []
    wanted = row_test(table.where)
    names: dict[str, None] = {}
    columns: dict[str, None] = {}
    unfilled = holds_images = False
    unmet = dict.fromkeys(FieldMapping(table, study.root).paths)
    for file in read_question_files(study.root, table.questions, problems):
        mapping = FieldMapping(table, file.path)
        for place, row in file.table.places():
            try:
                fields = mapping.apply(row)
                absent = mapping.absent_options(row)
            except StudyError as error:
                problems.add(place, f"a pattern of [benchmark.fields]: {error}", PATTERNS)
                unfilled = True
                continue
            unmet = mapping.still_unmet(unmet, row) if unmet else unmet
            if absent:
                fields[ABSENT_OPTIONS] = absent
            if len(names) < MOST_NAMES:
                names |= dict.fromkeys(fields)
                columns |= dict.fromkeys(row)
            if wanted(fields):
                rows.append((place, fields))
                lacking = missing_columns(NEEDED, fields)
                if lacking:
                    problems.add(place, explain_missing(lacking, row), MISSING)
            else:
                other_ids.append(str(fields.get("sample_id")))
        holds_images = holds_images or mapping.holds_images
    told: frozenset[str] = frozenset()
    if names:
        inner = [name for _, fields in rows[:MOST_NAMES] for name in _inner_names(fields)]
        told = _check_sources(table, names, dict.fromkeys((*columns, *inner)), unmet, problems)
        _check_names(table, names, bool(rows), problems)
    elif not len(problems) and not unfilled:
        problems.add("study.toml [benchmark] questions", "the files hold no question")
    return rows, frozenset(other_ids), told, holds_images


def _inner_names(fields: Mapping[str, Any]) -> list[str]:
    """List the fields inside of objects, as a source names them: `meta.level`."""
    return [
        f"{name}.{inner}"
        for name, value in fields.items()
        if isinstance(value, Mapping)
        for inner in value
    ]


def _check_sources(
    table: BenchmarkTable,
    names: Mapping[str, None],
    columns: Mapping[str, None],
    unmet: Mapping[str, None],
    problems: Problems,
) -> frozenset[str]:
    """Note fields of ours that are mapped to one that no row has, and give them.

    `unmet` are the names with a point or `@stem` that gave no row a value.
    """
    if len(names) >= MOST_NAMES:
        return frozenset()
    lost = {
        field: source
        for field, source in table.fields.items()
        if source in unmet or (not set(source) & set("@{.") and source not in names)
    }
    for ours, source in table.fields.items():
        for hole in holes_of(source):
            known = {hole, hole.partition(".")[0]} & (names.keys() | table.fields.keys())
            absent = not known and "@" not in hole and hole not in table.constants
            if absent or hole in unmet:
                hint = did_you_mean(hole, columns) or f" (fields: {', '.join(columns)})"
                where = f"study.toml [benchmark.fields] {ours}"
                problems.add(where, f"no row has {hole!r}{hint}")
    for source in dict.fromkeys(lost.values()):
        hint = did_you_mean(source, columns) or f" (fields: {', '.join(columns)})"
        problems.add("study.toml [benchmark] fields", f"no row has {source!r}{hint}")
    return frozenset(lost)


def _check_names(
    table: BenchmarkTable, names: Mapping[str, None], any_left: bool, problems: Problems
) -> None:
    """Note fields that the settings name and no row has, and a `keep` that holds the key."""
    for key, wanted in (("where", table.where), ("keep", table.keep)):
        for name in wanted:
            if name not in names:
                hint = did_you_mean(name, names) or f" (fields: {', '.join(names)})"
                problems.add(f"study.toml [benchmark] {key}", f"no row has {name!r}{hint}")
    key_fields = {"answer", *PEER_NAMES["answer"], table.fields.get("answer", "answer")}
    for name in table.keep:
        if name in key_fields:
            problems.add(
                "study.toml [benchmark] keep", f"{name!r} holds keys, which the server never sees"
            )
    if not any_left and not any(name not in names for name in table.where):
        problems.add("study.toml [benchmark] where", "no row fulfils it")


def _read_vocabularies(
    study: StudyFolder, rows: Sequence[Row], problems: Problems
) -> dict[str, Vocabulary] | None:
    """Read the vocabularies, or note what is wrong with them."""
    path, named = study.vocabularies_file, study.definition.benchmark.vocabularies
    if not path.exists():
        beside = [file.name for file in path.parent.iterdir()] if path.parent.is_dir() else []
        fault = f"no file {named!r}{did_you_mean(path.name, beside)}"
        problems.add("study.toml [benchmark] vocabularies", fault)
        return None
    references: dict[str, list[Any]] = defaultdict(list)
    for _, fields in rows:
        references[str(fields.get("category"))].append(fields.get("answer"))
    try:
        return read_vocabularies(path, references, study.reading_rule)
    except StudyError as error:
        problems.extend(error)
        return None


def _records(
    rows: Sequence[Row],
    study: StudyFolder,
    vocabularies: Mapping[str, Vocabulary] | None,
    told: frozenset[str],
    problems: Problems,
) -> tuple[BenchmarkRecord, ...]:
    """Make records of rows, noting each row's faults in the order of the files."""
    check = None if vocabularies is None else KeyCheck(vocabularies, study.definition.text)
    keep = study.definition.benchmark.keep
    vocabularies_name = study.vocabularies_file.name
    records = []
    places: dict[str, str] = {}
    for place, fields in rows:
        question = question_of(fields, place, problems, keep, told)
        if question is None:
            continue
        first = places.setdefault(question.sample_id, place)
        if first != place:
            fault = f"sample_id {question.sample_id!r} appears twice (also {first})"
            problems.add(place, fault, "repeated ids")
        record = BenchmarkRecord(question, fields.get("answer"), fields, place)
        if check is not None and "answer" not in told:
            _check_key(record, check, vocabularies_name, problems)
        records.append(record)
    return tuple(records)


def _check_key(
    record: BenchmarkRecord, check: KeyCheck, vocabularies_name: str, problems: Problems
) -> None:
    """Note a category without vocabulary or a key outside its own."""
    category = record.question.category
    if not check.knows(category):
        fault = f"category {category!r} is not in {vocabularies_name}"
        kind = f"rows of the category {category!r}, which has no vocabulary"
        problems.add(record.place, fault + did_you_mean(category, check.categories), kind)
    elif "answer" in record.fields:
        found = check.fault(category, record.answer)
        if found is not None:
            problems.add(record.place, found, f"keys outside the vocabulary of {category!r}")
        offered = {NOT_WORD.sub("", label).casefold() for label in check.labels(category)}
        for letter in record.fields.get(ABSENT_OPTIONS, ()):
            if letter.casefold() in offered:
                fault = (
                    f"has no option {letter}, and its category {category!r} offers {letter!r}; put "
                    "questions with fewer options into a category with fewer labels"
                )
                problems.add(record.place, fault, "options that are empty")


def _warnings(records: Sequence[BenchmarkRecord]) -> tuple[str, ...]:
    """List what is odd in references but no fault."""
    spaced = [
        record.place
        for record in records
        if isinstance(record.answer, str) and "<space>" in record.answer
    ]
    if not spaced:
        return ()
    text = (
        f"{len(spaced)} references hold the literal `<space>` (first: {spaced[0]}); the evaluator "
        "counts it as seven characters"
    )
    return (text,)
