"""How often the 95 % intervals that `analyze` prints cover what they speak about.

Simulated studies, on the logit scale: person p answers question i of cell c and category k right
with log odds b + cell_c + question_i + person_p + (person x category)_pk. A model's log odds are
its own, correlated over questions and cells. Cells are fixed: their effects are drawn once for a
setting. Where images are shared, half of the questions' variance is their image's. Each truth is
the expectation under the model: of these people, each weighing as many answers as they give, over
new questions (T2), or over new people too (T3). The intervals are the package's, called once a
study as `analyze` calls them; undefined ones are counted apart. `*` marks coverage outside 93 to
97.5 % (99.5 % for new people with fewer than six), `~` settings where most of the intervals say
that their level is not promised.

    python benchmarks/coverage.py --draw 12 --seed 7 > settings.json
    python benchmarks/coverage.py --settings settings.json --replications 2000
    python benchmarks/coverage.py --settings settings.json --replications 2000 --power

With --power the model is set to the mean detectable gap that the setting's studies print, and the
share of studies that find it is printed: 80 % is promised.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

from analysis.inference.gap import detectable_gaps, paired_gap
from analysis.inference.interval import Interval
from analysis.inference.means import human_intervals
from analysis.inference.scored_responses import ScoredResponses

LEVEL = 0.95
LEAST, MOST, MOST_OF_FEW, FEW = 0.93, 0.975, 0.995, 6
COLUMNS = ("em_t2", "em_t3", "gap_t2", "gap_t3")
N_CATEGORIES, N_COLLECTIONS = 8, 8
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(40)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
Array = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Setting:
    """One kind of study. `images` 0 is one for each question; `loads` equal or unequal.

    `questions` are those that the measure applies to: for `w1` the counts.
    """

    name: str
    people: int = 8
    questions: int = 256
    responses: int = 3
    question_sd: float = 1.0
    person_sd: float = 0.3
    human: float = 0.875
    model: float = 0.6
    model_sd: float = 1.0
    correlation: float = 0.2
    cell_sd: float = 0.0
    person_category_sd: float = 0.0
    images: int | None = 0
    measure: str = "em"
    loads: str = "equal"


@dataclass(frozen=True)
class Design:
    """What stays the same in all studies of a setting: who answers what, and the cells' effects."""

    question: Codes
    participant: Codes
    category: Codes
    cell: Codes
    image: Codes
    people_cell: Array
    model_cell: Array

    @property
    def strata(self) -> Codes:
        """What the questions were drawn within, shape (n, 2): categories, and their cells."""
        return np.column_stack([self.category, self.cell])


@dataclass(frozen=True)
class Study:
    """One simulated study with the truths of these people, of all people and of the model."""

    responses: ScoredResponses
    model: Array
    these_people: float


@dataclass(frozen=True)
class Column:
    """How often one interval covered, of the studies in which it was defined.

    `noted` of the `defined` intervals say that their level is not promised, as the tables do.
    """

    coverage: float | None
    error: float | None
    above: int
    below: int
    undefined: int
    noted: int
    defined: int
    half_width: float | None

    @property
    def mostly_noted(self) -> bool:
        """Whether most of the intervals say that their level is not promised."""
        return 2 * self.noted > self.defined


def make_design(setting: Setting, stream: np.random.Generator) -> Design:
    """Plan the answers, as evenly as the tool does, and draw the cells' effects."""
    n = setting.questions
    place = np.arange(n)
    categories = 1 if setting.measure == "w1" else N_CATEGORIES
    category, collection = place % categories, place // categories % N_COLLECTIONS
    cell = category * N_COLLECTIONS + collection
    effects = _correlated(stream, categories * N_COLLECTIONS, setting.correlation)
    image = _images(collection, setting.images or n)
    return Design(
        question=np.repeat(place, setting.responses),
        participant=_plan(setting, stream).ravel(),
        category=category,
        cell=cell,
        image=image,
        people_cell=setting.cell_sd * effects[0],
        model_cell=setting.cell_sd * effects[1],
    )


def _images(collection: Codes, count: int) -> Codes:
    """Give each question an image of its own collection, all images about as many."""
    image = np.empty(collection.size, dtype=np.int64)
    shares = np.bincount(collection, minlength=N_COLLECTIONS)
    ends = np.round(np.cumsum(shares) * count / collection.size).astype(np.int64)
    for code in range(N_COLLECTIONS):
        own = np.flatnonzero(collection == code)
        first = ends[code - 1] if code else 0
        several = max(1, ends[code] - first)
        image[own] = first + np.arange(own.size) * several // max(1, own.size)
    return np.unique(image, return_inverse=True)[1].astype(np.int64)


def _plan(setting: Setting, stream: np.random.Generator) -> Codes:
    """Choose the people of each question, shape (n, K)."""
    people, each = setting.people, setting.responses
    if setting.loads == "unequal":
        odds = np.arange(1.0, people + 1)
        keys = stream.exponential(size=(setting.questions, people)) / odds
        return np.argsort(keys, axis=1)[:, :each]
    blocks = []
    while len(blocks) * people < setting.questions:
        circle = stream.permutation(people)
        blocks.append(np.column_stack([np.roll(circle, shift) for shift in range(each)]))
    return np.vstack(blocks)[: setting.questions]


def _correlated(stream: np.random.Generator, n: int, correlation: float) -> Array:
    first, second = stream.standard_normal((2, n))
    return np.array([first, correlation * first + math.sqrt(1 - correlation**2) * second])


def mean_right(logits: Array, sd: float) -> Array:
    """Average the logistic function over normal deviations, by quadrature."""
    found: Array = special.expit(logits[..., None] + sd * NODES) @ WEIGHTS
    return found


def intercept(share: float, cells: Array, sd: float) -> float:
    """Find the log odds at which the mean over the questions' cells is the share."""
    return float(
        optimize.brentq(lambda b: float(mean_right(b + cells, sd).mean()) - share, -15, 15)
    )


def simulate(
    setting: Setting, design: Design, levels: tuple[float, float], stream: np.random.Generator
) -> Study:
    """Draw one study; `levels` are the intercepts of the people and of the model."""
    n_images = int(design.image.max()) + 1
    by_question = _correlated(stream, setting.questions, setting.correlation)
    if setting.images:
        by_image = _correlated(stream, n_images, setting.correlation)[:, design.image]
        by_question = (by_question + by_image) / math.sqrt(2)
    person = setting.person_sd * stream.standard_normal((setting.people, 1))
    person = person + setting.person_category_sd * stream.standard_normal(
        (setting.people, N_CATEGORIES)
    )
    category = design.category[design.question]
    known = (
        levels[0]
        + design.people_cell[design.cell[design.question]]
        + person[design.participant, category]
    )
    logits = known + setting.question_sd * by_question[0, design.question]
    score = (stream.random(logits.size) < special.expit(logits)).astype(np.float64)
    own = levels[1] + design.model_cell[design.cell] + setting.model_sd * by_question[1]
    model = (stream.random(setting.questions) < special.expit(own)).astype(np.float64)
    return Study(
        ScoredResponses(
            score, design.question, design.participant, design.image, None, design.strata
        ),
        model,
        float(mean_right(known, setting.question_sd).mean()),
    )


def levels_of(setting: Setting, design: Design) -> tuple[float, float]:
    """Find the intercepts that give the people and the model their true scores."""
    spread = math.hypot(setting.question_sd, setting.person_sd, setting.person_category_sd)
    return (
        intercept(setting.human, design.people_cell[design.cell], spread),
        _model_level(setting, design, setting.model),
    )


def coverage(setting: Setting, replications: int) -> dict[str, Column]:
    """Simulate studies and count how often each printed interval covers its own truth."""
    stream = stream_of(setting)
    design = make_design(setting, stream)
    levels = levels_of(setting, design)
    found: dict[str, list[tuple[Interval, float]]] = {name: [] for name in COLUMNS}
    for _ in range(replications):
        study = simulate(setting, design, levels, stream)
        score = human_intervals(study.responses, study.responses.image, LEVEL, "by image")
        gap = paired_gap(study.responses, study.model, study.responses.image, LEVEL)
        for name, interval, truth in (
            ("em_t2", score.new_questions, study.these_people),
            ("em_t3", score.new_people, setting.human),
            ("gap_t2", gap.new_questions, study.these_people - setting.model),
            ("gap_t3", gap.new_people, setting.human - setting.model),
        ):
            if isinstance(interval, Interval):
                found[name].append((interval, truth))
    return {name: _column(found[name], replications) for name in COLUMNS}


def found_gaps(setting: Setting, replications: int) -> dict[str, tuple[float, float]]:
    """Count how often the mean detectable gap is found, where it is the true one.

    For T2 the model is as far below these people of each study, for T3 below all people.

    Returns
    -------
    dict of T2 and T3: the gap that a fifth as many studies print on average, and the share of
    studies whose interval excludes zero.
    """
    found = {}
    for place, target in enumerate(("t2", "t3")):
        studies = _studies(setting, replications // 5)
        printed = [
            detectable_gaps(one.responses, one.model, one.responses.image, LEVEL)[place]
            for one in studies
        ]
        gap = float(np.mean([one for one in printed if one is not None]))
        count = 0
        for one in _studies(setting, replications, gap, same_people=target == "t2"):
            both = paired_gap(one.responses, one.model, one.responses.image, LEVEL)
            interval = both.new_questions if target == "t2" else both.new_people
            count += isinstance(interval, Interval) and not interval.covers_zero
        found[target] = (gap, count / replications)
    return found


def _studies(
    setting: Setting, replications: int, gap: float | None = None, same_people: bool = False
) -> Iterator[Study]:
    """Simulate studies; with a gap the model is so far below all people, or those of the study."""
    stream = stream_of(replace(setting, name=f"{setting.name} {gap}"))
    design = make_design(setting, stream)
    human, model = levels_of(setting, design)
    if gap is not None and not same_people:
        model = _model_level(setting, design, setting.human - gap)
    for _ in range(replications):
        state = stream.bit_generator.state
        study = simulate(setting, design, (human, model), stream)
        if gap is not None and same_people:
            stream.bit_generator.state = state
            there = _model_level(setting, design, study.these_people - gap)
            study = simulate(setting, design, (human, there), stream)
        yield study


def _model_level(setting: Setting, design: Design, share: float) -> float:
    return intercept(max(0.001, share), design.model_cell[design.cell], setting.model_sd)


def _column(found: list[tuple[Interval, float]], replications: int) -> Column:
    undefined = replications - len(found)
    if not found:
        return Column(None, None, 0, 0, undefined, 0, 0, None)
    above = sum(truth > interval.high for interval, truth in found)
    below = sum(truth < interval.low for interval, truth in found)
    share = 1 - (above + below) / len(found)
    error = math.sqrt(max(share * (1 - share), 0.0) / len(found))
    width = float(np.mean([interval.high - interval.low for interval, _ in found])) / 2
    noted = sum(bool(interval.note) for interval, _ in found)
    return Column(share, error, above, below, undefined, noted, len(found), width)


def stream_of(setting: Setting) -> np.random.Generator:
    """Seed the random numbers of a setting by all that it says."""
    return np.random.Generator(np.random.PCG64(zlib.crc32(repr(setting).encode())))


def within_promise(setting: Setting, name: str, column: Column) -> bool:
    """Whether coverage is between 93 and 97.5 %; for new people, with fewer than six, 99.5 %.

    Where most of the intervals say themselves that their level is not promised, only that it is not
    below 93.
    """
    if column.coverage is None:
        return True
    if column.mostly_noted:
        return column.coverage >= LEAST
    most = MOST_OF_FEW if name.endswith("t3") and setting.people < FEW else MOST
    return LEAST <= column.coverage <= most


def draw_settings(count: int, seed: int) -> list[Setting]:
    """Draw settings over the whole range that the intervals are meant for."""
    stream = np.random.Generator(np.random.PCG64(seed))
    drawn = []
    for place in range(count):
        measure = "w1" if stream.random() < 0.25 else "em"
        people = int(stream.choice([3, 5, 8, 20]))
        questions = 32 if measure == "w1" else int(stream.choice([64, 128, 256, 512, 1000]))
        human = stream.uniform(0.9, 0.98) if measure == "w1" else stream.uniform(0.6, 0.98)
        shift = stream.choice([0.0, stream.uniform(-0.3, 0.02)])
        shared = stream.random() < 0.4
        drawn.append(
            Setting(
                name=f"drawn {place + 1}",
                people=people,
                questions=questions,
                responses=int(stream.integers(2, min(people, 4) + 1)),
                question_sd=round(float(stream.uniform(0.3, 2)), 2),
                person_sd=round(float(stream.choice([0.0, stream.uniform(0, 0.8)])), 2),
                human=round(float(human), 3),
                model=round(float(np.clip(human + shift, 0.3, 0.98)), 3),
                model_sd=round(float(stream.uniform(0.5, 2)), 2),
                correlation=round(float(stream.uniform(0, 0.8)), 2),
                cell_sd=float(stream.choice([0.0, 0.5, 1.0])),
                person_category_sd=float(stream.choice([0.0, 0.4, 0.8])),
                images=round(questions * float(stream.uniform(0.2, 0.7))) if shared else 0,
                measure=measure,
                loads="unequal" if stream.random() < 0.25 else "equal",
            )
        )
    return drawn


def read_settings(path: Path) -> list[Setting]:
    """Read a list of settings; what is left out has its usual value."""
    known = {one.name for one in fields(Setting)}
    records = json.loads(path.read_text(encoding="utf-8"))
    unknown = sorted({key for record in records for key in record} - known)
    if unknown:
        raise SystemExit(f"{path}: unknown keys {', '.join(unknown)}; known are {sorted(known)}")
    return [Setting(**record) for record in records]


def _text(setting: Setting, name: str, column: Column) -> str:
    if column.coverage is None or column.error is None:
        return "      undefined"
    mark = " " if within_promise(setting, name, column) else "*"
    if mark == " " and column.mostly_noted:
        mark = "~"
    return f"{100 * column.coverage:5.1f} ±{100 * column.error:.1f}{mark}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--settings", type=Path, help="a JSON list of settings")
    parser.add_argument("--replications", type=int, default=2000)
    parser.add_argument("--json", type=Path, help="write the table here as well")
    parser.add_argument("--draw", type=int, help="print this many drawn settings instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--power", action="store_true", help="are detectable gaps detected?")
    options = parser.parse_args()
    if options.draw:
        records = [asdict(one) for one in draw_settings(options.draw, options.seed)]
        print(json.dumps(records, indent=1))
        return 0
    settings = draw_settings(12, options.seed)
    if options.settings:
        settings = read_settings(options.settings)
    if options.power:
        for setting in settings:
            pairs = found_gaps(setting, options.replications).items()
            texts = (f"{name} {100 * gap:5.1f} points: {share:.1%}" for name, (gap, share) in pairs)
            print(f"{setting.name:30}", "  ".join(texts), flush=True)
        return 0
    before, failed, written = time.perf_counter(), False, []
    print(f"{'setting':30}" + "".join(f"{name:>13}" for name in COLUMNS))
    for setting in settings:
        found = coverage(setting, options.replications)
        failed |= not all(within_promise(setting, *one) for one in found.items())
        print(
            f"{setting.name:30}" + " ".join(f"{_text(setting, *one):>12}" for one in found.items()),
            flush=True,
        )
        columns = {name: asdict(column) for name, column in found.items()}
        written.append(asdict(setting) | {"replications": options.replications} | columns)
    print(f"{options.replications} replications each, {time.perf_counter() - before:.0f} s")
    if options.json:
        options.json.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
