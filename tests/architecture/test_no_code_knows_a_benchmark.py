"""`study.toml` says what a benchmark is: no code asks which one it has before it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

# Names of benchmarks, and of what only one of them has: collections, categories and media.
NAMES = re.compile(
    r"palm.?leaf|ancient.?bench"
    r"|\b(?:jathakam|kambaramayanam|script name|physical condition|visible line count)\b"
    r"|oracle_bone|bronze_rubbing|bamboo_wooden|silk_manuscript|inscription_rubbing"
    r"|cliff_carving|book_edition|calligraphys|\bseals\b",
    re.IGNORECASE,
)
# Files that may name one, and why that is no question which benchmark a study has.
MAY_NAME_ONE = {
    "sampling/study/presets.py": "the folders that hold first studies",
    "analysis/predictions/detect_format.py": "what people call formats of model outputs",
}
# A benchmark of our own is drawn there: it is one, it does not ask for one.
DRAWN = "sampling/synthetic/"


def named_in_code(sources: Iterable[Any]) -> list[str]:
    """Find texts of the code, other than docstrings, that name a benchmark or a part of one."""
    return [
        f"{file.path}:{line}: names {text!r}"
        for file in sources
        if file.path not in MAY_NAME_ONE and not file.path.startswith(DRAWN)
        for line, text in strings(file.tree)
        if NAMES.search(text)
    ]


def strings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the string constants that a program uses: docstrings do nothing."""
    documentation = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in documentation:
            yield node.lineno, node.value


def test_no_code_names_a_benchmark(sources: list[Any]) -> None:
    assert named_in_code(sources) == []


def test_a_branch_on_a_benchmarks_name_is_seen(planted: Callable[..., list[Any]]) -> None:
    lines = ("def width(name):", '    """For palm leaves."""', '    return name == "PalmLeaf-VQA"')
    assert named_in_code(planted("analysis/report/page.py", *lines)) == [
        "analysis/report/page.py:3: names 'PalmLeaf-VQA'"
    ]


def test_a_branch_on_a_medium_is_seen(planted: Callable[..., list[Any]]) -> None:
    lines = ("def vertical(medium):", '    return medium in {"seals", "silk_manuscripts"}')
    assert len(named_in_code(planted("study_server/folder/loading.py", *lines))) == 2


def test_what_may_name_one_is_never_compared_with_a_studys_own_words(sources: list[Any]) -> None:
    for file in sources:
        if file.path in MAY_NAME_ONE:
            assert "study.name" not in file.text
            assert "category" not in file.text


def test_no_page_and_no_script_names_a_benchmark(repository: Path) -> None:
    shown = [
        *(repository / "templates" / "participant").rglob("*.html"),
        *(repository / "templates" / "coordinator").rglob("*.html"),
        *(repository / "templates" / "report").rglob("*.html"),
        *(repository / "study_server" / "static" / "participant").rglob("*.*"),
        *(repository / "study_server" / "static" / "coordinator").rglob("*.*"),
    ]
    assert len(shown) > 20
    assert [one.name for one in shown if NAMES.search(one.read_text(encoding="utf-8"))] == []
