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
from sampling.answers.vocabulary_files import read_vocabularies
from sampling.study.errors import StudyError

PACKAGES = ("sampling", "analysis")
# Where scoring is entered: files of keys, people and models to answers (a reader of predictions
# decides what the answer is), answers to scores, scores to Table 11, fractions to what is printed.
ROOTS = (
    *("analysis.scoring.basis", "analysis.scoring.study", "analysis.scoring.models"),
    *("analysis.scoring.scored", "analysis.table11.table11", "analysis.scoring.exact"),
)

# What a freeze of version 0.1.0 holds of the code, and what that code did: reading rule 1.
FIRST_FILES = {
    "sampling/normalization.py": "28a30ccae6075e10ca7c8cd1a5930fcdb01c70b30f45d29df3180fab53705d77",
    "sampling/lenient.py": "ae739e1c977687d60840b20a5399c5602f148debb2935b833b502546ee823bf5",
    "sampling/label_keys.py": "71b395ad5692032cee61b30548a41c5230ebdb347595cfd0a21a94de3832dc0c",
    "sampling/transcription.py": "2890c89ce97b9bb8c517f90cb7cb77dd9f1c351db498ebfb2631f7f574cc6577",
    "analysis/scoring.py": "03c90583fda8b5a1929af365a146f44f004691d80b167514cb9169691484b74a",
    "analysis/scoring_basis.py": "05d246f0a2273b83b126b017300e0867a14dd9d0fad24237bdd5afc5a8943000",
    "analysis/transcription_scores.py": (
        "f64b8d0bb49bbefb36aa6467bf61fe2c9c048475d14c5426bfa18265f02b0bca"
    ),
}
FIRST_READING = "bb856c0b4f28112f7ecf4c20e3e6a69ace369ac5104282687a875a499af65d21"
FIRST_SCORES = "da1ce0aca90a91de9d1c2dc506776daf0a88db059a7fd6aa682cad9e73df2ba4"

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
            found += [_as_read(answer, vocabulary, policy) for policy in Policy]
    return _digest(found)


# How often each label or alias of a study's own is tried; `{}` is the label, `{other}` the next.
_OWN = (
    *("{}", " {}. ", "`{}`", "-{}", "{}#", "{}s", "no {}", '{{"answer": "{}"}}', "{}, {other}"),
    *("{} and {other}", "{}; {other}", "The answer is {}.", "It is not {}.", "{} is ruled out."),
)
_MOST_OWN = 60


def own_reading_digest(path: Path, rule: int) -> str | None:
    """Digest how a study's own labels and aliases are read under a rule; None without any.

    Keys are not looked at: what a bare list of labels means is that of a list without keys. Of a
    vocabulary with more than 60 names the first 60 are tried in every wording, the rest alone.
    """
    if not path.is_file():
        return None
    return _own_reading_digest(path, path.read_bytes(), rule)


@functools.lru_cache(maxsize=8)
def _own_reading_digest(path: Path, _content: bytes, rule: int) -> str | None:
    try:
        vocabularies = read_vocabularies(path, rule=rule)
    except StudyError:
        return None
    found = []
    for vocabulary in vocabularies.values():
        names = [*vocabulary.labels, *vocabulary.aliases]
        for place, name in enumerate(names):
            other = names[(place + 1) % len(names)]
            for pattern in _OWN if place < _MOST_OWN else _OWN[:1]:
                answer = pattern.format(name, other=other)
                found += [_as_read(answer, vocabulary, policy) for policy in Policy]
    return _digest(found)


def _as_read(answer: object, vocabulary: Vocabulary, policy: Policy) -> list[object]:
    one = normalize(answer, vocabulary, policy)
    return [one.status.value, one.value, one.reason, one.note]


def _digest(found: object) -> str:
    text = json.dumps(found, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


@functools.cache
def code_digest() -> str:
    """Digest the definitions of every module that scoring reaches, as installed."""
    return definitions_digest(reachable_sources())


def reachable_sources() -> dict[str, str]:
    """Read the modules of this product that `ROOTS` import, directly or not, by their names.

    Raises
    ------
    ImportError
        When one of them imports a module of this product that is not there, or by a place
        relative to its own.
    """
    found: dict[str, str] = {}
    waiting = list(ROOTS)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = _source_file(name).read_text(encoding="utf-8")
            waiting.extend(_imported(found[name], name))
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


def _source_file(name: str) -> Path:
    """Give the file of a module of this product."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ImportError(f"{name}: no such module, and scoring imports it; install Lontar again")
    return Path(spec.origin)


def _imported(source: str, importer: str) -> list[str]:
    """List the modules of this product that a module imports, with the packages they are in."""
    names: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level or not node.module:
                raise ImportError(f"{importer}: imports by a relative place, which is not followed")
            names += [node.module, *_modules_among(node)]
    parts = [name.split(".") for name in names if name.partition(".")[0] in PACKAGES]
    return [".".join(one[:end]) for one in parts for end in range(1, len(one) + 1)]


def _modules_among(node: ast.ImportFrom) -> list[str]:
    """List what is imported out of a package that is a module itself, not a name inside it."""
    package = node.module or ""
    if package.partition(".")[0] not in PACKAGES or not _is_package(package):
        return []
    names = (f"{package}.{one.name}" for one in node.names)
    return [name for name in names if find_spec(name) is not None]


def _is_package(name: str) -> bool:
    spec = find_spec(name)
    return spec is not None and spec.submodule_search_locations is not None
