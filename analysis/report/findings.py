"""The automatic answers on benchmark, design and people, and all of them together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from analysis.report.answers import Finding
from analysis.report.conduct import (
    analysis_findings,
    documentation_findings,
    execution_findings,
)
from analysis.report.evidence import (
    FLOW_FILE,
    MANIFEST,
    POWER,
    QUESTIONS,
    RESPONSES,
    RUN,
    Evidence,
)
from analysis.report.participant_flow import STEPS
from analysis.scoring.scored import ScoredStudy

# What the tool's own pages bring about unless a study says otherwise.
DEFAULTS_OF_PAGES = {
    "instrument_adapted": (
        "Partial: people choose from the vocabulary the models were given; a form cannot send an "
        "answer that no rule reads, a model can (see the decomposition of the gap)"
    ),
    "same_interface": "No: people answer in a web page, models through an interface for programs",
    "interface_difference": "Web page with a zoomable image against an image sent with a prompt",
    "instructions_published": "Prepared: `lontar release` puts them into the bundle, word for word",
}
DEFAULTS = {
    "data_available": "Prepared: `lontar release` writes every response and its scores",
    "data_per_participant": "Yes in the bundle, under codes that say nothing about the person",
}


def defaults(evidence: Evidence) -> dict[str, str]:
    """Give what holds because of the tool, where its pages and its texts were used."""
    if not evidence.collected_here:
        return DEFAULTS
    found = DEFAULTS | DEFAULTS_OF_PAGES
    if evidence.definition.instructions.folder is None:
        found["ai_tools"] = "None permitted (the built-in instructions say so)"
    return found


def automatic_findings(evidence: Evidence) -> dict[str, Finding]:
    """Answer what the files answer; a question they say nothing of is left out."""
    return {
        **_benchmark(evidence),
        **_design(evidence),
        **_people(evidence),
        **execution_findings(evidence),
        **analysis_findings(evidence),
        **documentation_findings(evidence),
    }


def _benchmark(evidence: Evidence) -> dict[str, Finding]:
    scored = evidence.scored
    found = {}
    if (scored.questions["image_name"] != "").any():
        found["modality"] = evidence.finding("Visual: an image with each question", QUESTIONS)
    if evidence.manifest is not None and "strata" in evidence.manifest:
        total = sum(int(stratum["N"]) for stratum in evidence.manifest["strata"])
        found["dataset_size"] = evidence.finding(f"{total:,} candidate questions", MANIFEST)
    elif evidence.benchmark_size is not None:
        files = ", ".join(evidence.definition.benchmark.questions)
        found["dataset_size"] = evidence.finding(f"{evidence.benchmark_size:,} questions", files)
    if scored.predictions:
        found["model_set_size"] = evidence.finding(_model_sizes(scored), RUN)
        found["model_samples"] = evidence.finding(_model_samples(scored), RUN)
    return found


def _model_sizes(scored: ScoredStudy) -> str:
    """Say how many questions each model answered, and how many of those put to people."""
    asked = len(scored.questions)
    parts = []
    for name, frame in scored.predictions.items():
        further = scored.outside.get(name, 0)
        parts.append(
            f"{name}: {len(frame):,} of the {asked:,} put to people"
            + (f" and {further:,} others" if further else "")
        )
    return "; ".join(parts)


def _model_samples(scored: ScoredStudy) -> str:
    """Say how often each model answered a question in one prompt condition."""
    several = [f"{name}: {len(runs)}" for name, runs in scored.repeats.items()]
    if not several:
        return "1 in each prompt condition"
    return f"1 in each prompt condition, but {'; '.join(several)} runs (Table 11 takes their mean)"


def _design(evidence: Evidence) -> dict[str, Finding]:
    responses = evidence.scored.responses
    questions = len(evidence.scored.questions)
    per_question = responses.groupby("sample_id").size()
    people = evidence.flow.people
    steps = [f"{people[key]} {words}" for key, words in STEPS.items() if key in people]
    found = {
        "participants": evidence.finding(
            ", ".join(steps), FLOW_FILE if FLOW_FILE in evidence.sha256 else RESPONSES
        ),
        "human_set_size": evidence.finding(f"{questions} questions", QUESTIONS),
        "responses_per_question": evidence.finding(
            _distribution(per_question, questions), RESPONSES
        ),
        "questions_per_participant": evidence.finding(_loads(evidence), RESPONSES),
    }
    if evidence.manifest is not None:
        sample = evidence.definition.sample
        spread = f", {sample.spread} reused as little as possible" if sample.spread else ""
        found["sampling_method"] = evidence.finding(
            f"Random within {' × '.join(sample.strata)}, ranked by SHA-256 from a published "
            f"seed{spread}; `lontar verify` draws it again",
            MANIFEST,
        )
    if text := _detectable(evidence):
        found["detectable_gap"] = evidence.finding(text, "results/gaps.csv")
    if evidence.power is not None:
        found["power_analysis"] = evidence.finding(_planned_power(evidence.power), POWER)
    if evidence.freeze is not None:
        found["preregistration"] = evidence.finding(
            f"Fixed by digest on {str(evidence.freeze['frozen_at'])[:10]}, after "
            f"{evidence.freeze['answers_before']} answers; {evidence.deviations} deviations since",
            "freeze.json",
        )
    return found


def _people(evidence: Evidence) -> dict[str, Finding]:
    table = evidence.definition
    found = {}
    if evidence.makers is not None:
        answers = len(evidence.scored.responses)
        roles = table.assignment.exclude_roles
        named = "in any role" if roles is None else f"as {', '.join(roles)}"
        found["prior_exposure"] = evidence.finding(
            f"{len(evidence.makers.forbidden)} of {answers} answers came from somebody who had a "
            f"part in that {table.assignment.exclude_scope}'s reference {named}; counting every "
            f"role {len(evidence.makers.own_question)} did, and counting every question about the "
            f"image {len(evidence.makers.own_image)}",
            RESPONSES,
        )
        team = len(evidence.makers.team)
        people = evidence.scored.responses["participant"].nunique()
        found["authors_as_participants"] = evidence.finding(
            f"{team} of {people} have an annotator id of the benchmark"
            + ("; the results without them are in the multiverse" if 0 < team < people else ""),
            table.participants.roster,
        )
    if table.practice is not None:
        mark = table.practice.pass_mark
        gate = "" if mark is None else f", pass mark {mark:.0%}"
        found["training"] = evidence.finding(
            f"Yes: practice questions outside the sample{gate}", "study.toml"
        )
        found["training_kind"] = evidence.finding(
            "Practice in the same pages, with feedback after each answer", "study.toml"
        )
    return found


def _planned_power(power: Mapping[str, Any]) -> str:
    """Say which gap in exact match the design was expected to detect."""
    whole = next((row for row in power["design"] if row["group"] == "all"), None)
    if whole is None:
        return "Worked out with `lontar power`"
    return (
        "Worked out with `lontar power`: a gap of "
        f"{100 * whole['detectable_questions']:.1f} points for new questions, "
        f"{100 * whole['detectable_people']:.1f} for new people too"
    )


def _distribution(per_question: Iterable[int], questions: int) -> str:
    """Say how many questions have how many responses, the questions without any included."""
    counts = list(per_question)
    counts += [0] * (questions - len(counts))
    parts = [f"{counts.count(k)} with {k}" for k in sorted(set(counts), reverse=True)]
    return f"Questions by responses: {', '.join(parts)}" if parts else "No responses"


def _loads(evidence: Evidence) -> str:
    """Say how many questions a person answered, and with a plan how many they were to answer."""
    given = _spread(evidence.scored.responses.groupby("participant").size())
    if evidence.planned is None:
        return given
    return f"{given}; planned {_spread(evidence.planned.values())}"


def _spread(loads: Iterable[int]) -> str:
    values = sorted(loads)
    if not values:
        return "no responses"
    return f"{values[0]} to {values[-1]} (median {values[len(values) // 2]})"


def _detectable(evidence: Evidence) -> str:
    gaps = evidence.tables.get("gaps")
    if gaps is None:
        return ""
    rows = gaps[(gaps["metric"] == "em") & (gaps["mde"] != "")]
    parts = [f"{row.model}: {row.mde} points" for row in rows.itertuples()]
    return f"Smallest exact-match gap found with 80 % power: {'; '.join(parts)}" if parts else ""
