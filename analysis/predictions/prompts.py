"""What a model must be asked so that people and models have the same questions and rules.

What models are told before a question: the study's own words, and which way up images are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import ImageOps

from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.benchmark.image_files import UNREADABLE, open_picture
from sampling.benchmark.image_names import image_file
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder
from sampling.study.questions import Question
from sampling.tables.row_files import read_text

ONLY_VISIBLE = (
    "Judge only what can be seen in the image. Use no outside knowledge of history or language."
)
OPEN_RULE = (
    "Do not transcribe or translate the text. Give the shortest direct answer and no explanation."
)
OPEN_ANSWER = (
    'Reply with exactly one JSON object: {"answer": "..."}. Give a list of texts as the answer '
    'when there are several things to name, and "unknown" when it cannot be seen.'
)
ONE_ANSWER = 'Reply with exactly one JSON object and nothing else: {"answer": ...}.'
IMAGE_ANSWER = (
    "Answer every question. Reply with exactly one JSON object and nothing else: "
    '{"answers": [{"question_id": "...", "answer": "..."}]}, every value a text, one entry a '
    "question. When you are not sure, give your best visual estimate."
)
TRANSCRIBE = "Copy all the text as it stands, with its line breaks, and correct nothing."
# What people are told of the marks that their page offers.
MARKS = {
    "□": "□ for each sign that is too damaged to read",
    "<unrecognizable>": "<unrecognizable> for each sign that is clear but has no character",
    "=": "= for a mark of repetition that is drawn so",
    "-": "- for a mark of repetition that is drawn so",
    "~": "~ for a mark that changes the order of signs",
    "〇": "〇 for a circle",
    "（）": "（） round small notes in double lines",
    "<note></note>": "<note></note> round notes in the margins",
    "<ignore></ignore>": "<ignore></ignore> round what stands outside the text",
}
ORDER = "Read columns from the right-hand one to the left, lines in the direction of the script."


NO_TEXTS: Mapping[str, str] = {}


def open_prompts(
    questions: Iterable[Question],
    vocabularies: Mapping[str, Vocabulary],
    *,
    instructions: str = ONLY_VISIBLE,
    by_format: Mapping[str, str] = NO_TEXTS,
) -> list[dict[str, Any]]:
    """Ask each question by itself without its allowed answers, after the study's instructions.

    `by_format` is what the study itself says about each format (`single`, ...).
    """
    return [
        {
            "sample_id": question.sample_id,
            "image": question.image_name,
            "prompt": _paragraphs(
                instructions,
                *_said_of([question], vocabularies, by_format),
                _open_rule(vocabularies[question.category]),
                f"Question: {question.question_en}",
                OPEN_ANSWER,
            ),
            "schema": _object({"answer": {"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]}}),
        }
        for question in questions
    ]


def constrained_prompts(
    questions: Iterable[Question],
    vocabularies: Mapping[str, Vocabulary],
    marks: Sequence[str] = (),
    *,
    instructions: str = ONLY_VISIBLE,
    by_format: Mapping[str, str] = NO_TEXTS,
) -> list[dict[str, Any]]:
    """Ask each question by itself with the rule of its format and its allowed answers.

    `marks` are those that people may insert into a transcription (`[text] palette`).

    Examples
    --------
    >>> question = Question("q1", "leaf.jpg", "Lines", "How many lines?")
    >>> lines = Vocabulary("Lines", AnswerFormat.COUNT, maximum=40)
    >>> constrained_prompts([question], {"Lines": lines})[0]["schema"]["properties"]["answer"]
    {'type': 'integer', 'minimum': 0, 'maximum': 40}
    """
    return [
        {
            "sample_id": question.sample_id,
            "image": question.image_name,
            "prompt": _paragraphs(
                instructions,
                *_said_of([question], vocabularies, by_format),
                f"Question: {question.question_en}",
                rule(vocabularies[question.category], marks),
                ONE_ANSWER,
            ),
            "schema": _object({"answer": _answer_schema(vocabularies[question.category])}),
        }
        for question in questions
    ]


def image_prompts(
    questions: Sequence[Question],
    vocabularies: Mapping[str, Vocabulary],
    *,
    constrained: bool,
    marks: Sequence[str] = (),
    instructions: str = ONLY_VISIBLE,
    by_format: Mapping[str, str] = NO_TEXTS,
) -> list[dict[str, Any]]:
    """Ask all questions of an image at once; the answers are told apart by question id.

    `sample_id` and `question_id` are lists, in the order of the questions.

    Raises
    ------
    StudyError
        With every image whose questions have no question id or share one.
    """
    _check_question_ids(questions)
    return [
        {
            "sample_id": [question.sample_id for question in group],
            "question_id": [str(question.question_id) for question in group],
            "image": image,
            "prompt": _paragraphs(
                instructions,
                *_said_of(group, vocabularies, by_format),
                *([] if constrained else [OPEN_RULE]),
                *(
                    _numbered(
                        question, vocabularies[question.category], marks, constrained=constrained
                    )
                    for question in group
                ),
                IMAGE_ANSWER,
            ),
            "schema": _answers_schema([str(question.question_id) for question in group]),
        }
        for image, group in by_image(questions)
    ]


def by_image(questions: Iterable[Question]) -> Iterator[tuple[str, list[Question]]]:
    """Group questions by image, images and questions in the order of their ids."""
    groups: dict[str, list[Question]] = {}
    for question in sorted(questions, key=lambda question: question.sample_id):
        groups.setdefault(question.image_name, []).append(question)
    yield from groups.items()


def rule(vocabulary: Vocabulary, marks: Sequence[str] = ()) -> str:
    """Say how to answer in a vocabulary's format, with its allowed answers, help and note.

    >>> print(rule(Vocabulary("Drawing", AnswerFormat.BINARY, ("yes", "no"))))
    Answer only yes or no.
    """
    note = vocabulary.help.get("", "")
    said = _rule(vocabulary, marks)
    return f"{said}\nNote: {note}" if note else said


def _rule(vocabulary: Vocabulary, marks: Sequence[str]) -> str:
    match vocabulary.format:
        case AnswerFormat.SINGLE:
            return (
                f"Answer with exactly one of these labels, as it is written:\n{_list(vocabulary)}"
            )
        case AnswerFormat.MULTI:
            return _multi_rule(vocabulary)
        case AnswerFormat.BINARY:
            return f"Answer only {' or '.join(vocabulary.labels)}."
        case AnswerFormat.COUNT:
            upper = "" if vocabulary.maximum is None else f" to {vocabulary.maximum}"
            return f"Answer with one whole number from {vocabulary.minimum}{upper}, without text."
        case AnswerFormat.TEXT:
            return _text_rule(marks)


def _text_rule(marks: Sequence[str]) -> str:
    """Say how to transcribe: the order of reading, and what each mark stands for."""
    meant = [f"- {MARKS[mark]}" for mark in marks if mark in MARKS]
    if not meant:
        return f"{TRANSCRIBE} {ORDER}"
    return "\n".join([f"{TRANSCRIBE} {ORDER} Where they apply, write these marks:", *meant])


def _multi_rule(vocabulary: Vocabulary) -> str:
    alone = [label for label in vocabulary.labels if label in vocabulary.exclusive]
    stands = f" A label that stands alone: {', '.join(alone)}." if alone else ""
    joined = "as a JSON list" if _needs_list(vocabulary) else "separated by commas"
    return (
        f"Answer with every label that applies, {joined}, in any order, each as written."
        f"{stands} The labels:\n{_list(vocabulary)}"
    )


def _needs_list(vocabulary: Vocabulary) -> bool:
    """Tell whether a label holds a sign that separates labels."""
    return any(sign in label for label in vocabulary.labels for sign in ",;")


def _list(vocabulary: Vocabulary) -> str:
    """List the labels, a line each, with their help where there is some."""
    return "\n".join(
        f"- {label}: {vocabulary.help[label]}" if vocabulary.help.get(label) else f"- {label}"
        for label in vocabulary.labels
    )


def _said_of(
    questions: Iterable[Question],
    vocabularies: Mapping[str, Vocabulary],
    by_format: Mapping[str, str],
) -> list[str]:
    """List what the study says of the formats of some questions, each once."""
    formats = sorted({str(vocabularies[one.category].format) for one in questions})
    return [by_format[name] for name in formats if name in by_format]


def _open_rule(vocabulary: Vocabulary) -> str:
    return TRANSCRIBE if vocabulary.format is AnswerFormat.TEXT else OPEN_RULE


def _numbered(
    question: Question, vocabulary: Vocabulary, marks: Sequence[str], *, constrained: bool
) -> str:
    asked = f"Question {question.question_id}: {question.question_en}"
    return f"{asked}\n{rule(vocabulary, marks)}" if constrained else asked


def _paragraphs(*parts: str) -> str:
    return "\n\n".join(parts)


_TEXT = {"type": "string"}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _answer_schema(vocabulary: Vocabulary) -> dict[str, Any]:
    """Describe one answer; a set of labels is a text, as its rule says."""
    if vocabulary.format in {AnswerFormat.SINGLE, AnswerFormat.BINARY}:
        return {"type": "string", "enum": list(vocabulary.labels)}
    if vocabulary.format is AnswerFormat.COUNT:
        upper = {} if vocabulary.maximum is None else {"maximum": vocabulary.maximum}
        return {"type": "integer", "minimum": vocabulary.minimum, **upper}
    if vocabulary.format is AnswerFormat.MULTI and _needs_list(vocabulary):
        return {"type": "array", "items": {"type": "string", "enum": list(vocabulary.labels)}}
    return dict(_TEXT)


def _answers_schema(question_ids: Sequence[str]) -> dict[str, Any]:
    """Describe the answers to all questions of an image."""
    one = _object({"question_id": {"type": "string", "enum": list(question_ids)}, "answer": _TEXT})
    size = len(question_ids)
    return _object({"answers": {"type": "array", "items": one, "minItems": size, "maxItems": size}})


def _check_question_ids(questions: Sequence[Question]) -> None:
    """Refuse images whose questions cannot be told apart by question id."""
    alike = []
    for image, group in by_image(questions):
        ids = [str(question.question_id) for question in group]
        if "" in ids or len(set(ids)) < len(ids):
            alike.append(image)
    if alike:
        named = ", ".join(alike[:MOST_NAMED]) + (", ..." if len(alike) > MOST_NAMED else "")
        which = "1 image" if len(alike) == 1 else f"{len(alike):,} images"
        raise StudyError(
            f"{which} ({named}): the questions have no `question_id` of their own; ask them one a "
            "call, without --per-image"
        )


MOST_NAMED = 3
PEOPLE, MODELS = "instructions.md", "models.md"
FORMAT = "format_{}.md"
LANGUAGE = "en"
ORIENTATION = 0x0112
TURNED = range(2, 9)
COMMENT = re.compile(r"\A<!--.*?-->\s*", re.DOTALL)


def _own_file(study: StudyFolder, name: str) -> Path | None:
    """Find one of the study's own texts: in English, else for any language, else in another."""
    folder = study.definition.instructions.folder
    if folder is None:
        return None
    root = study.root / folder
    others = [root / language / name for language in study.definition.server.languages]
    places = (root / LANGUAGE / name, root / name, *others)
    return next((one for one in places if one.is_file()), None)


def own_text(study: StudyFolder, name: str) -> str:
    """Read one of the study's own texts as people get it, English first; empty without one."""
    found = _own_file(study, name)
    return "" if found is None else COMMENT.sub("", read_text(found)).strip()


def model_instructions(study: StudyFolder) -> str:
    """Return what models are told: `models.md`, else people's own `instructions.md`, else ours."""
    return own_text(study, MODELS) or own_text(study, PEOPLE) or ONLY_VISIBLE


def own_format_texts(study: StudyFolder) -> dict[str, str]:
    """Return the study's own `format_*.md` by format."""
    texts = {str(one): own_text(study, FORMAT.format(one)) for one in AnswerFormat}
    return {name: text for name, text in texts.items() if text}


def model_format_texts(study: StudyFolder) -> dict[str, str]:
    """Return what models are told of each format beside the rule; nothing beside `models.md`."""
    return {} if own_text(study, MODELS) else own_format_texts(study)


def instruction_notes(study: StudyFolder) -> list[str]:
    """Say where people and models are told different things."""
    people, models = own_text(study, PEOPLE), own_text(study, MODELS)
    by_format = [FORMAT.format(name) for name in own_format_texts(study)]
    if models:
        others = [PEOPLE] if models != people else []
        read = ", ".join([*others, *by_format])
        said = f"`lontar prompts` tells models {MODELS} alone, and people read another text: {read}"
        return [said] if read else []
    if not people and by_format:
        beside = ", ".join(by_format)
        said = (
            f"people read the built-in {PEOPLE} beside {beside}, and models get a short form of it"
        )
        return [f"{said}; give an {PEOPLE} of your own to tell both the same"]
    texts = [name for name in (PEOPLE, *by_format) if _own_file(study, name) is not None]
    places = {name: _language_of(study, name) for name in texts}
    return [
        f"{name} of your own is there in {language} only, so models are told that, and people "
        "who read English the built-in one"
        for name, language in places.items()
        if language
    ]


def _language_of(study: StudyFolder, name: str) -> str:
    """Give the language of a text that is neither in English nor for any language; else nothing."""
    found = _own_file(study, name)
    folder = study.definition.instructions.folder
    if found is None or folder is None or found.parent == study.root / folder:
        return ""
    return "" if found.parent.name == LANGUAGE else found.parent.name


def turned_images(study: StudyFolder, names: Iterable[str]) -> dict[str, int]:
    """Find the images that EXIF turns or mirrors, with its number (2 to 8)."""
    folder = study.images_folder
    if folder is None:
        return {}
    turned: dict[str, int] = {}
    for name in sorted(set(names)):
        try:
            with open_picture(image_file(folder, name)) as picture:
                orientation = picture.getexif().get(ORIENTATION)
        except UNREADABLE:
            continue
        if isinstance(orientation, int) and orientation in TURNED:
            turned[name] = orientation
    return turned


def unseen_note(study: StudyFolder, names: Iterable[str]) -> str | None:
    """Say of which images it was not looked at whether EXIF turns them, or give None."""
    images, folder = study.definition.benchmark.images, study.images_folder
    if images is not None and folder is None:
        return (
            f"the images lie in {images} and were not looked at: whether EXIF turns any of "
            "them, so that a model may see another view than people, is not known"
        )
    absent = [one for one in sorted(set(names)) if folder and not image_file(folder, one).is_file()]
    if not absent:
        return None
    which = "1 image is" if len(absent) == 1 else f"{len(absent):,} images are"
    return (
        f"{which} not in {images} (first: {absent[0]!r}), so that whether EXIF turns any of them "
        "is not known"
    )


def turned_note(count: int, remedy: str) -> str:
    """Say that some files lie otherwise than people see them."""
    which = "1 image is" if count == 1 else f"{count:,} images are"
    return (
        f"{which} turned or mirrored by EXIF: people see the upright view, and a client that sends "
        f"the file to a model may not; {remedy}"
    )


def write_upright(study: StudyFolder, names: Iterable[str], folder: Path) -> dict[str, str]:
    """Write upright PNG copies of images, and return the file name of each."""
    written: dict[str, str] = {}
    if study.images_folder is None:
        return written
    for name in names:
        copy = f"{name}.png"
        target = folder / copy
        target.parent.mkdir(parents=True, exist_ok=True)
        with open_picture(image_file(study.images_folder, name)) as picture:
            upright = ImageOps.exif_transpose(picture)
        upright.info.pop("exif", None)
        upright.save(target, "PNG")
        written[name] = copy
    return written
