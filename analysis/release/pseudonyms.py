"""Names for participants in public files that say nothing about who they are."""

from __future__ import annotations

from collections.abc import Iterable

from sampling.keyed import shuffled


def release_codes(pseudonyms: Iterable[str], seed: str) -> dict[str, str]:
    """Give each pseudonym a code whose number says nothing: not its spelling, not its place.

    A coordinator may have chosen initials as pseudonyms, or numbered people as they joined. The
    order is shuffled by the study's seed, so that the same study gives the same codes.

    >>> sorted(release_codes(["Anna", "Budi", "Chea"], "seed").values())
    ['R1', 'R2', 'R3']
    """
    order = shuffled(sorted(set(pseudonyms)), seed, "release codes")
    width = len(str(len(order)))
    return {name: f"R{number:0{width}d}" for number, name in enumerate(order, start=1)}
