"""A study's secrets: what signs cookies, and what shuffles the codes of a public bundle."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from sampling.errors import StudyError

VARIABLE = "LONTAR_SECRET_KEY"
SECRET_BYTES = 32
RELEASE_KEY = "release.key"


def secret_key(study_root: Path) -> bytes:
    """Give the secret that signs cookies: `LONTAR_SECRET_KEY`, or `secrets/server.key`.

    The file is made when there is none, readable by its owner only, and never half written.

    Raises
    ------
    StudyError
        When the variable is too short to protect anything.
    """
    given = os.environ.get(VARIABLE)
    if given is not None:
        if len(given) < SECRET_BYTES:
            raise StudyError(
                f"{VARIABLE}: shorter than {SECRET_BYTES} characters; "
                "make one with `openssl rand -hex 32`"
            )
        return given.encode("utf-8")
    return _kept(study_root, "server.key")


def make_release_key(study_root: Path) -> None:
    """Make `secrets/release.key` where there is none; hosts that share a secret keep no files."""
    if VARIABLE not in os.environ:
        _kept(study_root, RELEASE_KEY)


def release_key(study_root: Path, seed: str) -> tuple[str, bool]:
    """Give what shuffles the codes of a public bundle, and whether it is a secret.

    It is `secrets/release.key`, or the study's published seed where there is no such file:
    releasing makes nothing by chance, so that the same files give the same bundle.
    """
    file = study_root / "secrets" / RELEASE_KEY
    return (file.read_text(encoding="ascii"), True) if file.exists() else (seed, False)


def _kept(study_root: Path, name: str) -> bytes:
    """Read a secret, made where there is none."""
    file = study_root / "secrets" / name
    file.parent.mkdir(mode=0o700, exist_ok=True)
    if not file.exists():
        _write_once(file, secrets.token_hex(SECRET_BYTES))
    return file.read_bytes()


def _write_once(file: Path, text: str) -> None:
    """Write beside the file and link it into place: the first of several starters wins."""
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as opened:
        opened.write(text)
    try:
        os.link(draft, file)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
