"""Studies at the edge of what can be estimated: a number, or the reason why there is none."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.statistics.tables import write_statistics

FORMATS = {
    "single": ("a", "b", "c"),
    "binary": ("yes", "no"),
    "count": (3, 4, 9),
    "multi": (("a",), ("a", "b"), ("c",)),
}


def read(folder, name):
    text = (folder / f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text)))


def rows_of(folder, name, **wanted):
    return [
        row for row in read(folder, name) if all(row[key] == one for key, one in wanted.items())
    ]


def simple(make_study, answers, models=None, n=8, kind="binary"):
    questions = {
        f"q{i}": (f"C{i % 2}", f"L{i % 4}", f"i{i}", kind, FORMATS[kind][0], 2) for i in range(n)
    }
    return make_study(questions, answers, models)


def test_unanimous_answers_agree_fully_and_leave_alpha_undefined(make_study, definition, tmp_path):
    answers = [(f"q{i}", f"P{p}", "yes") for i in range(8) for p in range(3)]
    further = write_statistics(simple(make_study, answers), definition, tmp_path)
    row = further.agreement["C0"]
    assert (row["exact_by_question"], row["alpha"]) == ("100.00", "")
    assert "every answer was the same" in row["reason"]
    assert further.agreement["overall"]["alpha_defined"] == "0 of 2"
    # AC1 is defined: p_e = 0, so that it is 1.
    assert row["ac1"] == "1.0000"


def test_unanimous_right_answers_do_not_give_a_width_of_zero(make_study, definition, tmp_path):
    answers = [(f"q{i}", f"P{p}", "yes") for i in range(8) for p in range(3)]
    further = write_statistics(simple(make_study, answers), definition, tmp_path)
    # 8 / (8 + 3.8415) = 67.56 per cent.
    assert (further.table11["Human"]["em_t2_low"], further.table11["Human"]["em_t2_high"]) == (
        "67.56",
        "100.00",
    )


def test_one_participant_has_no_t3_and_no_agreement(make_study, definition, tmp_path):
    answers = [(f"q{i}", "P0", "yes" if i % 3 else "no") for i in range(8)]
    further = write_statistics(simple(make_study, answers), definition, tmp_path)
    row = rows_of(tmp_path, "intervals", evaluator="Human", metric="em", target="T3")[0]
    assert row["low"] == ""
    assert row["reason"].startswith("one participant")
    assert further.agreement["C0"]["exact_by_question"] == ""
    assert "no question has two" in further.agreement["C0"]["reason"]
    assert further.table11["Human"]["em_t2_low"] != ""


def test_people_without_a_shared_question_are_a_fault_of_the_design(
    make_study, definition, tmp_path
):
    answers = [
        (f"q{i}", f"P{p + 2 * (i // 4)}", "yes" if (i + p) % 3 else "no")
        for i in range(8)
        for p in range(2)
    ]
    write_statistics(simple(make_study, answers), definition, tmp_path)
    row = rows_of(tmp_path, "intervals", evaluator="Human", metric="em", target="T3")[0]
    assert row["reason"] == (
        "design fault: the participants fall into 2 groups that share no question"
    )


def test_no_overlap_at_all_gives_no_agreement(make_study, definition, tmp_path):
    answers = [(f"q{i}", f"P{i % 2}", "yes" if i % 3 else "no") for i in range(8)]
    further = write_statistics(simple(make_study, answers), definition, tmp_path)
    assert further.agreement["overall"]["reason"] == "no question has two answers"


def test_one_question_has_no_interval(make_study, definition, tmp_path):
    answers = [("q0", "P0", "yes"), ("q0", "P1", "no")]
    study = simple(make_study, answers, {"M": {"q0": "yes"}}, n=1)
    write_statistics(study, definition, tmp_path)
    gap = read(tmp_path, "gaps")[0]
    assert (gap["gap"], gap["t2_low"], gap["mde"]) == ("-50.00", "", "")
    assert gap["statement"].startswith("no claim: ")


def test_no_responses_write_nothing(make_study, definition, tmp_path):
    further = write_statistics(simple(make_study, []), definition, tmp_path)
    assert not list(tmp_path.iterdir())
    assert further.table11 == {}


def test_without_models_the_tables_of_gaps_are_headers(make_study, definition, tmp_path):
    answers = [(f"q{i}", f"P{p}", "yes" if (i + p) % 3 else "no") for i in range(8) for p in (0, 1)]
    write_statistics(simple(make_study, answers), definition, tmp_path)
    assert read(tmp_path, "gaps") == []
    assert (tmp_path / "gaps.csv").read_text(encoding="utf-8").startswith("model,metric,gap,")


def test_the_alternative_annotator_test_needs_thirty_shared_questions(
    make_study, definition, tmp_path
):
    answers = [(f"q{i}", f"P{p}", "yes" if (i + p) % 3 else "no") for i in range(8) for p in (0, 1)]
    study = simple(make_study, answers, {"M": {f"q{i}": "yes" for i in range(8)}})
    write_statistics(study, definition, tmp_path)
    assert "30 questions" in read(tmp_path, "alt_test")[0]["reason"]


def test_questions_that_everyone_answers_against_the_key_are_listed(
    make_study, definition, tmp_path
):
    answers = [(f"q{i}", f"P{p}", "no" if i == 3 else "yes") for i in range(8) for p in range(3)]
    write_statistics(simple(make_study, answers), definition, tmp_path)
    suspect = read(tmp_path, "key_audit_questions")
    assert [(row["sample_id"], row["key"], row["people"]) for row in suspect] == [
        ("q3", "yes", "no")
    ]
    overall = rows_of(tmp_path, "key_audit", category="overall")[0]
    # 21 of 24 answers are right; with that key changed, all are.
    assert (overall["em"], overall["em_if_people_are_right"]) == ("87.50", "100.00")


@st.composite
def studies(draw):
    """A few questions of any format, any answers by a few people, one or two models."""
    n = draw(st.integers(1, 7))
    kinds = [draw(st.sampled_from(sorted(FORMATS))) for _ in range(2)]
    category = [draw(st.integers(0, 1)) for _ in range(n)]
    questions = {
        f"q{i}": (
            f"C{category[i]}",
            f"L{draw(st.integers(0, 1))}",
            draw(st.sampled_from(["", "a.jpg", "b.jpg", f"{i}.jpg"])),
            kinds[category[i]],
            draw(st.sampled_from(FORMATS[kinds[category[i]]])),
            draw(st.sampled_from([0, 2, 3])),
        )
        for i in range(n)
    }
    options = {one: [*FORMATS[row[3]], None] for one, row in questions.items()}
    answers = [
        (one, f"P{p}", draw(st.sampled_from(options[one])))
        for one in questions
        for p in range(4)
        if draw(st.booleans())
    ]
    models = {
        name: {one: draw(st.sampled_from(options[one])) for one in questions if draw(st.booleans())}
        for name in ("M", "N")[: draw(st.integers(0, 2))]
    }
    return questions, answers, models


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(study=studies())
def test_any_small_study_gives_tables_without_nan_or_infinity(
    make_study, definition, tmp_path, study
):
    quick = definition.model_copy(
        update={"analysis": definition.analysis.model_copy(update={"resamples": 20})}
    )
    write_statistics(make_study(*study), quick, tmp_path)
    for path in tmp_path.iterdir():
        for row in csv.reader(io.StringIO(path.read_text(encoding="utf-8"))):
            assert not {"nan", "inf", "-inf", "None"} & {cell.lower() for cell in row[2:]}


@pytest.mark.parametrize("kind", sorted(FORMATS))
def test_every_format_alone_has_its_agreement(make_study, definition, tmp_path, kind):
    options = FORMATS[kind]
    answers = [
        (f"q{i}", f"P{p}", options[(i * p) % len(options)]) for i in range(8) for p in range(3)
    ]
    further = write_statistics(simple(make_study, answers, kind=kind), definition, tmp_path)
    assert further.agreement["C0"]["exact_by_question"]
