"""`lontar power`: detectable gap and interval widths of the design, before anyone answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from analysis.report.figures import write_figure
from analysis.report.power_figure import power_figure, power_lines
from sampling.answers.vocabularies import Vocabulary
from sampling.answers.vocabulary_files import read_vocabularies
from sampling.assignment.roster import read_roster
from sampling.benchmark.benchmark import read_benchmark
from sampling.benchmark.question_files import read_questions
from sampling.draw.draw import draw_sample
from sampling.draw.power import Assumptions
from sampling.draw.power_study import power_record, power_text, study_power
from sampling.study.folder import StudyFolder, open_study
from sampling.study.questions import Question

POINTS = click.FloatRange(0, 100, max_open=True)


@click.command("power")
@click.option(
    "--human",
    type=POINTS,
    default=100 * Assumptions.human,
    show_default=True,
    help="Percentage of answers that people get right.",
)
@click.option(
    "--model",
    type=POINTS,
    default=100 * Assumptions.model,
    show_default=True,
    help="Percentage that the model gets right.",
)
@click.option(
    "--people-sd",
    type=POINTS,
    default=100 * Assumptions.participant_sd,
    show_default=True,
    help="Standard deviation between people, in points.",
)
@click.option(
    "--icc",
    type=click.FloatRange(0, 1),
    default=Assumptions.icc,
    show_default=True,
    help="Intra-question correlation of people's answers.",
)
@click.option(
    "--shared",
    type=click.FloatRange(-1, 1),
    default=Assumptions.shared,
    show_default=True,
    help="Correlation of what is hard for people with what is hard for the model.",
)
@click.pass_obj
def power_command(
    folder: Path, human: float, model: float, people_sd: float, icc: float, shared: float
) -> None:
    """Show the detectable gap and interval widths; writes power/power.json and a plot.

    Everything rests on what is assumed; say what you expect with the options.
    """
    study = open_study(folder)
    assumed = Assumptions(
        human=human / 100,
        model=model / 100,
        participant_sd=people_sd / 100,
        icc=icc,
        shared=shared,
    )
    rules = study.definition.assignment
    answers, people = rules.responses_per_question, len(read_roster(study.roster_file))
    found = study_power(*_sample(study), answers, people, assumed)
    click.echo(power_text(found), nl=False)
    if answers > people:
        click.echo(
            f"note: {answers} answers a question need as many people, and there are {people}",
            err=True,
        )
    target = study.root / "power"
    own = found.own[0].design
    write_figure(power_figure(power_lines(found), own.questions, own.responses), target, "power")
    text = json.dumps(power_record(found), ensure_ascii=False, indent=1) + "\n"
    (target / "power.json").write_text(text, encoding="utf-8", newline="\n")
    click.echo("written: power/power.json, power.svg, power.png", err=True)


def _sample(study: StudyFolder) -> tuple[Sequence[Question], dict[str, Vocabulary]]:
    """Read the sample, or draw it without writing it where there is none yet."""
    if study.questions_file.exists():
        vocabularies = read_vocabularies(study.vocabularies_file, rule=study.reading_rule)
        return read_questions(study.questions_file), vocabularies
    benchmark = read_benchmark(study)
    return draw_sample(benchmark, study.definition).questions, dict(benchmark.vocabularies)
