"""A study's secrets: what signs cookies, and what shuffles the codes of a public bundle."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from sampling.study.errors import StudyError

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


def make_release_key(study_root: Path) -> str:
    """Return what orders the codes of a public bundle, drawn at random once and kept.

    It is `secrets/release.key`: a second release of the study has the same codes, and nobody
    without the file can work out whose they are. It is a secret of the study's folder, also where
    hosts share `LONTAR_SECRET_KEY`.

    Raises
    ------
    StudyError
        When the folder cannot be written.
    """
    try:
        return _kept(study_root, RELEASE_KEY).decode("ascii")
    except OSError as error:
        raise StudyError(
            f"secrets/{RELEASE_KEY}: cannot be written ({error.strerror}); people's codes are "
            "drawn once and kept there, so that a second release has the same"
        ) from None


def release_key(study_root: Path) -> str | None:
    """Return the key of the bundle's codes, or None where none was drawn yet."""
    file = study_root / "secrets" / RELEASE_KEY
    return file.read_text(encoding="ascii") if file.exists() else None


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
