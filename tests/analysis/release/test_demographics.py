import pytest

from analysis.release.rows import demographic_counts, read_demographics, release_codes
from sampling.study.errors import StudyError


def people(*values):
    return [{"participant": f"P{n}", "field": value} for n, value in enumerate(values)]


def test_a_value_of_fewer_than_k_people_is_not_shown():
    rows = people("a", "a", "a", "b", "b", "c")
    assert demographic_counts(rows, 3) == [("field", "a", "3"), ("field", "other", "3")]


def test_a_small_rest_takes_the_smallest_shown_value_with_it():
    # 4 a, 3 b, 1 c: showing a=4, b=3 would give c away as one person.
    rows = people("a", "a", "a", "a", "b", "b", "b", "c")
    assert demographic_counts(rows, 3) == [("field", "a", "4"), ("field", "other", "4")]


def test_a_group_smaller_than_k_shows_no_count():
    assert demographic_counts(people("a", "b"), 3) == [("field", "other", "fewer than 3")]


def test_a_participant_who_is_not_in_the_roster_is_named(tmp_path):
    (tmp_path / "d.csv").write_text("participant,years\nP09,5\n", encoding="utf-8")
    with pytest.raises(StudyError, match="P09"):
        read_demographics(tmp_path / "d.csv", {"P01"})


def test_release_codes_do_not_follow_the_order_of_the_pseudonyms():
    codes = release_codes([f"P{n:02d}" for n in range(1, 9)], "seed")
    by_code = sorted(codes, key=codes.__getitem__)
    assert by_code == ["P01", "P05", "P06", "P08", "P04", "P07", "P02", "P03"]
