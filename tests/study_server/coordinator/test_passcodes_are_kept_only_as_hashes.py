"""Passcodes: long, readable, salted, and an unknown name tells nothing."""

from __future__ import annotations

import re

from study_server.coordinator.accounts import generate_passcode, hash_passcode, passcode_matches


def test_a_generated_passcode_has_four_groups_of_five_unmistakable_characters() -> None:
    passcode = generate_passcode()
    assert re.fullmatch(r"([a-hjkmnp-z2-9]{5}-){3}[a-hjkmnp-z2-9]{5}", passcode)
    assert passcode != generate_passcode()


def test_the_right_passcode_matches_its_hash_and_another_does_not() -> None:
    stored = hash_passcode("correct-horse")
    assert "correct-horse" not in stored
    assert passcode_matches(" correct-horse ", stored)
    assert not passcode_matches("wrong-horse", stored)


def test_two_hashes_of_one_passcode_differ() -> None:
    assert hash_passcode("correct-horse") != hash_passcode("correct-horse")


def test_a_name_nobody_has_never_matches() -> None:
    assert not passcode_matches("anything", None)
