"""What the linter does not know: imports at the top, no clock in the core, doors without logic."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

import pytest

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
BROAD = {"Exception", "BaseException"}
CLOCKS = {"datetime.now", "datetime.utcnow", "datetime.today", "date.today"} | {
    "time.time",
    "time.monotonic",
    "time.perf_counter",
}
# What the pure core has no business with: its own voice, and chance that no seed decides.
NOT_IN_THE_CORE = {"logging", "random", "secrets", "time", "uuid"}
FORBIDDEN_NAMES = {"utils", "util", "common", "helpers", "helper", "core", "manager", "misc"}
# The keys of the sample are for analysts: no page and no query may open them.
# Only the demonstration's simulated people know them, in a process of their own.
KNOWS_THE_KEYS = "study_server/demonstration/"
# Where a transaction begins and ends for whoever asks for one.
TRANSACTIONS = "study_server/store/schema/database.py"


def late_import_faults(sources: Iterable[Any]) -> list[str]:
    return [
        f"{file.path}:{inner.lineno}: imports inside a function"
        for file in sources
        for node in ast.walk(file.tree)
        if isinstance(node, FUNCTIONS)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    ]


def init_faults(sources: Iterable[Any]) -> list[str]:
    return [
        f"{file.path}: holds more than a docstring and what it offers"
        for file in sources
        if file.path.endswith("/__init__.py")
        if not ast.get_docstring(file.tree) or not all(map(is_door, file.tree.body[1:]))
    ]


def is_door(statement: ast.stmt) -> bool:
    """Tell an import, or the list of names a folder offers, from logic."""
    if isinstance(statement, ast.Assign):
        return [ast.unparse(target) for target in statement.targets] == ["__all__"]
    return isinstance(statement, ast.Import | ast.ImportFrom)


def docstring_faults(sources: Iterable[Any]) -> list[str]:
    return [f"{file.path}: no docstring" for file in sources if not ast.get_docstring(file.tree)]


def broad_except_faults(sources: Iterable[Any]) -> list[str]:
    faults = []
    for file in sources:
        for node in ast.walk(file.tree):
            if not isinstance(node, ast.ExceptHandler):
                continue
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            if any(kind is None or ast.unparse(kind) in BROAD for kind in kinds):
                faults.append(f"{file.path}:{node.lineno}: catches everything")
    return faults


def clock_faults(sources: Iterable[Any]) -> list[str]:
    return [
        f"{file.path}:{node.lineno}: reads the clock"
        for file in sources
        if file.package in {"sampling", "analysis"}
        for node in ast.walk(file.tree)
        if isinstance(node, ast.Call) and ".".join(ast.unparse(node.func).split(".")[-2:]) in CLOCKS
    ]


def voice_and_chance_faults(sources: Iterable[Any]) -> list[str]:
    faults = []
    for file in sources:
        if file.package not in {"sampling", "analysis"}:
            continue
        faults += [
            f"{file.path}:{line}: imports {module}"
            for line, module, _ in file.imports()
            if module.split(".")[0] in NOT_IN_THE_CORE
        ]
        faults += [
            f"{file.path}:{node.lineno}: {ast.unparse(node)}"
            for node in ast.walk(file.tree)
            if isinstance(node, ast.Call)
            if (name := ast.unparse(node.func).split(".")[-1]) == "print"
            or (name == "default_rng" and not node.args)
        ]
    return faults


def commit_faults(sources: Iterable[Any]) -> list[str]:
    return [
        f"{file.path}:{node.lineno}: ends a transaction that its page or command owns"
        for file in sources
        if file.path.startswith("study_server/store/") and file.path != TRANSACTIONS
        for node in ast.walk(file.tree)
        if isinstance(node, ast.Attribute) and node.attr in {"commit", "rollback"}
    ]


def name_faults(sources: Iterable[Any]) -> list[str]:
    return [
        f"{file.path}: a name that says nothing"
        for file in sources
        if FORBIDDEN_NAMES & set(file.path.removesuffix(".py").split("/"))
    ]


def key_faults(sources: Iterable[Any]) -> list[str]:
    return [
        f"{file.path}:{node.lineno}: opens the sample's keys"
        for file in sources
        if file.package == "study_server" and not file.path.startswith(KNOWS_THE_KEYS)
        for node in ast.walk(file.tree)
        if (isinstance(node, ast.Attribute) and node.attr == "keys_file")
        or (isinstance(node, ast.Constant) and node.value in {"keys.jsonl", "sample/keys.jsonl"})
    ]


CHECKS = [
    late_import_faults,
    init_faults,
    docstring_faults,
    broad_except_faults,
    clock_faults,
    voice_and_chance_faults,
    commit_faults,
    name_faults,
    key_faults,
]


@pytest.mark.parametrize("check", CHECKS)
def test_the_code_keeps_each_rule(sources: list[Any], check: Callable[..., list[str]]) -> None:
    faults = check(sources)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    ("check", "path", "lines"),
    [
        (late_import_faults, "sampling/a.py", ["def f():", "    import json"]),
        (init_faults, "sampling/__init__.py", ['"""A docstring."""', "VERSION = 1"]),
        (init_faults, "sampling/__init__.py", ["import a"]),
        (docstring_faults, "sampling/a.py", ["X = 1"]),
        (broad_except_faults, "sampling/a.py", ["try:", "    f()", "except:", "    pass"]),
        (
            broad_except_faults,
            "sampling/a.py",
            ["try:", "    f()", "except (OSError, Exception):", "    pass"],
        ),
        (clock_faults, "analysis/a.py", ["now = datetime.datetime.now(UTC)"]),
        (clock_faults, "sampling/a.py", ["now = time.time()"]),
        (voice_and_chance_faults, "sampling/a.py", ["print(1)"]),
        (voice_and_chance_faults, "sampling/a.py", ["import logging"]),
        (voice_and_chance_faults, "analysis/a.py", ["from random import shuffle"]),
        (voice_and_chance_faults, "analysis/a.py", ["stream = np.random.default_rng()"]),
        (commit_faults, "study_server/store/answering/answers.py", ["session.commit()"]),
        (name_faults, "analysis/utils.py", []),
        (name_faults, "analysis/core/a.py", []),
        (key_faults, "study_server/participant/pages.py", ["read(study.keys_file)"]),
        (key_faults, "study_server/app.py", ["read(study.keys_file)"]),
        (key_faults, "study_server/folder/a.py", ["read(study.keys_file)"]),
        (key_faults, "study_server/store/a.py", ['open("sample/keys.jsonl")']),
    ],
)
def test_a_planted_fault_is_found(
    planted: Callable[..., list[Any]], check: Callable[..., list[str]], path: str, lines: list[str]
) -> None:
    assert len(check(planted(path, *lines))) == 1
