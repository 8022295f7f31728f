"""Synthetic folios for tests: one of each collection as a picture, and a whole small benchmark."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from sampling.synthetic.attributes import COLLECTIONS, Folio, invent_folios
from sampling.synthetic.benchmark import write_synthetic_benchmark
from sampling.synthetic.folio_image import draw_folio, encode_folio
from sampling.synthetic.layout import Layout, lay_out

SEED = "test"


@dataclass(frozen=True)
class Pictured:
    """A folio, its plan, and its picture as decoded from the JPEG."""

    folio: Folio
    layout: Layout
    jpeg: bytes
    pixels: NDArray[np.float64]


def pictured(folio: Folio) -> Pictured:
    jpeg = encode_folio(draw_folio(folio, SEED))
    pixels = np.asarray(Image.open(io.BytesIO(jpeg)), dtype=np.float64)
    return Pictured(folio, lay_out(folio, SEED), jpeg, pixels)


@pytest.fixture(scope="session")
def folios() -> list[Folio]:
    """Twelve folios of each collection, not drawn."""
    return [
        folio
        for collection in COLLECTIONS
        for folio in invent_folios(
            SEED, collection, [f"{collection}_{number:04}" for number in range(1, 13)]
        )
    ]


@pytest.fixture(scope="session")
def pictures(folios: list[Folio]) -> list[Pictured]:
    """A drawn folio of each collection, each at another place among its twelve."""
    return [pictured(folios[12 * number + number]) for number in range(len(COLLECTIONS))]


@pytest.fixture(scope="session")
def study_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a benchmark of one folio a collection, and practice questions."""
    folder = tmp_path_factory.mktemp("synthetic")
    write_synthetic_benchmark(folder, SEED, folios_per_collection=1)
    return folder
