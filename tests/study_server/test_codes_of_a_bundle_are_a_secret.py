"""The codes of a public bundle: the same at each release, known by nobody without the key."""

from __future__ import annotations

import stat
from pathlib import Path

from analysis.release.pseudonyms import release_codes
from study_server.secret_files import release_key

PEOPLE = [f"P{number:02d}" for number in range(1, 25)]


def test_the_key_is_made_once_for_its_owner_only(tmp_path: Path) -> None:
    key = release_key(tmp_path)
    assert release_key(tmp_path) == key
    file = tmp_path / "secrets" / "release.key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert release_codes(PEOPLE, key) == release_codes(PEOPLE, release_key(tmp_path))


def test_another_study_of_the_same_people_has_other_codes(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, other = (release_codes(PEOPLE, release_key(tmp_path / name)) for name in "ab")
    assert one != other
