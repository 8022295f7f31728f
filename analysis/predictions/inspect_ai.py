"""Logs of inspect_ai: `.json`, and `.eval`, a zip whose members may be Zstandard-compressed."""

from __future__ import annotations

import importlib
import json
import struct
import zipfile
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from analysis.predictions.rows import PredictionRow, as_text, check_answer_field
from analysis.predictions.tables import read_json
from sampling.study.errors import StudyError

# The extra `formats` is optional.
zstandard: Any = importlib.import_module("zstandard") if find_spec("zstandard") else None

ZSTANDARD_METHOD = 93
LOCAL_HEADER = struct.Struct("<4s5H3I2H")


def read_inspect_log(path: Path) -> list[PredictionRow]:
    """Read a log; an epoch after the first is a declared run of its own."""
    if path.suffix.lower() == ".eval":
        header, samples = _read_archive(path)
    else:
        header = read_json(path)
        samples = list(header.get("samples") or ())
    if not samples:
        raise StudyError(
            f"{path.name}: the log holds no samples; run with log_samples, or convert it with "
            "`inspect log convert`"
        )
    answered = (sample.get("output") or {} for sample in samples if not sample.get("error"))
    check_answer_field(answered, ("completion",), f"{path.name} output")
    model = as_text((header.get("eval") or {}).get("model"))
    status = header.get("status")
    return [_sample_row(sample, path.name, model, status) for sample in samples]


def _sample_row(
    sample: Mapping[str, Any], name: str, model: str | None, status: Any
) -> PredictionRow:
    epoch = sample.get("epoch") or 1
    output = sample.get("output") or {}
    metadata = sample.get("metadata") or {}
    scores = sample.get("scores") or {}
    return PredictionRow(
        raw=None if sample.get("error") else output.get("completion"),
        place=f"{name} sample {sample.get('id')} epoch {epoch}",
        identifier=as_text(metadata.get("sample_id")) or as_text(sample.get("id")),
        model=model,
        condition=as_text(metadata.get("prompt_condition")),
        run="" if epoch == 1 else f"epoch {epoch}",
        question=_question(sample.get("input")),
        note="" if status == "success" else f"{name}: the log's status is {status!r}",
        reported={
            scorer: found.get("value") if isinstance(found, Mapping) else found
            for scorer, found in scores.items()
        },
    )


def _question(asked: Any) -> str:
    """Find the question's text in a prompt: a string, or the last message with text."""
    if isinstance(asked, str):
        return asked
    texts = [
        part.get("text", "") if isinstance(part, Mapping) else ""
        for message in asked or ()
        for part in _parts(message.get("content"))
    ]
    return "\n".join(text for text in texts if text)


def _parts(content: Any) -> Iterable[Any]:
    return [{"text": content}] if isinstance(content, str) else content or ()


def _read_archive(path: Path) -> tuple[Mapping[str, Any], list[Mapping[str, Any]]]:
    """Read the header and the samples of a `.eval` file."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = {member.filename: member for member in archive.infolist()}
            first = members.get("header.json") or members.get("_journal/start.json")
            header = {} if first is None else json.loads(_member(archive, first, path))
            names = sorted(name for name in members if name.startswith("samples/"))
            samples = [json.loads(_member(archive, members[name], path)) for name in names]
    except zipfile.BadZipFile:
        raise StudyError(f"{path.name}: not a zip file, so not an inspect_ai log") from None
    return header, samples


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path) -> bytes:
    """Unpack a member by Python's own zipfile, else by the zstandard package, else say how."""
    try:
        return archive.read(member)
    except NotImplementedError:
        if member.compress_type != ZSTANDARD_METHOD or zstandard is None:
            raise StudyError(
                f"{path.name}: compressed in a way that this Python cannot read; run "
                "`pip install 'lontar[formats]'`, or "
                f"`inspect log convert --to json --output-dir . {path.name}`"
            ) from None
    with path.open("rb") as stream:
        stream.seek(member.header_offset)
        fields = LOCAL_HEADER.unpack(stream.read(LOCAL_HEADER.size))
        stream.seek(fields[-2] + fields[-1], 1)  # the name and the extra field
        packed = stream.read(member.compress_size)
    unpacked: bytes = zstandard.ZstdDecompressor().decompressobj().decompress(packed)
    return unpacked
