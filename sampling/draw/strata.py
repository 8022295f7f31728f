"""Drawing by hash rank: which candidates of each stratum are chosen, and which come next."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sampling.draw.quotas import absent_strata, check_shortage, stratum_quotas
from sampling.draw.spread import choose_spread
from sampling.study.definition import SampleTable
from sampling.study.errors import StudyError
from sampling.study.keyed import SEPARATOR

RULE = "hb-sample-v1"


class Candidate(NamedTuple):
    """A question that could be drawn: its id, its stratum and the value to be reused little."""

    sample_id: str
    stratum: tuple[str, ...]
    spread: str = ""


class StratumDraw(NamedTuple):
    """What one stratum gave: how many it had, how many were asked of it, who was drawn.

    `drawn` is in rank order; `following` are the others, next in rank first, as many as the
    reserve keeps.
    """

    stratum: tuple[str, ...]
    available: int
    asked: int
    drawn: tuple[str, ...]
    following: tuple[str, ...]


class Draw(NamedTuple):
    """The draw of all strata, sorted by stratum, and how often the spread field's values recur.

    `spread_uses` maps a number of uses to how many values are used that often; it is empty
    without `spread`.
    """

    strata: tuple[StratumDraw, ...]
    spread_uses: Mapping[int, int]


def rank_prefix(seed: str, stratum: Sequence[str]) -> bytes:
    """Give the bytes that a stratum's ranks share: all of the hashed text before the id."""
    return _text_bytes(SEPARATOR.join((RULE, seed, *stratum)) + SEPARATOR)


def draw(frame: Iterable[Candidate], seed: str, table: SampleTable) -> Draw:
    """Draw from every stratum the questions with the smallest hashes.

    A question's rank is the SHA-256 of `hb-sample-v1`, the seed, the stratum's values in the order
    of `strata` and the `sample_id`, as NFC text in UTF-8 joined by U+001F; equal hashes fall back
    to the id. Each stratum is thus sampled uniformly without replacement, whatever the order of
    the input, and what happens in one stratum changes nothing in another. With `spread`, the
    choice within and between strata goes by `sampling.draw.spread`.

    Parameters
    ----------
    frame : Candidate
        The whole frame; ids must differ.
    seed : str
        The study's seed.
    table : SampleTable
        `[sample]` of the study.

    Returns
    -------
    Draw

    Raises
    ------
    StudyError
        When `on_shortage = "error"` and strata have too few questions: it lists every one. When a
        rule of `per_stratum` names an unknown field or matches nothing, or a stratum has no rule.

    Notes
    -----
    Permanent random numbers, also called consistent sampling: Ohlsson, "Coordination of samples
    using permanent random numbers" (1995).

    Examples
    --------
    >>> frame = [Candidate(f"q{number}", ("Khmer",)) for number in range(9)]
    >>> table = SampleTable(strata=("script_name",), per_stratum=2, reserve_per_stratum=1)
    >>> draw(reversed(frame), "seed", table).strata[0]
    StratumDraw(stratum=('Khmer',), available=9, asked=2, drawn=('q1', 'q6'), following=('q0',))
    """
    groups: dict[tuple[str, ...], list[Candidate]] = {}
    for candidate in frame:
        groups.setdefault(candidate.stratum, []).append(candidate)
    if not groups:
        raise StudyError("benchmark: there is no question to draw from")
    for stratum in absent_strata(groups):
        groups[stratum] = []
    strata = sorted(groups)
    asked = stratum_quotas(strata, table)
    check_shortage({stratum: len(groups[stratum]) for stratum in strata}, asked, table)
    ranked = [_ranked(groups[stratum], seed, stratum) for stratum in strata]
    taken = [min(asked[stratum], len(row)) for stratum, row in zip(strata, ranked, strict=True)]
    if table.spread is None:
        chosen = [list(range(number)) for number in taken]
    else:
        chosen = choose_spread([[one.spread for one in row] for row in ranked], taken)
    drawn = tuple(
        _stratum_draw(stratum, row, asked[stratum], picks, table.reserve_per_stratum)
        for stratum, row, picks in zip(strata, ranked, chosen, strict=True)
    )
    return Draw(drawn, _spread_uses(ranked, chosen) if table.spread is not None else {})


def _ranked(
    candidates: Iterable[Candidate], seed: str, stratum: tuple[str, ...]
) -> list[Candidate]:
    """Sort a stratum's candidates by their hash."""
    prefix = hashlib.sha256(rank_prefix(seed, stratum))

    def rank(candidate: Candidate) -> tuple[bytes, str]:
        hashed = prefix.copy()
        hashed.update(_text_bytes(candidate.sample_id))
        return hashed.digest(), candidate.sample_id

    return sorted(candidates, key=rank)


def _stratum_draw(
    stratum: tuple[str, ...],
    ranked: Sequence[Candidate],
    asked: int,
    picks: Sequence[int],
    reserve: int,
) -> StratumDraw:
    picked = set(picks)
    others = (one.sample_id for rank, one in enumerate(ranked) if rank not in picked)
    return StratumDraw(
        stratum=stratum,
        available=len(ranked),
        asked=asked,
        drawn=tuple(ranked[rank].sample_id for rank in picks),
        following=tuple(sample_id for sample_id, _ in zip(others, range(reserve), strict=False)),
    )


def _spread_uses(
    ranked: Sequence[Sequence[Candidate]], chosen: Sequence[Sequence[int]]
) -> dict[int, int]:
    uses = Counter(
        row[rank].spread for row, picks in zip(ranked, chosen, strict=True) for rank in picks
    )
    return dict(sorted(Counter(uses.values()).items()))


def _text_bytes(text: str) -> bytes:
    return unicodedata.normalize("NFC", text).encode("utf-8")
