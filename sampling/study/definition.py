"""The study definition: every table and key that `study.toml` may hold."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

PositiveInt = Annotated[int, Field(gt=0, strict=True)]
NonEmpty = Annotated[str, Field(min_length=1, strict=True)]
# Neither "yes" nor 1 is true, and "0.6" is no number: what looks like a slip is one.
Switch = Annotated[bool, Field(strict=True)]
Number = Annotated[float, Field(strict=True)]


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


OneOrMany = Annotated[tuple[NonEmpty, ...], BeforeValidator(_as_list), Field(min_length=1)]


class Table(BaseModel):
    """One table of `study.toml`: frozen, and a key nobody knows is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class StudyTable(Table):
    """`[study]`: the name people see and the seed every random choice derives from."""

    name: NonEmpty
    seed: NonEmpty


class BenchmarkTable(Table):
    """`[benchmark]`: where the questions are and how their fields are named.

    `fields` maps a field of ours to a field of theirs; `constants` gives a field of ours one value.
    A source may also be `@folder` (the name of the file's folder), `@file` (its stem),
    `image_name@stem` (another field without folders and ending), `meta.id` (a field inside a
    field) or a pattern of them such as `{@folder}/{image}`.
    `display` gives, per field, the names a table prints for its values.
    """

    questions: OneOrMany
    vocabularies: NonEmpty
    images: NonEmpty | None = None
    annotators: NonEmpty | None = None
    checksums: NonEmpty | None = None
    where: dict[str, str | int | bool | list[str | int | bool]] = Field(default_factory=dict)
    keep: tuple[NonEmpty, ...] = ()
    fields: dict[str, NonEmpty] = Field(default_factory=dict)
    constants: dict[str, str | int] = Field(default_factory=dict)
    display: dict[str, dict[str, str]] = Field(default_factory=dict)


class QuotaRule(Table):
    """One row of `per_stratum` as a table: the strata it matches and how many to draw."""

    where: dict[str, str | int]
    n: Annotated[int, Field(ge=0, strict=True)]


class SampleTable(Table):
    """`[sample]`: the strata, how many questions each gives, and what to do when one is short.

    `per_stratum` is a number, or a list of `{ where = {field = value}, n = 2 }`: the last rule
    that matches a stratum counts, and `where = {}` matches all.
    """

    strata: Annotated[tuple[NonEmpty, ...], Field(min_length=1)]
    per_stratum: PositiveInt | tuple[QuotaRule, ...]
    on_shortage: Literal["error", "take_all"] = "error"
    spread: NonEmpty | None = None
    reserve_per_stratum: Annotated[int, Field(ge=0, strict=True)] = 4


class AssignmentTable(Table):
    """`[assignment]`: how many answers a question needs, who may give them, in which order."""

    responses_per_question: PositiveInt = 3
    exclude_roles: tuple[NonEmpty, ...] | None = None
    exclude_scope: Literal["question", "image"] = "question"
    questions_per_session: PositiveInt = 32
    max_load: PositiveInt | None = None
    mode: Literal["plan", "open"] = "plan"
    presentation: Literal["single", "per_image"] = "single"
    option_order: Literal["as_given", "per_participant"] = "as_given"
    image_gap: Annotated[int, Field(ge=0, strict=True)] = 10
    cost: Literal["count", "length"] = "count"
    release_after_hours: Annotated[Number, Field(gt=0)] | None = None
    lease_minutes: Annotated[Number, Field(gt=0)] = 30.0


class ParticipantsTable(Table):
    """`[participants]`: the roster of pseudonyms."""

    roster: NonEmpty = "participants.csv"


class ConsentTable(Table):
    """`[consent]`: a text people agree to, known by its version."""

    required: Switch = False
    version: NonEmpty = "1"
    text: NonEmpty | None = None


# Of practice, until which its mark must be reached.
MAX_ROUNDS = 3


class PracticeTable(Table):
    """`[practice]` and `[attention]`: questions outside the sample, with their own keys."""

    questions: NonEmpty
    keys: NonEmpty
    images: NonEmpty | None = None
    vocabularies: NonEmpty | None = None
    pass_mark: Annotated[Number, Field(ge=0, le=1)] | None = None
    max_rounds: PositiveInt = MAX_ROUNDS
    every: PositiveInt = 20


class InstructionsTable(Table):
    """`[instructions]`: a folder whose texts replace the built-in ones of the same name."""

    folder: NonEmpty | None = None


class ServerTable(Table):
    """`[server]`: what the web pages offer and how long things last."""

    url: NonEmpty | None = None
    languages: Annotated[tuple[NonEmpty, ...], Field(min_length=1)] = ("en", "id", "km", "ta")
    session_hours: Annotated[Number, Field(gt=0)] = 12.0
    idle_cap_seconds: PositiveInt = 60
    too_fast_seconds: Annotated[Number, Field(ge=0)] = 2.0
    image_adjustments: Switch = False
    confidence: Switch = False
    comments: Switch = False
    cannot_tell: Switch = False
    completion_url: NonEmpty | None = None
    trusted_proxies: Annotated[int, Field(ge=0, strict=True)] = 0


class AnalysisTable(Table):
    """`[analysis]`: settings of the intervals and tests; margins are in percentage points."""

    resamples: PositiveInt = 10_000
    confidence_level: Annotated[Number, Field(gt=0, lt=1)] = 0.95
    equivalence_margin: Annotated[Number, Field(gt=0, lt=100)] | None = None
    condition: NonEmpty = "constrained"
    reading_rule: Literal[1, 2] | None = None


class ReleaseTable(Table):
    """`[release]`: what the public bundle says of itself.

    `demographics` names a CSV of coarse attributes, one row a participant; only counts of it are
    released, and none under `k_anonymity` people.
    """

    license: NonEmpty | None = None
    creators: tuple[NonEmpty, ...] = ()
    description: NonEmpty | None = None
    citation: NonEmpty | None = None
    url: NonEmpty | None = None
    demographics: NonEmpty | None = None
    k_anonymity: Annotated[int, Field(ge=2, strict=True)] = 3


class TextTable(Table):
    """`[text]`: how a transcription is read before it is scored, and what its page offers."""

    extract_tag: str | None = "res"
    remove_elements: tuple[NonEmpty, ...] = ("img", "page_number", "watermark", "signature")
    remove_characters: str = "#"
    unwrap_tags: tuple[NonEmpty, ...] = ("note", "ignore")
    collapse: str = "▢〇"
    keep_punctuation: str = "<>=-▢〇~～、"
    special_tokens: tuple[NonEmpty, ...] = ("<unrecognizable>", "<undeciphered>")
    ignore_punctuation: Switch = True
    ignore_space: Switch = True
    ignore_case: Switch = False
    consistent_collapse: str = "□"
    fold_variants: dict[str, str] = Field(default_factory=dict)
    canonical_equivalence: Switch = True
    palette: tuple[NonEmpty, ...] = (
        "□",
        "<unrecognizable>",
        "=",
        "-",
        "~",
        "〇",
        "（）",
        "<note></note>",
        "<ignore></ignore>",
    )
    writing_mode: Literal["horizontal", "vertical"] = "horizontal"


class ModelTable(Table):
    """One `[[models]]`: an AI system's outputs, or aggregates typed in from a paper.

    `aggregates` maps a group (a category, or `overall`) to the metrics it was reported with;
    such numbers are printed as "reported, not recomputed".
    """

    name: NonEmpty
    predictions: OneOrMany | None = None
    format: NonEmpty | None = None
    condition: NonEmpty = "constrained"
    group: NonEmpty | None = None
    aggregates: dict[str, dict[str, Number]] = Field(default_factory=dict)


class StudyDefinition(Table):
    """Everything `study.toml` says. `checklist` holds declared answers for reviewers."""

    study: StudyTable
    benchmark: BenchmarkTable
    sample: SampleTable
    assignment: AssignmentTable = AssignmentTable()
    participants: ParticipantsTable = ParticipantsTable()
    consent: ConsentTable = ConsentTable()
    practice: PracticeTable | None = None
    attention: PracticeTable | None = None
    instructions: InstructionsTable = InstructionsTable()
    server: ServerTable = ServerTable()
    analysis: AnalysisTable = AnalysisTable()
    release: ReleaseTable = ReleaseTable()
    text: TextTable = TextTable()
    models: tuple[ModelTable, ...] = ()
    checklist: dict[str, Any] = Field(default_factory=dict)
