"""The sections that show results: Table 11, gaps, categories, agreement, counts, participants."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analysis.report.blocks import (
    METRIC_NAMES,
    Block,
    DataTable,
    Paragraph,
    Row,
    Section,
    read_notes,
    read_rows,
    read_title,
    table_from,
    table_of,
)
from analysis.report.claims import (
    difference_claims,
    gap_claims,
    no_new_people_notes,
    same_width_note,
    score_claims,
    score_intervals,
)
from analysis.report.pictures import Pictures, for_answers
from analysis.scoring.scored import ScoredStudy
from analysis.table11.table11 import REPORTED, TEXT_MEASURES, measures_of

FEW_ROWS = 12  # shown at once; longer tables are folded
OF_TEXTS = (
    "Two texts are hardly ever the same throughout: their similarity is 1 minus their edit "
    "distance over the longer length, averaged over the pairs of people who transcribed the same "
    "image."
)
TARGETS = (
    "T2 speaks for new questions answered by these people, T3 for new questions and new people; "
    "both treat questions about one image as belonging together. A model's own score has no T3: "
    "people have no part in it."
)


def result_sections(scored: ScoredStudy, folder: Path, pictures: Pictures) -> list[Section]:
    """Build these sections in the order they are read."""
    return [
        _table11(folder, pictures.level),
        *_gaps(folder, pictures),
        _categories(scored, folder, pictures),
        *_texts(folder),
        _agreement(scored, folder, pictures),
        *_counts(folder, pictures),
        _participants(scored, folder, pictures),
    ]


def _table11(folder: Path, level: str) -> Section:
    rows = read_rows(folder, "table11")
    typed = any(row["kind"] == REPORTED for row in rows)
    columns = [
        *("evaluator", *(["kind"] if typed else [])),
        *("n", "em", "f1", "w1", "ned", "char_f1", "agreement"),
        *("em_gap", "f1_gap", "w1_gap", "ned_gap", "char_f1_gap"),
    ]
    caption = "People and models on the same questions" if len(rows) > 1 else "What people scored"
    intervals = score_intervals(rows)
    return Section(
        "human-baseline",
        read_title(folder),
        [
            *(Paragraph(one, "claim") for one in score_claims(rows, level)),
            *(Paragraph(one, "claim") for one in gap_claims(read_rows(folder, "gaps"), level)),
            *table_of(caption, list(map(_counted, rows)), 2 if typed else 1, columns=columns),
            *(Paragraph(note) for note in read_notes(folder)),
            *table_of(
                f"Every score with its {level} intervals",
                intervals,
                2,
                folded=len(intervals) > FEW_ROWS,
            ),
            Paragraph(TARGETS),
            *(Paragraph(note) for note in no_new_people_notes(folder)),
            *(Paragraph(note) for note in same_width_note(folder)),
            *table_from(folder, "intervals", "Every interval by every method", 2),
        ],
    )


def _counted(row: Row) -> Row:
    """Put the counts of a row together: answers, then counts, then texts where they differ."""
    counts = dict.fromkeys(row.get(name, "") for name in ("n_em", "n_w1", "n_text"))
    return {"n": " / ".join(count for count in counts if count not in {"", "0"}), **row}


def _gaps(folder: Path, pictures: Pictures) -> list[Section]:
    gaps = read_rows(folder, "gaps")
    if not gaps:
        return []
    columns = [
        *("model", "metric", "gap", "t2_low", "t2_high", "t3_low", "t3_high"),
        *("p_sign_flip", "p_holm", "mde"),
    ]
    models = [
        *("model_a", "model_b", "metric", "n", "difference", "low", "high"),
        *("p_sign_flip", "p_holm", "mde", "statement"),
    ]
    differences = read_rows(folder, "model_differences")
    return [
        Section(
            "gaps",
            "The gap between people and models",
            [
                *pictures.gaps(gaps),
                *table_of("Gaps in percentage points", _named(gaps), 2, columns=columns),
                Paragraph(
                    "The detectable gap is the smallest that this number of questions finds with "
                    "80 % power; a smaller one may exist unseen. The test flips the signs of whole "
                    "images. Where it is sampled and no sample is as extreme as the gap, p is only "
                    "known to be below two over the number of samples, and printed so. It is "
                    "adjusted over the models (Holm), measure by measure."
                ),
                *(Paragraph(one, "claim") for one in difference_claims(differences)),
                *table_of(
                    "Models against each other",
                    _named(differences),
                    3,
                    columns=models,
                    folded=True,
                    source="model_differences.csv",
                ),
                *table_from(folder, "equivalence", "Equivalence tests", 2, folded=False),
                *table_from(folder, "model_groups", "Groups of models", folded=False),
            ],
        )
    ]


def _named(rows: Sequence[Row]) -> list[Row]:
    """Print the names of metrics in words."""
    return [{**row, "metric": METRIC_NAMES.get(row["metric"], row["metric"])} for row in rows]


def _categories(scored: ScoredStudy, folder: Path, pictures: Pictures) -> Section:
    blocks: list[Block] = [*pictures.categories(scored, read_rows(folder, "by_category"))]
    for name, caption in (
        ("by_category", "Scores by category"),
        ("by_collection", "Scores by collection"),
        ("by_task_type", "Scores by task type"),
        ("by_cardinality", "Scores by number of right labels"),
        ("overall", "Means over answers, over questions, and weighted as the whole test"),
        ("conditions", "Prompt conditions and what each changes"),
    ):
        if name != "by_cardinality" or not only_texts(scored):
            blocks += _scores(scored, folder, name, caption)
    for name, caption in (
        ("simultaneous_categories", "Intervals that hold for all categories at once"),
        ("simultaneous_collections", "Intervals that hold for all collections at once"),
        ("chance_floors", "What answering without looking would score"),
        ("above_chance", "Exact match above the best constant answer"),
        ("error_counts", "Right, partly right and wrong answers"),
        ("confusions", "The commonest confusions"),
    ):
        blocks += table_from(folder, name, caption, 3)
    return Section("categories", "Categories and collections", blocks)


def _scores(scored: ScoredStudy, folder: Path, name: str, caption: str) -> list[DataTable]:
    """Lay out one breakdown; its groups without a name are left out."""
    who, consistent = ("evaluator", "condition", "group", "n"), ("lenient_ned", "lenient_char_f1")
    columns = [*who, "em", "precision", "recall", "f1", "jaccard", "w1", "n_w1", "count_exact"]
    columns += ["ned", "char_f1", "em_gain", "f1_gain", "w1_gain"]
    if only_texts(scored):
        columns = [*who, "ned", "char_f1", "precision", "recall", *consistent, "em", "ned_gain"]
    rows = [row for row in read_rows(folder, name) if row.get("group") != ""]
    chosen = columns if name.startswith("by_") else []
    text_columns = 2 if name == "conditions" else 3
    return table_of(caption, rows, text_columns, columns=chosen, folded=True, source=f"{name}.csv")


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
                "last row is the mean of the categories. Intervals here draw questions anew within "
                "each category; those under the first table keep questions about one image "
                "together. Chance-corrected coefficients are low where nearly everybody gives "
                "the same answer, however well people agree."
            ),
            *([Paragraph(OF_TEXTS)] if any(row["similarity"] for row in rows) else []),
            *notes,
            *pictures.agreement(scored),
            *table_from(folder, "agreement_coefficients", "Every coefficient, by category", 2),
            *table_from(folder, "agreement_labels", "Agreement on each label of a set", 2),
        ],
    )


def _counts(folder: Path, pictures: Pictures) -> list[Section]:
    rows = read_rows(folder, "line_count_errors")
    if not rows:
        return []
    return [
        Section(
            "counts",
            "Counts",
            [
                *pictures.line_counts(rows),
                *table_from(folder, "line_count_errors", "Distance from the key", 2),
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
            *table_from(folder, "participants_forest", "Each participant", 2),
            *table_from(folder, "leave_one_participant_out", "Without each participant", 3),
            *table_from(folder, "participant_model_pairs", "Each person beside each model", 2),
            *table_from(folder, "timing", "Time", 2),
            *table_from(folder, "order_effects", "Order and fatigue", 2),
        ],
    )
