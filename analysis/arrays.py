"""A statistic that has no value for these data is a result too: it says why.

Names for the numpy arrays that the statistics are functions of.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True)
class Undefined:
    """What could not be computed, and the reason a reader is given.

    >>> Undefined("every answer was the same").reason
    'every answer was the same'
    """

    reason: str
