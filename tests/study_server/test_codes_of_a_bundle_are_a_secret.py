"""The codes of a public bundle: the same at each release, known by nobody without the key."""

from __future__ import annotations

import stat
from pathlib import Path

from analysis.release.pseudonyms import release_codes
from study_server.secret_files import make_release_key, release_key

PEOPLE = [f"P{number:02d}" for number in range(1, 25)]


def test_the_key_is_made_once_for_its_owner_only(tmp_path: Path) -> None:
    make_release_key(tmp_path)
    key = release_key(tmp_path, "seed")
    make_release_key(tmp_path)
    assert release_key(tmp_path, "seed") == key
    assert key[0] != "seed"
    assert key[1] is True
    file = tmp_path / "secrets" / "release.key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_another_study_of_the_same_people_has_other_codes(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
        make_release_key(tmp_path / name)
    one, other = (release_codes(PEOPLE, release_key(tmp_path / name, "seed")[0]) for name in "ab")
    assert one != other


def test_a_study_of_files_alone_gives_the_same_bundle_everywhere(tmp_path: Path) -> None:
    assert release_key(tmp_path, "seed") == ("seed", False)
    assert list(tmp_path.iterdir()) == []
