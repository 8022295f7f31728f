"""Reads a study's folder into what the server's database holds: everything asked, no keys.

Refuses a study that the pages could not show, before anything is loaded.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from sampling.answers.key_checks import read_feedback
from sampling.answers.vocabularies import Vocabulary
from sampling.answers.vocabulary_files import read_vocabularies
from sampling.assignment.inputs import find_excluded, read_plan_inputs
from sampling.assignment.plan import Slot, read_plan
from sampling.benchmark.benchmark import read_benchmark
from sampling.benchmark.question_files import read_keys, read_questions
from sampling.plan.check import check_plan
from sampling.study.definition import PracticeTable
from sampling.study.errors import Problems, StudyError
from sampling.study.folder import StudyFolder
from sampling.study.keyed import digest
from sampling.study.questions import Question
from study_server.images.lossless import ImageUnusableError
from study_server.images.opaque import image_size
from study_server.images.sources import check_store, is_remote, read_image
from study_server.store.asking.content import OutsideQuestion, StudyContent

NAMED_FAULTS = 3


def check_content(study: StudyFolder, content: StudyContent) -> None:
    """Check that every question has a vocabulary, practice is outside the sample, the plan holds.

    Raises
    ------
    StudyError
        With every problem at once.
    """
    problems = Problems()
    for question in content.questions:
        _check_category(problems, content, "benchmark", question)
    asked = {question.sample_id for question in content.questions}
    images = {question.image_name for question in content.questions}
    for outside in content.outside:
        _check_category(problems, content, outside.kind, outside.question)
        where = f"[{outside.kind}] {outside.question.sample_id!r}"
        if outside.question.sample_id in asked:
            problems.add(where, "is in the sample; choose a question from outside it")
        elif outside.question.image_name in images:
            name = outside.question.image_name
            problems.add(where, f"shows {name!r}, an image of the sample; choose another")
    if content.read_slots is not None:
        faults = check_plan(
            content.read_slots(),
            content.questions,
            content.participants,
            content.exclusions,
            study.definition.assignment,
        )
        if faults:
            problems.add("plan/assignment.csv", _outdated(faults))
    problems.raise_if_any()


def _outdated(faults: Sequence[str]) -> str:
    """Say that the plan is one for another sample, roster or set of rules."""
    more = len(faults) - NAMED_FAULTS
    named = "; ".join(faults[:NAMED_FAULTS]) + (f"; and {more:,} more" if more > 0 else "")
    return f"does not fit the study as it is now ({named}); plan again with `lontar assign`"


def _check_category(
    problems: Problems, content: StudyContent, source: str, question: Question
) -> None:
    if question.category not in content.vocabularies[source]:
        problems.add(
            f"question {question.sample_id!r}",
            f"its category {question.category!r} has no vocabulary; add it to the vocabularies",
        )


OUTSIDE = ("practice", "attention")
PAGES_OF_OUTSIDE = ("pass_mark", "max_rounds", "every")
TABLES_FOR_PAGES = ("server", "consent", "assignment", "text")
HEAD_BYTES = 262_144
PLAN = "plan/assignment.csv"


def image_folders(study: StudyFolder) -> dict[str, str]:
    """Give the folder or address of every source of images."""
    benchmark = study.definition.benchmark.images
    places = {"benchmark": benchmark}
    for kind in OUTSIDE:
        table: PracticeTable | None = getattr(study.definition, kind)
        if table is not None:
            places[kind] = table.images or benchmark
    return {
        source: place if "://" in place else str((study.root / place).absolute())
        for source, place in places.items()
        if place is not None
    }


def read_study_content(study: StudyFolder) -> StudyContent:
    """Read everything a server needs from a study's files.

    Raises
    ------
    StudyError
        With every problem at once: what is missing or broken, in which file, and the remedy.
    """
    problems = Problems()
    for file, remedy in _needed(study):
        if not file.is_file():
            problems.add(f"{file.parent.name}/{file.name}", f"not found; {remedy}")
    if "benchmark" not in image_folders(study):
        problems.add("study.toml [benchmark]", "the pages need `images`; name their folder")
    problems.raise_if_any()
    for place in filter(is_remote, image_folders(study).values()):
        check_store(place)
    inputs = read_plan_inputs(study)
    definition = study.definition
    planned = definition.assignment.mode == "plan"
    outside = [question for kind in OUTSIDE for question in _outside(study, kind)]
    reserve = read_questions(study.reserve_file) if study.reserve_file.is_file() else ()
    digests = _digests(study)
    return StudyContent(
        name=definition.study.name,
        responses_per_question=definition.assignment.responses_per_question,
        settings=_settings(study),
        digests=digests,
        vocabularies=_vocabularies(study),
        questions=inputs.questions,
        participants=inputs.participants,
        read_slots=cache(partial(_read_plan, study, digests)) if planned else None,
        reserve=tuple(_not_sampled(reserve, inputs.questions)),
        # A question of the reserve may be asked one day: whoever made its key is barred already.
        exclusions=inputs.excluded | find_excluded(study, reserve, inputs.participants),
        outside=tuple(outside),
        image_sizes=_image_sizes(study, (*inputs.questions, *reserve), outside),
    )


def _needed(study: StudyFolder) -> Iterable[tuple[Path, str]]:
    """Name the files without which nothing can be served."""
    yield study.questions_file, "draw the sample with `lontar sample`"
    if study.definition.assignment.mode == "plan":
        yield study.assignment_file, "plan who answers what with `lontar assign`"


def _settings(study: StudyFolder) -> dict[str, Any]:
    """Take what the pages need of `study.toml`, and the study's own texts."""
    dumped = study.definition.model_dump(mode="json")
    settings = {name: dumped[name] for name in TABLES_FOR_PAGES}
    for kind in OUTSIDE:
        if dumped[kind] is not None:
            settings[kind] = {name: dumped[kind][name] for name in PAGES_OF_OUTSIDE}
    settings["texts"] = _texts(study)
    settings["reading_rule"] = study.reading_rule
    settings["display"] = dumped["benchmark"]["display"]
    settings["order_seed"] = digest(study.definition.study.seed, "option order").hex()
    return settings


def _texts(study: StudyFolder) -> dict[str, dict[str, str]]:
    """Read the study's own instructions (`<language>/<step>.md` or `<step>.md`) and consent."""
    texts: dict[str, dict[str, str]] = {}
    folder = study.definition.instructions.folder
    if folder is not None:
        root = study.root / folder
        if not root.is_dir():
            raise StudyError(f"study.toml [instructions]: no folder {folder!r} in the study")
        for file in sorted(root.rglob("*.md")):
            language = "*" if file.parent == root else file.parent.name
            texts.setdefault(language, {})[file.stem] = file.read_text(encoding="utf-8-sig")
    consent = study.definition.consent.text
    if consent is not None:
        file = study.root / consent
        if not file.is_file():
            raise StudyError(f"study.toml [consent]: no file {consent!r} in the study")
        texts.setdefault("*", {})["consent"] = file.read_text(encoding="utf-8-sig")
    return texts


def _read_plan(study: StudyFolder, digests: Mapping[str, str]) -> tuple[Slot, ...]:
    """Read the plan, if it is still the one that was digested."""
    slots = read_plan(study.assignment_file)
    if digests[PLAN] != hashlib.sha256(study.assignment_file.read_bytes()).hexdigest():
        raise StudyError(f"{PLAN}: was changed while it was read; run the command again")
    return slots


def _digests(study: StudyFolder) -> dict[str, str]:
    """Digest what may not change once people have answered."""
    definition = study.definition
    files = {
        "sample/questions.jsonl": study.questions_file,
        definition.benchmark.vocabularies: study.vocabularies_file,
    }
    if definition.assignment.mode == "plan":
        files[PLAN] = study.assignment_file
    for kind in OUTSIDE:
        table: PracticeTable | None = getattr(definition, kind)
        if table is not None:
            files |= {name: study.root / name for name in (table.questions, table.keys)}
    digests = {name: hashlib.sha256(file.read_bytes()).hexdigest() for name, file in files.items()}
    fixed = ("responses_per_question", "mode", "option_order", "exclude_roles", "exclude_scope")
    for name in fixed:
        value = getattr(definition.assignment, name)
        digests[f"study.toml [assignment] {name}"] = json.dumps(value)
    return digests


def _vocabularies(study: StudyFolder) -> dict[str, Mapping[str, Vocabulary]]:
    """Read the vocabularies of every source; practice may bring its own."""
    found: dict[str, Mapping[str, Vocabulary]] = {"benchmark": _benchmark_vocabularies(study)}
    for kind in OUTSIDE:
        table: PracticeTable | None = getattr(study.definition, kind)
        if table is not None and table.vocabularies is not None:
            found[kind] = read_vocabularies(
                study.root / table.vocabularies, rule=study.reading_rule
            )
        elif table is not None:
            found[kind] = found["benchmark"]
    return found


def _benchmark_vocabularies(study: StudyFolder) -> Mapping[str, Vocabulary]:
    """Read the benchmark's vocabularies; only its records tell what a bare list means."""
    file = study.vocabularies_file
    if file.is_file():
        try:
            entries = json.loads(file.read_text(encoding="utf-8-sig"))
        except (json.JSONDecodeError, UnicodeDecodeError):
            entries = {}
        bare = isinstance(entries, dict) and any(isinstance(one, list) for one in entries.values())
        if bare:
            return read_benchmark(study).vocabularies
    return read_vocabularies(file, rule=study.reading_rule)


def _outside(study: StudyFolder, kind: str) -> list[OutsideQuestion]:
    """Read practice or attention questions and the keys their feedback needs."""
    table: PracticeTable | None = getattr(study.definition, kind)
    if table is None:
        return []
    keys = {key.sample_id: key.answer for key in read_keys(study.root / table.keys)}
    said = read_feedback(study.root / table.keys) if kind == "practice" else {}
    questions = read_questions(study.root / table.questions)
    missing = [question.sample_id for question in questions if question.sample_id not in keys]
    if missing:
        raise StudyError(*(f"{table.keys}: no answer for {sample_id!r}" for sample_id in missing))
    return [
        OutsideQuestion(kind, one, keys[one.sample_id], said.get(one.sample_id, ""))
        for one in questions
    ]


def _not_sampled(reserve: Iterable[Question], questions: Iterable[Question]) -> Iterable[Question]:
    sampled = {question.sample_id for question in questions}
    return (question for question in reserve if question.sample_id not in sampled)


def _image_sizes(
    study: StudyFolder, questions: Iterable[Question], outside: Iterable[OutsideQuestion]
) -> dict[tuple[str, str], tuple[int, int]]:
    """Read the size of every image from the first bytes of its file; a faulty one has none."""
    places = image_folders(study)
    wanted = {("benchmark", question.image_name) for question in questions}
    wanted |= {(one.kind, one.question.image_name) for one in outside}
    sizes = {}
    for source, name in sorted(wanted):
        if source in places and "://" not in places[source]:
            size = _size(places[source], name)
            if size is not None:
                sizes[source, name] = size
    return sizes


def _size(place: str, name: str) -> tuple[int, int] | None:
    try:
        return image_size(read_image(place, name, HEAD_BYTES))
    except ImageUnusableError:
        return None
