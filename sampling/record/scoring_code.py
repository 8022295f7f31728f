"""What decides how an answer is read and scored, by digest: what the code says, what it does."""

from __future__ import annotations

import ast
import functools
import hashlib
import json
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from sampling.answers.normalization import Policy, normalize
from sampling.answers.vocabularies import AnswerFormat, Vocabulary

PACKAGES = ("sampling", "analysis")
# Where scoring is entered: answers to scores, scores to Table 11, fractions to what is printed.
ROOTS = ("analysis.scoring.scored", "analysis.table11.table11", "analysis.scoring.exact")

# What a freeze of version 0.1.0 holds of the code, and what that code did: reading rule 1.
FIRST_FILES = {
    "sampling/normalization.py": "28a30ccae6075e10ca7c8cd1a5930fcdb01c70b30f45d29df3180fab53705d77",
    "sampling/lenient.py": "ae739e1c977687d60840b20a5399c5602f148debb2935b833b502546ee823bf5",
    "sampling/label_keys.py": "71b395ad5692032cee61b30548a41c5230ebdb347595cfd0a21a94de3832dc0c",
    "sampling/transcription.py": "2890c89ce97b9bb8c517f90cb7cb77dd9f1c351db498ebfb2631f7f574cc6577",
    "analysis/scoring.py": "03c90583fda8b5a1929af365a146f44f004691d80b167514cb9169691484b74a",
    "analysis/transcription_scores.py": (
        "f64b8d0bb49bbefb36aa6467bf61fe2c9c048475d14c5426bfa18265f02b0bca"
    ),
}
FIRST_READING = "bb856c0b4f28112f7ecf4c20e3e6a69ace369ac5104282687a875a499af65d21"

_CASES = {
    AnswerFormat.SINGLE: (
        ("5", "10", "C", "F+", "Khmer", "Broken-edge", "no hole"),
        (
            "-5",
            "C#",
            " KHMER. ",
            "`C`",
            "$5$",
            "broken edge",
            "It is Khmer.",
            "Not Khmer",
            "F+",
            "Khmer is ruled out.",
            "The mark is F.",
            "C, C",
            "C and 5",
            "```\nC\n```",
            5,
            5.0,
            True,
            "<think>C</think>5",
            "<think>C",
            '{"answer": "C"}',
            ["C"],
            None,
            "",
            "Khm͏er",
        ),
    ),
    AnswerFormat.MULTI: (
        ("cracks", "stains", "faded, ink"),
        (
            "cracks; stains",
            "Faded, ink and cracks",
            "crack",
            "1. cracks\n2. stains",
            "no cracks",
            "Cracks are absent.",
            "cracks, rust",
            [],
            ["stains", ["cracks"]],
            "```\ncracks\n```",
        ),
    ),
    AnswerFormat.BINARY: (
        ("yes", "no"),
        ("Yes.", "The answer is yes.", "no, there is none", "yes or no", True, "I have no idea"),
    ),
    AnswerFormat.COUNT: (
        (),
        (
            "5",
            "-5",
            "five lines",
            "one hundred lines",
            "two dozen",
            "1,005",
            "5.0",
            "៥",
            "5²",
            "none",
            "The answer is $5$.",
            "3-4",
            "about 5",
            "more than 5",
            5,
            5.5,
            True,
            "twenty one",
        ),
    ),
    AnswerFormat.TEXT: (
        (),
        (
            "e\u0301 a",
            "ក\u200bខ",
            "<res>山 水</res>",
            "▢▢日",
            "<think>a</think>b",
            "",
            None,
            ["a", "b"],
        ),
    ),
}


def reading_digest(rule: int) -> str:
    """Digest how a fixed set of answers is read under a rule, strictly and leniently."""
    found = []
    for answer_format, (labels, answers) in _CASES.items():
        vocabulary = Vocabulary("Category", answer_format, labels, rule=rule)
        for answer in answers:
            for policy in Policy:
                one = normalize(answer, vocabulary, policy)
                found.append([one.status.value, one.value, one.reason, one.note])
    text = json.dumps(found, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


@functools.cache
def code_digest() -> str:
    """Digest the definitions of every module that scoring reaches, as installed."""
    return definitions_digest(reachable_sources())


def reachable_sources() -> dict[str, str]:
    """Read the modules of this product that `ROOTS` import, directly or not, by their names."""
    found: dict[str, str] = {}
    waiting = list(ROOTS)
    while waiting:
        name = waiting.pop()
        path = None if name in found else _source_file(name)
        if path is not None:
            found[name] = path.read_text(encoding="utf-8")
            waiting.extend(_imported(found[name]))
    return found


def definitions_digest(sources: Mapping[str, str]) -> str:
    """Digest definitions without docstrings, imports and places: moving one changes nothing."""
    written = sorted(
        {
            ast.unparse(_Bare().visit(statement))
            for source in sources.values()
            for statement in ast.parse(source).body
            if not isinstance(statement, (ast.Import, ast.ImportFrom)) and not _is_text(statement)
        }
    )
    return hashlib.sha256("\n".join(written).encode("utf-8")).hexdigest()


class _Bare(ast.NodeTransformer):
    """Leaves out texts that stand alone: docstrings."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        return ast.Pass() if _is_text(node) else node


def _is_text(statement: ast.AST) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _source_file(name: str) -> Path | None:
    """Give the file of a module of this product; None for what is no module of it."""
    if name.partition(".")[0] not in PACKAGES:
        return None
    try:
        spec = find_spec(name)
    except ModuleNotFoundError:  # a name inside a module, not a module
        return None
    return None if spec is None or spec.origin is None else Path(spec.origin)


def _imported(source: str) -> list[str]:
    """List what a module imports, and what it imports from it, which may be modules."""
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names += [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
    return names
