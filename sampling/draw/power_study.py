"""The precision of one study's design: overall, by category, and what more of each would buy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.draw.power import (
    Assumptions,
    PowerDesign,
    Precision,
    Score,
    exact_match,
    f1_score,
    more_of_each,
    precision,
    questions_needed,
    text_score,
    within_one,
)
from sampling.study.questions import Question

GAPS = (0.10, 0.05, 0.03)
HEADER = (
    "metric", "group", "questions", "answers", "people", "human", "human+p", "gap", "gap+p",
    "detects", "detects+p",
)  # fmt: skip


@dataclass(frozen=True)
class StudyPower:
    """The precision of a study: its own design, and others. Gaps map to questions needed."""

    assumed: Assumptions
    own: tuple[Precision, ...]
    more: tuple[Precision, ...]
    needed: Mapping[str, Mapping[str, int | None]]


def study_power(
    questions: Sequence[Question],
    vocabularies: Mapping[str, Vocabulary],
    responses: int,
    people: int,
    assumed: Assumptions,
) -> StudyPower:
    """Work out the precision of every metric that a sample's answer formats have.

    Text studies have an edit similarity in place of exact match, F1 and within-one.
    """
    sizes = Counter(question.category for question in questions)
    formats = {category: vocabularies[category].format for category in sorted(sizes)}
    own: list[Precision] = []
    for score, categories in _scores(formats, sizes, assumed):
        n = sum(sizes[category] for category in categories)
        own.append(precision(score, "all", PowerDesign(n, responses, people), assumed))
    main, _ = _scores(formats, sizes, assumed)[0]
    for category, answer in formats.items():
        design = PowerDesign(sizes[category], responses, people)
        alone = _scores({category: answer}, sizes, assumed)
        own += [
            precision(score, category, design, assumed)
            for score, _ in alone
            if score.name != "f1" or answer is AnswerFormat.MULTI
        ]
    design = own[0].design
    return StudyPower(
        assumed,
        tuple(own),
        tuple(precision(main, "all", other, assumed) for other in more_of_each(design)),
        {
            f"{100 * gap:.0f}": {
                "same_people": questions_needed(gap, main, design, assumed, with_people=False),
                "new_people": questions_needed(gap, main, design, assumed, with_people=True),
            }
            for gap in GAPS
        },
    )


def _scores(
    formats: Mapping[str, AnswerFormat], sizes: Mapping[str, int], assumed: Assumptions
) -> list[tuple[Score, list[str]]]:
    """List the metrics with the categories each is taken over."""
    texts = [one for one, answer in formats.items() if answer is AnswerFormat.TEXT]
    labels = [one for one in formats if one not in texts]
    counts = [one for one, answer in formats.items() if answer is AnswerFormat.COUNT]
    found: list[tuple[Score, list[str]]] = []
    if labels:
        several = sum(sizes[one] for one in labels if formats[one] is AnswerFormat.MULTI)
        share = several / sum(sizes[one] for one in labels)
        found.append((exact_match(assumed), labels))
        found.append((f1_score(assumed, share), labels))
    if counts:
        found.append((within_one(assumed), counts))
    if texts:
        found.append((text_score(assumed), texts))
    return found


def power_record(found: StudyPower) -> dict[str, Any]:
    """Give everything as plain values, shares unrounded."""
    return {
        "assumed": asdict(found.assumed),
        "design": [asdict(one) for one in found.own],
        "more": [asdict(one) for one in found.more],
        "questions_needed": {gap: dict(needed) for gap, needed in found.needed.items()},
    }


def power_rows(rows: Sequence[Precision]) -> list[list[str]]:
    """Write precisions as rows under `HEADER`, in percentage points with one decimal."""
    return [
        [
            one.metric,
            one.group,
            *(str(count) for count in asdict(one.design).values()),
            *(
                "" if width is None else f"{100 * width:.1f}"
                for width in (
                    one.human_questions,
                    one.human_people,
                    one.gap_questions,
                    one.gap_people,
                    one.detectable_questions,
                    one.detectable_people,
                )
            ),
        ]
        for one in rows
    ]


def power_text(found: StudyPower) -> str:
    """Write the tables with their legend, for a terminal."""
    assumed = found.assumed
    right, model = f"{100 * assumed.human:.1f} %", f"{100 * assumed.model:.1f} %"
    differ = f"{100 * assumed.participant_sd:g}"
    lines = [
        "Before anybody answers, in percentage points:",
        "  human      half-width of the 95 % interval of the human mean, for new questions",
        "  gap        the same of human minus model, paired by question",
        "  detects    the smallest true gap found in 8 of 10 such studies (alpha 5 %)",
        "  ...+p      the same for new questions and new people",
        "",
        f"Taken for true: people right {right}, the model {model};",
        f"intra-question correlation {assumed.icc:g}; people differ by {differ} points;",
        f"what is hard for people is hard for the model with correlation {assumed.shared:g}.",
        "",
        *_aligned([list(HEADER), *power_rows(found.own)]),
        "",
        "What more would buy:",
        *_aligned([list(HEADER), *power_rows(found.more)]),
        "",
        "Questions needed to detect a gap:",
    ]
    for gap, needed in found.needed.items():
        same, new = needed["same_people"], needed["new_people"]
        beyond = "no number is enough with so few people" if new is None else f"{new:,}"
        lines.append(f"  {gap:>2} points: {same:,}; with new people: {beyond}")
    return "\n".join(lines) + "\n"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Pad columns: words to the left, numbers to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
