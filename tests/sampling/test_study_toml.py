import pytest

from sampling.study.errors import StudyError
from sampling.study.study_toml import parse_definition, read_definition

MINIMAL = {
    "study": {"name": "A study", "seed": "1"},
    "benchmark": {"questions": "test.jsonl", "vocabularies": "vocabularies.json"},
    "sample": {"strata": ["category"], "per_stratum": 4},
}


def problems_of(tables):
    with pytest.raises(StudyError) as caught:
        parse_definition(tables)
    return list(caught.value.problems)


def test_three_tables_are_enough():
    definition = parse_definition(MINIMAL)
    assert definition.benchmark.questions == ("test.jsonl",)
    assert definition.assignment.responses_per_question == 3


def test_a_misspelt_key_is_named_with_the_nearest_known_one():
    tables = MINIMAL | {"assignment": {"exclude_role": ["author"]}}
    assert problems_of(tables) == [
        "study.toml [assignment]: unknown key 'exclude_role' (did you mean 'exclude_roles'?)"
    ]


def test_a_key_that_is_needed_and_misspelt_is_one_problem():
    tables = MINIMAL | {"sample": {"strata": ["category"], "per_startum": 4}}
    assert problems_of(tables) == [
        "study.toml [sample]: unknown key 'per_startum' (did you mean 'per_stratum'?)"
    ]
    without = {name: MINIMAL[name] for name in ("study", "benchmark")}
    assert problems_of(without | {"smaple": MINIMAL["sample"]}) == [
        "study.toml: unknown table 'smaple' (did you mean 'sample'?)"
    ]


def test_a_misspelt_table_is_named_with_the_nearest_known_one():
    assert problems_of(MINIMAL | {"asignment": {}}) == [
        "study.toml: unknown table 'asignment' (did you mean 'assignment'?)"
    ]


def test_a_misspelt_key_of_the_second_model_says_which_model():
    tables = MINIMAL | {
        "models": [{"name": "A", "predictions": "a"}, {"name": "B", "prediction": "b"}]
    }
    assert problems_of(tables)[0] == (
        "study.toml [[models]] 2: unknown key 'prediction' (did you mean 'predictions'?)"
    )


def test_a_misspelt_checklist_key_is_named_with_the_nearest_known_one():
    assert problems_of(MINIMAL | {"checklist": {"etics_review": "none"}}) == [
        "study.toml [checklist]: unknown key 'etics_review' (did you mean 'ethics_review'?)"
    ]


def test_every_problem_is_told_at_once():
    tables = {"study": {"name": "x"}, "sample": {"strata": [], "per_stratum": 4}}
    assert len(problems_of(tables)) == 3  # no seed, no [benchmark], no strata


def test_a_number_as_text_names_table_key_and_value():
    tables = MINIMAL | {"sample": {"strata": ["category"], "per_stratum": "4"}}
    assert problems_of(tables) == [
        "study.toml [sample]: per_stratum = '4': must be a whole number or a list in [ ]"
    ]


def test_what_a_value_must_be_is_said_in_the_words_of_the_file():
    tables = {
        "study": {"name": 5, "seed": ""},
        "benchmark": {"questions": 3, "vocabularies": "v.json", "where": "split"},
        "sample": {"strata": ["category"], "per_stratum": [{"n": 2, "were": {}}]},
    }
    assert problems_of(tables) == [
        "study.toml [study]: name = 5: must be text in quotes",
        "study.toml [study]: seed = '': must be a text that is not empty",
        "study.toml [benchmark]: questions = 3: must be a list in [ ]",
        "study.toml [benchmark]: where = 'split': must be a table in { }",
        "study.toml [sample.per_stratum]: unknown key 'were' (did you mean 'where'?)",
    ]


def test_what_only_looks_like_true_or_like_a_number_is_refused():
    tables = MINIMAL | {
        "server": {"confidence": "yes", "comments": 1, "session_hours": "12"},
        "consent": {"required": "true"},
        "practice": {"questions": "q", "keys": "k", "pass_mark": True},
        "text": {"ignore_case": "no"},
    }
    assert problems_of(tables) == [
        "study.toml [consent]: required = 'true': must be true or false, without quotes",
        "study.toml [practice]: pass_mark = True: must be a number",
        "study.toml [server]: session_hours = '12': must be a number",
        "study.toml [server]: confidence = 'yes': must be true or false, without quotes",
        "study.toml [server]: comments = 1: must be true or false, without quotes",
        "study.toml [text]: ignore_case = 'no': must be true or false, without quotes",
    ]


def test_whole_numbers_are_numbers():
    definition = parse_definition(MINIMAL | {"server": {"session_hours": 8}})
    assert definition.server.session_hours == 8.0


def test_per_stratum_may_be_rules():
    rules = [{"where": {}, "n": 4}, {"where": {"category": "Script Name"}, "n": 2}]
    definition = parse_definition(
        MINIMAL | {"sample": {"strata": ["category"], "per_stratum": rules}}
    )
    assert [rule.n for rule in definition.sample.per_stratum] == [4, 2]


def test_two_models_of_one_name_are_refused():
    model = {"name": "A", "predictions": "a.jsonl"}
    assert problems_of(MINIMAL | {"models": [model, model]}) == [
        "study.toml [[models]]: two models are named 'A'"
    ]


def test_a_model_needs_outputs():
    assert "needs `predictions`" in problems_of(MINIMAL | {"models": [{"name": "A"}]})[0]


def test_a_bom_and_crlf_are_simply_accepted(tmp_path):
    text = (
        '[study]\r\nname = "A"\r\nseed = "1"\r\n[benchmark]\r\nquestions = "q"\r\n'
        'vocabularies = "v"\r\n[sample]\r\nstrata = ["category"]\r\nper_stratum = 1\r\n'
    )
    (tmp_path / "study.toml").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert read_definition(tmp_path / "study.toml").study.name == "A"


def test_a_folder_without_a_study_says_what_to_do(tmp_path):
    with pytest.raises(StudyError, match="lontar new"):
        read_definition(tmp_path / "study.toml")


def test_broken_toml_names_the_line(tmp_path):
    (tmp_path / "study.toml").write_text('[study]\nname = "A\n', encoding="utf-8")
    with pytest.raises(StudyError, match="line 2"):
        read_definition(tmp_path / "study.toml")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('name = "B"', "line 3: not valid TOML at column 11: this key appears twice in its table;"),
        ('folder = "C:\\Users\\me"', "a backslash in quotes begins a special character; write /"),
        ('folder = "C:\\data"', "a backslash in quotes begins a special character; write /"),
        ("folder = “images”", "the quotes are curly; write straight ones"),
        ("folder = images", "no value; a text needs quotes, and a list brackets"),
        ('folder = "images', "a quote is not closed in this line"),
        ("[study]", "this table appears twice; put its keys together under one"),
        ('a = ["x"', "study.toml: not valid TOML: it ends before a quote or bracket is closed"),
    ],
)
def test_broken_toml_is_told_in_the_words_of_who_wrote_it(tmp_path, line, said):
    (tmp_path / "study.toml").write_text(f'[study]\nname = "A"\n{line}\n', encoding="utf-8")
    with pytest.raises(StudyError) as caught:
        read_definition(tmp_path / "study.toml")
    assert said in str(caught.value)
