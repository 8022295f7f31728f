"""The automatic answers: one short sentence each, from the study's files alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from analysis.checklist.answers import Finding
from analysis.checklist.evidence import POWER, Evidence
from analysis.scored import ScoredStudy

RESPONSES = "responses/responses.jsonl"
MANIFEST = "sample/manifest.json"
QUESTIONS = "sample/questions.jsonl"
PLAN = "plan/assignment.csv"

# What the tool brings about by itself unless a study says otherwise.
DEFAULTS = {
    "ai_tools": "None permitted (the built-in instructions say so)",
    "instrument_adapted": (
        "Partial: people choose from the vocabulary the models were given; a form cannot send an "
        "answer that no rule reads, a model can (see the decomposition of the gap)"
    ),
    "same_interface": "No: people answer in a web page, models through an interface for programs",
    "interface_difference": "Web page with a zoomable image against an image sent with a prompt",
    "instructions_published": "Prepared: `lontar release` puts them into the bundle, word for word",
    "data_available": "Prepared: `lontar release` writes every response and its scores",
    "data_per_participant": "Yes in the bundle, under codes that say nothing about the person",
}


def automatic_findings(evidence: Evidence) -> dict[str, Finding]:
    """Answer what the files answer; a question they say nothing of is left out."""
    return {
        **_benchmark(evidence),
        **_design(evidence),
        **_people(evidence),
        **_execution(evidence),
        **_analysis(evidence),
        **_documentation(evidence),
    }


def _finding(evidence: Evidence, value: str, file: str) -> Finding:
    return Finding(value, file, evidence.sha256.get(file))


def _benchmark(evidence: Evidence) -> dict[str, Finding]:
    scored = evidence.scored
    found = {}
    if (scored.questions["image_name"] != "").any():
        found["modality"] = _finding(evidence, "Visual: an image with each question", QUESTIONS)
    if evidence.manifest is not None and "strata" in evidence.manifest:
        total = sum(int(stratum["N"]) for stratum in evidence.manifest["strata"])
        found["dataset_size"] = _finding(evidence, f"{total:,} candidate questions", MANIFEST)
    if scored.predictions:
        sizes = [f"{name}: {len(frame)}" for name, frame in scored.predictions.items()]
        found["model_set_size"] = Finding(
            f"On the same questions as people: {'; '.join(sizes)}",
            "results/predictions_scored.jsonl",
        )
        found["model_samples"] = Finding(_model_samples(scored), "results/run.json")
    return found


def _model_samples(scored: ScoredStudy) -> str:
    """Say how often each model answered a question in one prompt condition."""
    several = [f"{name}: {len(runs)}" for name, runs in scored.repeats.items()]
    if not several:
        return "1 in each prompt condition"
    return f"1 in each prompt condition, but {'; '.join(several)} runs (Table 11 takes the first)"


def _design(evidence: Evidence) -> dict[str, Finding]:
    responses = evidence.scored.responses
    questions = len(evidence.scored.questions)
    loads = responses.groupby("participant").size()
    per_question = responses.groupby("sample_id").size()
    found = {
        "participants": _finding(
            evidence,
            f"{evidence.invited} invited, {len(loads)} answered, {len(loads)} analysed",
            RESPONSES,
        ),
        "human_set_size": _finding(evidence, f"{questions} questions", QUESTIONS),
        "responses_per_question": _finding(
            evidence, _distribution(per_question, questions), RESPONSES
        ),
        "questions_per_participant": _finding(evidence, _spread(loads), RESPONSES),
    }
    if evidence.manifest is not None:
        sample = evidence.definition.sample
        spread = f", {sample.spread} reused as little as possible" if sample.spread else ""
        found["sampling_method"] = _finding(
            evidence,
            f"Random within {' × '.join(sample.strata)}, ranked by SHA-256 from a published "
            f"seed{spread}; `lontar verify` draws it again",
            MANIFEST,
        )
    if evidence.gaps is not None and not evidence.gaps.empty:
        found["detectable_gap"] = Finding(_detectable(evidence), "results/gaps.csv")
    if evidence.power is not None:
        found["power_analysis"] = _finding(evidence, _planned_power(evidence.power), POWER)
    if evidence.freeze is not None:
        found["preregistration"] = _finding(
            evidence,
            f"Fixed by digest on {str(evidence.freeze['frozen_at'])[:10]}, after "
            f"{evidence.freeze['answers_before']} answers; {evidence.deviations} deviations since",
            "freeze.json",
        )
    return found


def _people(evidence: Evidence) -> dict[str, Finding]:
    table = evidence.definition
    found = {}
    if evidence.conflicts is not None:
        roles = table.assignment.exclude_roles
        named = "in any role" if roles is None else f"as {', '.join(roles)}"
        found["prior_exposure"] = _finding(
            evidence,
            f"{evidence.conflicts} of {len(evidence.scored.responses)} answers came from somebody "
            f"who had a part in that {table.assignment.exclude_scope}'s reference {named}",
            RESPONSES,
        )
    if table.practice is not None:
        mark = table.practice.pass_mark
        gate = "" if mark is None else f", pass mark {mark:.0%}"
        found["training"] = _finding(
            evidence, f"Yes: practice questions outside the sample{gate}", "study.toml"
        )
        found["training_kind"] = _finding(
            evidence, "Practice in the same pages, with feedback after each answer", "study.toml"
        )
    return found


def _execution(evidence: Evidence) -> dict[str, Finding]:
    server = evidence.definition.server
    found = {
        "order_randomised": _finding(
            evidence, "Yes: shuffled for each participant by a key from the seed", PLAN
        )
    }
    if PLAN not in evidence.sha256:
        del found["order_randomised"]
    if evidence.sessions:
        longest = max(evidence.sessions.values())
        found["instrument_length"] = _finding(
            evidence, f"At most {longest} questions, then a break", PLAN
        )
    found["same_instructions"] = _finding(
        evidence,
        "Same vocabulary and answer rules (one file for people, prompts and scoring); the wording "
        "differs between a page and a prompt",
        evidence.definition.benchmark.vocabularies,
    )
    collected = [
        word
        for word, on in (("comments", server.comments), ("confidence", server.confidence))
        if on
    ]
    found["explanations"] = _finding(
        evidence,
        f"Optional: {' and '.join(collected)}" if collected else "No",
        "study.toml",
    )
    set_aside = {name: n for name, n in evidence.statuses.items() if name != "answered" and n}
    found["execution_excluded"] = _finding(
        evidence,
        "; ".join(f"{count} {name}" for name, count in sorted(set_aside.items()))
        or "None: every answer given is analysed",
        RESPONSES,
    )
    return found


def _analysis(evidence: Evidence) -> dict[str, Finding]:
    same = "Yes: one normaliser and one scorer for keys, people and models"
    found = {
        "same_metric": Finding(
            "Yes: the mean of single responses against a single model run, no majority vote",
            "results/table11.csv",
        ),
        "same_rubric": Finding(same, "results/run.json"),
        "same_scoring": Finding(same, "results/run.json"),
        "robustness": Finding(
            "Shown: strict and lenient scoring, each participant left out in turn",
            "results/report.html",
        ),
    }
    if evidence.gaps is not None and not evidence.gaps.empty:
        found["significance_test"] = Finding("Yes", "results/gaps.csv")
        found["test_used"] = Finding(
            "Paired sign-flip test clustered by image, Holm over models", "results/gaps.csv"
        )
        found["uncertainty"] = Finding(
            "Intervals for new questions and for new questions and people",
            "results/intervals.csv",
        )
    return found


def _documentation(evidence: Evidence) -> dict[str, Finding]:
    responses = evidence.scored.responses
    active = responses["active_seconds"].dropna()
    found = {}
    if len(active):
        quartiles = active.quantile([0.25, 0.5, 0.75])
        found["time_to_complete"] = _finding(
            evidence,
            f"Median {quartiles[0.5]:.0f} s of activity a question "
            f"(middle half {quartiles[0.25]:.0f} to {quartiles[0.75]:.0f} s)",
            RESPONSES,
        )
    if evidence.planned:
        share = len(responses) / evidence.planned
        found["completion_rate"] = _finding(
            evidence, f"{len(responses)} of {evidence.planned} ({share:.1%})", PLAN
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


def _spread(loads: Iterable[int]) -> str:
    values = sorted(loads)
    if not values:
        return "No responses"
    return f"{values[0]} to {values[-1]} (median {values[len(values) // 2]})"


def _detectable(evidence: Evidence) -> str:
    gaps = evidence.gaps
    if gaps is None or "mde" not in gaps:
        return ""
    rows = gaps[(gaps["metric"] == "em") & gaps["mde"].notna() & (gaps["mde"] != "")]
    parts = [f"{row.model}: {row.mde} points" for row in rows.itertuples()]
    return f"Smallest exact-match gap found with 80 % power: {'; '.join(parts)}" if parts else ""
