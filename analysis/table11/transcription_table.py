"""`transcriptions.csv`: every evaluator's texts, as scored and as the protocol means them."""

from __future__ import annotations

from dataclasses import replace

from analysis.scoring.percentages import percent_or_empty
from analysis.scoring.scored import ScoredStudy
from analysis.table11.evaluators import answer_evaluators
from analysis.table11.table11 import TEXT_MEASURES, mean_of
from sampling.answers.vocabularies import AnswerFormat

Row = dict[str, str]


def transcriptions(scored: ScoredStudy) -> list[Row]:
    """Average each evaluator's scores of texts, the categories weighing the same.

    `ned` and `char_f1` are the benchmark's own scores. `consistent_ned` and `consistent_char_f1`
    are secondary: runs of damage squares are one, declared variants of a character are the same.
    `n_empty` counts the texts that hold nothing that is scored, such as those of people who could
    read nothing; they score 0 and stay in every mean.
    """
    texts = scored.questions.index[scored.questions["answer_format"] == AnswerFormat.TEXT.value]
    categories = scored.questions["category"]
    rows = []
    for one in answer_evaluators(scored):
        frame = one.frame[one.frame["sample_id"].isin(texts)]
        if frame.empty:
            continue
        consistent = [
            replace(measure, column=f"lenient_{measure.column}") for measure in TEXT_MEASURES
        ]
        rows.append(
            {
                "evaluator": one.name,
                "condition": one.condition,
                "n": str(len(frame)),
                "n_empty": str(sum(answer == "" for answer in frame["normalized"])),
                **{
                    measure.name: percent_or_empty(mean_of(frame, measure, categories))
                    for measure in TEXT_MEASURES
                },
                **{
                    f"consistent_{measure.name}": percent_or_empty(
                        mean_of(frame, measure, categories)
                    )
                    for measure in consistent
                },
            }
        )
    return rows
