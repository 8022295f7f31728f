import re

import pytest

from analysis.report.blocks import METRIC_NAMES
from analysis.report.page import write_report
from analysis.report.pictures import pair_agreement


def page(finished):
    study, scored = finished
    return write_report(study, scored).read_text(encoding="utf-8")


def test_the_page_needs_nothing_from_elsewhere(finished):
    # An address may be read (a namespace, arXiv), but nothing may be fetched from one.
    text = page(finished)
    assert not re.search(r'(?:src|href)="(?!#|data:)', text)
    assert "@import" not in text
    assert "<script" not in text


def test_the_same_study_gives_the_same_page(finished):
    assert page(finished) == page(finished)


def test_every_entry_of_the_contents_leads_to_a_section(finished):
    text = page(finished)
    anchors = re.findall(r'<li><a href="#([^"]+)"', text)
    assert anchors
    assert all(f'<section id="{anchor}"' in text for anchor in anchors)


def test_no_id_stands_twice(finished):
    ids = re.findall(r'\bid="([^"]+)"', page(finished))
    assert len(ids) == len(set(ids))


def test_counts_are_of_anything_not_of_lines_alone(finished):
    text = re.sub(r"<style>.*?</style>|<[^>]+>", " ", page(finished), flags=re.DOTALL)
    assert METRIC_NAMES["w1"] == "counts within one"
    assert not re.search(r"within one line|[Ll]ine count|, lines", text)


def test_table_11_is_on_it(finished):
    # Anna right twice, Budi wrong twice: 2 of 4.
    assert re.search(
        r"<th scope=\"row\" dir=\"auto\">Human</th>.*?50\.00", page(finished), re.DOTALL
    )


def test_a_study_that_was_never_frozen_says_so(finished):
    assert "This study was not frozen" in page(finished)


def test_figures_are_written_as_svg_and_png(finished):
    study, _ = finished
    page(finished)
    names = {path.name for path in (study.results_folder / "figures").iterdir()}
    assert {"categories.svg", "categories.png", "agreement.svg", "line_counts.png"} <= names


def test_a_pair_of_people_is_counted_on_the_questions_they_share(finished):
    names, percent, shared = pair_agreement(finished[1])
    assert names == ["Anna", "Budi"]
    assert (percent[0, 1], shared[0, 1]) == (0.0, 2)


@pytest.mark.parametrize("text", ["<script>alert(1)</script>"])
def test_a_name_cannot_inject_markup(finished, text):
    study, scored = finished
    definition = study.definition.model_copy(
        update={"study": study.definition.study.model_copy(update={"name": text})}
    )
    changed = type(study)(study.root, definition)
    assert text not in write_report(changed, scored).read_text(encoding="utf-8")
