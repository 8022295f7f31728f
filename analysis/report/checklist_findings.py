"""The automatic answers on benchmark, design and people, and all of them together.

The automatic answers on how answers were given, how they were analysed and what is published.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from analysis.report.checklist_answers import (
    FLOW_FILE,
    MANIFEST,
    PLAN,
    POWER,
    QUESTIONS,
    RESPONSES,
    RUN,
    Evidence,
    Finding,
)
from analysis.report.participant_flow import STEPS
from analysis.scoring.scored import ScoredStudy


def execution_findings(evidence: Evidence) -> dict[str, Finding]:
    """Answer how people answered; what only the tool's own pages can tell needs their record."""
    server = evidence.definition.server
    found = {}
    if evidence.planned is not None:
        found["order_randomised"] = evidence.finding(
            "Yes: shuffled for each participant by a key from the seed", PLAN
        )
    if evidence.sessions:
        longest = max(evidence.sessions.values())
        found["instrument_length"] = evidence.finding(
            f"At most {longest} questions, then a break", PLAN
        )
    if evidence.collected_here:
        found["same_instructions"] = evidence.finding(
            "Partial: same vocabulary and answer rules (one file for people, prompts and scoring); "
            "the wording differs between a page and a prompt",
            evidence.definition.benchmark.vocabularies,
        )
        asked = {"comments": server.comments, "confidence": server.confidence}
        collected = [word for word, on in asked.items() if on]
        found["explanations"] = evidence.finding(
            f"Optional: {' and '.join(collected)}" if collected else "No", "study.toml"
        )
        found["execution_quality"] = evidence.finding(
            "Yes: a coordinator sees who answers very fast, always alike or with long pauses; "
            "flags ask for a look and leave nothing out",
            "study.toml",
        )
        found["execution_criteria"] = evidence.finding(
            f"Answers under {server.too_fast_seconds:g} s, runs of one place or one answer, pauses "
            "and repeated sessions, by thresholds fixed beforehand",
            "study.toml",
        )
    set_aside = {name: n for name, n in evidence.flow.responses.items() if name != "answered" and n}
    found["execution_excluded"] = evidence.finding(
        "; ".join(f"{count} {name}" for name, count in sorted(set_aside.items()))
        or "None: every answer given is analysed",
        RESPONSES,
    )
    return found


def analysis_findings(evidence: Evidence) -> dict[str, Finding]:
    """Answer how people and models were compared."""
    same = "Yes: one normaliser and one scorer for keys, people and models"
    differing = evidence.tables.get("reported_differences")
    count = 0 if differing is None else len(differing)
    rescored = f"; {count:,} scores that model files report differ from ours" if count else ""
    found = {
        "same_metric": evidence.finding(
            "Yes: the mean of single responses against a single model run, no majority vote",
            "results/table11.csv",
        ),
        "same_rubric": evidence.finding(same, RUN),
        "same_scoring": evidence.finding(f"{same}, all from raw answers{rescored}", RUN),
    }
    if text := _robustness(evidence):
        found["robustness"] = evidence.finding(text, "results/multiverse.csv")
    if "gaps" in evidence.tables:
        found["significance_test"] = evidence.finding("Yes", "results/gaps.csv")
        found["test_used"] = evidence.finding(
            "Paired sign-flip test clustered by image, Holm over models", "results/gaps.csv"
        )
    if "intervals" in evidence.tables:
        found["uncertainty"] = evidence.finding(
            "Yes: for new questions, and for new questions and people", "results/intervals.csv"
        )
        found["uncertainty_form"] = evidence.finding(
            "Intervals beside every headline number, by formula and by resampling",
            "results/intervals.csv",
        )
    return found


def _robustness(evidence: Evidence) -> str:
    """Say between which numbers the headline moves under the other choices."""
    table = evidence.tables.get("multiverse")
    if table is None:
        return ""
    names = table["choice"].drop_duplicates()
    parts = [f"people {_range(table['human'])} %"]
    for model, rows in table[table["gap"] != ""].groupby("model", sort=False):
        parts.append(f"gap to {model} {_range(rows['gap'])} points")
    return f"Shown under {len(names)} choices of what to leave out: {'; '.join(parts)}"


def _range(printed: Iterable[str]) -> str:
    values = sorted((text for text in printed if text), key=float)
    return f"{values[0]} to {values[-1]}".replace("-", "−") if values else "undefined"


def documentation_findings(evidence: Evidence) -> dict[str, Finding]:
    """Answer how long answering took and how much of it was done."""
    responses = evidence.scored.responses
    active = responses["active_seconds"].dropna()
    found = {}
    if len(active):
        quartiles = active.quantile([0.25, 0.5, 0.75])
        found["time_to_complete"] = evidence.finding(
            f"Median {quartiles[0.5]:.0f} s of activity a question "
            f"(middle half {quartiles[0.25]:.0f} to {quartiles[0.75]:.0f} s); by category and "
            "participant, and by the clock, in the same table",
            "results/timing.csv",
        )
    planned = sum((evidence.planned or {}).values())
    file = PLAN
    if not planned:
        per_question = evidence.definition.assignment.responses_per_question
        planned, file = len(evidence.scored.questions) * per_question, RESPONSES
    share = len(responses) / planned
    found["completion_rate"] = evidence.finding(
        f"{len(responses)} of {planned} ({share:.1%})", file
    )
    return found


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
