"""The source files that the house rules are about, and a way to plant a fault among copies."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

PACKAGES = ("sampling", "analysis", "study_server", "templates", "instructions")


@dataclass(frozen=True)
class SourceFile:
    """One Python file: its path inside the repository, its text and its syntax tree."""

    path: str
    text: str
    tree: ast.Module

    @property
    def package(self) -> str:
        return self.path.split("/")[0]

    def imports(self) -> Iterator[tuple[int, str, tuple[str, ...]]]:
        """Give line, module and imported names of every import, wherever it stands."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield node.lineno, alias.name, ()
            elif isinstance(node, ast.ImportFrom):
                yield node.lineno, node.module or "", tuple(alias.name for alias in node.names)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the repository."""
    return Path(__file__).parents[2]


@pytest.fixture(scope="session")
def sources(repository: Path) -> list[SourceFile]:
    """Every Python file that ships."""
    files = sorted(file for package in PACKAGES for file in (repository / package).rglob("*.py"))
    return [source(file.relative_to(repository).as_posix(), file.read_text()) for file in files]


@pytest.fixture(scope="session")
def planted() -> Callable[..., list[SourceFile]]:
    """A function that makes one source file from a path and its lines."""

    def plant(path: str, *lines: str) -> list[SourceFile]:
        return [source(path, "\n".join(lines) + "\n")]

    return plant


def source(path: str, text: str) -> SourceFile:
    return SourceFile(path, text, ast.parse(text))
