"""Image names of a benchmark against the files of its images folder."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from sampling.study.errors import Problems, did_you_mean

FEW_FILES = 1000
MANY = 3
REMEDY = "put the images there, or take `images` out to go on without (the pages need them)"


def image_file(folder: Path, name: str) -> Path:
    """Give an image's path, under its name or under the name's other Unicode form.

    Archives made on macOS write `é` as two characters where a benchmark's table has one.
    """
    path = folder / name
    if name.isascii() or path.exists():
        return path
    forms = (folder / unicodedata.normalize(form, name) for form in ("NFC", "NFD"))
    return next((other for other in forms if other.exists()), path)


def composed(name: str) -> str:
    """Give the form (NFC) in which names that look the same are equal."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def check_images(
    images: Iterable[tuple[str, str]],
    folder: Path,
    named: str,
    problems: Problems,
    remedy: str = REMEDY,
) -> None:
    """Note images (place, name) that are missing, or whose name leaves the folder.

    `named` is the folder as `study.toml` names it. That it holds no image at all is one problem.
    """
    if not folder.is_dir():
        problems.add("study.toml [benchmark] images", f"no folder {named!r}; {remedy}")
        return
    first_places: dict[str, str] = {}
    for place, name in images:
        first_places.setdefault(name, place)
    present = _files(folder)
    if first_places and all(PurePosixPath(path).suffix in (".md", ".txt") for path in present):
        problems.add(
            "study.toml [benchmark] images",
            f"no image in {named!r}, {len(first_places):,} are named; {remedy}",
        )
        return
    by_name = {PurePosixPath(path).name: path for path in sorted(present)}
    known = set(map(composed, present))
    taken = set(map(composed, first_places))
    free = {name: path for name, path in by_name.items() if composed(path) not in taken}
    moved = {
        name: by_name[base]
        for name in first_places
        if composed(name) not in known and (base := PurePosixPath(name).name) in by_name
    }
    if len(moved) >= MANY:
        _note_moved(moved, first_places, named, problems)
        first_places = {name: at for name, at in first_places.items() if name not in moved}
    for name, place in first_places.items():
        path = PurePosixPath(name.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or ":" in name:
            problems.add(
                place, f"image {name!r} lies outside the images folder", "images outside the folder"
            )
        elif composed(path.as_posix()) not in known:
            problems.add(
                place,
                f"image {name!r} is not in {named}{_nearest_image(path, free)}",
                "missing images",
            )


def _note_moved(
    moved: Mapping[str, str], places: Mapping[str, str], named: str, problems: Problems
) -> None:
    """Note at once that many images lie in other folders than the questions say."""
    name, found = next(iter(moved.items()))
    problems.add(
        places[name],
        f"image {name!r} is not in {named} (it is at {found!r}), nor {len(moved) - 1:,} more that "
        "lie in other folders too; where the folder is a field of the question, say it: "
        'image_name = "{category}/{image}" under [benchmark.fields] ("{@folder}/{image}" for the '
        "folder of the question file)",
    )


def _files(folder: Path) -> frozenset[str]:
    """List every file under a folder by its path in it."""
    found: set[str] = set()
    for parent, _, names in os.walk(folder, followlinks=True):
        inside = PurePosixPath(Path(parent).relative_to(folder).as_posix())
        found.update((inside / name).as_posix() for name in names)
    return frozenset(found)


def _nearest_image(path: PurePosixPath, by_name: Mapping[str, str]) -> str:
    """Point to a file of the same name elsewhere, of another ending or case, or of a near name.

    `by_name` are the files that no question names: another question's image is no suggestion.
    """
    if path.name in by_name:
        return f" (it is at {by_name[path.name]!r})"
    for name, found in by_name.items():
        if PurePosixPath(name).stem.casefold() == path.stem.casefold():
            return f" (did you mean {found!r}?)"
    return did_you_mean(path.name, by_name) if len(by_name) < FEW_FILES else ""
