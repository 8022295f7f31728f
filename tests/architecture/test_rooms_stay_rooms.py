"""Rooms, not closets: how many modules there are, how many a folder, and no circle between them.

`python tests/architecture/test_rooms_stay_rooms.py` prints the figures.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("sampling", "analysis", "study_server")
# `store` is a package within the server: all SQL, with folders of its own.
ROOTS = (*PACKAGES, "study_server/store")
MOST_MODULES = 280
MOST_IN_A_FOLDER, LEAST_IN_A_FOLDER, MOST_IN_A_ROOT = 14, 4, 3


def modules() -> list[str]:
    """List the modules by path: no doors (`__init__`), and no steps of the migrations."""
    return sorted(
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if path.name != "__init__.py" and "migrations" not in path.parts
    )


def folders() -> Counter[str]:
    """Count the modules of each folder."""
    return Counter(module.rpartition("/")[0] for module in modules())


def imports() -> dict[str, set[str]]:
    """Map each module to those of ours that it imports."""
    known = {module.removesuffix(".py").replace("/", "."): module for module in modules()}
    found: dict[str, set[str]] = defaultdict(set)
    for name, path in known.items():
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                named = [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
                found[name] |= {one for one in named if one in known} - {name}
    return found


def test_there_are_no_more_modules_than_one_can_know() -> None:
    assert len(modules()) <= MOST_MODULES


def test_a_folder_holds_a_subject_and_not_a_module_or_a_crowd() -> None:
    wrong = {
        folder: count
        for folder, count in folders().items()
        if count > (MOST_IN_A_ROOT if folder in ROOTS else MOST_IN_A_FOLDER)
        or (folder not in ROOTS and count < LEAST_IN_A_FOLDER)
    }
    assert wrong == {}


def test_no_modules_import_each_other_in_a_circle() -> None:
    try:
        list(TopologicalSorter(imports()).static_order())
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None


if __name__ == "__main__":
    print(f"{len(modules())} modules (at most {MOST_MODULES})")  # noqa: T201
    for folder, count in sorted(folders().items()):
        print(f"{count:3}  {folder}")  # noqa: T201
