"""Field mapping: a benchmark's own field names turned into ours, row by row.

What a table's image cell may be: a file name, base64, a data URI, or bytes with a path.
"""

from __future__ import annotations

import ast
import base64
import hashlib
import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

from sampling.study.definition import BenchmarkTable
from sampling.study.errors import StudyError

LONGEST_NAME = 255
_MAGIC = {
    b"\xff\xd8": "jpg",
    b"\x89PNG": "png",
    b"RIFF": "webp",
    b"GIF8": "gif",
    b"II*\x00": "tif",
    b"MM\x00*": "tif",
    b"BM": "bmp",
}


def is_embedded(value: Any) -> bool:
    """Tell whether an image cell holds the image itself rather than its name.

    >>> is_embedded("leaf_0001.jpg"), is_embedded("iVBORw0KGgo" * 30)
    (False, True)
    """
    if isinstance(value, Mapping):
        return bool(value.get("bytes"))
    return isinstance(value, str) and (
        len(value) > LONGEST_NAME or value.startswith("data:image/") or _looks_encoded(value)
    )


def _looks_encoded(value: str) -> bool:
    """Tell short base64 of an image from a name by how image files begin."""
    return value.startswith(("iVBORw0KGgo", "/9j/4", "R0lGOD", "UklGR")) and "." not in value


def embedded_bytes(value: Any) -> bytes:
    """Decode an image cell that holds the image itself; empty for a name.

    Raises
    ------
    ValueError
        When what should be base64 is not.
    """
    if isinstance(value, Mapping):
        return bytes(value.get("bytes") or b"")
    if not is_embedded(value):
        return b""
    data = value.partition("base64,")[2] if value.startswith("data:") else value
    return base64.b64decode("".join(data.split()), validate=True)


def image_name_of(value: Any) -> Any:
    """Give the file name of an image cell: its own, or one made of the content's digest.

    The same content gets the same name, so that rows that share an image share its name.

    >>> image_name_of({"bytes": b"", "path": "images/leaf.jpg"})
    'leaf.jpg'
    >>> image_name_of("leaf.jpg")
    'leaf.jpg'
    """
    if isinstance(value, Mapping) and value.get("path"):
        return PurePosixPath(str(value["path"]).replace("\\", "/")).name
    if not is_embedded(value):
        return None if isinstance(value, Mapping) else value
    try:
        data = embedded_bytes(value)
    except ValueError:
        data = str(value).encode()
    ending = next((ending for magic, ending in _MAGIC.items() if data.startswith(magic)), "png")
    return f"{hashlib.sha256(data).hexdigest()[:20]}.{ending}"


# The names other benchmarks give our fields, the first that a row has.
PEER_NAMES = {
    "sample_id": ("id", "index", "questionId", "instance_id", "doc_id"),
    "image_name": ("image_path", "file_name", "image"),
    "question_en": ("question", "input", "prompt", "query"),
    "answer": ("ground_truth", "target", "human_gt", "expected", "gold", "answers"),
}
_HOLE = re.compile(r"\{([^{}]+)\}")
# An option in a pattern: `A. {choiceA}`, `(B) {choices.1}`.
OPTION = re.compile(r"(?<![^\W_])(?P<letter>[A-Za-z0-9])[^\w{}]{1,4}?\{(?P<hole>[^{}]+)\}")
ELEMENT = re.compile(r"(\.-?\d+)+$")
POSITION = re.compile(r"-?\d+")
OPTION_START = re.compile(rf"[(\[]?{OPTION.pattern}")
# A backslash and an n: a line break that was written once too carefully.
WRITTEN_BREAK = re.compile(r"\\n(?![a-z]{2})")

Getter = Callable[[Mapping[str, Any]], Any]


class FieldMapping:
    """The rules of `[benchmark]` for one file, planned once for each set of field names."""

    def __init__(self, table: BenchmarkTable, path: Path) -> None:
        self._table = table
        self._path = path
        self._plans: dict[tuple[str, ...], list[tuple[str, Getter]]] = {}
        self._embedded: dict[str, Any] = {}
        asked = WRITTEN_BREAK.sub("\n", table.fields.get("question_en", ""))
        self._options = [
            (found["letter"], self._reference(found["hole"], ("question_en",)))
            for found in OPTION.finditer(asked)
        ]

        # Of an element of a list it is asked only whether the list is there.
        self.paths = {
            name: self._reference(ELEMENT.sub("", name.removesuffix("@stem")), (field,))
            for field, source in table.fields.items()
            for name in holes_of(source) or [source]
            if not name.startswith("@") and ("." in name or name.endswith("@stem"))
        }

    def absent_options(self, row: Mapping[str, Any]) -> tuple[str, ...]:
        """List the letters of the question's pattern whose option a row does not have."""
        return tuple(letter for letter, option in self._options if is_blank(option(row)))

    def still_unmet(self, unmet: Mapping[str, None], row: Mapping[str, Any]) -> dict[str, None]:
        """Keep those of some names of `paths` that have no value in a row."""
        return {name: None for name in unmet if self.paths[name](row) is None}

    def apply(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Give a row's fields with ours added, theirs kept where the name is free.

        Raises
        ------
        StudyError
            When a pattern names a whole list or object, or no element of a list.
        """
        names = tuple(row)
        plan = self._plans.get(names)
        if plan is None:
            plan = self._plans[names] = self._plan(names)
        fields = {**row, **{name: getter(row) for name, getter in plan}}
        self._name_image(fields)
        return fields

    @property
    def holds_images(self) -> bool:
        """Whether a row so far held its image itself, as base64 or bytes."""
        return any(self._embedded.values())

    def _name_image(self, fields: dict[str, Any]) -> None:
        """Make a file name of an image cell that holds the image, or another row's number."""
        image = fields.get("image_name")
        if isinstance(image, str) and image.startswith("./"):
            fields["image_name"] = image = PurePosixPath(image).as_posix()
        if is_embedded(image) or not isinstance(image, str):
            name = image_name_of(image)
            self._embedded[str(fields.get("index"))] = name
            for field, value in fields.items():
                if value is image:
                    fields[field] = name
        elif self._embedded and image in self._embedded:
            fields["image_name"] = self._embedded[image]

    def _plan(self, names: tuple[str, ...]) -> list[tuple[str, Getter]]:
        """List where each field of ours that a row lacks, or that is mapped, comes from."""
        plan: dict[str, Getter] = {}
        for field, peers in PEER_NAMES.items():
            peer = next((name for name in peers if name in names), None)
            if field not in names and peer is not None:
                plan[field] = _field(peer)
        plan |= {
            field: self._source(source, (field,)) for field, source in self._table.fields.items()
        }
        plan |= {field: _constant(value) for field, value in self._table.constants.items()}
        return list(plan.items())

    def _source(self, source: str, inside: tuple[str, ...]) -> Getter:
        """Turn a source of `[benchmark.fields]` into what takes its value from a row."""
        if source == "@folder":
            return _constant(self._path.parent.name)
        if source == "@file":
            return _constant(self._path.stem)
        if _HOLE.search(source):
            return self._template(source, inside)
        if source.endswith("@stem"):
            whole = self._reference(source.removesuffix("@stem"), inside)
            return lambda row: _stem(whole(row))
        return _field(source)

    def _reference(self, name: str, inside: tuple[str, ...]) -> Getter:
        """Follow a name to one of our mapped fields, or else to theirs."""
        if name.startswith("@"):
            return self._source(name, inside)
        mapped = self._table.fields.get(name)
        if mapped is not None and name not in inside:
            return self._source(mapped, (*inside, name))
        if name in self._table.constants:
            return _constant(self._table.constants[name])
        return _field(name)

    def _template(self, source: str, inside: tuple[str, ...]) -> Getter:
        """Fill the holes of a source such as `{@folder}/{image}`.

        A question is filled line by line. A line whose fields are all empty is left out, and so
        is an empty option of several on one line, with its letter. Of any other field, one empty
        part leaves nothing.

        Raises
        ------
        StudyError
            When a backslash and an n in a question may be a line break or a command of LaTeX.
        """
        if inside[-1] == "question_en":
            source = WRITTEN_BREAK.sub("\n", source)
            if "\\n" in source:
                raise StudyError(
                    "holds a backslash and an n before a word; write a line break as \\n within "
                    "double quotes, once, or begin the line with a capital"
                )
            lines = [
                [self._parts(part, inside) for part in _parts_of_line(line)]
                for line in source.split("\n")
            ]
            return lambda row: "\n".join(
                line for parts in lines if (line := _filled_parts(parts, row)) is not None
            )
        parts = self._parts(source, inside)

        def fill(row: Mapping[str, Any]) -> str | None:
            values = [_text_of(get(row), hole) for hole, get in parts]
            return None if None in values else "".join(map(str, values))

        return fill

    def _parts(self, source: str, inside: tuple[str, ...]) -> list[tuple[str, Getter]]:
        """Split a pattern into its fixed texts, which have no name, and its named holes."""
        return [
            (piece, self._reference(piece, inside)) if place % 2 else ("", _constant(piece))
            for place, piece in enumerate(_HOLE.split(source))
        ]


def holes_of(source: str) -> list[str]:
    """List the fields that a pattern names.

    >>> holes_of("{question} A. {choices.0}")
    ['question', 'choices.0']
    """
    return _HOLE.findall(source)


def is_blank(value: Any) -> bool:
    """Tell whether a cell says nothing: null, NaN or white space.

    >>> is_blank(float("nan")), is_blank(" "), is_blank(0), is_blank("None")
    (True, True, False, False)
    """
    return value is None or value != value or (isinstance(value, str) and not value.strip())


def list_in(value: Any) -> list[Any] | None:
    r"""Give the elements of a list, also of one written as text (`"['a', 'b']"`), or None.

    >>> list_in("['Boulder', \"Land's End\"]"), list_in("[sic] a text")
    (['Boulder', "Land's End"], None)
    """
    if isinstance(value, list | tuple):
        return list(value)
    text = value.strip() if isinstance(value, str) else ""
    if not (text.startswith("[") and text.endswith("]")):
        return None
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return found if isinstance(found, list) else None


def _parts_of_line(line: str) -> list[str]:
    """Split a line before each option in it.

    >>> _parts_of_line("Which? (A) {a} (B) {b}")
    ['Which? ', '(A) {a} ', '(B) {b}']
    """
    starts = [0, *(found.start() for found in OPTION_START.finditer(line)), len(line)]
    return [line[start:end] for start, end in pairwise(starts) if start < end] or [line]


def _filled_parts(parts: list[list[tuple[str, Getter]]], row: Mapping[str, Any]) -> str | None:
    """Fill a line without the options that are empty, or give None where all its fields are."""
    filled = [_filled_line(part, row) for part in parts]
    if None not in filled:
        return "".join(map(str, filled))
    kept = [text for text, part in zip(filled, parts, strict=True) if text and _holes(part)]
    if not kept:
        return None
    return "".join(text for text in filled if text is not None).rstrip(" ,;|/")


def _holes(parts: list[tuple[str, Getter]]) -> bool:
    return any(hole for hole, _ in parts)


def _filled_line(parts: list[tuple[str, Getter]], row: Mapping[str, Any]) -> str | None:
    """Fill one line of a question, or give None where all the fields in it are empty."""
    values = [_text_of(get(row), hole) for hole, get in parts]
    named = [value for (hole, _), value in zip(parts, values, strict=True) if hole]
    if named and not any(named):
        return None
    return "".join(value or "" for value in values)


def _text_of(value: Any, hole: str) -> str | None:
    """Write a value into a pattern; None where it is empty.

    Raises
    ------
    StudyError
        When it is a list or an object, which has no one way to be shown.
    """
    if not hole:
        return str(value)
    if list_in(value) is not None:
        raise StudyError(
            f"{{{hole}}} is a whole list; name its elements, such as {{{hole}.0}} and {{{hole}.1}}"
        )
    if isinstance(value, Mapping | bytes):
        raise StudyError(f"{{{hole}}} is a whole object; name a field in it, such as {{{hole}.x}}")
    return None if is_blank(value) else str(value)


def _constant(value: Any) -> Getter:
    return lambda row: value


def _field(name: str) -> Getter:
    """Take a field by its name, or by a path of names such as `image.path`."""
    first, *rest = name.split(".")
    if not rest:
        return lambda row: row.get(name)

    def follow(row: Mapping[str, Any]) -> Any:
        value = row.get(name, row.get(first))
        for part in rest:
            value = _inside(value, part, name)
        return value

    return follow


def _inside(value: Any, part: str, name: str) -> Any:
    """Take a field of an object, or the element of a list at a position from 0.

    A list that is shorter has no such element: None. What is neither stays as it is.

    Raises
    ------
    StudyError
        When a list is asked for something that is no position, or one below 0.
    """
    if isinstance(value, Mapping):
        return value.get(part)
    if (elements := list_in(value)) is None:
        if POSITION.fullmatch(part) and not is_blank(value):
            raise StudyError(f"{name} asks for an element of {value!r:.60}, which is no list")
        return value
    if not part.isdecimal():
        raise StudyError(f"{name} asks a list for {part!r}; its elements are 0, 1, 2, ...")
    return elements[int(part)] if int(part) < len(elements) else None


def _stem(value: Any) -> str | None:
    return None if value is None else PurePosixPath(str(value).replace("\\", "/")).stem


def row_test(where: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], bool]:
    """Make the test whether a row's fields equal what `where` asks for.

    A list means any of its values; values are compared as written, so that a number in CSV equals
    one in TOML.

    >>> row_test({"split": ["test", "dev"], "n": 3})({"split": "test", "n": "3"})
    True
    """
    wanted = [
        (name, frozenset(map(_written, value if isinstance(value, list) else [value])))
        for name, value in where.items()
    ]
    return lambda fields: all(_written(fields.get(name)) in texts for name, texts in wanted)


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else str(value)
