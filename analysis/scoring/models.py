"""Scoring models: their files are found, read, joined to the questions, chosen and re-scored.

Scores that prediction files bring along: never used, compared with ours, differences told.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten
from typing import Any

import numpy as np
import pandas as pd

from analysis.predictions.condition_selection import ModelAnswers, choose
from analysis.predictions.joining import JoinedRow, QuestionIndex, join
from analysis.predictions.reading import find_prediction_files, read_prediction_files
from analysis.predictions.submissions import is_letter, option_text
from analysis.scoring.runs import mean_of_runs
from analysis.scoring.scored import ScoredStudy, ScoringBasis, score_columns
from analysis.table11.breakdowns import answer_evaluators
from analysis.table11.table11 import HUMAN
from sampling.answers.model_output import Reasoning, reasoning_in
from sampling.answers.normalization import NO_ANSWER, ScoringStatus
from sampling.answers.vocabularies import OLD_RULE
from sampling.study.definition import ModelTable
from sampling.study.errors import Problems, StudyError

# Names under which evaluators report what we call exact match; the first that is there counts.
EXACT_MATCH_NAMES = ("exact_match", "em", "hit", "correct", "acc", "accuracy", "exact", "match")
F1_NAMES = ("f1",)
TOLERANCE = 0.005
SHOWN = 3


def reported_score(reported: Mapping[str, Any], names: tuple[str, ...]) -> float | None:
    """Read the first of some scores that is a number, a truth value or inspect_ai's C or I.

    >>> reported_score({"hit": "1"}, EXACT_MATCH_NAMES), reported_score({"exact": "C"}, ("exact",))
    (1.0, 1.0)
    >>> reported_score({"exact_match": "n/a"}, EXACT_MATCH_NAMES) is None
    True
    """
    for name in names:
        value = reported.get(name)
        if isinstance(value, bool | int | float):
            return float(value)
        if isinstance(value, str):
            text = value.strip().casefold()
            if text in {"c", "true"}:
                return 1.0
            if text in {"i", "n", "false"}:
                return 0.0
            try:
                return float(text)
            except ValueError:
                continue
    return None


def differences(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """List where a file's own scores differ from ours: `sample_id`, metric, both values, place."""
    found = []
    columns = (frame["sample_id"], frame["place"], frame["reported"])
    for sample_id, place, reported, match, f1 in zip(
        *columns, frame["exact_match"], frame["f1"], strict=True
    ):
        if not reported:
            continue
        for metric, names, ours in (
            ("exact_match", EXACT_MATCH_NAMES, match),
            ("f1", F1_NAMES, f1),
        ):
            theirs = reported_score(reported, names)
            if theirs is not None and not abs(theirs - ours) <= TOLERANCE:
                found.append(
                    {
                        "sample_id": sample_id,
                        "metric": metric,
                        "reported": theirs,
                        "ours": float(ours),
                        "place": place,
                    }
                )
    return found


def reported_differences(scored: ScoredStudy) -> list[dict[str, str]]:
    """List every difference of every model and condition, for `reported_differences.csv`."""
    return [
        {
            "evaluator": one.name,
            "condition": one.condition,
            **{name: str(value) for name, value in found.items()},
        }
        for one in answer_evaluators(scored)
        if one.name != HUMAN
        for found in differences(one.frame)
    ]


def compare_reported(name: str, condition: str, frame: pd.DataFrame) -> list[str]:
    """Warn where a file's own scores differ from ours, with the first few questions."""
    warnings = []
    found = differences(frame)
    for metric in ("exact_match", "f1"):
        of_metric = [one for one in found if one["metric"] == metric]
        if of_metric:
            shown = ", ".join(one["sample_id"] for one in of_metric[:SHOWN])
            more = ", ..." if len(of_metric) > SHOWN else ""
            warnings.append(
                f"{name} ({condition}): its file reports another {metric} for {len(of_metric)} "
                f"of {len(frame)} answers ({shown}{more}); ours are used"
            )
    return warnings


SHOWN_IDS = 5
# So many invalid answers are rarely a model's habit: they are written otherwise than the labels.
MANY = 0.25
LETTER = re.compile(r"\W*[A-Za-z0-9]\W*")


@dataclass(frozen=True)
class ScoredModel:
    """One model, scored: the condition that Table 11 takes, every condition, what is odd.

    `repeats` are the conditions that are declared runs of the wanted one, the first run first; with
    several the headline is a condition of its own, their mean. `outside` counts the answers to
    questions of the benchmark outside the sample.
    """

    name: str
    headline: str
    by_condition: dict[str, pd.DataFrame]
    files: tuple[Path, ...]
    warnings: tuple[str, ...]
    repeats: tuple[str, ...] = ()
    outside: int = 0


def score_models(
    models: Sequence[ModelTable],
    root: Path,
    index: QuestionIndex,
    basis: ScoringBasis,
    headline: str,
) -> tuple[ScoredModel, ...]:
    """Score every `[[models]]` entry that names prediction files.

    Raises
    ------
    StudyError
        With every problem of every model: no such file, an unreadable one, unknown or repeated
        ids with their lines, a model or condition that is not there.
    """
    problems = Problems()
    scored: list[ScoredModel] = []
    for model in models:
        if model.predictions is None:
            continue
        try:
            scored.append(_score_model(model, root, index, basis, headline))
        except StudyError as error:
            problems.extend(error)
    problems.raise_if_any()
    return tuple(scored)


def _score_model(
    model: ModelTable, root: Path, index: QuestionIndex, basis: ScoringBasis, headline: str
) -> ScoredModel:
    files = find_prediction_files(root, model.predictions or ())
    return score_model(read_model(model, files, index, headline), basis, tuple(files))


def read_model(
    model: ModelTable, files: Sequence[Path], index: QuestionIndex, headline: str
) -> ModelAnswers:
    """Read a model's files, find the question of each answer and choose the conditions.

    Raises
    ------
    StudyError
        With every problem at once: unreadable files, unknown and repeated ids with their lines, a
        model or condition that is not there.
    """
    problems = Problems()
    chosen = "condition" in model.model_fields_set
    return choose(
        model.name,
        join_files(files, model.format, index, problems),
        index.sample,
        default_condition=model.condition,
        wanted_condition=model.condition if chosen else headline,
        problems=problems,
    )


def join_files(
    files: Sequence[Path], format_name: str | None, index: QuestionIndex, problems: Problems
) -> list[JoinedRow]:
    """Read files and join their rows, noting the problems of all of them.

    Files of one answer each, such as one JSON file an image, are joined together.
    """
    joined: list[JoinedRow] = []
    read = read_prediction_files(files, format_name, problems, index.id_field)
    single = [row for _, rows in read if len(rows) == 1 for row in rows]
    several = [rows for _, rows in read if len(rows) > 1]
    for rows in [single, *several] if single else several:
        try:
            joined.extend(join(rows, index, problems))
        except StudyError as error:
            problems.extend(error)
    return joined


def score_model(
    answers: ModelAnswers, basis: ScoringBasis, files: tuple[Path, ...] = ()
) -> ScoredModel:
    """Score one model's answers in every condition, and compare with what its files report."""
    by_condition = {
        condition: _score_rows(answers.name, condition, rows, basis)
        for condition, rows in answers.by_condition.items()
    }
    warnings = list(answers.warnings)
    if answers.outside:
        noun = "answer" if answers.outside == 1 else "answers"
        warnings.append(
            f"{answers.name}: {answers.outside} {noun} to questions outside the sample, ignored"
        )
    for condition, frame in by_condition.items():
        warnings.extend(_missing(answers.name, condition, frame, basis))
        warnings.extend(_blank(answers.name, condition, frame))
        warnings.extend(_reasoning(answers.name, condition, frame, basis))
        rows = answers.by_condition.get(condition, ())
        turned = {one.sample_id for one in rows if one.row.options and is_letter(one.row.raw)}
        turned &= set(frame["sample_id"][~frame["raw_prediction"].map(is_letter).astype(bool)])
        if turned:
            noun = "letter was" if len(turned) == 1 else "letters were"
            warnings.append(
                f"{answers.name} ({condition}): {len(turned)} {noun} read as the text of the "
                "option in the file, because the labels of the category are no letters"
            )
        warnings.extend(_not_allowed(answers.name, condition, frame, turned))
        warnings.extend(compare_reported(answers.name, condition, frame))
    if answers.headline not in by_condition:
        warnings.append(f"{answers.name}: no answer to any question of the sample")
        by_condition[answers.headline] = _score_rows(answers.name, answers.headline, (), basis)
    headline = answers.headline
    if len(answers.repeats) > 1:
        headline = f"{headline} (mean of {len(answers.repeats)} runs)"
        by_condition[headline] = mean_of_runs(
            [by_condition[run] for run in answers.repeats], headline
        )
    return ScoredModel(
        name=answers.name,
        headline=headline,
        by_condition=by_condition,
        files=files,
        warnings=tuple(warnings),
        repeats=answers.repeats,
        outside=answers.outside,
    )


def _score_rows(
    name: str, condition: str, rows: Sequence[JoinedRow], basis: ScoringBasis
) -> pd.DataFrame:
    ids = [joined.sample_id for joined in rows]
    positions = basis.questions.index.get_indexer(pd.Index(ids, dtype=object)).astype(np.int64)
    raw = np.empty(len(rows), dtype=object)
    reported = np.empty(len(rows), dtype=object)
    categories = basis.questions["category"]
    for number, joined in enumerate(rows):
        row = joined.row
        raw[number] = (
            option_text(row.raw, row.options, basis.vocabularies[categories[joined.sample_id]])
            if row.options
            else row.raw
        )
        reported[number] = joined.row.reported
    frame = pd.DataFrame(
        {
            "sample_id": pd.Series(ids, dtype="str"),
            "model_name": pd.Series([name] * len(ids), dtype="str"),
            "condition": pd.Series([condition] * len(ids), dtype="str"),
            "raw_prediction": pd.Series(raw, dtype=object),
            "reported": pd.Series(reported, dtype=object),
            "place": pd.Series([joined.row.place for joined in rows], dtype="str"),
        }
    )
    return pd.concat([frame, score_columns(raw.tolist(), positions, basis)], axis=1)


def _missing(name: str, condition: str, frame: pd.DataFrame, basis: ScoringBasis) -> list[str]:
    """Warn about questions of the sample without an answer."""
    answered = set(frame["sample_id"])
    missing = [one for one in basis.questions.index if one not in answered]
    if not missing:
        return []
    shown = ", ".join(missing[:SHOWN_IDS]) + (", ..." if len(missing) > SHOWN_IDS else "")
    where = f"{name} ({condition}): {len(missing)} of {len(basis.questions)} questions"
    return [f"{where} without an answer, left out of its numbers: {shown}"]


def _blank(name: str, condition: str, frame: pd.DataFrame) -> list[str]:
    """Warn about answers that say nothing: they count as wrong."""
    unsaid = frame["raw_prediction"].map(lambda raw: raw is None or not str(raw).strip())
    blank = frame[unsaid.astype(bool) | (frame["invalid_reason"] == NO_ANSWER)]
    if blank.empty:
        return []
    number, place = len(blank), blank.iloc[0]["place"]
    many = (
        "1 answer is blank and scores" if number == 1 else f"{number} answers are blank and score"
    )
    return [f"{name} ({condition}): {many} 0, of {len(frame)} (first: {place})"]


def _reasoning(name: str, condition: str, frame: pd.DataFrame, basis: ScoringBasis) -> list[str]:
    """Say from how many answers a model's reasoning was taken off, and of how many it was all."""
    categories = basis.questions["category"].reindex(frame["sample_id"])
    rules = [basis.vocabularies[category].rule for category in categories]
    found = [
        reasoning_in(raw) if rule != OLD_RULE else None
        for raw, rule in zip(frame["raw_prediction"], rules, strict=True)
    ]
    taken, cut = found.count(Reasoning.TAKEN_OFF), found.count(Reasoning.CUT_OFF)
    warnings = []
    if taken:
        noun = "1 answer" if taken == 1 else f"{taken} answers"
        warnings.append(
            f"{name} ({condition}): reasoning (<think> ... </think>) was taken off {noun} of "
            f"{len(frame)} before reading"
        )
    if cut:
        whose = "1 answer ends" if cut == 1 else f"{cut} answers end"
        first = frame["place"].iloc[found.index(Reasoning.CUT_OFF)]
        warnings.append(
            f"{name} ({condition}): {whose} within the reasoning, of {len(frame)}: no answer, "
            f"which scores 0 (first: {first})"
        )
    return warnings


def _not_allowed(
    name: str, condition: str, frame: pd.DataFrame, turned: Collection[str]
) -> list[str]:
    """Warn when many answers are none of the allowed ones, and what they may be instead."""
    said = frame["raw_prediction"].map(lambda raw: isinstance(raw, str | int | float))
    written = frame["raw_prediction"].map(lambda raw: str(raw).strip())
    invalid = frame["scoring_status"] == ScoringStatus.INVALID.value
    odd = frame[invalid & said.astype(bool) & (written != "")]
    if len(odd) < MANY * len(frame) or odd.empty:
        return []
    first = odd.iloc[0]
    shown = shorten(str(first["raw_prediction"]), 60)
    words = (
        f"{name} ({condition}): {len(odd)} of {len(frame)} answers are not as the vocabularies "
        f"have them and score 0, such as {shown!r} ({first['place']}): {first['invalid_reason']}"
    )
    letters = odd.index[~odd["sample_id"].isin(list(turned))]
    if (
        letters.size
        and written[letters].map(lambda raw: bool(LETTER.fullmatch(raw))).mean() > 1 / 2
    ):
        words += (
            "; a letter or number that stands for an option is not turned into it: put the "
            "option's text in its place"
        )
    return [words]
