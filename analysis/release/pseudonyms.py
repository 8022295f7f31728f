"""Names for participants in public files that say nothing about who they are."""

from __future__ import annotations

from collections.abc import Iterable

from sampling.study.keyed import shuffled


def release_codes(pseudonyms: Iterable[str], key: str) -> dict[str, str]:
    """Give each pseudonym a code whose number says nothing: not its spelling, not its place.

    A coordinator may have chosen initials as pseudonyms, or numbered people as they joined, and
    who took part knows them. The order is shuffled by a key: the same key gives the same codes,
    and where it is a secret, nobody without it finds out whose they are.

    >>> sorted(release_codes(["Anna", "Budi", "Chea"], "a secret").values())
    ['R1', 'R2', 'R3']
    """
    order = shuffled(sorted(set(pseudonyms)), key, "release codes")
    width = len(str(len(order)))
    return {name: f"R{number:0{width}d}" for number, name in enumerate(order, start=1)}
