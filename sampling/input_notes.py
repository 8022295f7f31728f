"""Notes on inputs that are odd but no fault."""

from __future__ import annotations

from collections.abc import Sequence

from sampling.annotators import Annotation, unknown_questions
from sampling.benchmark import Benchmark
from sampling.errors import did_you_mean
from sampling.participants import Participant
from sampling.study_folder import StudyFolder
from sampling.transcription import unlisted_tags
from sampling.vocabularies import AnswerFormat


def tag_notes(study: StudyFolder, benchmark: Benchmark) -> list[str]:
    """Say which tags in reference texts are no special token, as dirty ones hold some."""
    texts = [
        record.answer
        for record in benchmark.records
        if isinstance(record.answer, str)
        and benchmark.vocabularies[record.question.category].format is AnswerFormat.TEXT
    ]
    return [
        f"{tag} in {count} reference {'text' if count == 1 else 'texts'} is no special token of "
        f"[text]: it counts as its {len(tag)} characters"
        for tag, count in unlisted_tags(texts, study.definition.text).items()
    ]


def collection_notes(study: StudyFolder, benchmark: Benchmark) -> list[str]:
    """Point out a stratum that may be the collection, which nothing says it is."""
    fields = [name for name in study.definition.sample.strata if name != "category"]
    if not fields or any(record.question.script_name for record in benchmark.records):
        return []
    remedy = f'`script_name = "{fields[0]}"` under [benchmark.fields]'
    use = "has people balanced over it, and counted and tabulated by it"
    return [f"no question names its collection; if {fields[0]} is one, {remedy} {use}"]


def people_notes(study: StudyFolder, people: Sequence[Participant]) -> list[str]:
    """Point out pseudonyms that may be people's names."""
    spaced = [repr(one.pseudonym) for one in people if len(one.pseudonym.split()) > 1]
    if not spaced:
        return []
    which = "holds a blank" if len(spaced) == 1 else "hold a blank"
    words = (
        f"{study.roster_file.name}: {', '.join(spaced)} {which}, as names do; everything that is "
        "published names people so: P01, P02, ... are safer"
    )
    return [words]


def annotator_notes(
    study: StudyFolder, annotations: Sequence[Annotation], benchmark: Benchmark
) -> list[str]:
    """Say which roles bar nobody, and which annotated questions are unknown."""
    if not annotations:
        return []
    roles = {annotation.role.casefold(): annotation.role for annotation in annotations}
    notes = [
        f"exclude_roles names {role!r}, which no annotator has{did_you_mean(role, roles.values())}"
        for role in study.definition.assignment.exclude_roles or ()
        if role.casefold() not in roles
    ]
    barring = study.definition.assignment.exclude_roles
    if barring is not None:
        folded = {role.casefold() for role in barring}
        notes += [
            f"role {role!r} of the annotators file is not in exclude_roles and bars nobody"
            f"{did_you_mean(role, barring)}"
            for one, role in roles.items()
            if one not in folded
        ]
    known = {record.question.sample_id for record in benchmark.records} | benchmark.other_ids
    unknown = unknown_questions(annotations, known)
    if unknown:
        notes.append(
            f"the annotators file names {len(unknown)} questions the benchmark does not have "
            f"(such as {unknown[0]!r})"
        )
    return notes
