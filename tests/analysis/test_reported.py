import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.table11.reported import Rounding, check_reported_file, possible_counts
from sampling.study.errors import StudyError


def test_a_tie_prints_up_only_under_half_up():
    # 29/32 = 90.625 exactly.
    assert possible_counts("90.63", 32).roundings == (Rounding.HALF_UP,)


def test_a_tie_prints_down_under_half_even_and_half_down():
    assert possible_counts("90.62", 32).roundings == (Rounding.HALF_EVEN, Rounding.HALF_DOWN)


def test_the_printed_decimals_count():
    # 1/3 = 33.333...: 33 and 33.3 print so, 33.30 does not.
    assert possible_counts("33", 3).counts == (1,)
    assert possible_counts("33.3", 3).counts == (1,)
    assert possible_counts("33.30", 3).counts == ()


def test_a_large_denominator_allows_several_counts():
    # Half a unit of 86.0 is 0.05 points = 5 of 10,000: 8595..8604 half up.
    found = possible_counts("86.0", 10_000)
    assert found.counts[0] == 8595
    assert found.counts[-1] == 8605  # 86.05 goes down under half even and half down


def test_more_than_a_hundred_per_cent_is_impossible():
    assert not possible_counts("100.5", 200).possible


@given(st.integers(1, 400), st.data())
def test_what_was_printed_half_up_is_always_possible(n, data):
    k = data.draw(st.integers(0, n))
    hundredths = (2 * 10_000 * k + n) // (2 * n)  # floor(10000 k / n + 1/2)
    value = f"{hundredths // 100}.{hundredths % 100:02d}"
    found = possible_counts(value, n)
    assert k in found.counts
    assert Rounding.HALF_UP in found.roundings


def test_a_file_gets_a_verdict_for_each_row(tmp_path):
    file = tmp_path / "reported.csv"
    file.write_bytes("\ufeffname,value,n\r\nHuman EM,87.50,768\r\nagreement,86.0,768\r\n".encode())
    assert check_reported_file(file) == (
        "name,value,n,verdict,k,rounding\n"
        "Human EM,87.50,768,possible,672,half up; half even; half down\n"
        "agreement,86.0,768,impossible,,\n"
    )


def test_every_unreadable_row_is_named(tmp_path):
    file = tmp_path / "reported.csv"
    file.write_text("name,value,n\na,high,10\nb,50.0,none\nc,50.0,0\n", encoding="utf-8")
    with pytest.raises(StudyError) as caught:
        check_reported_file(file)
    assert [problem.split(":")[0] for problem in caught.value.problems] == [
        "reported.csv line 2",
        "reported.csv line 3",
        "reported.csv line 4",
    ]


def test_a_missing_column_is_named(tmp_path):
    file = tmp_path / "reported.csv"
    file.write_text("name,value\na,1\n", encoding="utf-8")
    with pytest.raises(StudyError, match="no column 'n'"):
        check_reported_file(file)
