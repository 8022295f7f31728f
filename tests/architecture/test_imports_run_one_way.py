"""`study_server → analysis → sampling`, each package inside its fence."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

import pytest

MAY_IMPORT = {
    "sampling": {"sampling", "templates", "instructions"},
    "analysis": {"analysis", "sampling", "templates", "instructions"},
    "study_server": {"study_server", "analysis", "sampling", "templates", "instructions"},
    "templates": set(),
    "instructions": set(),
}
OURS = set(MAY_IMPORT)
# Third-party packages a room may use; study_server may use all that pyproject.toml names.
FENCES = {
    "sampling": {"numpy", "scipy", "pydantic", "pyarrow", "fsspec", "openpyxl"}
    | {"PIL", "imagehash", "uharfbuzz", "fontTools", "rapidfuzz"},
    "analysis": {"numpy", "scipy", "pandas", "matplotlib", "rapidfuzz", "krippendorff", "PIL"}
    | {"jinja2", "markdown_it", "pyarrow", "openpyxl", "zstandard", "pydantic"},
}
IN_ONE_FILE = {"krippendorff"}
# What a signature or an `except` outside the store may name; what makes a statement may not.
SQL_TYPES = {"DBAPIError", "Engine", "Session"}
BLUEPRINTS = ("participant", "coordinator")


def direction_faults(sources: Iterable[Any]) -> list[str]:
    faults = []
    for file in sources:
        for line, module, _ in file.imports():
            package = module.split(".")[0]
            if package in OURS and package not in MAY_IMPORT[file.package]:
                faults.append(f"{file.path}:{line}: imports {module}")
    return faults


def fence_faults(sources: Iterable[Any]) -> list[str]:
    faults = []
    for file in sources:
        fence = FENCES.get(file.package)
        for line, module, _ in file.imports():
            package = module.split(".")[0]
            known = package in OURS or package in sys.stdlib_module_names
            if fence is not None and not known and package not in fence:
                faults.append(f"{file.path}:{line}: imports {module}")
    return faults


def sql_faults(sources: Iterable[Any]) -> list[str]:
    faults = []
    for file in sources:
        if file.path.startswith("study_server/store/"):
            continue
        for line, module, names in file.imports():
            if module.split(".")[0] == "alembic":
                faults.append(f"{file.path}:{line}: imports {module} outside the store")
            if module.split(".")[0] == "sqlalchemy" and not set(names) <= SQL_TYPES:
                faults.append(f"{file.path}:{line}: imports {module} outside the store")
            elif module == "sqlalchemy" and not names:
                faults.append(f"{file.path}:{line}: imports sqlalchemy outside the store")
    return faults


def blueprint_faults(sources: Iterable[Any]) -> list[str]:
    faults = []
    for file in sources:
        for mine, other in (BLUEPRINTS, BLUEPRINTS[::-1]):
            if file.path.startswith(f"study_server/{mine}/"):
                faults += [
                    f"{file.path}:{line}: imports {module}"
                    for line, module, names in file.imports()
                    if f"{module}.".startswith(f"study_server.{other}.")
                    or (module == "study_server" and other in names)
                ]
    return faults


def files_importing(package: str, sources: Iterable[Any]) -> set[str]:
    return {
        file.path
        for file in sources
        for _, module, _ in file.imports()
        if module.split(".")[0] == package
    }


def test_no_package_imports_from_a_later_room(sources: list[Any]) -> None:
    faults = direction_faults(sources)
    assert not faults, "\n".join(faults)


def test_each_package_stays_inside_its_fence(sources: list[Any]) -> None:
    faults = fence_faults(sources)
    assert not faults, "\n".join(faults)


def test_all_sql_is_in_the_store(sources: list[Any]) -> None:
    faults = sql_faults(sources)
    assert not faults, "\n".join(faults)


def test_neither_blueprint_imports_the_other(sources: list[Any]) -> None:
    faults = blueprint_faults(sources)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("package", sorted(IN_ONE_FILE))
def test_a_narrow_dependency_is_imported_by_one_file_at_most(
    sources: list[Any], package: str
) -> None:
    assert len(files_importing(package, sources)) <= 1


@pytest.mark.parametrize(
    ("check", "path", "line"),
    [
        (direction_faults, "sampling/draw/draw.py", "from analysis.scoring.scores import score"),
        (direction_faults, "analysis/report.py", "import study_server.store"),
        (fence_faults, "sampling/draw/draw.py", "import pandas as pd"),
        (fence_faults, "analysis/report.py", "from flask import Flask"),
        (fence_faults, "analysis/report.py", "from sqlalchemy import select"),
        (sql_faults, "study_server/participant/pages.py", "from sqlalchemy import select"),
        (sql_faults, "study_server/commands/collection.py", "import sqlalchemy"),
        (sql_faults, "study_server/app.py", "from sqlalchemy.exc import IntegrityError"),
        (
            blueprint_faults,
            "study_server/participant/pages.py",
            "from study_server.coordinator.pages import home",
        ),
        (
            blueprint_faults,
            "study_server/coordinator/pages.py",
            "from study_server import participant",
        ),
    ],
)
def test_a_planted_import_is_found(
    planted: Callable[..., list[Any]], check: Callable[..., list[str]], path: str, line: str
) -> None:
    inside_a_function = planted(path, '"""A module."""', "def work() -> None:", f"    {line}")
    assert len(check(inside_a_function)) == 1


def test_a_session_may_be_named_in_a_signature_outside_the_store(
    planted: Callable[..., list[Any]],
) -> None:
    page = planted("study_server/participant/pages.py", "from sqlalchemy.orm import Session")
    assert sql_faults(page) == []
