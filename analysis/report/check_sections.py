"""The sections that let a reviewer doubt: flow, sensitivity, secondary numbers, deviations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis.report.blocks import (
    Block,
    DataTable,
    Paragraph,
    Section,
    read_rows,
    signed,
    table_from,
    table_of,
)
from analysis.report.checklist import short_digests, source_of
from analysis.report.checklist_answers import ChecklistAnswer, Source
from analysis.report.participant_flow import STEPS, ParticipantFlow
from analysis.scoring.exact import percent_or_empty
from analysis.table11.multiverse import Choice
from sampling.record.freeze import Deviation

UNTOLD = (
    "Who had a part in the keys is not known: the study has no annotators file or no roster, so "
    "that nobody could be left out for it."
)


def flow_section(flow: ParticipantFlow) -> Section:
    """Show how many people are left at each step, and what became of the responses."""
    people = [
        {"step": words, "n_people": str(flow.people[key])}
        for key, words in STEPS.items()
        if key in flow.people
    ]
    lost = [
        {"step": key, "n_people": str(flow.people[key])}
        for key in ("withdrawn", "erased")
        if flow.people.get(key)
    ]
    responses = [{"status": name, "responses": str(n)} for name, n in flow.responses.items()]
    return Section(
        "flow",
        "From invitation to analysis",
        [
            *table_of("People", people + lost),
            *table_of("Responses", responses),
            Paragraph("Only answered responses are scored; the others hold no slot."),
        ],
    )


def multiverse_section(choices: Sequence[Choice], *, told: bool) -> Section:
    """Show the headline under every choice of exclusion.

    `told` says whether the study's files tell who had a part in the keys.
    """
    models = list(choices[0].gaps) if choices else []
    columns = [
        ("choice", "choice"),
        ("responses", "responses"),
        ("questions", "questions"),
        ("mean", "human, %"),
        *((model, f"gap to {model}") for model in models),
    ]
    rows = [
        {
            "choice": choice.name,
            "responses": str(choice.responses),
            "questions": str(choice.questions),
            "mean": percent_or_empty(choice.mean),
            **{model: signed(percent_or_empty(choice.gaps[model])) or "—" for model in models},
        }
        for choice in choices
    ]
    return Section(
        "multiverse",
        "Does it depend on what is left out?",
        [
            Paragraph(
                "The first row is the headline. Nothing was left out of it; each other row shows "
                "what one choice would change. A choice that would leave nothing out has no row."
            ),
            *([] if told else [Paragraph(UNTOLD)]),
            DataTable("The headline under each choice", columns, rows),
        ],
    )


def secondary_section(folder: Path, *, only_texts: bool) -> Section:
    """Show people against people and the aggregates, labelled as secondary."""
    reference = "How like each other's texts, and a model's like theirs"
    words = (
        "Secondary numbers: people held against the other people, and models against the same "
        "people, without any key."
    )
    if not only_texts:
        reference = "One person, majority of three, best of three"
        words = (
            "Secondary numbers. A majority of three people, or the best of three, is another "
            "kind of evaluator than one model run: compare it only with the model's own "
            "aggregates, which stand beside it where a model has as many runs (matched: yes)."
        )
    blocks: list[Block] = [Paragraph(words)]
    for name, caption in (
        ("human_reference", reference),
        ("alt_test", "Could a model stand in for a person, over a range of epsilon"),
        ("key_audit", "How often everybody agrees against the key"),
        ("key_audit_questions", "The questions where everybody agrees against the key"),
        ("dawid_skene", "One-coin Dawid–Skene, a diagnostic"),
        ("variance_components", "Where the variance lies"),
        ("d_study", "What other numbers of people, questions and answers would give"),
    ):
        words_first = 1 if name in {"key_audit", "d_study"} else 2
        blocks += table_from(folder, name, caption, words_first)
    return Section("people-against-people", "People against people", blocks)


def invalid_section(folder: Path, *, only_texts: bool) -> Section:
    """Show what unreadable answers cost, under strict and lenient reading.

    Any text can be read, so where there are only texts an answer is invalid when there is none.
    """
    reasons = read_rows(folder, "invalid_reasons")
    apart = read_rows(folder, "gap_decomposition")
    # A condition is told only where there are several.
    left_out = {"n_invalid"} | (
        {"condition"} if len({row["condition"] for row in apart}) < 2 else set()
    )
    blocks: list[Block] = [
        Paragraph(
            "A form cannot send an unreadable answer, a model can. The gap is split into what "
            "remains under lenient reading and what the reading itself takes away."
        ),
        *table_of(
            "The gap taken apart",
            apart,
            1 if "condition" in left_out else 2,
            columns=[name for name in apart[0] if name not in left_out] if apart else (),
            source="gap_decomposition.csv",
        ),
        *table_from(
            folder, "normalization", "Exact match before and after normalisation", 2, folded=False
        ),
    ]
    if only_texts:
        found = "" if reasons else " Here none was."
        blocks = [Paragraph(f"Any text can be read; an answer without one is invalid.{found}")]
    return Section(
        "invalid-answers",
        "Answers that could not be read",
        [
            *blocks,
            *table_of("Why answers were invalid", reasons, 3),
            *table_from(folder, "reported_differences", "Where a file's own scores differ", 4),
        ],
    )


def deviations_section(frozen: bool, deviations: Sequence[Deviation]) -> Section:
    """Show what differs from the frozen study, or that it was never frozen."""
    if not frozen:
        note = Paragraph(
            "This study was not frozen: nobody can tell whether design or rules changed after "
            "answers were seen. The command lontar freeze fixes them by digest.",
            "warning",
        )
    elif deviations:
        count = "1 difference" if len(deviations) == 1 else f"{len(deviations)} differences"
        note = Paragraph(f"{count} from the frozen study.", "warning")
    else:
        note = Paragraph("Nothing differs from the frozen study.")
    rows = [{"part": one.part, "item": one.item, "what": one.sentence} for one in deviations]
    return Section(
        "deviations",
        "Deviations from the frozen plan",
        [note, *table_of("Differences", rows, 3)],
    )


def checklist_section(answers: Sequence[ChecklistAnswer]) -> Section:
    """Show the reporting checklist."""
    rows = [
        {
            "number": answer.item.number,
            "question": answer.item.question,
            "answer": answer.value,
            "source": source_of(answer),
            "from": answer.evidence,
            "sha256": short_digests(answer),
        }
        for answer in answers
    ]
    unanswered = sum(answer.source is Source.UNREPORTED for answer in answers)
    columns = [
        ("number", ""),
        ("question", "question"),
        ("answer", "answer"),
        ("source", "source"),
        ("from", "from"),
        ("sha256", "SHA-256"),
    ]
    caption = "Every question and its answer"
    return Section(
        "checklist",
        "Reporting checklist",
        [
            Paragraph(
                f"{len(answers) - unanswered} of {len(answers)} questions are answered, "
                f"{unanswered} are unreported. After Wei et al. (2025), arXiv 2506.13776."
            ),
            DataTable(caption, columns, rows, 6, folded=True, source="checklist.md", printed=True),
        ],
    )


def provenance_section(run: Mapping[str, Any], warnings: Sequence[str]) -> Section:
    """Show what the page was made from."""
    inputs = [{"file": name, "sha256": digest} for name, digest in run["inputs"].items()]
    versions = [{"program": name, "version": text} for name, text in run["versions"].items()]
    return Section(
        "provenance",
        "What this page was made from",
        [
            *(Paragraph(warning, "warning") for warning in warnings),
            Paragraph(
                f"Seed: {run['seed']}. Answers were read by reading rule {run['reading_rule']}."
            ),
            *table_of("Input files", inputs, 2, folded=True),
            *table_of("Versions", versions, 2, folded=True),
        ],
    )
