"""Croissant 1.0 metadata (MLCommons) for the public bundle, so that tools can load it by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sampling.study.definition import ReleaseTable

_TERMS = (
    *("citeAs", "column", "equivalentProperty", "extract", "field", "fileObject", "fileProperty"),
    *("fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField"),
    *("path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate"),
    *("separator", "source", "subField", "transform"),
)

_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    **{term: f"cr:{term}" for term in _TERMS},
}

_ENDINGS = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".jsonl": "application/jsonlines",
    ".md": "text/markdown",
    ".toml": "application/toml",
}


@dataclass(frozen=True)
class RecordField:
    """One field of a record set: its name, what it means, its type, and whether it is a list."""

    name: str
    description: str
    data_type: str = "sc:Text"
    repeated: bool = False


def croissant_metadata(
    name: str,
    release: ReleaseTable,
    sha256_by_file: Mapping[str, str],
    record_sets: Mapping[str, Iterable[RecordField]],
    version: str = "1.0.0",
) -> dict[str, Any]:
    """Describe the bundle's files and the records of its JSONL files.

    `record_sets` maps a JSONL file of the bundle to its fields. What `[release]` does not say is
    left out, never made up.
    """
    described = {
        "license": release.license,
        "url": release.url,
        "citeAs": release.citation,
        "creator": [{"@type": "sc:Person", "name": person} for person in release.creators] or None,
    }
    return {
        "@context": dict(sorted(_CONTEXT.items())),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": name,
        "description": release.description or f"Human baseline responses: {name}",
        **{key: value for key, value in described.items() if value},
        "version": version,
        "distribution": [_file(path, sha256) for path, sha256 in sorted(sha256_by_file.items())],
        "recordSet": [_record_set(path, fields) for path, fields in sorted(record_sets.items())],
    }


def _file(path: str, sha256: str) -> dict[str, Any]:
    ending = path[path.rfind(".") :]
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "encodingFormat": _ENDINGS.get(ending, "application/octet-stream"),
        "sha256": sha256,
    }


def _record_set(path: str, fields: Iterable[RecordField]) -> dict[str, Any]:
    identifier = path.rsplit(".", 1)[0]
    return {
        "@type": "cr:RecordSet",
        "@id": identifier,
        "name": identifier,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{identifier}/{field.name}",
                "name": field.name,
                "description": field.description,
                "dataType": field.data_type,
                **({"repeated": True} if field.repeated else {}),
                "source": {
                    "fileObject": {"@id": path},
                    "extract": {"column": field.name},
                },
            }
            for field in fields
        ],
    }
