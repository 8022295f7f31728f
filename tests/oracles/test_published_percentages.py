"""The seventeen percentages that the benchmark paper prints, with the counts they need."""

import pytest

from analysis.table11.reported import possible_counts

PRINTED = [
    # value, n, the count it must come from (None: no count prints so)
    ("87.50", 768, 672),
    ("96.88", 96, 93),
    ("58.59", 256, 150),
    ("93.75", 32, 30),
    ("59.77", 256, 153),
    ("90.63", 32, 29),
    ("86.0", 768, None),
    ("58.00", 2224, 1290),
    ("55.40", 2224, 1232),
    ("47.53", 2224, 1057),
    ("46.00", 2224, 1023),
    ("44.96", 2224, 1000),
    ("44.02", 2224, 979),
    ("43.03", 2224, 957),
    ("39.52", 2224, 879),
    ("93.88", 278, 261),
    ("40.50", 2224, None),
]


@pytest.mark.parametrize(("value", "n", "count"), PRINTED)
def test_a_printed_percentage_comes_from_its_count(value, n, count):
    assert possible_counts(value, n).counts == (() if count is None else (count,))
