"""`lontar check` as a coordinator meets it: on a sound study, and on faulty ones."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from sampling.study.errors import StudyError
from sampling.study.presets import write_preset
from study_server.cli import lontar

Run = Callable[..., Result]

STUDY = """
[study]
name = "Small"
seed = "s"
[benchmark]
questions = "q.jsonl"
vocabularies = "v.json"
images = "images"
annotators = "annotators.csv"
[sample]
strata = ["category"]
per_stratum = 2
[assignment]
responses_per_question = 2
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A sound study of two categories with two questions each."""
    rows = [
        {
            "sample_id": f"q{number}",
            "image_name": "a.png",
            "category": category,
            "question_en": "?",
            "answer": answer,
        }
        for number, (category, answer) in enumerate(
            [("Signs", "yes"), ("Signs", "no"), ("Lines", 4), ("Lines", 5)]
        )
    ]
    files = {
        "study.toml": STUDY,
        "q.jsonl": "\n".join(map(json.dumps, rows)),
        "v.json": json.dumps({"Signs": ["yes", "no"], "Lines": {"format": "count"}}),
        "annotators.csv": "sample_id,annotator,role\nq0,A1,author\n",
        "participants.csv": "participant,annotator_ids\nP1,A1\nP2,\nP3,\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "images").mkdir()
    Image.new("L", (2, 2)).save(tmp_path / "images" / "a.png")
    return tmp_path


@pytest.fixture
def run() -> Run:
    """Run a command of `lontar` on a folder."""

    def call(folder: Path, *arguments: str) -> Result:
        return CliRunner().invoke(lontar, ["-C", str(folder), *arguments])

    return call


def faults(result: Result) -> tuple[str, ...]:
    assert isinstance(result.exception, StudyError)
    return result.exception.problems


def test_a_sound_study_is_summed_up(study: Path, run: Run) -> None:
    result = run(study, "check")
    assert result.exit_code == 0
    said = {line.split()[0]: line for line in result.stdout.splitlines()[1:]}
    assert result.stdout.startswith("Small: every input is in order\n")
    assert "4 with valid keys" in said["questions"]
    assert "2 (1 binary, 1 count)" in said["categories"]
    assert "1, all found" in said["images"]
    assert "2 of category, 2 questions in each" in said["cells"]
    assert "4 questions would be drawn" in said["sample"]
    assert "3; 1 pair of person and question excluded" in said["people"]
    assert "8 answers: possible" in said["plan"]
    assert said["languages"].endswith("en, id, km, ta")


def test_a_stratum_that_may_be_the_collection_is_pointed_out(study: Path, run: Run) -> None:
    rows = [json.loads(line) for line in (study / "q.jsonl").read_text().splitlines()]
    text = "\n".join(json.dumps({**row, "habitat": "lake"}) for row in rows)
    (study / "q.jsonl").write_text(text)
    by_habitat = STUDY.replace('["category"]', '["habitat", "category"]')
    (study / "study.toml").write_text(by_habitat)
    note = 'note: no question names its collection; if habitat is one, `script_name = "habitat"`'
    assert note in run(study, "check").stderr
    (study / "study.toml").write_text(by_habitat + '[benchmark.fields]\nscript_name = "habitat"\n')
    assert "note: no question" not in run(study, "check").stderr


@pytest.mark.parametrize("own", ["question", "question_en"])
def test_options_that_nobody_would_see_are_pointed_out_until_the_question_shows_them(
    study: Path, run: Run, own: str
) -> None:
    rows = [json.loads(line) for line in (study / "q.jsonl").read_text().splitlines()]
    for row in rows:
        row[own] = row.pop("question_en")
    text = "\n".join(json.dumps({**row, "choiceA": "ink", "choiceB": "gold"}) for row in rows)
    (study / "q.jsonl").write_text(text)
    pattern = rf'question_en = "{{{own}}}\nA. {{choiceA}}\nB. {{choiceB}}"'
    note = "note: choiceA, choiceB may be the options of a question, and are not shown; to show "
    said = run(study, "check").stderr
    assert note in said
    assert f"{pattern} under [benchmark.fields]" in said
    (study / "study.toml").write_text(f"{STUDY}[benchmark.fields]\n{pattern}\n")
    assert note not in run(study, "check").stderr
    assert run(study, "sample").exit_code == 0
    drawn = json.loads((study / "sample" / "questions.jsonl").read_text().splitlines()[0])
    assert drawn["question_en"] == "?\nA. ink\nB. gold"


def test_faults_of_every_input_are_said_together(study: Path, run: Run) -> None:
    with (study / "q.jsonl").open("a", encoding="utf-8") as file:
        file.write('\n{"sample_id": "q0"\n')
    (study / "annotators.csv").write_text("sample_id,annotater,role\nq0,A1,author\n")
    (study / "participants.csv").write_text("participant,annotator_ids\n")
    (study / "study.toml").write_text(
        STUDY + '[consent]\ntext = "consent.md"\n[instructions]\nfolder = "texts"\n'
    )
    found = faults(run(study, "check"))
    assert [fault.partition(": ")[0] for fault in found] == [
        "q.jsonl line 5",
        "participants.csv",
        "annotators.csv",
        "study.toml [instructions] folder",
        "study.toml [consent] text",
    ]


def test_a_file_that_is_no_image_is_named_with_its_line(study: Path, run: Run) -> None:
    (study / "images" / "a.png").write_text("no image", encoding="utf-8")
    assert faults(run(study, "check")) == (
        "q.jsonl line 1: image 'a.png' is no image; replace the file",
    )


def test_people_who_cannot_finish_are_an_error_with_the_shortfall(study: Path, run: Run) -> None:
    (study / "participants.csv").write_text("participant,annotator_ids\nP1,A1\nP2,\n")
    (fault,) = faults(run(study, "check"))
    assert fault.startswith("plan: 1 answer short: 1 question (q0) needs 2 more answers, and only")


def test_short_cells_are_listed(study: Path, run: Run) -> None:
    text = (study / "study.toml").read_text().replace("per_stratum = 2", "per_stratum = 3")
    (study / "study.toml").write_text(text)
    found = faults(run(study, "check"))
    assert all("2" in fault and "3" in fault for fault in found)


def test_predictions_are_read_where_they_are_there(study: Path, run: Run) -> None:
    (study / "study.toml").write_text(
        STUDY
        + '[[models]]\nname = "A"\npredictions = "a.jsonl"\n'
        + '[[models]]\nname = "B"\npredictions = "b.jsonl"\n'
    )
    (study / "a.jsonl").write_text('{"sample_id": "q1", "raw_prediction": "no"}\n')
    result = run(study, "check")
    assert "answers 1 of the 4 questions" in result.stdout
    assert "no predictions yet (b.jsonl)" in result.stdout
    (study / "a.jsonl").write_text('{"sample_id": "q77", "raw_prediction": "no"}\n')
    assert "q77" in faults(run(study, "check"))[0]


def test_answers_of_models_that_count_as_wrong_are_noted(study: Path, run: Run) -> None:
    models = [f'[[models]]\nname = "{name}"\npredictions = "{name}.jsonl"\n' for name in "ABC"]
    (study / "study.toml").write_text(STUDY + "".join(models))
    given = {"A": ["", "no", None, 5], "B": ["B", "A", 4, 5]}
    for name, answers in given.items():
        rows = [{"sample_id": f"q{n}", "raw_prediction": one} for n, one in enumerate(answers)]
        (study / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (study / "C.jsonl").write_text("")
    said = run(study, "check").stderr
    assert "note: A (constrained): 2 answers are blank and score 0, of 4 (first: A.jsonl " in said
    assert "note: B (constrained): 2 of 4 answers are not as the vocabularies have them" in said
    assert "note: C: no answer to any question of the sample" in said


@pytest.mark.parametrize(
    ("images", "missed"), [('"images"', True), ('"s3://leaves/practice"', False)]
)
def test_a_practice_image_is_missed_in_a_folder_and_not_looked_for_in_a_store(
    study: Path, run: Run, images: str, missed: bool
) -> None:
    row = json.loads((study / "q.jsonl").read_text().splitlines()[0])
    answer = row.pop("answer")
    row |= {"sample_id": "practice", "image_name": "nowhere.jpg"}
    (study / "p.jsonl").write_text(json.dumps(row) + "\n")
    key = {"sample_id": "practice", "answer": answer}
    (study / "k.jsonl").write_text(json.dumps(key) + "\n")
    table = f'[practice]\nquestions = "p.jsonl"\nkeys = "k.jsonl"\nimages = {images}\n'
    (study / "study.toml").write_text(STUDY + table)
    assert ("'nowhere.jpg' is not in" in str(run(study, "check").exception)) is missed


def test_practice_may_not_be_questions_of_the_benchmark(study: Path, run: Run) -> None:
    shutil.copy(study / "q.jsonl", study / "p.jsonl")
    (study / "study.toml").write_text(
        STUDY + '[practice]\nquestions = "p.jsonl"\nkeys = "q.jsonl"\n'
    )
    assert faults(run(study, "check"))[0] == (
        "p.jsonl 'q0': is a question of the benchmark; practice needs questions outside it"
    )


def test_a_misspelt_role_is_pointed_out(study: Path, run: Run) -> None:
    text = STUDY.replace("[assignment]", '[assignment]\nexclude_roles = ["authors"]')
    (study / "study.toml").write_text(text)
    assert (
        "names 'authors', which no annotator has (did you mean 'author'?)"
        in run(study, "check").stderr
    )


def test_a_role_that_bars_nobody_is_pointed_out(study: Path, run: Run) -> None:
    text = STUDY.replace("[assignment]", '[assignment]\nexclude_roles = ["author"]')
    (study / "study.toml").write_text(text)
    (study / "annotators.csv").write_text(
        "sample_id,annotator,role\nq0,A1,author\nq1,P2,athor\nq2,P3,athor\nq2,P2,reviewer\n"
    )
    said = run(study, "check").stderr
    assert "'reviewer'" not in said
    assert said.count("'athor'") == 1
    assert (
        "note: role 'athor' of the annotators file is not in exclude_roles and bars nobody "
        "(did you mean 'author'?)\n" in said
    )


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_an_image_that_was_cut_off_is_named_before_the_draw(
    study: Path, run: Run, kind: str
) -> None:
    picture = study / "images" / "a.png"
    Image.effect_noise((200, 200), 60).save(picture, kind)
    assert run(study, "check").exit_code == 0
    picture.write_bytes(picture.read_bytes()[:3000])
    assert faults(run(study, "check")) == (
        "q.jsonl line 1: image 'a.png' is cut off; copy it again from its source",
    )


def test_fewer_people_than_answers_to_a_question_is_said_with_what_helps(
    study: Path, run: Run
) -> None:
    text = STUDY.replace("responses_per_question = 2", "responses_per_question = 5")
    (study / "study.toml").write_text(text)
    (fault,) = faults(run(study, "check"))
    assert fault.endswith(
        "; 5 different people are needed for each question, and there are 3: add people, or lower "
        "[assignment] responses_per_question"
    )
    assert run(study, "sample").exit_code == 0
    (fault,) = faults(run(study, "assign"))
    assert "5 different people are needed for each question, and there are 3" in fault


def test_names_that_are_words_of_the_study_are_pointed_out(study: Path, run: Run) -> None:
    assert "cannot be searched" not in run(study, "check").stderr
    roster = study / "participants.csv"
    text = roster.read_text(encoding="utf-8")
    roster.write_text(text.replace("P1", "The"), encoding="utf-8")
    assert "participants.csv: The: also words of" in run(study, "check").stderr


def test_the_transcription_preset_runs_on_folders_as_they_come(
    tmp_path: Path, run: Run, examples: Path
) -> None:
    folder = tmp_path / "study"
    write_preset(folder, "ancient-bench")
    shape = examples / "formats/ancient_bench_shape"
    shutil.copytree(shape / "Ancient_Bench", folder / "benchmark/Ancient_Bench")
    shutil.copytree(shape / "infer_results/demo-model", folder / "predictions/demo-model")
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[models]]\nname = "demo-model"\npredictions = "predictions/demo-model"\n')
    checked = run(folder, "check")
    assert "answers 3 of the 3 questions" in checked.stdout
    assert run(folder, "sample").exit_code == 0
    lines = (folder / "sample/keys.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[1]) == {
        "sample_id": "seals_900002",
        "answer": "□年=\n<unrecognizable>記",
    }
    assert run(folder, "assign").exit_code == 0


def test_typed_in_numbers_are_checked_by_the_names_of_their_groups_and_metrics(
    study: Path, run: Run
) -> None:
    with (study / "study.toml").open("a", encoding="utf-8") as file:
        file.write('[[models]]\nname = "M"\n[models.aggregates]\n')
        file.write("overall = { f2 = 50.0 }\nSign = { em = 61.5 }\nLines = { em = 161.5 }\n")
    problems = faults(run(study, "check"))
    assert len(problems) == 3
    assert "unknown metric 'f2' (known: em, " in problems[0]
    assert "em = 161.5 is no percentage" in problems[1]
    assert "M: no group is called 'Sign' (did you mean 'Signs'?)" in problems[2]


def test_tags_in_texts_that_are_no_special_token_are_named(study: Path, run: Run) -> None:
    (study / "v.json").write_text('{"Text": {"format": "text"}}')
    rows = [
        {"sample_id": f"q{n}", "image_name": "a.png", "category": "Text", "question_en": "?"}
        for n in range(4)
    ]
    texts = ["甲<space>乙", "<note>丙</note>", "丁<unrecognizable>", "<space>戊"]
    (study / "q.jsonl").write_text(
        "\n".join(
            json.dumps({**row, "answer": text}) for row, text in zip(rows, texts, strict=True)
        )
    )
    checked = run(study, "check")
    assert checked.exit_code == 0
    assert (
        "note: <space> in 2 reference texts is no special token of [text]: it counts as its 7"
        in (checked.stderr)
    )
    assert "<note>" not in checked.stderr


def test_settings_that_changed_since_the_draw_are_said(study: Path, run: Run) -> None:
    assert run(study, "sample").exit_code == 0
    assert "was drawn" not in run(study, "check").stderr
    text = STUDY.replace("per_stratum = 2", "per_stratum = 1")
    (study / "study.toml").write_text(text)
    assert (
        "note: study.toml: per_stratum is 1, and was 2 when sample/ was drawn; `lontar sample` "
        "draws anew\n" in run(study, "check").stderr
    )


def test_one_pair_of_like_images_is_said_as_one_with_what_to_do(study: Path, run: Run) -> None:
    shutil.copy(study / "images" / "a.png", study / "images" / "b.png")
    text = (study / "q.jsonl").read_text().replace("a.png", "b.png", 1)
    (study / "q.jsonl").write_text(text)
    said = run(study, "sample").stderr
    assert "1 pair of images may be the same: a.png and b.png (same file). Look at them;" in said


@pytest.mark.parametrize(
    ("field", "source", "said"),
    [
        ("script_name", "meta.place", "no row has 'meta.place' (did you mean 'meta.plaice'?)"),
        ("script_name", "picture@stem", "no row has 'picture@stem'"),
        ("question_en", "{question_en} ({meta.hint})", "no row has 'meta.hint'"),
        ("answer", "meta.key", "no row has 'meta.key'"),
        ("script_name", "archive", "no row has 'archive'"),
    ],
)
def test_a_mapped_field_that_no_row_has_is_named(
    study: Path, run: Run, field: str, source: str, said: str
) -> None:
    rows = [json.loads(line) for line in (study / "q.jsonl").read_text().splitlines()]
    text = "\n".join(json.dumps(row | {"meta": {"plaice": "x"}}) for row in rows)
    (study / "q.jsonl").write_text(text, encoding="utf-8")
    with (study / "study.toml").open("a", encoding="utf-8") as file:
        file.write(f'[benchmark.fields]\n{field} = "{source}"\n')
    found = faults(run(study, "check"))
    assert len([one for one in found if said in one]) == 1, found
    assert not any(": has no " in one for one in found)


def test_categories_that_changed_are_told_once_with_what_to_do(study: Path, run: Run) -> None:
    assert run(study, "sample").exit_code == 0
    for name in ("q.jsonl", "v.json"):
        text = (study / name).read_text(encoding="utf-8").replace("Signs", "Marks")
        (study / name).write_text(text, encoding="utf-8")
    (found,) = [one for one in faults(run(study, "check")) if "no vocabulary" in one]
    assert "category 'Signs' (2 questions) has no vocabulary" in found
    assert "draw again with `lontar sample`" in found


def test_a_list_called_answers_that_is_read_as_several_labels_is_said(
    study: Path, run: Run
) -> None:
    rows = [json.loads(line) for line in (study / "q.jsonl").read_text().splitlines()]
    for row in rows[:2]:
        row["answers"] = [row.pop("answer"), "maybe"]
    (study / "q.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    labels = {"format": "multi", "labels": ["yes", "no", "maybe"]}
    vocabularies = {"Signs": labels, "Lines": {"format": "count"}}
    (study / "v.json").write_text(json.dumps(vocabularies), encoding="utf-8")
    checked = run(study, "check")
    assert checked.exit_code == 0, checked.exception
    assert "category 'Signs': the key of 2 rows (q.jsonl line 1, ...) is a list called" in (
        checked.stderr
    )


def test_images_that_the_files_hold_are_to_be_extracted(study: Path, run: Run) -> None:
    data = base64.b64encode((study / "images" / "a.png").read_bytes()).decode()
    rows = [json.loads(line) for line in (study / "q.jsonl").read_text().splitlines()]
    for row in rows:
        del row["image_name"]
        row["image"] = data
    (study / "q.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (study / "images" / "a.png").unlink()
    (found,) = [one for one in faults(run(study, "check")) if "no image in" in one]
    assert "lontar check --extract-images" in found
    assert run(study, "check", "--extract-images").exit_code == 0


def test_a_checksum_list_of_other_files_stops(study: Path, run: Run) -> None:
    (study / "sums").write_text(f"{'0' * 64}  b.png\n", encoding="utf-8")
    text = (study / "study.toml").read_text(encoding="utf-8")
    text = text.replace('images = "images"', 'images = "images"\nchecksums = "sums"')
    (study / "study.toml").write_text(text, encoding="utf-8")
    for command in ("check", "sample"):
        (found,) = faults(run(study, command))
        assert found.startswith("sums: names no image, question file or vocabularies")


def test_one_category_is_no_row_of_categories(study: Path, run: Run) -> None:
    rows = [json.loads(line) for line in (study / "q.jsonl").read_text().splitlines()]
    rows = [row | {"category": "Signs", "answer": "yes"} for row in rows]
    (study / "q.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (study / "v.json").write_text('{"Signs": ["yes", "no"]}', encoding="utf-8")
    text = (study / "study.toml").read_text(encoding="utf-8")
    (study / "study.toml").write_text(text.replace("per_stratum = 2", "per_stratum = 4"))
    assert run(study, "sample").exit_code == 0
    planned = run(study, "assign")
    assert planned.exit_code == 0, planned.exception
    assert "in a row" not in planned.stderr
    assert "in a row" not in (study / "plan" / "report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("labels", [["A", "B"], ["a", "b"], ["(A)", "(B)"]])
def test_an_empty_option_is_drawn_for_nobody(study: Path, run: Run, labels: list[str]) -> None:
    rows = [json.loads(line) for line in (study / "q.jsonl").read_text().splitlines()]
    for number, row in enumerate(rows):
        row |= {"category": "Signs", "answer": labels[0], "x": "one", "y": "two" if number else ""}
    (study / "q.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (study / "v.json").write_text(json.dumps({"Signs": labels}), encoding="utf-8")
    with (study / "study.toml").open("a", encoding="utf-8") as file:
        file.write('[benchmark.fields]\nquestion_en = "{question_en} A. {x} B. {y}"\n')
    for command in ("check", "sample"):
        (found,) = faults(run(study, command))
        assert found.startswith("q.jsonl line 1: has no option B")
    assert not (study / "sample" / "questions.jsonl").exists()


ODD = "participant,annotator_ids\nP1,A1\nFirst Person,\nP/3,\n"
RULE = "'First Person', 'P/3': a pseudonym is 1 to 40 of the letters A to Z, digits, _ and -"


def test_odd_pseudonyms_are_refused_by_check_and_assign_before_a_study_begins(
    study: Path, run: Run
) -> None:
    (study / "participants.csv").write_text(ODD)
    found = run(study, "check")
    assert found.exit_code != 0
    assert RULE in " ".join(f"{found.output} {found.exception}".split())
    assert run(study, "sample").exit_code == 0
    refused = run(study, "assign")
    assert refused.exit_code != 0
    assert RULE in " ".join(f"{refused.output} {refused.exception}".split())
    assert not (study / "plan").exists()


def test_odd_pseudonyms_of_a_study_that_has_begun_go_on(study: Path, run: Run) -> None:
    assert run(study, "sample").exit_code == 0
    assert run(study, "assign").exit_code == 0
    assert run(study, "freeze").exit_code == 0
    (study / "participants.csv").write_text(ODD)
    found = run(study, "check")
    assert found.exit_code == 0, found.output
    words = " ".join(found.output.split())
    assert RULE in words
    assert "who is in the study goes on" in words


def test_a_roster_that_names_people_is_pointed_out_and_one_of_codes_is_not(
    study: Path, run: Run
) -> None:
    assert "person's name" not in run(study, "check").output
    (study / "participants.csv").write_text("participant\nP1\nAnna-Lena\nP3\n")
    found = run(study, "check")
    assert found.exit_code == 0, found.output
    words = " ".join(found.output.split())
    assert "participants.csv: 'Anna-Lena' looks like a person's name" in words
