"""Vocabularies: what is accepted, and one message for each way to get one wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sampling.answers.vocabularies import AnswerFormat
from sampling.answers.vocabulary_files import parse_vocabularies, read_vocabularies
from sampling.study.errors import StudyError


def faults(entry: Any) -> tuple[str, ...]:
    with pytest.raises(StudyError) as caught:
        parse_vocabularies({"Condition": entry}, {}, "v.json")
    return caught.value.problems


def test_an_entry_is_read_with_everything_it_may_say() -> None:
    entry = {
        "format": "multi",
        "labels": ["intact", "cracks"],
        "aliases": {"crack": "cracks", "Cracks!": "cracks"},
        "exclusive": ["intact"],
        "help": {"cracks": "A split in the leaf", "": "Look at the whole leaf"},
        "gloss": {"id": {"cracks": "retak"}},
    }
    found = parse_vocabularies({"Condition": entry}, {})["Condition"]
    assert found.format is AnswerFormat.MULTI
    assert found.labels == ("intact", "cracks")
    assert found.aliases == {"crack": "cracks", "Cracks!": "cracks"}
    assert found.exclusive == {"intact"}
    assert found.help == {"cracks": "A split in the leaf", "": "Look at the whole leaf"}
    assert found.gloss == {"id": {"cracks": "retak"}}


def test_a_count_has_bounds_and_a_binary_is_yes_or_no_by_default() -> None:
    found = parse_vocabularies(
        {"Lines": {"format": "count", "max": 40}, "Signs": {"format": "binary"}}, {}
    )
    assert (found["Lines"].minimum, found["Lines"].maximum) == (0, 40)
    assert found["Signs"].labels == ("yes", "no")


@pytest.mark.parametrize(
    ("labels", "references", "answer_format"),
    [
        (["Yes", "no"], ["yes"], "binary"),
        (["cracks", "stains"], ["cracks", ["cracks", "stains"]], "multi"),
        (["cracks", "stains"], ["cracks", "cracks; stains"], "multi"),
        (["cracks", "stains"], ["cracks", []], "multi"),
        (["cracks", "stains"], ["cracks", ["stains"]], "single"),
        (["faded, uneven ink", "stains"], ["faded, uneven ink"], "single"),
        (["cracks", "stains"], [], "single"),
    ],
)
def test_a_bare_list_means_what_its_references_show(
    labels: list[str], references: list[Any], answer_format: str
) -> None:
    found = parse_vocabularies({"C": labels}, {"C": references})
    assert found["C"].format == answer_format


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"fromat": "single", "labels": ["a"]}, "unknown key 'fromat' (did you mean 'format'?)"),
        ({"labels": ["a"]}, "has no 'format'; give one of single, multi, binary, count, text"),
        ({"format": "mutli", "labels": ["a"]}, "unknown format 'mutli' (did you mean 'multi'?)"),
        ({"format": "single"}, "needs 'labels', a list of at least one"),
        ({"format": "single", "labels": []}, "needs 'labels', a list of at least one"),
        ({"format": "single", "labels": [1]}, "label 1 must be text in quotation marks"),
        ({"format": "single", "labels": ["a", "a"]}, "label 'a' stands twice"),
        ({"format": "binary", "labels": ["a"]}, "a binary vocabulary has two labels, not 1"),
        ({"format": "count", "labels": ["5"]}, "a count has no 'labels'"),
        ({"format": "single", "labels": ["a"], "max": 3}, "'max' belongs to a count, not to a"),
        ({"format": "count", "min": 5, "max": 3}, "'max' (3) is below 'min' (5)"),
        ({"format": "count", "max": "40"}, "'max' must be a whole number from 0, not '40'"),
        (
            {"format": "multi", "labels": ["cracks"], "exclusive": ["crack"]},
            "exclusive label 'crack' is no label (did you mean 'cracks'?)",
        ),
        (
            {"format": "multi", "labels": ["cracks"], "aliases": {"split": "crack"}},
            "alias 'split' stands for 'crack', which is no label (did you mean 'cracks'?)",
        ),
        (
            {"format": "multi", "labels": ["cracks"], "aliases": {"cracks": ["split"]}},
            "'aliases' maps an alias to its label; turn 'cracks' round",
        ),
        (
            {"format": "multi", "labels": ["cracks"], "help": {"crack": "x"}},
            "'crack' is no label (did you mean 'cracks'?)",
        ),
        ("yes, no", "neither an object such as"),
    ],
)
def test_a_wrong_entry_is_named(entry: Any, said: str) -> None:
    assert any(said in fault for fault in faults(entry)), faults(entry)


@pytest.mark.parametrize(
    ("labels", "aliases"),
    [
        (["Broken-edge", "broken edge"], {}),
        (["C", "C."], {}),
        (["ＡＢＣ", "abc"], {}),
        (["crack", "stain"], {"CRACK": "stain"}),
        (["crack", "stain"], {"split": "crack", "Split.": "stain"}),
    ],
)
def test_labels_that_the_scorer_cannot_tell_apart_are_an_error(
    labels: list[str], aliases: dict[str, str]
) -> None:
    entry = {"format": "multi", "labels": labels, "aliases": aliases}
    assert "are the same to the scorer" in faults(entry)[0]


@pytest.mark.parametrize("labels", [("C", "C#"), ("A", "A-"), ("5", "-5"), ("10", "10 %")])
def test_labels_that_only_rule_2_tells_apart_are_an_error_of_rule_1_that_says_so(
    labels: tuple[str, str],
) -> None:
    entries = {"Condition": {"format": "single", "labels": list(labels)}}
    assert parse_vocabularies(entries, {})["Condition"].labels == labels
    with pytest.raises(StudyError, match=r"set `reading_rule = 2` under \[analysis\]") as caught:
        parse_vocabularies(entries, {}, rule=1)
    assert "are the same to the scorer" in str(caught.value)


def test_labels_that_differ_by_marks_or_joiners_are_two() -> None:
    labels = ["Kambaramayanam", "Kambarāmayanam", "ശ\u200dസ", "ശസ", "m2", "m²"]
    found = parse_vocabularies({"C": {"format": "single", "labels": labels}}, {})
    assert found["C"].labels == tuple(labels)


def test_every_fault_of_every_category_is_said_at_once() -> None:
    with pytest.raises(StudyError) as caught:
        parse_vocabularies(
            {"A": {"format": "x"}, "B": {"format": "single", "labels": [1, 2]}}, {}, "v.json"
        )
    assert [fault.partition(":")[0] for fault in caught.value.problems] == [
        "v.json 'A'",
        "v.json 'B'",
        "v.json 'B'",
    ]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("v.json", '{"A": ["x"],}', "v.json line 1: not valid JSON"),
        ("v.json", '{"A": ["x"], "A": ["y"]}', "v.json: 'A' stands twice; keep one of them"),
        ("v.json", "[]", "v.json: holds no category; it must be an object such as"),
        ("v.json", "{}", "v.json: holds no category"),
        ("v.yaml", "A: [yes, no]", "vocabularies are read from JSON only"),
    ],
)
def test_a_file_that_is_no_vocabulary_is_one_clear_error(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(StudyError) as caught:
        read_vocabularies(tmp_path / name)
    assert said in str(caught.value)


def test_a_missing_file_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"v\.json: not found in"):
        read_vocabularies(tmp_path / "v.json")


def test_a_byte_order_mark_is_accepted(tmp_path: Path) -> None:
    text = json.dumps({"A": ["ខ្មែរ", "no"]}, ensure_ascii=False)
    (tmp_path / "v.json").write_text("\ufeff" + text, encoding="utf-8")
    assert read_vocabularies(tmp_path / "v.json")["A"].labels == ("ខ្មែរ", "no")
