"""Studies at the edge give right numbers or a clear refusal."""

from __future__ import annotations

import csv
import json
from fractions import Fraction

import pytest

from analysis.results import core_tables, write_results
from analysis.scoring.study import score_study
from analysis.table11.files import agreement_rows, as_markdown, as_text, table11_latex
from analysis.table11.latex import latex, latex_table
from analysis.table11.pair_agreement import category_agreement
from analysis.table11.table11 import build_table11
from sampling.study.errors import StudyError

SCRIPT = {"Script": {"format": "single", "labels": ["nan", "None", "NA", "null"]}}
QUESTIONS = [{"sample_id": f"q{number}", "category": "Script"} for number in range(1, 5)]
KEYS = {"q1": "nan", "q2": "None", "q3": "NA", "q4": "null"}


def predictions(answers):
    return [{"sample_id": name, "raw_prediction": answer} for name, answer in answers.items()]


def read_lines(path):
    return [json.loads(row) for row in path.read_text(encoding="utf-8").splitlines()]


def test_labels_that_look_like_nothing_stay_labels(write_study) -> None:
    answers = [(name, "P1", 1, key) for name, key in KEYS.items()]
    study = write_study(QUESTIONS, KEYS, SCRIPT, answers, {"m": predictions(KEYS)})
    scored = score_study(study)
    assert scored.responses["normalized"].to_list() == ["nan", "None", "NA", "null"]
    table = build_table11(scored)
    assert [row.means["em"] for row in table.rows] == [1, 1]


def test_unanimous_answers_agree_fully(write_study) -> None:
    answers = [
        (name, person, index, "nan") for name in KEYS for index, person in enumerate("AB", 1)
    ]
    scored = score_study(write_study(QUESTIONS, KEYS, SCRIPT, answers))
    (found,) = category_agreement(scored)
    assert (found.exact, found.n_questions) == (1, 4)
    assert build_table11(scored).rows[0].means["em"] == Fraction(1, 4)


def test_one_participant_only_has_scores_but_no_agreement(write_study) -> None:
    answers = [(name, "P1", 1, key) for name, key in KEYS.items()]
    scored = score_study(write_study(QUESTIONS, KEYS, SCRIPT, answers))
    assert build_table11(scored).rows[0].agreement is None
    rows = agreement_rows(scored, {}, {})
    assert [row["exact_agreement"] for row in rows] == ["", ""]
    assert [row["n_single_answer"] for row in rows] == ["4", "4"]


def test_two_people_without_a_shared_question_do_not_agree_or_disagree(write_study) -> None:
    answers = [("q1", "P1", 1, "nan"), ("q2", "P2", 1, "nan")]
    scored = score_study(write_study(QUESTIONS, KEYS, SCRIPT, answers))
    assert build_table11(scored).rows[0].agreement is None


def test_two_invalid_answers_do_not_agree(write_study) -> None:
    answers = [("q1", "P1", 1, "what"), ("q1", "P2", 2, "what"), ("q1", "P3", 3, "nan")]
    scored = score_study(write_study(QUESTIONS[:1], {"q1": "nan"}, SCRIPT, answers))
    assert category_agreement(scored)[0].exact == 0
    # One of three answers is right; the two invalid ones stay in the denominator.
    assert build_table11(scored).rows[0].means["em"] == Fraction(1, 3)


def test_a_model_that_is_always_wrong_scores_zero_with_the_whole_gap(write_study) -> None:
    answers = [(name, "P1", 1, key) for name, key in KEYS.items()]
    wrong = predictions(dict.fromkeys(KEYS, "no such label"))
    scored = score_study(write_study(QUESTIONS, KEYS, SCRIPT, answers, {"m": wrong}))
    row = build_table11(scored).rows[1]
    assert (row.means["em"], row.gaps["em"], row.counts["n_em"]) == (0, 1, 4)


@pytest.mark.parametrize(
    ("given", "more"), [("B", "put the option's text"), (2, "put the option's text"), ("or?", "")]
)
def test_answers_that_are_written_otherwise_than_the_labels_are_pointed_out(
    write_study, given, more
) -> None:
    answers = [(name, "P1", 1, key) for name, key in KEYS.items()]
    study = write_study(QUESTIONS, KEYS, SCRIPT, answers, {"m": predictions({**KEYS, "q2": given})})
    (warning,) = (one for one in score_study(study).warnings if "vocabularies" in one)
    assert "m (constrained): 1 of 4 answers are not as the vocabularies have them" in warning
    assert f"such as {str(given)!r} (" in warning
    assert more in warning
    assert ("put the option's text" in warning) == bool(more)


def test_missing_answers_are_missing_and_the_gap_is_on_what_both_answered(write_study) -> None:
    # People: q1 right, q2 wrong, q3 right; q4 nobody. Model: q1 right, q3 wrong, q4 right.
    answers = [("q1", "P1", 1, "nan"), ("q2", "P1", 1, "NA"), ("q3", "P1", 1, "NA")]
    model = predictions({"q1": "nan", "q3": "nan", "q4": "null"})
    scored = score_study(write_study(QUESTIONS, KEYS, SCRIPT, answers, {"m": model}))
    table = build_table11(scored)
    row = table.rows[1]
    assert row.counts["n_em"] == 3
    assert row.means["em"] == Fraction(2, 3)
    # Shared: q1 and q3. People 2/2, model 1/2.
    assert (row.shared_questions, row.shared_responses) == (2, 2)
    assert row.gaps["em"] == Fraction(1, 2)
    assert "1 of 4 questions without an answer" in " ".join(scored.warnings)
    assert "on the 2 questions that both answered (2 human answers)" in " ".join(table.notes)


def test_repeated_answers_stop_with_both_lines(write_study) -> None:
    rows = [*predictions(KEYS), *predictions({"q1": "NA", "q2": "NA", "q3": "NA"})]
    study = write_study(QUESTIONS, KEYS, SCRIPT, [("q1", "P1", 1, "nan")], {"m": rows})
    with pytest.raises(StudyError) as caught:
        score_study(study)
    assert len(caught.value.problems) == 3
    assert caught.value.problems[0].startswith(
        "m.jsonl line 5: question 'q1' is answered twice by m"
    )
    assert "(first at m.jsonl line 1)" in caught.value.problems[0]


def test_unequal_numbers_of_answers_give_both_means_and_another_title(write_study) -> None:
    # q1: right and wrong, q2: right. Over answers 2/3, over questions (1/2 + 1) / 2 = 3/4.
    answers = [("q1", "P1", 1, "nan"), ("q1", "P2", 2, "NA"), ("q2", "P1", 1, "None")]
    questions, keys = QUESTIONS[:2], {"q1": "nan", "q2": "None"}
    scored = score_study(write_study(questions, keys, SCRIPT, answers))
    table = build_table11(scored)
    row = table.rows[0]
    assert (row.means["em"], row.question_means["em"]) == (Fraction(2, 3), Fraction(3, 4))
    printed = as_markdown(table)
    assert "Table 11" not in printed.splitlines()[0]
    assert "Means over questions" in printed
    assert "75.00" in printed
    assert as_text(table).startswith("Human baseline\n")


def test_an_answer_to_a_question_outside_the_sample_stops(write_study) -> None:
    study = write_study(QUESTIONS, KEYS, SCRIPT, [("q9", "P1", 1, "nan")])
    with pytest.raises(StudyError, match=r"line 1: question 'q9' is not in sample/questions"):
        score_study(study)


def test_every_answer_outside_the_sample_is_counted(write_study) -> None:
    answers = [(f"x{number}", "P1", 1, "nan") for number in range(25)]
    answers += [("q1", "P1", 1, "nan"), ("q1", "P1", 2, "NA")]
    with pytest.raises(StudyError) as caught:
        score_study(write_study(QUESTIONS, KEYS, SCRIPT, answers))
    assert caught.value.total == 26
    assert caught.value.problems[-2:] == (
        "responses.jsonl line 27: P1 answered question 'q1' twice",
        "and 5 more: responses to questions outside the sample",
    )


def test_faults_of_the_responses_and_of_every_model_are_told_at_once(write_study) -> None:
    wrong = {"one": predictions({"q1": "nan", "q7": "nan"}), "two": predictions({"q8": "nan"})}
    study = write_study(QUESTIONS, KEYS, SCRIPT, [("q9", "P1", 1, "nan")], wrong)
    with pytest.raises(StudyError) as caught:
        score_study(study)
    assert [problem.partition(":")[0] for problem in caught.value.problems] == [
        "responses.jsonl line 1",
        "one.jsonl line 2",
        "two.jsonl line 1",
    ]


def test_people_outside_the_roster_are_flagged_and_analysed(write_study) -> None:
    answers = [("q1", "p01 ", 1, "nan"), ("q1", "P09", 2, "nan"), ("q2", "P09", 1, "NA")]
    study = write_study(QUESTIONS, KEYS, SCRIPT, answers)
    assert "roster" not in " ".join(score_study(study).warnings)
    study.roster_file.write_text("participant,annotator_ids\nP01,\n")
    scored = score_study(study)
    assert len(scored.responses) == 3
    assert (
        "responses.jsonl: 1 person is not in participants.csv, and analysed like the others "
        "(line 2, 3)" in scored.warnings
    )


def test_an_index_beyond_the_plan_or_twice_in_a_question_is_flagged(write_study) -> None:
    answers = [("q1", "P1", 3, "nan"), ("q2", "P1", 1, "NA"), ("q2", "P2", 1, "NA")]
    warnings = score_study(write_study(QUESTIONS, KEYS, SCRIPT, answers)).warnings
    assert "responses.jsonl: response_index is beyond the 2 planned in 1 row (line 1)" in warnings
    assert "responses.jsonl: a question has the response_index twice in 1 row (line 3)" in warnings


def test_a_second_answer_of_one_person_stops(write_study) -> None:
    answers = [("q1", "P1", 1, "nan"), ("q1", "p1", 2, "NA")]
    with pytest.raises(StudyError, match=r"line 2: P1 answered question 'q1' twice"):
        score_study(write_study(QUESTIONS, KEYS, SCRIPT, answers))


def test_many_second_answers_are_one_line(write_study) -> None:
    answers = [(f"q{number}", "P1", index, "nan") for index in (1, 2, 3) for number in (1, 2)]
    with pytest.raises(StudyError) as caught:
        score_study(write_study(QUESTIONS, KEYS, SCRIPT, answers))
    (said,) = caught.value.problems
    assert said.startswith("responses.jsonl line 3 and 3 more (4, 5, 6): the same person answered")
    assert said.endswith("twice (first: P1, 'q1')")


def test_no_answer_at_all_is_said_plainly(write_study) -> None:
    with pytest.raises(StudyError, match="no answered response"):
        score_study(write_study(QUESTIONS, KEYS, SCRIPT, []))


def test_an_unknown_option_is_flagged_and_scored_as_invalid(write_study) -> None:
    scored = score_study(write_study(QUESTIONS, KEYS, SCRIPT, [("q1", "P1", 1, "Khmer")]))
    assert scored.responses["scoring_status"].to_list() == ["invalid"]
    assert "cannot be read" in " ".join(scored.warnings)


def test_every_results_table_has_a_header_even_without_rows(write_study) -> None:
    study = write_study(QUESTIONS, KEYS, SCRIPT, [("q1", "P1", 1, "nan"), ("q2", "P1", 1, "NA")])
    write_results(study, score_study(study))
    for path in study.results_folder.glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as stream:
            assert len(next(csv.reader(stream))) > 1, path.name


def test_scored_rows_hold_the_input_and_null_where_a_score_does_not_apply(write_study) -> None:
    vocabularies = {**SCRIPT, "Lines": {"format": "count"}}
    questions = [QUESTIONS[0], {"sample_id": "q5", "category": "Lines"}]
    model = [
        {"sample_id": "q1", "model_name": "m", "raw_prediction": ["nan"], "exact_match": 0},
        {"sample_id": "q5", "model_name": "m", "raw_prediction": 4, "tokens": 7},
    ]
    answers = [("q1", "P1", 1, "nan"), ("q5", "P1", 1, 5)]
    study = write_study(questions, {"q1": "nan", "q5": 5}, vocabularies, answers, {"m": model})
    scored = score_study(study)
    write_results(study, scored)
    folder = study.results_folder
    human = read_lines(folder / "responses_scored.jsonl")
    assert human[0]["comment"] == "call Anna at anna@example.org"
    assert (human[0]["normalized_response"], human[0]["within_one"]) == ("nan", None)
    assert (human[1]["normalized_response"], human[1]["lenient_within_one"]) == (5, 1)
    rows = read_lines(folder / "predictions_scored.jsonl")
    assert (rows[0]["exact_match"], rows[0]["reported"]) == (1, {"exact_match": 0})
    assert (rows[1]["exact_match"], rows[1]["within_one"]) == (0, 1)
    assert rows[1]["reported"] == {"tokens": 7}
    # The file said 0 for what we find right: told, not used.
    assert "reports another exact_match for 1 of 2 answers (q1)" in " ".join(scored.warnings)
    assert (folder / "reported_differences.csv").read_text(encoding="utf-8").count("\n") == 2


def test_conditions_are_shown_with_the_gain_of_the_headline(write_study) -> None:
    rows = [
        {"sample_id": name, "prompt_condition": condition, "raw_prediction": answer}
        for condition, given in (("open", ["nan", "NA", "NA", "NA"]), ("constrained", list(KEYS)))
        for name, answer in zip(KEYS, given, strict=True)
    ]
    for row in rows[4:]:
        row["raw_prediction"] = KEYS[row["sample_id"]]
    study = write_study(QUESTIONS, KEYS, SCRIPT, [("q1", "P1", 1, "nan")], {"m": rows})
    scored = score_study(study)
    assert build_table11(scored).rows[1].means["em"] == 1
    found = core_tables(scored, study.definition, None)["conditions"]
    # Open: q1 and q3 right of four; constrained: all.
    assert [(row["condition"], row["em"], row["em_gain"]) for row in found] == [
        ("constrained", "100.00", ""),
        ("open", "50.00", "50.00"),
    ]


def test_numbers_of_a_paper_are_printed_as_reported_without_a_gap(write_study) -> None:
    toml = '[[models]]\nname = "Paper"\n[models.aggregates]\noverall = { em = 52.08 }\n'
    toml += "Script = { em = 40.5 }\n"
    study = write_study(QUESTIONS, KEYS, SCRIPT, [("q1", "P1", 1, "nan")], toml=toml)
    write_results(study, score_study(study))
    with (study.results_folder / "table11.csv").open(encoding="utf-8", newline="") as stream:
        row = list(csv.DictReader(stream))[1]
    assert (row["kind"], row["em"], row["em_gap"], row["n_em"]) == ("reported", "52.08", "", "")
    category = (study.results_folder / "by_category.csv").read_text(encoding="utf-8")
    assert "Paper,reported,Script,,40.50," in category


def test_a_misspelt_metric_of_a_paper_is_named(write_study) -> None:
    toml = '[[models]]\nname = "Paper"\n[models.aggregates]\noverall = { exact = 52 }\n'
    study = write_study(QUESTIONS, KEYS, SCRIPT, [("q1", "P1", 1, "nan")], toml=toml)
    with pytest.raises(StudyError, match="unknown metric 'exact'"):
        write_results(study, score_study(study))


def test_the_latex_table_has_as_many_cells_as_columns_and_no_bare_special(write_study) -> None:
    answers = [(name, "P1", 1, key) for name, key in KEYS.items()]
    study = write_study(QUESTIONS, KEYS, SCRIPT, answers, {"m_1 & 50%": predictions(KEYS)})
    text = table11_latex(build_table11(score_study(study)))
    (columns,) = [line for line in text.splitlines() if line.startswith(r"\begin{tabular}")]
    width = len(columns.split("{")[2].rstrip("}"))
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert [line.replace(r"\&", "").count("&") + 1 for line in rows] == [width] * 3
    assert r"m\_1 \& 50\%" in text
    assert latex("a_b{c}~^\\$#") == (
        r"a\_b\{c\}\textasciitilde{}\textasciicircum{}\textbackslash{}\$\#"
    )


def test_a_minus_is_a_minus_and_a_rule_stands_before_the_last_row() -> None:
    text = latex_table(["A", "B"], [["x", "-1.50"], ["-y", "—"]], "c", "l", rule_after=-1)
    assert text.splitlines()[-6:] == [
        r"x & $-$1.50 \\",
        r"\midrule",
        r"-y & --- \\",
        r"\bottomrule",
        r"\end{tabular}}",
        r"\end{table}",
    ]
    # Every group is closed; a line ended by % goes on in the next.
    plain = text.replace(r"\{", "").replace(r"\}", "")
    assert plain.count("{") == plain.count("}")
    assert r"\ifdim\width>\linewidth\linewidth\else\width\fi" in text


def test_a_study_without_sample_and_responses_names_both(write_study) -> None:
    study = write_study(QUESTIONS, KEYS, SCRIPT, [("q1", "P1", 1, "nan")])
    for file in (study.questions_file, study.keys_file, study.responses_file):
        file.unlink()
    with pytest.raises(StudyError) as told:
        score_study(study)
    assert [problem.partition(":")[0] for problem in told.value.problems] == [
        "sample/questions.jsonl",
        "sample/keys.jsonl",
        "responses/responses.jsonl",
    ]
