"""Joining predictions to the benchmark's questions: by id, by image and question id, by row."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from analysis.predictions.answer_lists import is_image_of
from analysis.predictions.rows import PredictionRow, stem
from sampling.benchmark.image_names import composed
from sampling.study.errors import Problems, StudyError, did_you_mean
from sampling.study.questions import Question

_SPACES = re.compile(r"\s+")


@dataclass(frozen=True)
class QuestionIndex:
    """The benchmark's questions in the order of its file, and which of them are in the sample.

    `others` are ids of the benchmark that the study leaves out, such as another split's.
    `complete` is false when the benchmark's file is not there and only the sample is known.
    `id_field` is what the benchmark's own files call the sample id, where `study.toml` says it.
    """

    questions: tuple[Question, ...]
    sample: frozenset[str]
    others: frozenset[str] = frozenset()
    complete: bool = True
    id_field: str = ""

    @cached_property
    def by_id(self) -> Mapping[str, Question]:
        return {question.sample_id: question for question in self.questions}

    @cached_property
    def by_composed_id(self) -> Mapping[str, Question]:
        """Questions by the one form of their ids in which `é` is one character."""
        return {composed(one.sample_id): one for one in self.questions}

    def of_id(self, name: str | None) -> Question | None:
        """Find the question of an id, in whichever Unicode form it is written."""
        found = self.by_id.get(name or "")
        if found is None and name is not None and not name.isascii():
            found = self.by_composed_id.get(composed(name))
        return found

    @cached_property
    def by_question_id(self) -> Mapping[str, Question]:
        """Questions by the benchmark's question id, where that alone tells them apart."""
        groups: dict[str, list[Question]] = {}
        for question in self.questions:
            groups.setdefault(str(question.question_id), []).append(question)
        unique = {key: group[0] for key, group in groups.items() if len(group) == 1 and key}
        return unique if len(unique) == len(self.questions) else {}

    @cached_property
    def by_image(self) -> Mapping[str, tuple[Question, ...]]:
        """Questions by their image's stem."""
        groups: dict[str, list[Question]] = {}
        for question in self.questions:
            groups.setdefault(composed(stem(question.image_name)), []).append(question)
        return {key: tuple(group) for key, group in groups.items()}


@dataclass(frozen=True, slots=True)
class JoinedRow:
    """A prediction and the id of the question it is for."""

    sample_id: str
    row: PredictionRow


def join(
    rows: Sequence[PredictionRow], index: QuestionIndex, problems: Problems | None = None
) -> list[JoinedRow]:
    """Find the question of every row of one file.

    One way holds for the whole file: sample ids when at least one is known; image and question
    id; the benchmark's own question ids when they are unique; the image alone when it has one
    question; and last the row number in the benchmark's file, checked against the question's
    text where the file repeats it.

    What is wrong is noted in `problems` where they are given, so that it can be told together with
    what else is; the rows that fit are returned.

    Raises
    ------
    StudyError
        With the place of every row whose question is not in the benchmark, and of every row
        whose text is another question's.
    """
    find = _way(rows, index)
    found = Problems() if problems is None else problems
    joined: list[JoinedRow] = []
    for row in rows:
        questions = _questions_of(row, find, index)
        joined.extend(JoinedRow(question.sample_id, row) for question in questions)
        if questions:
            continue
        if row.identifier is not None and (not index.complete or row.identifier in index.others):
            joined.append(JoinedRow(row.identifier, row))
        else:
            hinted = len(found) < Problems.SHOWN_OF_A_KIND
            found.add(row.place, _unknown(row, index, hinted=hinted), "unknown ids")
    if problems is None:
        found.raise_if_any()
    return joined


def _questions_of(row: PredictionRow, find: Way, index: QuestionIndex) -> Sequence[Question]:
    if row.whole_image:
        return _of_image(row.image or "", index)
    question = find(row, index)
    return () if question is None else (question,)


Way = Callable[[PredictionRow, QuestionIndex], Question | None]


def _way(rows: Sequence[PredictionRow], index: QuestionIndex) -> Way:
    """Choose how the rows of a file name their questions."""
    if any(_by_sample_id(row, index) for row in rows):
        return _by_sample_id
    named = [row for row in rows if not row.whole_image]
    for way in (_by_image_and_question, _by_question_id, _by_image, _by_full_question_id):
        if all(way(row, index) is not None for row in named):
            return way
    if index.complete and all(_row_number(row) is not None for row in named):
        _check_texts(named, index)
        return _by_row
    if all(row.image is not None and row.question_id is not None for row in named):
        return _by_image_and_question
    return _by_sample_id if any(row.identifier is not None for row in named) else _by_image


def _by_sample_id(row: PredictionRow, index: QuestionIndex) -> Question | None:
    return index.of_id(row.identifier)


def _by_image_and_question(row: PredictionRow, index: QuestionIndex) -> Question | None:
    wanted = row.question_id or row.identifier
    if wanted is None or row.image is None:
        return None
    of_image = _of_image(row.image, index)
    found = [question for question in of_image if str(question.question_id) == wanted]
    return found[0] if len(found) == 1 else None


def _by_question_id(row: PredictionRow, index: QuestionIndex) -> Question | None:
    return index.by_question_id.get(row.question_id or row.identifier or "")


def _by_full_question_id(row: PredictionRow, index: QuestionIndex) -> Question | None:
    """Find the question when its sample id stands where its question id should."""
    return index.of_id(row.question_id)


def _by_image(row: PredictionRow, index: QuestionIndex) -> Question | None:
    found = _of_image(row.image or "", index)
    return found[0] if len(found) == 1 else None


def _by_row(row: PredictionRow, index: QuestionIndex) -> Question | None:
    number = _row_number(row)
    inside = number is not None and number < len(index.questions)
    return index.questions[number] if inside and number is not None else None


def _row_number(row: PredictionRow) -> int | None:
    """Give the row of the data set that a prediction names, from 0."""
    if row.row is not None:
        return row.row
    text = row.identifier
    if text is None and row.image is None:  # beside an image it is the question's, not the row's
        text = row.question_id
    return int(text) if text is not None and text.isascii() and text.isdigit() else None


def _check_texts(rows: Sequence[PredictionRow], index: QuestionIndex) -> None:
    """Refuse a join by row number when the texts show that the rows are in another order."""
    texts = {_plain(question.question_en) for question in index.questions}
    wrong = [
        row
        for row in rows
        if (question := _by_row(row, index)) is not None
        and (asked := _plain(row.question)) in texts
        and asked != _plain(question.question_en)
    ]
    if wrong:
        more = f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""
        places = ", ".join(row.place for row in wrong[:5])
        raise StudyError(
            f"{places}{more}: joined by row number, but the row of the benchmark asks another "
            "question; give `sample_id` in the file"
        )


def _of_image(name: str, index: QuestionIndex) -> tuple[Question, ...]:
    """List the questions of an image, by its name or by a name that ends in it."""
    name = composed(name)
    exact = index.by_image.get(stem(name))
    if exact is not None or not name:
        return exact or ()
    matches = [image for image in index.by_image if is_image_of(image, name)]
    longest = max(matches, key=len, default="")
    return index.by_image.get(longest, ())


def _unknown(row: PredictionRow, index: QuestionIndex, *, hinted: bool) -> str:
    """Say what was looked for and not found."""
    if row.identifier is not None:
        near = did_you_mean(row.identifier, index.by_id) if hinted else ""
        return f"id {row.identifier!r} is not in the benchmark{near}"
    asked = f", question {row.question_id!r}," if row.question_id else ""
    if row.image is not None:
        return f"image {row.image!r}{asked} is not in the benchmark"
    if row.question_id is not None:
        return (
            f"question id {row.question_id!r} does not name one question of the benchmark; "
            "give `sample_id`, or the image beside it"
        )
    if row.row is None:
        return "no field tells the question; give it as `sample_id`"
    return f"row {row.row} is not in the benchmark, which has {len(index.questions)} questions"


def _plain(text: str) -> str:
    return _SPACES.sub(" ", text).strip().casefold()
