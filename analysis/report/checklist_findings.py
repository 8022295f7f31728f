"""The automatic answers on benchmark, design and people, and all of them together.

The automatic answers on how answers were given, how they were analysed and what is published.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from statistics import median
from typing import Any

import pandas as pd

from analysis.report.blocks import METRIC_NAMES
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
from analysis.table11.multiverse import ALL_RESPONSES, NO_EXCLUSION, WITHOUT_TEAM
from analysis.table11.table11 import REPORTED, measures_of
from sampling.draw.limits import FEW_PEOPLE


def execution_findings(evidence: Evidence) -> dict[str, Finding]:
    """Answer how people answered; what only the tool's own pages can tell needs their record."""
    server = evidence.definition.server
    found = {}
    if evidence.planned is not None:
        found["order_randomised"] = evidence.finding(
            "Yes in the plan: shuffled for each participant by a key from the seed", PLAN
        )
    if evidence.sessions:
        longest = max(evidence.sessions.values())
        found["instrument_length"] = evidence.finding(
            f"Planned: at most {longest} questions, then a break; whether anybody went on, the "
            "plan does not say",
            PLAN,
        )
    if evidence.collected_here and evidence.scored.predictions:
        found["same_instructions"] = evidence.finding(
            "Partial: people read the study's instructions; `lontar prompts` takes vocabulary and "
            "answer rules from the same file, in other words. Whether these prompts were used, "
            "outputs do not say",
            evidence.definition.benchmark.vocabularies,
        )
    if evidence.collected_here:
        found["explanations"] = evidence.finding(
            "Optional: a comment beside the answer" if server.comments else "No", "study.toml"
        )
        found["execution_quality"] = evidence.finding(
            "The coordinator's pages show who answers very fast, always alike or with long pauses, "
            "and leave nothing out; whether anybody looked is not recorded",
            "study.toml",
        )
        found["execution_criteria"] = evidence.finding(
            f"Answers under {server.too_fast_seconds:g} s, runs of one place or one answer, pauses "
            "and repeated sessions, by the thresholds of the study's definition",
            "study.toml",
        )
    set_aside = {name: n for name, n in evidence.flow.responses.items() if name != "answered" and n}
    parts = [f"answers {name}: {count}" for name, count in sorted(set_aside.items())]
    parts += [
        f"people {step}: {evidence.flow.people[step]}"
        for step in ("withdrawn", "erased")
        if evidence.flow.people.get(step)
    ]
    found["execution_excluded"] = evidence.finding(
        "; ".join(parts) or "Of the answers in the file none: all are analysed",
        RESPONSES,
        FLOW_FILE,
    )
    return found


def analysis_findings(evidence: Evidence) -> dict[str, Finding]:
    """Answer how people and models were compared; without a model there is nothing to compare."""
    found: dict[str, Finding] = {}
    if evidence.scored.predictions:
        found |= _comparison(evidence)
    if text := _robustness(evidence):
        found["robustness"] = evidence.finding(text, "results/multiverse.csv")
    if "gaps" in evidence.tables:
        found |= _tests(evidence.finding, evidence.tables["gaps"])
    if "intervals" in evidence.tables:
        text, form = _uncertainty(evidence.tables["intervals"])
        found["uncertainty"] = evidence.finding(text, "results/intervals.csv")
        found["uncertainty_form"] = evidence.finding(form, "results/intervals.csv")
    return found


def _comparison(evidence: Evidence) -> dict[str, Finding]:
    """Say what is the same for people and models; numbers typed in are nobody's but their own."""
    table = evidence.tables.get("table11")
    typed = [] if table is None else list(table["evaluator"][table["kind"] == REPORTED])
    but = f"; not so the numbers typed in for {', '.join(typed)}" if typed else ""
    same = "Yes: one normaliser and one scorer for keys, people and models"
    differing = evidence.tables.get("reported_differences")
    count = 0 if differing is None else len(differing)
    rescored = f"; {count:,} scores that model files report differ from ours" if count else ""
    one = "each model's single run"
    if evidence.scored.repeats:
        one += f" (the mean of several of {', '.join(evidence.scored.repeats)})"
    return {
        "same_metric": evidence.finding(
            f"Yes: the mean of single responses against {one}, no majority vote{but}",
            "results/table11.csv",
        ),
        "same_rubric": evidence.finding(f"{same}{but}", RUN),
        "same_scoring": evidence.finding(
            f"{same}, from the answers as their files give them{rescored}{but}", RUN
        ),
    }


def _tests(finding: Callable[..., Finding], gaps: pd.DataFrame) -> dict[str, Finding]:
    """Say of how many gaps there is a test, and for what it speaks."""
    tested = int((gaps["p_sign_flip"] != "").sum())
    if not tested:
        return {"significance_test": finding("No: no gap could be tested", "results/gaps.csv")}
    some = "Yes" if tested == len(gaps) else f"{tested} of {len(gaps)} gaps were"
    holm = ", Holm over models" if gaps["model"].nunique() > 1 else ""
    return {
        "significance_test": finding(
            f"{some}, for new questions put to the same people; no test speaks for new people",
            "results/gaps.csv",
        ),
        "test_used": finding(f"Paired sign-flip test clustered by image{holm}", "results/gaps.csv"),
    }


def _uncertainty(table: pd.DataFrame) -> tuple[str, str]:
    """Say for whom the headline numbers have intervals and for whom not, and of what form."""
    headline = table[(table["headline"] == "yes") & table["target"].isin(["T2", "T3"])]
    parts = []
    for target, words in (("T2", "new questions"), ("T3", "new questions and new people")):
        rows = headline[headline["target"] == target]
        with_one = rows["low"] != ""
        why = "; ".join(dict.fromkeys(rows["reason"][~with_one & (rows["reason"] != "")]))
        without = f" ({why})" if why else ""
        if rows.empty or not with_one.any():
            parts.append(f"none for {words}{without}")
        elif with_one.all():
            parts.append(f"for {words}")
        else:
            parts.append(f"for {words} {int(with_one.sum())} of {len(rows)} scores{without}")
    some = (headline["low"] != "").any()
    text = f"{'Yes, intervals' if some else 'No intervals'}: {', '.join(parts)}"
    others = table[(table["headline"] == "no") & (table["low"] != "")]["method"]
    drawn = others.str.contains("bootstrap").any()
    form = "An interval by formula" + ("; others by resampling beside it" if drawn else "")
    return text, form if some else "A single number"


def _robustness(evidence: Evidence) -> str:
    """Say between which numbers the headline moves where something is left out."""
    table = evidence.tables.get("multiverse")
    if table is None:
        return ""
    first = table[table["choice"] == ALL_RESPONSES].iloc[0]
    table = table[~table["choice"].isin(NO_EXCLUSION)]
    names = table["choice"].drop_duplicates()
    if names.empty:
        return ""
    words = "1 choice" if len(names) == 1 else f"{len(names)} choices"
    parts = [f"people {_range(table['human'])} % ({first['human']} % with everything)"]
    for model, rows in table[table["gap"] != ""].groupby("model", sort=False):
        parts.append(f"gap to {model} {_range(rows['gap'])} points")
    return f"Shown under {words} of what to leave out: {'; '.join(parts)}"


def _range(printed: Iterable[str]) -> str:
    values = sorted((text for text in printed if text), key=float)
    if not values:
        return "undefined"
    low, high = (text.replace("-", "−") for text in (values[0], values[-1]))
    return low if low == high else f"{low} to {high}"


def documentation_findings(evidence: Evidence) -> dict[str, Finding]:
    """Answer how long answering took and how much of it was done."""
    responses = evidence.scored.responses
    active = responses["active_seconds"].dropna()
    found = {}
    if len(active):
        quartiles = active.quantile([0.25, 0.5, 0.75])
        found["time_to_complete"] = evidence.finding(
            f"Median {quartiles[0.5]:.0f} s of activity a question "
            f"(middle half {quartiles[0.25]:.0f} to {quartiles[0.75]:.0f} s), known of "
            f"{len(active):,} of {len(responses):,} answers; by category and participant in the "
            "table",
            "results/timing.csv",
            RESPONSES,
        )
    planned = sum((evidence.planned or {}).values())
    files: tuple[str, ...] = (PLAN, RESPONSES)
    asked = ""
    if not planned:
        each = evidence.definition.assignment.responses_per_question
        planned, files = len(evidence.scored.questions) * each, (RESPONSES, QUESTIONS, "study.toml")
        asked = f"; without a plan, {each} answers wanted for each question"
    share = len(responses) / planned
    found["completion_rate"] = evidence.finding(
        f"{len(responses)} of {planned} ({share:.1%}){asked}", *files
    )
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
    shown = int((scored.questions["image_name"] != "").sum())
    if shown:
        which = "each question" if shown == len(scored.questions) else f"{shown} of the questions"
        found["modality"] = evidence.finding(f"Visual: an image with {which}", QUESTIONS)
    candidates = ""
    if evidence.manifest is not None and "strata" in evidence.manifest:
        total = sum(int(stratum["N"]) for stratum in evidence.manifest["strata"])
        candidates = f"{total:,} candidates for the sample"
    if evidence.benchmark_size is not None:
        files = evidence.definition.benchmark.questions
        more = f", {candidates}" if candidates else ""
        found["dataset_size"] = evidence.finding(
            f"{evidence.benchmark_size:,} questions{more}", *files, *([MANIFEST] if more else [])
        )
    elif candidates:
        found["dataset_size"] = evidence.finding(candidates, MANIFEST)
    if scored.predictions:
        found["model_set_size"] = evidence.finding(_model_sizes(scored), RUN)
        found["model_samples"] = evidence.finding(_model_samples(scored), RUN)
    return found


def _model_sizes(scored: ScoredStudy) -> str:
    """Say how many answers of each model there are: how many questions it was put, nobody knows."""
    asked = len(scored.questions)
    parts = []
    for name, frame in scored.predictions.items():
        further = scored.outside.get(name, 0)
        parts.append(
            f"{name} answered {len(frame):,} of the sample's {asked:,}"
            + (f" and {further:,} others" if further else "")
        )
    return f"At least as many as have answers: {'; '.join(parts)}"


def _model_samples(scored: ScoredStudy) -> str:
    """Say how often each model's answer to a question is taken in one prompt condition."""
    several = [f"{name}: {len(runs)}" for name, runs in scored.repeats.items()]
    if not several:
        return "1 is analysed in each prompt condition"
    return f"1 in each prompt condition, but {'; '.join(several)} runs (the scores are their mean)"


def _design(evidence: Evidence) -> dict[str, Finding]:
    responses = evidence.scored.responses
    questions = len(evidence.scored.questions)
    per_question = responses.groupby("sample_id").size()
    people = evidence.flow.people
    # Who is listed in a roster need not have taken part.
    steps = [
        f"{people[key]} {words}"
        for key, words in STEPS.items()
        if key in people and key != "listed"
    ]
    found = {
        "participants": evidence.finding(", ".join(steps), FLOW_FILE, RESPONSES),
        "human_set_size": evidence.finding(
            f"{questions} in the sample, {len(per_question)} with an answer", QUESTIONS, RESPONSES
        ),
        "responses_per_question": evidence.finding(
            _distribution(per_question, questions), RESPONSES, QUESTIONS
        ),
        "questions_per_participant": evidence.finding(_loads(evidence), RESPONSES, PLAN),
    }
    if evidence.manifest is not None:
        sample = evidence.definition.sample
        spread = f", {sample.spread} reused as little as possible" if sample.spread else ""
        found["sampling_method"] = evidence.finding(
            f"Random within {' × '.join(sample.strata)}, ranked by SHA-256 from the study's "
            f"seed{spread}; `lontar verify` draws it again",
            MANIFEST,
        )
    if text := _detectable(evidence):
        found["detectable_gap"] = evidence.finding(text, "results/gaps.csv", RESPONSES)
    if evidence.power is not None:
        found["power_analysis"] = evidence.finding(_planned_power(evidence.power), POWER)
    if evidence.freeze is not None:
        before = int(evidence.freeze["answers_before"])
        found["preregistration"] = evidence.finding(
            f"{'No, only' if before else 'Yes:'} fixed by digest on "
            f"{str(evidence.freeze['frozen_at'])[:10]}, after {before} answers, by this machine's "
            f"clock; {evidence.deviations} deviations since",
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
        sources = (RESPONSES, str(table.benchmark.annotators), table.participants.roster)
        found["prior_exposure"] = evidence.finding(
            f"{len(evidence.makers.forbidden)} of {answers} answers came from somebody who had a "
            f"part in that {table.assignment.exclude_scope}'s reference {named}; counting every "
            f"role {len(evidence.makers.own_question)} did, and counting every question about the "
            f"image {len(evidence.makers.own_image)}; what else people had seen, no file says",
            *sources,
        )
        team = len(evidence.makers.team)
        people = evidence.scored.responses["participant"].nunique()
        choices = evidence.tables.get("multiverse")
        shown = choices is not None and WITHOUT_TEAM in set(choices["choice"])
        found["authors_as_participants"] = evidence.finding(
            f"{team} of {people} have an annotator id of the benchmark; who else belongs to its "
            "team, the roster does not say"
            + ("; the results without them are in the multiverse" if shown else ""),
            *sources,
        )
    if table.practice is not None and evidence.collected_here:
        mark = table.practice.pass_mark
        gate = "" if mark is None else f", pass mark {mark:.0%}"
        found["training"] = evidence.finding(
            f"Yes: practice questions with their own keys{gate}", "study.toml"
        )
        found["training_kind"] = evidence.finding(
            "Practice in the same pages, with feedback after each answer", "study.toml"
        )
    return found


def _planned_power(power: Mapping[str, Any]) -> str:
    """Say which gap in exact match the design was expected to detect."""
    whole = next((row for row in power["design"] if row["group"] == "all"), None)
    when = "by `lontar power`; whether before the first answer, its file does not say"
    if whole is None:
        return f"Worked out {when}"
    gaps = [
        f"{words} {'undefined' if whole[key] is None else f'{100 * whole[key]:.1f} points'}"
        for key, words in (
            ("detectable_questions", "for new questions"),
            ("detectable_people", "for new people too"),
        )
    ]
    return f"Detectable gap {', '.join(gaps)}, worked out {when}"


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
    return f"{values[0]} to {values[-1]} (median {median(values):g})"


def _detectable(evidence: Evidence) -> str:
    """Say which gap the study as it went finds in 80 % of studies, and for whom that holds."""
    gaps = evidence.tables.get("gaps")
    if gaps is None:
        return ""
    headline = measures_of(evidence.scored.questions)[0].name
    rows = gaps[(gaps["metric"] == headline) & ((gaps["mde"] != "") | (gaps["mde_t3"] != ""))]
    if rows.empty:
        return ""
    people = evidence.scored.responses["participant"].nunique()
    doubt = (
        f" (with {people} people an estimate that scatters: found in fewer than 80 %)"
        if people < FEW_PEOPLE
        else ""
    )
    parts = [
        f"{row['model']}: {row['mde'] or 'undefined'}, with new people "
        + (f"{row['mde_t3']}{doubt}" if row["mde_t3"] else "undefined")
        for _, row in rows.iterrows()
    ]
    return (
        f"Estimated from the answers, in points of {METRIC_NAMES.get(headline, headline)}, found "
        f"with 80 % power by new questions put to the same people: {'; '.join(parts)}"
    )
