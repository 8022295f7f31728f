"""Field mapping: a benchmark's own field names turned into ours, row by row."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from sampling.definition import BenchmarkTable
from sampling.image_values import image_name_of, is_embedded

# The names other benchmarks give our fields, the first that a row has.
PEER_NAMES = {
    "sample_id": ("id", "index", "questionId", "instance_id", "doc_id"),
    "image_name": ("image_path", "file_name", "image"),
    "question_en": ("question", "input", "prompt", "query"),
    "answer": ("ground_truth", "target", "human_gt", "expected", "gold", "answers"),
}
_HOLE = re.compile(r"\{([^{}]+)\}")

Getter = Callable[[Mapping[str, Any]], Any]


class FieldMapping:
    """The rules of `[benchmark]` for one file, planned once for each set of field names."""

    def __init__(self, table: BenchmarkTable, path: Path) -> None:
        self._table = table
        self._path = path
        self._plans: dict[tuple[str, ...], list[tuple[str, Getter]]] = {}
        self._embedded: dict[str, Any] = {}

    def apply(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Give a row's fields with ours added, theirs kept where the name is free."""
        names = tuple(row)
        plan = self._plans.get(names)
        if plan is None:
            plan = self._plans[names] = self._plan(names)
        fields = {**row, **{name: getter(row) for name, getter in plan}}
        self._name_image(fields)
        return fields

    def _name_image(self, fields: dict[str, Any]) -> None:
        """Make a file name of an image cell that holds the image, or another row's number."""
        image = fields.get("image_name")
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
        """Fill the holes of a source such as `{@folder}/{image}`."""
        pieces = _HOLE.split(source)
        parts = [
            self._reference(piece, inside) if place % 2 else _constant(piece)
            for place, piece in enumerate(pieces)
        ]
        return lambda row: "".join(str(part(row)) for part in parts)


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
            value = value.get(part) if isinstance(value, Mapping) else value
        return value

    return follow


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
