"""The automatic answers on how answers were given, how they were analysed and what is published."""

from __future__ import annotations

from collections.abc import Iterable

from analysis.report.answers import Finding
from analysis.report.evidence import PLAN, RESPONSES, RUN, Evidence


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
