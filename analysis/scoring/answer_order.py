"""In which order each person answered: by the plan, or by the times questions were shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray
from sampling.assignment.plan import Slot
from sampling.assignment.roster import same_identity

PLANNED = ("position", "session")


@dataclass(frozen=True)
class AnswerOrder:
    """Position and session of each response, from 1, shape (N,); NaN where unknown.

    `source` says where they are from: the plan, or the times the questions were shown.
    """

    position: FloatArray
    session: FloatArray
    source: str


def with_planned_order(responses: pd.DataFrame, slots: Sequence[Slot]) -> pd.DataFrame:
    """Add the plan's `position` and `session` to responses, NaN for an answer it does not hold.

    Examples
    --------
    >>> one = pd.DataFrame({"participant": ["P01", "P02"], "sample_id": ["q1", "q1"]})
    >>> with_planned_order(one, [Slot("p01", "q1", 1, 2, 33)])[["position", "session"]].iloc[0]
    position    33.0
    session      2.0
    Name: 0, dtype: float64
    """
    planned = {(same_identity(slot.participant), slot.sample_id): slot for slot in slots}
    folded = {name: same_identity(name) for name in set(responses["participant"])}
    found = [
        planned.get((folded[participant], sample_id))
        for participant, sample_id in zip(
            responses["participant"], responses["sample_id"], strict=True
        )
    ]
    nothing = float("nan")
    return responses.assign(
        position=[nothing if slot is None else float(slot.position) for slot in found],
        session=[nothing if slot is None else float(slot.session) for slot in found],
    )


def answer_order(responses: pd.DataFrame, questions_per_session: int) -> AnswerOrder:
    """Take the plan's positions where the responses have them, or else rank the times shown.

    Examples
    --------
    >>> times = pd.to_datetime(pd.Series(["2026-01-01T10:00Z", "2026-01-01T09:00Z", None]))
    >>> one = pd.DataFrame({"participant": ["P1"] * 3, "shown_at": times})
    >>> answer_order(one, 1).position.tolist(), answer_order(one, 1).session.tolist()
    ([2.0, 1.0, nan], [2.0, 1.0, nan])
    """
    if all(name in responses and responses[name].notna().any() for name in PLANNED):
        position, session = (
            responses[name].to_numpy(dtype=np.float64, na_value=np.nan) for name in PLANNED
        )
        return AnswerOrder(position, session, "positions of the plan")
    ranks = responses["shown_at"].groupby(responses["participant"].to_numpy()).rank(method="first")
    position = ranks.to_numpy(dtype=np.float64, na_value=np.nan)
    session = np.ceil(position / questions_per_session)
    return AnswerOrder(position, session, "positions by the time shown")
