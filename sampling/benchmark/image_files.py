"""Image files: their digests, and whether they are the ones the benchmark published.

Opens image files: the one place that says how large a picture may be.
"""

from __future__ import annotations

import hashlib
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from PIL import Image, UnidentifiedImageError

from sampling.benchmark.image_names import image_file
from sampling.study.errors import Problems, StudyError, did_you_mean

# Leaves are scanned large: a metre at 1,200 dpi is 47,000 pixels long.
MOST_PIXELS = 400_000_000
UNREADABLE = (OSError, SyntaxError, ValueError, IndexError, Image.DecompressionBombError)
# Pillow warns above its mark, and refuses above twice that.
Image.MAX_IMAGE_PIXELS = MOST_PIXELS // 2


@contextmanager
def open_picture(
    source: Path | IO[bytes], formats: tuple[str, ...] | None = None
) -> Iterator[Image.Image]:
    """Open an image of up to `MOST_PIXELS` without a warning; only its head is read.

    Raises
    ------
    One of `UNREADABLE`
        What is wrong, for `explain_unreadable` to say.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        with Image.open(source, formats=formats) as picture:
            yield picture


def explain_unreadable(error: Exception) -> str:
    """Say what is wrong with an image file, and what to do.

    >>> explain_unreadable(OSError("image file is truncated"))
    'is cut off; copy it again from its source'
    >>> explain_unreadable(OSError("broken data stream"))
    'cannot be read (broken data stream); replace the file'
    >>> explain_unreadable(Image.DecompressionBombError())
    'has more than 400 million pixels; make it smaller'
    """
    if isinstance(error, UnidentifiedImageError):
        return "is no image; replace the file"
    if isinstance(error, Image.DecompressionBombError):
        return f"has more than {MOST_PIXELS // 1_000_000} million pixels; make it smaller"
    if "truncated" in str(error).casefold():
        return "is cut off; copy it again from its source"
    return f"cannot be read ({error}); replace the file"


CHUNK_BYTES = 1 << 20
LINE = re.compile(r"\\?(?P<digest>[0-9a-fA-F]{32,128})[ \t]+\*?(?P<name>.+)")
ALGORITHMS = {32: "md5", 40: "sha1", 64: "sha256", 96: "sha384", 128: "sha512"}

Progress = Callable[[int, int], None]


def image_fault(path: Path, *, whole: bool = False) -> str | None:
    """Say why an image file cannot be opened, or give None.

    Its pixels are looked at only when `whole` asks for it: a file that was cut off shows there.
    """
    try:
        with open_picture(path) as picture:
            if whole:
                picture.draft("L", (256, 256))
                picture.load()
            return None
    except UNREADABLE as error:
        return explain_unreadable(error)


def file_digest(path: Path, algorithm: str = "sha256") -> str:
    """Digest a file, in hexadecimal."""
    hashed = hashlib.new(algorithm, usedforsecurity=False)
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            hashed.update(chunk)
    return hashed.hexdigest()


def image_digests(
    folder: Path, names: Iterable[str], progress: Progress | None = None, named: str = ""
) -> dict[str, str]:
    """Digest images by SHA-256; a missing one is named with all others in one `StudyError`.

    `named` is the folder as `study.toml` names it.
    """
    wanted = sorted(set(names))
    missing = [name for name in wanted if not image_file(folder, name).is_file()]
    if missing:
        raise StudyError(*(f"image {name!r} is not in {named or folder.name}" for name in missing))
    digests = {}
    for number, name in enumerate(wanted, start=1):
        digests[name] = file_digest(image_file(folder, name))
        if progress is not None:
            progress(number, len(wanted))
    return digests


def read_checksums(path: Path) -> dict[str, str]:
    """Read a file of `digest  name` lines, as `sha256sum` and `md5sum` write them.

    Raises
    ------
    StudyError
        With every line that is neither empty, a `#` comment nor a digest and a name.
    """
    problems = Problems()
    checksums: dict[str, str] = {}
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise StudyError(
            f"study.toml [benchmark] checksums: no file {path.name!r}; take the key out, "
            "or put the file there"
        ) from None
    except UnicodeDecodeError:
        raise StudyError(f"{path.name}: not UTF-8 text; save it as UTF-8") from None
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = LINE.fullmatch(line.strip())
        if found is None or len(found["digest"]) not in ALGORITHMS:
            problems.add(f"{path.name} line {number}", "is not a digest followed by a file name")
            continue
        checksums[found["name"].strip().removeprefix("./")] = found["digest"].lower()
    problems.raise_if_any()
    return checksums


def check_listed(checksums: Mapping[str, str], place: str, names: Iterable[str]) -> None:
    """Refuse a list of digests that names no file of the study, so that nothing is compared.

    Names are compared without their folders, as `check_checksums` does.

    Raises
    ------
    StudyError
        When none of `names` is in the list; it names the nearest.
    """
    if not checksums:
        raise StudyError(f"{place}: holds no digest; its lines are a digest and a file name")
    wanted = sorted({name.rsplit("/", 1)[-1] for name in names})
    listed = {name.rsplit("/", 1)[-1] for name in checksums}
    if wanted and listed.isdisjoint(wanted):
        one = min(listed)
        raise StudyError(
            f"{place}: names no image, question file or vocabularies of this study, so nothing "
            f"could be compared; it has {one!r}{did_you_mean(one, wanted)}, the study {wanted[0]!r}"
        )


def check_checksums(
    checksums: Mapping[str, str], place: str, folders: Iterable[Path], names: Iterable[str]
) -> int:
    """Compare files with their published digests.

    Parameters
    ----------
    checksums : mapping of file name to hexadecimal digest
        MD5, SHA-1 or SHA-2, told apart by length. A name may carry folders.
    place : str
        What to call the list in messages.
    folders : iterable of Path
        Where files are looked for, in turn.
    names : iterable of str
        The files that matter (images of the sample, question files), as the study names them.

    Returns
    -------
    int
        How many of the files have a digest, all of them right.

    Raises
    ------
    StudyError
        With every file that differs from its digest.
    """
    places = list(folders)
    by_end = {name.rsplit("/", 1)[-1]: name for name in checksums}
    problems = Problems()
    checked = 0
    for name in sorted(set(names)):
        listed = name if name in checksums else by_end.get(name.rsplit("/", 1)[-1])
        files = (image_file(place, name) for place in places)
        path = next((file for file in files if file.is_file()), None)
        if listed is None or path is None:
            continue
        checked += 1
        if file_digest(path, ALGORITHMS[len(checksums[listed])]) != checksums[listed]:
            problems.add(
                name, f"differs from its digest in {place}; fetch the file again from its source"
            )
    problems.raise_if_any()
    return checked
