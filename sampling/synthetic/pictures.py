"""Picture files of synthetic folios, drawn on every processor at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from sampling.synthetic.attributes import Folio
from sampling.synthetic.folio_image import draw_folio, encode_folio

Progress = Callable[[int, int], None]

# Starting a process costs as much as drawing a few folios.
FEWEST_TO_SHARE = 12


def write_pictures(
    pictures: Sequence[tuple[Path, Folio]], seed: str, progress: Progress | None = None
) -> None:
    """Draw each folio into its folder as `<name>.jpg`.

    `progress` hears how many of how many are done.
    """
    for folder in dict.fromkeys(folder for folder, _ in pictures):
        folder.mkdir(parents=True, exist_ok=True)
    if len(pictures) < FEWEST_TO_SHARE:
        for done, (folder, folio) in enumerate(pictures, 1):
            _write_picture(folder, folio, seed)
            _tell(progress, done, len(pictures))
        return
    # Not forked: the caller may run threads, such as a progress bar's.
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as processes:
        work = [processes.submit(_write_picture, folder, folio, seed) for folder, folio in pictures]
        try:
            for done, drawn in enumerate(as_completed(work), 1):
                drawn.result()
                _tell(progress, done, len(pictures))
        finally:  # Whoever interrupts does not wait for all that was to come.
            processes.shutdown(cancel_futures=True)


def _write_picture(folder: Path, folio: Folio, seed: str) -> None:
    (folder / f"{folio.name}.jpg").write_bytes(encode_folio(draw_folio(folio, seed)))


def _tell(progress: Progress | None, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)
