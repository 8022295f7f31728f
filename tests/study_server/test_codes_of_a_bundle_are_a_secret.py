"""The codes of a public bundle: drawn once, the same at each release, known to nobody else."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from analysis.release.rows import release_codes
from sampling.study.errors import StudyError
from study_server.folder.secret_files import make_release_key, release_key

PEOPLE = [f"P{number:02d}" for number in range(1, 25)]


def test_the_key_is_made_once_for_its_owner_only(tmp_path: Path) -> None:
    assert release_key(tmp_path) is None
    key = make_release_key(tmp_path)
    assert make_release_key(tmp_path) == release_key(tmp_path) == key
    file = tmp_path / "secrets" / "release.key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_hosts_that_share_a_secret_draw_codes_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LONTAR_SECRET_KEY", "x" * 64)
    assert make_release_key(tmp_path) == release_key(tmp_path) != "x" * 64


def test_another_study_of_the_same_people_and_seed_has_other_codes(tmp_path: Path) -> None:
    codes = []
    for name in "ab":
        (tmp_path / name).mkdir()
        codes.append(release_codes(PEOPLE, make_release_key(tmp_path / name)))
    assert codes[0] != codes[1]


def test_a_folder_that_keeps_no_key_gets_no_codes(tmp_path: Path) -> None:
    (tmp_path / "secrets").write_text("a file where the folder should be")
    with pytest.raises(StudyError, match=r"secrets/release.key: cannot be written"):
        make_release_key(tmp_path)
