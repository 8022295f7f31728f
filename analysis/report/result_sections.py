"""The sections that show results: Table 11, gaps, categories, agreement, counts, participants."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analysis.report.blocks import Block, Paragraph, Row, Section
from analysis.report.headings import METRIC_NAMES, table_of
from analysis.report.pictures import Pictures, for_answers
from analysis.report.result_tables import read_notes, read_rows
from analysis.scored import ScoredStudy
from analysis.table11 import REPORTED, TEXT_MEASURES, measures_of

OF_TEXTS = (
    "Two texts are hardly ever the same throughout: their similarity is 1 minus their edit "
    "distance over the longer length, averaged over the pairs of people who transcribed the same "
    "image."
)
TARGETS = (
    "T2 speaks for new questions answered by these people, T3 for new questions and new people; "
    "both treat questions about one image as belonging together."
)


def result_sections(scored: ScoredStudy, folder: Path, pictures: Pictures) -> list[Section]:
    """Build these sections in the order they are read."""
    return [
        _table11(folder, pictures.level),
        _gaps(folder, pictures),
        _categories(scored, folder, pictures),
        *_texts(folder),
        _agreement(scored, folder, pictures),
        *_counts(folder, pictures),
        _participants(scored, folder, pictures),
    ]


def _table11(folder: Path, level: str) -> Section:
    rows = read_rows(folder, "table11")
    claims = [row for row in read_rows(folder, "gaps") if row["metric"] in {"em", "ned"}]
    typed = any(row["kind"] == REPORTED for row in rows)
    columns = [
        *("evaluator", *(["kind"] if typed else [])),
        *("n_em", "em", "f1", "n_w1", "w1", "n_text", "ned", "char_f1", "agreement"),
        *("em_gap", "f1_gap", "w1_gap", "ned_gap", "char_f1_gap"),
    ]
    caption = "People and models on the same questions"
    return Section(
        "table-11",
        "Table 11",
        [
            *(Paragraph(claim_sentence(row, level), "claim") for row in claims),
            *table_of(caption, rows, 2 if typed else 1, columns=columns),
            *(Paragraph(note) for note in read_notes(folder)),
            Paragraph(TARGETS),
        ],
    )


def claim_sentence(row: Row, level: str) -> str:
    """Say what a gap and its intervals allow, and nothing more."""
    metric = METRIC_NAMES.get(row["metric"], row["metric"])
    gap = f"{row['model']}, {metric}: gap {row['gap']} points"
    ends = [
        f"{row[f'{target}_low']} to {row[f'{target}_high']} ({name})"
        for target, name in (("t2", "new questions"), ("t3", "new people too"))
        if row.get(f"{target}_low")
    ]
    interval = f", {level} interval {'; '.join(ends)}" if ends else ""
    return f"{gap}{interval}. {row['statement'][:1].upper()}{row['statement'][1:]}."


def _gaps(folder: Path, pictures: Pictures) -> Section:
    gaps = read_rows(folder, "gaps")
    named = [row | {"metric": METRIC_NAMES.get(row["metric"], row["metric"])} for row in gaps]
    columns = [
        *("model", "metric", "gap", "t2_low", "t2_high", "t3_low", "t3_high"),
        *("p_sign_flip", "p_holm", "mde"),
    ]
    differences = [
        *("model_a", "model_b", "metric", "n", "difference", "low", "high"),
        *("p_sign_flip", "p_holm", "mde", "statement"),
    ]
    return Section(
        "gaps",
        "The gap between people and models",
        [
            *pictures.gaps(gaps),
            *table_of("Gaps in percentage points", named, 2, columns=columns),
            Paragraph(
                "The detectable gap is the smallest that this number of questions finds with 80 % "
                "power; a smaller one may exist unseen. The test flips signs of whole images and "
                "is adjusted over models (Holm)."
            ),
            *table_of(
                "Models against each other",
                read_rows(folder, "model_differences"),
                3,
                columns=differences,
                folded=True,
            ),
            *table_of("Equivalence tests", read_rows(folder, "equivalence"), 2),
        ],
    )


def _categories(scored: ScoredStudy, folder: Path, pictures: Pictures) -> Section:
    who, consistent = ("evaluator", "condition", "group", "n"), ("lenient_ned", "lenient_char_f1")
    columns = [*who, "em", "precision", "recall", "f1", "jaccard", "w1", "ned", "char_f1"]
    if only_texts(scored):
        columns = [*who, "ned", "char_f1", "precision", "recall", *consistent, "em"]
    by_category = read_rows(folder, "by_category")
    blocks: list[Block] = [*pictures.categories(scored, by_category)]
    for name, caption in (
        ("by_category", "Scores by category"),
        ("by_collection", "Scores by collection"),
        ("by_task_type", "Scores by task type"),
        ("by_cardinality", "Scores by number of right labels"),
        ("overall", "Means over answers, over questions, and weighted as the whole test"),
        ("conditions", "Prompt conditions and what each changes"),
    ):
        rows = [row for row in read_rows(folder, name) if row.get("group") != ""]
        if name == "by_cardinality" and only_texts(scored):
            continue
        chosen = columns if name.startswith("by_") else []
        blocks += table_of(caption, rows, 3, columns=chosen, folded=True)
    for name, caption in (
        ("simultaneous_categories", "Intervals that hold for all categories at once"),
        ("simultaneous_collections", "Intervals that hold for all collections at once"),
        ("chance_floors", "What answering without looking would score"),
        ("above_chance", "Exact match above the best constant answer"),
        ("confusions", "The commonest confusions"),
    ):
        blocks += table_of(caption, read_rows(folder, name), 3, folded=True)
    return Section("categories", "Categories and collections", blocks)


def only_texts(scored: ScoredStudy) -> bool:
    """Tell whether every answer is a transcription."""
    return measures_of(scored.questions) == TEXT_MEASURES


def _texts(folder: Path) -> list[Section]:
    rows = read_rows(folder, "transcriptions")
    if not rows:
        return []
    return [
        Section(
            "transcriptions",
            "Transcriptions",
            [
                *table_of("Scores as they are, and protocol-consistent (secondary)", rows, 2),
                Paragraph(
                    "Means of the categories' means. The protocol-consistent scores are secondary: "
                    "for everybody, a run of damage squares is one and declared variants of a "
                    "character are the same. Who could read nothing gave an answer, and scores 0."
                ),
            ],
        )
    ]


def _agreement(scored: ScoredStudy, folder: Path, pictures: Pictures) -> Section:
    rows = read_rows(folder, "agreement")
    exact = ("exact_agreement", "exact_low", "exact_high")
    similar = ("similarity", "similarity_low", "similarity_high")
    columns = [
        *("category", "n_questions"),
        *((*similar, *exact) if only_texts(scored) else (*exact, *similar)),
        *("within_one", "pairwise_f1", "alpha", "alpha_low", "alpha_high", "alpha_distance"),
        *("ac1", "brennan_prediger"),
    ]
    caption = for_answers(scored, "Pairwise exact agreement", "Pairwise similarity")
    undefined = [row for row in rows if row.get("reason")]
    notes: Sequence[Paragraph] = [
        Paragraph(f"{row['category']}: {row['reason']}.", "warning") for row in undefined
    ]
    return Section(
        "agreement",
        "Agreement between people",
        [
            *table_of(f"{caption}, and corrected for chance", rows, columns=columns),
            Paragraph(
                "Exact agreement is the share of pairs of people who gave the same answer; the "
                "last row is the mean of the categories. Chance-corrected coefficients are low "
                "where nearly everybody gives the same answer, however well people agree."
            ),
            *([Paragraph(OF_TEXTS)] if any(row["similarity"] for row in rows) else []),
            *notes,
            *pictures.agreement(scored),
        ],
    )


def _counts(folder: Path, pictures: Pictures) -> list[Section]:
    rows = read_rows(folder, "line_count_errors")
    if not rows:
        return []
    return [
        Section(
            "line-counts",
            "Line counts",
            [
                *pictures.line_counts(rows),
                *table_of("Distance from the key", rows, 2, folded=True),
            ],
        )
    ]


def _participants(scored: ScoredStudy, folder: Path, pictures: Pictures) -> Section:
    forest = read_rows(folder, "participants_forest")
    return Section(
        "participants",
        "Participants",
        [
            *pictures.participants(scored, forest),
            *table_of("Each participant", forest, folded=True),
            *table_of("Time", read_rows(folder, "timing"), 2, folded=True),
            *table_of("Order and fatigue", read_rows(folder, "order_effects"), 2, folded=True),
        ],
    )
