"""One answer of a model as a file holds it, and the names its fields go by in the field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from sampling.study.errors import Problems, StudyError, did_you_mean


@dataclass(frozen=True, slots=True)
class PredictionRow:
    """One answer as it was read, not yet joined to a question.

    `identifier` is what the file calls the item: a sample id, the benchmark's own question id,
    or a row number. `row` is a row number and nothing else. `whole_image` marks an answer that
    could not be taken apart and stands for every question of its image. `run` names one of
    several declared runs (an epoch, a filter); empty for the only one. `options` are the texts of
    the question's options by letter, where the file holds them. `note` says what is
    doubtful about the file. `reported` holds the file's own scores and further fields, which are
    kept and never trusted.
    """

    raw: Any
    place: str
    identifier: str | None = None
    image: str | None = None
    question_id: str | None = None
    row: int | None = None
    whole_image: bool = False
    model: str | None = None
    condition: str | None = None
    run: str = ""
    options: Mapping[str, Any] | None = None
    question: str = ""
    note: str = ""
    reported: Mapping[str, Any] = field(default_factory=dict)


IDENTIFIERS = ("sample_id", "id", "index", "questionId", "instance_id", "doc_id")
IMAGES = ("image_name", "image_path", "file_name", "image")
QUESTIONS = ("question_en", "question", "input", "prompt", "query")
PREDICTIONS = (
    *("raw_prediction", "prediction", "response", "predicted_text", "raw_response"),
    *("filtered_resps", "resps", "picked", "sampled", "completion"),
)
MODELS = ("model_name", "model")
CONDITIONS = ("prompt_condition", "condition")
RUNS = ("run", "epoch", "replicate")
# In a submission an `answer` is the model's; beside any of these it is usually the reference.
BENCHMARK_FIELDS = frozenset(
    {*QUESTIONS, "category", "split", "ground_truth", "task_family", "question_type", "choices"}
)
# What else a model's answer is called; never read, only pointed out.
OTHER_ANSWERS = ("output", "model_output", "generated_text", "generation", "pred", "reply", "label")
LONGEST_NAME = 500


def rows_from_records(
    records: Sequence[tuple[str, Mapping[str, Any]]], name: str, id_field: str = ""
) -> list[PredictionRow]:
    """Read records that name their fields: JSON lines, tables, Parquet.

    One field holds the answers of the whole file; a record without it is an answer that failed.
    `id_field` is what the benchmark calls the sample id, besides the names known anyway.

    Raises
    ------
    StudyError
        When no field holds the answers, or with every record that does not tell its question.
    """
    if not records:
        return []
    problems = Problems()
    answer_field, note = "", ""
    try:
        answer_field, note = _answer_field([record for _, record in records], name)
    except StudyError as error:
        problems.extend(error)
    identifiers = (*IDENTIFIERS, id_field)
    rows = []
    for place, record in records:
        row = row_from_record(record, place, answer_field, note, identifiers)
        if row.identifier is None and row.question_id is None and row.image is None:
            problems.add(
                place,
                f"no field tells the question; give it as `sample_id`{_likely_id(record)} "
                f"(found: {', '.join(map(str, record))})",
                "records without id",
            )
        rows.append(row)
    problems.raise_if_any()
    return rows


def row_from_record(
    record: Mapping[str, Any],
    place: str,
    answer_field: str,
    note: str = "",
    identifiers: Sequence[str] = IDENTIFIERS,
) -> PredictionRow:
    """Read one record by the first known field of each role.

    >>> row_from_record({"sample_id": "q1", "hit": 1, "x": "yes"}, "a.csv line 2", "x").raw
    'yes'
    """
    identifier_field = first_field(record, identifiers)
    used = {answer_field, identifier_field, "image", *MODELS, *CONDITIONS}

    def said(names: tuple[str, ...]) -> Any:
        found = first_field(record, names)
        return None if found is None else record[found]

    return PredictionRow(
        raw=record.get(answer_field),
        place=place,
        identifier=as_text(said(tuple(identifiers))),
        image=_image(record),
        question_id=as_text(record.get("question_id")),
        model=as_text(said(MODELS)),
        condition=as_text(said(CONDITIONS)),
        run=as_text(said(RUNS)) or "",
        question=_text(said(QUESTIONS)),
        note=note,
        reported={name: value for name, value in record.items() if name not in used},
    )


def check_answer_field(
    records: Iterable[Mapping[str, Any]], fields: Sequence[str], place: str
) -> None:
    """Refuse a file in which no record has a field that its format keeps the answers in.

    `records` are those that should have one: answers that failed are left out by the caller.

    Raises
    ------
    StudyError
        Naming the fields and the likely one; never for no records at all.

    >>> check_answer_field([{"id": "q1", "output": "yes"}], ["response"], "a.json")
    Traceback (most recent call last):
    ...
    sampling.study.errors.StudyError: a.json: no row has 'response', the model's answer (did you \
mean 'output'?); give the field that name (fields: id, output)
    """
    held: dict[str, None] = {}
    looked_at = list(records)
    for record in looked_at:
        held |= dict.fromkeys(map(str, record))
    if looked_at and not set(fields) & held.keys():
        wanted = " or ".join(map(repr, fields))
        raise StudyError(
            f"{place}: no row has {wanted}, the model's answer{likely_answer(held)}; give the "
            f"field that name (fields: {', '.join(held)})"
        )


def likely_answer(held: Iterable[str]) -> str:
    """Point to the field that may hold a model's answers: ` (did you mean 'output'?)`.

    >>> likely_answer(["sample_id", "Prediction"]), likely_answer(["sample_id", "category"])
    (" (did you mean 'Prediction'?)", '')
    """
    taken = {*IDENTIFIERS, *IMAGES, *MODELS, *CONDITIONS, *RUNS, *BENCHMARK_FIELDS, "question_id"}
    free = [name for name in map(str, held) if name not in taken]
    known = (*PREDICTIONS, "answer", *OTHER_ANSWERS)
    folded = {name.casefold(): name for name in free}
    found = next((folded[name] for name in known if name in folded), None)
    if found is not None:
        return f" (did you mean {found!r}?)"
    return next((hint for name in known if (hint := did_you_mean(name, free))), "")


def _likely_id(record: Mapping[str, Any]) -> str:
    """Point to the field that may hold the id of the question."""
    others = [name for name in map(str, record) if name not in (*PREDICTIONS, *MODELS, "answer")]
    return next((hint for name in IDENTIFIERS if (hint := did_you_mean(name, others))), "")


def first_field(record: Mapping[str, Any], names: Iterable[str]) -> str | None:
    """Name the first of some fields that the record has with a value."""
    return next((name for name in names if record.get(name) not in (None, "")), None)


def as_text(value: Any) -> str | None:
    """Give an id as text: 3, 3.0 and "3" are one; nothing and the empty text are None.

    >>> as_text(3.0), as_text("3"), as_text("")
    ('3', '3', None)
    """
    if value is None or value == "":
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def stem(name: str) -> str:
    r"""Give a file name without folders and ending, whichever slash it uses.

    >>> stem("images/a/leaf.one.jpg"), stem("a\\leaf.png")
    ('leaf.one', 'leaf')
    """
    return PurePosixPath(name.replace("\\", "/")).stem


def _answer_field(records: Sequence[Mapping[str, Any]], name: str) -> tuple[str, str]:
    """Find the field that holds the model's answers, and a note where that is doubtful."""
    names = {key for record in records for key in record}
    for known in PREDICTIONS:
        if known in names:
            return known, ""
    for known in ("answer", "answers"):
        if known in names:
            beside = sorted(BENCHMARK_FIELDS & names)
            doubt = (
                f"{name}: its field {known!r} is taken as the model's answer, but stands beside "
                f"{', '.join(beside)}; is this the benchmark's own file?"
            )
            return known, doubt if beside else ""
    raise StudyError(
        f"{name}: no field holds the model's answer; name it `raw_prediction`"
        f"{likely_answer(names)} (found: {', '.join(sorted(map(str, names)))})"
    )


def _image(record: Mapping[str, Any]) -> str | None:
    """Find the image's name; a base64 picture or a data address is none."""
    for name in IMAGES:
        value = record.get(name)
        if isinstance(value, Mapping):
            value = value.get("path")
        if (
            isinstance(value, str)
            and 0 < len(value) < LONGEST_NAME
            and not value.startswith("data:")
        ):
            return value
    return None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
