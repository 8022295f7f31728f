"""The reserve: which question takes the place of one that was found faulty."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sampling.draw.strata import Draw, StratumDraw
from sampling.study.errors import StudyError


@dataclass(frozen=True)
class Replacement:
    """A faulty question, why it was taken out, and the next in rank that took its place.

    Nothing took the place of a question that is known as faulty and that the draw did not give.
    """

    removed: str
    replacement: str | None
    reason: str


def next_in_rank(strata: Sequence[StratumDraw], sample_id: str, gone: Collection[str]) -> str:
    """Name the question that takes a faulty one's place: the next in rank of its stratum.

    Parameters
    ----------
    strata : sequence of StratumDraw
        What each stratum gave, as the manifest holds it.
    sample_id : str
        The faulty question, one of the sample.
    gone : collection of str
        Questions of the reserve that are in use already, or were found faulty themselves.

    Raises
    ------
    StudyError
        When the question is not in the sample, or its stratum has nothing left.

    Examples
    --------
    >>> strata = [StratumDraw(("Khmer",), 9, 2, ("q1", "q6"), ("q0", "q8"))]
    >>> next_in_rank(strata, "q6", {"q0"})
    'q8'
    """
    for stratum in strata:
        if sample_id in stratum.drawn:
            for following in stratum.following:
                if following not in gone:
                    return following
            raise StudyError(
                f"{sample_id}: its stratum {' × '.join(stratum.stratum)} has no question left in "
                "the reserve; raise [sample] reserve_per_stratum, or draw from a larger benchmark"
            )
    raise StudyError(f"{sample_id}: not a question of the sample, so there is nothing to replace")


def replace_questions(
    draw: Draw, faulty: Sequence[tuple[str, str]]
) -> tuple[Draw, tuple[Replacement, ...]]:
    """Take faulty questions out of a draw, one after another, each for the next in rank.

    Parameters
    ----------
    draw : Draw
        The draw, with enough following questions in each stratum.
    faulty : sequence of (sample_id, reason)
        In the order in which they were found faulty, a replacement that proved faulty after what
        it replaced. Ids outside the sample are only kept out of it, so that a record of
        replacements can be applied to another draw.

    Returns
    -------
    Draw, tuple of Replacement
        The draw as it then stands; a replacement stands last among the drawn.

    Examples
    --------
    >>> draw = Draw((StratumDraw(("Khmer",), 9, 2, ("q1", "q6"), ("q0", "q8", "q3")),), {})
    >>> _, made = replace_questions(draw, [("q6", "torn"), ("q0", "torn too")])
    >>> [(one.removed, one.replacement) for one in made]
    [('q6', 'q0'), ('q0', 'q8')]
    """
    strata = list(draw.strata)
    gone: set[str] = set()
    made = []
    for sample_id, reason in faulty:
        gone.add(sample_id)
        place = next((n for n, one in enumerate(strata) if sample_id in one.drawn), None)
        if place is None:
            made.append(Replacement(sample_id, None, reason))
            continue
        new = next_in_rank([strata[place]], sample_id, gone)
        strata[place] = strata[place]._replace(
            drawn=(*(one for one in strata[place].drawn if one != sample_id), new),
            following=tuple(one for one in strata[place].following if one != new),
        )
        made.append(Replacement(sample_id, new, reason))
    strata = [
        one._replace(following=tuple(other for other in one.following if other not in gone))
        for one in strata
    ]
    return draw._replace(strata=tuple(strata)), tuple(made)
