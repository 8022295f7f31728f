"""Checks of everything a study reads before anybody answers, all faults collected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sampling.answers.key_checks import KeyCheck, read_feedback
from sampling.answers.vocabulary_files import read_vocabularies
from sampling.assignment.feasibility import explain_shortfall, explain_slack
from sampling.assignment.inputs import excluded_pairs, explain_unmatched, unmatched_ids
from sampling.assignment.roster import Participant, check_pseudonyms, read_roster
from sampling.benchmark.annotators import Annotation, read_annotators
from sampling.benchmark.benchmark import Benchmark, read_benchmark
from sampling.benchmark.image_files import (
    check_checksums,
    check_listed,
    image_fault,
    read_checksums,
)
from sampling.benchmark.image_names import image_file
from sampling.benchmark.question_files import read_keys, read_questions
from sampling.draw.draw import draw_sample
from sampling.input_notes import (
    alternatives_notes,
    annotator_notes,
    collection_notes,
    draw_notes,
    option_notes,
    people_notes,
    tag_notes,
)
from sampling.plan.solver import remedy, study_feasibility
from sampling.study.definition import PracticeTable
from sampling.study.errors import Problems, StudyError
from sampling.study.folder import StudyFolder
from sampling.study.questions import Key, Question

T = TypeVar("T")
DRAW_AGAIN = (
    "if the benchmark's categories changed, draw again with `lontar sample`; else add it to the "
    "vocabularies"
)


@dataclass(frozen=True)
class CheckedInputs:
    """What was found in order: lines of (subject, words), and notes on what is odd but no fault.

    `benchmark` and `questions` (the sample, drawn or on disk) are what predictions join to.
    """

    lines: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    benchmark: Benchmark | None
    questions: tuple[Question, ...]
    people: tuple[Participant, ...]
    ids_that_exclude_nobody: int = 0


def check_inputs(study: StudyFolder, problems: Problems, *, begun: bool = False) -> CheckedInputs:
    """Read every input of a study and note every fault in `problems`.

    The people are checked against the sample on disk, or else against the one that would be
    drawn: can they give every question its answers, and if not, which and why. In a study that
    has `begun`, with a database, or is frozen, odd pseudonyms go on, and are a note.
    """
    lines: list[tuple[str, str]] = []
    notes: list[str] = []
    benchmark = attempt(problems, lambda: read_benchmark(study))
    people = attempt(problems, lambda: read_roster(study.roster_file)) or ()
    try:
        check_pseudonyms(people, study.roster_file.name)
    except StudyError as error:
        if begun or study.freeze_file.exists():
            notes += [f"{one}; who is in the study goes on" for one in error.problems]
        else:
            problems.extend(error)
    annotations = _annotations(study, problems)
    _check_texts(study, problems)
    for kind in ("practice", "attention"):
        table = getattr(study.definition, kind)
        if table is not None:
            _check_outside(study, kind, table, benchmark, problems)
    questions: tuple[Question, ...] = ()
    if benchmark is not None:
        lines += _benchmark_lines(study, benchmark)
        notes += benchmark.warnings
        notes += tag_notes(study, benchmark) + collection_notes(study, benchmark)
        notes += option_notes(study, benchmark)
        answered = ((record.place, record.fields) for record in benchmark.records)
        notes += alternatives_notes(answered, benchmark.vocabularies)
        _check_checksums(study, benchmark, problems)
        questions = _sample(study, benchmark, lines, problems)
        _check_pictures(study, benchmark, questions, problems)
        notes += annotator_notes(study, annotations, benchmark)
        notes += attempt(problems, lambda: draw_notes(study)) or []
    unmatched = unmatched_ids(people, annotations)
    notes[:0] = explain_unmatched(unmatched)
    notes += people_notes(study, people)
    if people and questions:
        lines += _people_lines(study, people, annotations, benchmark, questions, problems)
    return CheckedInputs(
        tuple(lines), tuple(notes), benchmark, questions, tuple(people), len(unmatched)
    )


def attempt(problems: Problems, read: Callable[[], T]) -> T | None:
    """Call a reader and give what it reads, or note its faults and give None."""
    try:
        return read()
    except StudyError as error:
        problems.extend(error)
        return None


def _annotations(study: StudyFolder, problems: Problems) -> tuple[Annotation, ...]:
    file = study.annotators_file
    return () if file is None else attempt(problems, lambda: read_annotators(file)) or ()


def _check_texts(study: StudyFolder, problems: Problems) -> None:
    """Note a folder of instructions or a consent text that is not there."""
    folder, consent = study.definition.instructions.folder, study.definition.consent.text
    if folder is not None and not (study.root / folder).is_dir():
        problems.add("study.toml [instructions] folder", f"no folder {folder!r}")
    if consent is not None and not (study.root / consent).is_file():
        problems.add("study.toml [consent] text", f"no file {consent!r}")


def _check_outside(
    study: StudyFolder,
    kind: str,
    table: PracticeTable,
    benchmark: Benchmark | None,
    problems: Problems,
) -> None:
    """Check practice or attention questions: their keys, vocabularies and images."""
    questions = attempt(problems, lambda: read_questions(study.root / table.questions))
    keys = attempt(problems, lambda: read_keys(study.root / table.keys))
    if keys is not None and kind == "practice":
        attempt(problems, lambda: read_feedback(study.root / table.keys))
    vocabularies = None if benchmark is None else benchmark.vocabularies
    if table.vocabularies is not None:
        own = study.root / table.vocabularies
        vocabularies = attempt(problems, lambda: read_vocabularies(own, rule=study.reading_rule))
    if questions is None or keys is None or vocabularies is None:
        return
    check = KeyCheck(vocabularies, study.definition.text)
    _check_pairs(table.questions, questions, keys, check, problems)
    folder = table.images or study.definition.benchmark.images or "://"
    for question in questions if "://" not in folder else ():
        where, path = f"{table.questions} {question.sample_id!r}", question.image_name
        file = image_file(study.root / folder, path)
        if not file.is_file():
            problems.add(where, f"image {path!r} is not in {folder}", "no image")
        elif (fault := image_fault(file, whole=True)) is not None:
            problems.add(where, f"image {path!r} {fault}", "unreadable images")
    if benchmark is not None:
        theirs = {record.question.sample_id for record in benchmark.records}
        for question in questions:
            if question.sample_id in theirs:
                problems.add(
                    f"{table.questions} {question.sample_id!r}",
                    f"is a question of the benchmark; {kind} needs questions outside it",
                )


def _check_pairs(
    name: str,
    questions: Sequence[Question],
    keys: Sequence[Key],
    check: KeyCheck,
    problems: Problems,
    remedy: str = "add it to the vocabularies",
) -> None:
    """Note questions without a key, without a vocabulary, or with a key outside it."""
    by_id = {key.sample_id: key.answer for key in keys}
    unknown: Counter[str] = Counter()
    for question in questions:
        where = f"{name} {question.sample_id!r}"
        if not check.knows(question.category):
            unknown[question.category] += 1
        elif question.sample_id not in by_id:
            problems.add(where, "has no key", "questions without key")
        else:
            fault = check.fault(question.category, by_id[question.sample_id])
            if fault is not None:
                problems.add(where, fault, "keys outside their vocabulary")
    for category, count in unknown.items():
        held = "1 question" if count == 1 else f"{count:,} questions"
        problems.add(
            name, f"category {category!r} ({held}) has no vocabulary; {remedy}", "no vocabulary"
        )


def _benchmark_lines(study: StudyFolder, benchmark: Benchmark) -> list[tuple[str, str]]:
    """Say how many questions, categories and images there are."""
    records = benchmark.records
    categories = Counter(record.question.category for record in records)
    formats = Counter(benchmark.vocabularies[category].format.value for category in categories)
    kinds = ", ".join(f"{count} {name}" for name, count in sorted(formats.items()))
    images = len({record.question.image_name for record in records})
    absent = "they lie in a store" if study.definition.benchmark.images else "no `images` is set"
    found = "all found" if study.images_folder is not None else f"not looked for: {absent}"
    left_out = f", {len(benchmark.other_ids):,} left out by `where`" if benchmark.other_ids else ""
    return [
        ("questions", f"{len(records):,} with valid keys{left_out}"),
        ("categories", f"{len(categories)} ({kinds})"),
        ("images", f"{images:,}, {found}"),
    ]


def _check_pictures(
    study: StudyFolder, benchmark: Benchmark, sample: Sequence[Question], problems: Problems
) -> None:
    """Note image files that are no images, and those of the sample that are not whole."""
    if study.images_folder is None:
        return
    shown = {question.image_name for question in sample}
    places: dict[str, str] = {}
    for record in benchmark.records:
        places.setdefault(record.question.image_name, record.place)
    for name, place in places.items():
        fault = image_fault(image_file(study.images_folder, name), whole=name in shown)
        if fault is not None:
            problems.add(place, f"image {name!r} {fault}", "unreadable images")


def _check_checksums(study: StudyFolder, benchmark: Benchmark, problems: Problems) -> None:
    """Compare every image and input file that has a published digest."""
    table = study.definition.benchmark
    if table.checksums is None:
        return
    path = study.root / table.checksums
    folders = [study.root, path.parent]
    if study.images_folder is not None:
        folders.insert(0, study.images_folder)
    names = [record.question.image_name for record in benchmark.records]
    names += [*table.questions, table.vocabularies]

    def compare() -> int:
        checksums = read_checksums(path)
        check_listed(checksums, path.name, names)
        return check_checksums(checksums, path.name, folders, names)

    attempt(problems, compare)


def _sample(
    study: StudyFolder,
    benchmark: Benchmark,
    lines: list[tuple[str, str]],
    problems: Problems,
) -> tuple[Question, ...]:
    """Read the sample on disk, or draw the one there would be, and say what it holds."""
    drawn = attempt(problems, lambda: draw_sample(benchmark, study.definition))
    if drawn is not None:
        available = [stratum.available for stratum in drawn.draw.strata]
        least, most = min(available, default=0), max(available, default=0)
        spread = f"{least:,}" if least == most else f"{least:,} to {most:,}"
        strata = " × ".join(study.definition.sample.strata)
        held = "1 question" if most == 1 else f"{spread} questions"
        lines.append(("cells", f"{len(available)} of {strata}, {held} in each"))
    if not study.questions_file.is_file():
        if drawn is None:
            return ()
        lines.append(("sample", f"{_questions(len(drawn.questions))} would be drawn"))
        return drawn.questions
    questions = attempt(problems, lambda: read_questions(study.questions_file)) or ()
    lines.append(("sample", f"{_questions(len(questions))}, drawn"))
    keys = attempt(problems, lambda: read_keys(study.keys_file))
    if keys is not None:
        check = KeyCheck(benchmark.vocabularies, study.definition.text)
        _check_pairs("sample/questions.jsonl", questions, keys, check, problems, DRAW_AGAIN)
    return questions


def _questions(count: int) -> str:
    return "1 question" if count == 1 else f"{count:,} questions"


def _people_lines(
    study: StudyFolder,
    people: Sequence[Participant],
    annotations: Sequence[Annotation],
    benchmark: Benchmark | None,
    questions: Sequence[Question],
    problems: Problems,
) -> list[tuple[str, str]]:
    """Say who may answer, and whether they can finish."""
    rules = study.definition.assignment
    records = () if benchmark is None else benchmark.records
    images = {record.question.sample_id: record.question.image_name for record in records}
    excluded = excluded_pairs(
        people, annotations, questions, rules.exclude_roles, rules.exclude_scope, images
    )
    found = study_feasibility(questions, people, excluded, rules)
    needed = rules.responses_per_question * len(questions)
    if not found.possible:
        advice = remedy(found, rules.responses_per_question, len(people))
        problems.add("plan", f"{explain_shortfall(found)}; {advice}")
    pairs = "1 pair" if len(excluded) == 1 else f"{len(excluded):,} pairs"
    return [
        ("people", f"{len(people)}; {pairs} of person and question excluded"),
        ("plan", f"{needed:,} answers: {explain_slack(found)}"),
    ]
