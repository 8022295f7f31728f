"""Five Khmer folios with their transcriptions: new, sample, assign, serve, answer, report."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from study_server.cli import lontar

pytestmark = pytest.mark.browser

STUDY = """
[study]
name = "Khmer folios"
seed = "folios"
[benchmark]
questions = ["benchmark/transcriptions.jsonl"]
vocabularies = "benchmark/answer_vocabularies.json"
images = "benchmark/images"
[benchmark.fields]
sample_id = "image@stem"
image_name = "image"
answer = "human_gt"
[benchmark.constants]
category = "leaf"
question_en = "Transcribe the leaf."
[benchmark.display.category]
leaf = "Palm leaf"
[sample]
strata = ["category"]
per_stratum = 5
[assignment]
responses_per_question = 2
cost = "length"
[server]
languages = ["en", "km"]
[analysis]
resamples = 500
"""


@pytest.fixture
def folder(tmp_path: Path, small_image: Callable[[str], bytes]) -> Path:
    """A study made by `lontar new`, with the folios for its benchmark and two people.

    They are the photographs beside the repository, where there are any, else drawn ones.
    """
    folios = Path(__file__).parents[2].parent / "shared" / "khmer-folios"
    if not folios.is_dir():
        folios = drawn_folios(tmp_path / "folios", small_image)
    folder = tmp_path / "study"
    assert CliRunner().invoke(lontar, ["new", str(folder)]).exit_code == 0
    (folder / "study.toml").write_text(STUDY, encoding="utf-8")
    (folder / "participants.csv").write_text("participant,annotator_ids\nP01,\nP02,\n")
    shutil.copy(folios / "transcriptions.jsonl", folder / "benchmark")
    shutil.copytree(folios / "images", folder / "benchmark" / "images", dirs_exist_ok=True)
    vocabularies = folder / "benchmark" / "answer_vocabularies.json"
    vocabularies.write_text('{"leaf": {"format": "text"}}', encoding="utf-8")
    return folder


def drawn_folios(folder: Path, small_image: Callable[[str], bytes]) -> Path:
    (folder / "images").mkdir(parents=True)
    lines = []
    for number in range(1, 6):
        name = f"KPL_{number:04}"
        (folder / "images" / f"{name}.jpg").write_bytes(small_image(name))
        line = "ទើពគាតតិងថារ មូសារឯងអាច។ " * number
        row = {"image": f"{name}.jpg", "human_gt": "\n".join([line.strip()] * 4)}
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    (folder / "transcriptions.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


def transcriptions(folder: Path) -> dict[str, str]:
    text = (folder / "benchmark" / "transcriptions.jsonl").read_text(encoding="utf-8")
    rows = map(json.loads, text.splitlines())
    return {Path(row["image"]).stem: row["human_gt"] for row in rows}


def damaged(text: str) -> str:
    """Give a square for each of the first ten signs."""
    signs, left = [], 10
    for sign in text:
        hit = left > 0 and not sign.isspace()
        signs.append("□" if hit else sign)
        left -= hit
    return "".join(signs)


def transcribe_everything(
    page: Page, link: str, texts: list[str], enter: Callable[[Page, str], None]
) -> None:
    """Answer a person's questions in their order, with the given texts."""
    page.goto(link)
    page.get_by_role("button", name="English").click()
    page.get_by_role("button", name="I have read the instructions").click()
    for number, text in enumerate(texts, 1):
        page.wait_for_selector("#frame[data-shown=yes]")
        expect(page.locator(".progress")).to_contain_text(f"{number} of {len(texts)}")
        page.locator("#text").focus()
        enter(page, text)
        expect(page.locator("#preview-count")).to_contain_text("characters")
        before = page.locator(".progress").inner_text()
        page.keyboard.press("Control+Enter")
        page.wait_for_function(
            "words => document.querySelector('.progress')?.innerText !== words", arg=before
        )
    expect(page.locator(".code")).to_be_visible()


def paste(page: Page, text: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+V")


def enter_by_input_method(page: Page, text: str) -> None:
    for number, line in enumerate(text.split("\n")):
        if number:
            page.keyboard.press("Enter")
        page.keyboard.insert_text(line)


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "results" / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_real_folios_run_from_new_to_the_report(
    folder: Path, run_server: Callable[..., Any], new_context: Any, page: Page
) -> None:
    for command in ("check", "sample", "assign"):
        done = CliRunner().invoke(lontar, ["-C", str(folder), command])
        assert done.exit_code == 0, (done.output, done.exception)
    texts = transcriptions(folder)
    with (folder / "plan" / "assignment.csv").open(encoding="utf-8", newline="") as stream:
        slots = sorted(csv.DictReader(stream), key=lambda row: int(row["position"]))
    asked = {
        one: [slot["sample_id"] for slot in slots if slot["participant"] == one]
        for one in ("P01", "P02")
    }
    server = run_server(folder)
    first = [texts[sample_id] for sample_id in asked["P01"]]
    transcribe_everything(page, server.links["P01"], first, paste)
    other = new_context(viewport={"width": 1366, "height": 768}).new_page()
    second = [damaged(texts[sample_id]) for sample_id in asked["P02"]]
    transcribe_everything(other, server.links["P02"], second, enter_by_input_method)

    stored = {(row["participant"], row["sample_id"]): row for row in server.responses()}
    server.stop()
    server.run("export")
    assert len(stored) == 10
    for sample_id, text in texts.items():
        assert stored["P01", sample_id]["raw_response"] == text
        assert stored["P02", sample_id]["raw_response"] == damaged(text)

    done = CliRunner().invoke(lontar, ["-C", str(folder), "analyze"])
    assert done.exit_code == 0, (done.output, done.exception)
    # The leaves hold 423, 429, 446, 427 and 440 signs that count; one more cannot be seen. Ten of
    # each are squares in one of two transcriptions: NED and F1 of it are 1 - 10/n, in the mean
    # 0.976896, and (1 + 0.976896) / 2 = 0.988448.
    (human,) = rows(folder, "table11")
    assert (human["n_text"], human["ned"], human["char_f1"]) == ("10", "98.84", "98.84")
    assert human["agreement"] == "97.69"
    (category,) = rows(folder, "by_category")
    assert (category["group"], category["n_invalid"]) == ("Palm leaf", "0")
    page.goto((folder / "results" / "report.html").as_uri())
    table = page.get_by_role("table", name="What people scored")
    expect(table.locator("tbody tr")).to_have_count(1)
    expect(table).to_contain_text("98.84")
    expect(page.locator("#transcriptions")).to_contain_text("protocol-consistent")
