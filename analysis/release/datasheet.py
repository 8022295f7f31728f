"""The datasheet: what a stranger must know before using the released responses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.scoring.scored import ScoredStudy
from sampling.study.definition import StudyDefinition

UNREPORTED = "Unreported"
POOLED = (
    (
        "Answers are pooled: the bundle holds no participants, no plan, no days and no times, and "
        "answers to a question are in the order of their text, so that nothing joins the "
        "answers of one person; comments are not included."
    ),
    (
        "Numbers that need to know who gave which answer (intervals for new people, scores by "
        "participant, order effects) cannot be made again from the bundle."
    ),
)


def datasheet(
    definition: StudyDefinition,
    scored: ScoredStudy,
    conflicts: int | None,
    files: Mapping[str, str],
    *,
    collected_here: bool,
    pooled: bool = False,
) -> str:
    """Write the datasheet in Markdown, after Gebru et al. (2021), "Datasheets for datasets".

    Parameters
    ----------
    definition, scored : the study
    conflicts : answers that the exclusion rule forbids, None where nothing can be said
    files : name of each file of the bundle to one sentence about it
    collected_here : whether the answers came through this tool's pages; what these bring about is
        said only then
    pooled : whether participants' codes, days and times were left out
    """
    sections = _sections(
        definition, scored, conflicts, collected_here=collected_here, pooled=pooled
    )
    lines = [f"# Datasheet: {definition.study.name}", ""]
    for title, sentences in sections.items():
        lines += [f"## {title}", "", *(f"- {sentence}" for sentence in sentences), ""]
    lines += ["## Files", "", "| file | what it holds |", "|---|---|"]
    lines += [f"| `{name}` | {what} |" for name, what in sorted(files.items())]
    return "\n".join(lines) + "\n"


def _sections(
    definition: StudyDefinition,
    scored: ScoredStudy,
    conflicts: int | None,
    *,
    collected_here: bool,
    pooled: bool,
) -> dict[str, list[str]]:
    release = definition.release
    collection = _collection(definition, scored, conflicts, collected_here=collected_here)
    return {
        "Why it was made": [
            f"To measure how well people do on a sample of a benchmark: {definition.study.name}.",
            _said("Reviewed by an ethics board", definition.checklist, "ethics_review"),
        ],
        "What it holds": _contents(definition, scored),
        "Who answered and how": collection,
        "What was done to the answers": [
            (
                "The answer as given stands beside the answer as scored. One normaliser and one "
                "scorer read references, people and models. Nothing was corrected or left out."
            ),
            *(POOLED if pooled else _codes(definition, scored)),
        ],
        "What it is for, and not for": [
            "For checking and extending the published comparison between people and models.",
            (
                "Not for ranking or recognising the people who answered, and not for training the "
                "models that the benchmark measures."
            ),
        ],
        "How it is shared": [
            f"Licence: {release.license or UNREPORTED}.",
            f"Cite: {release.citation or UNREPORTED}.",
            f"Home: {release.url or UNREPORTED}.",
        ],
    }


def _codes(definition: StudyDefinition, scored: ScoredStudy) -> list[str]:
    """Say what participants' codes hide, and what they do not."""
    sentences = [
        (
            "Participants' pseudonyms were replaced by codes in an order drawn at random, by a key "
            "that is kept by the study and not published; times were cut to the day; comments are "
            "not included."
        )
    ]
    if definition.benchmark.annotators is not None:
        sentences.append(
            "Participants were kept from questions whose references they had made. Whoever has the "
            "benchmark's table of annotators can therefore tell who somebody is that answered none "
            "of an annotator's questions: probably that annotator. The codes hide this only as "
            "long as that table is not public."
        )
    return sentences


def _contents(definition: StudyDefinition, scored: ScoredStudy) -> list[str]:
    responses, questions = scored.responses, scored.questions
    collections = sorted({name for name in questions["script_name"] if name})
    sentences = [
        (
            f"{len(responses)} responses by {responses['participant'].nunique()} participants to "
            f"{len(questions)} questions about {questions['image_name'].nunique()} images."
        ),
        f"Categories: {', '.join(sorted(set(questions['category'])))}.",
        f"Asked for: {definition.assignment.responses_per_question} responses a question.",
        "No images: they belong to the benchmark.",
        (
            "References: `ground_truth` of each answer in `responses.jsonl`, as it is scored. "
            "Whoever trains on the bundle trains on the benchmark's answers."
        ),
    ]
    if collections:
        sentences.insert(2, f"Collections: {', '.join(collections)}.")
    return sentences


def _collection(
    definition: StudyDefinition,
    scored: ScoredStudy,
    conflicts: int | None,
    *,
    collected_here: bool,
) -> list[str]:
    declared = definition.checklist
    blind = (
        "In a web page. Each question was answered by different people, blind to the reference, to "
        "other people's answers and to the models'."
    )
    return [
        _days(scored),
        blind if collected_here else f"In which surroundings: {UNREPORTED}.",
        _exclusion(conflicts),
        _said("People the results speak for", declared, "population"),
        _said("How they were found", declared, "recruitment"),
        _said("Pay", declared, "paid"),
        f"Consent: {_consent(definition) if collected_here else UNREPORTED}.",
    ]


def _days(scored: ScoredStudy) -> str:
    days = scored.responses["submitted_at"].dropna()
    if not len(days):
        return f"When: {UNREPORTED}."
    first, last = f"{days.min():%Y-%m-%d}", f"{days.max():%Y-%m-%d}"
    return f"On {first}." if first == last else f"Between {first} and {last}."


def _exclusion(conflicts: int | None) -> str:
    if conflicts is None:
        return f"Kept from questions whose references they had made: {UNREPORTED}."
    return f"Answers by somebody who had a part in that question's reference: {conflicts}."


def _consent(definition: StudyDefinition) -> str:
    consent = definition.consent
    return f"asked for, text version {consent.version}" if consent.required else UNREPORTED


def _said(label: str, declared: Mapping[str, Any], key: str) -> str:
    value = declared.get(key, UNREPORTED)
    if isinstance(value, bool):
        value = "Yes" if value else "No"
    return f"{label}: {value}."
