import pytest

from analysis.release.leaks import find_leaks


def kinds(text, **forbidden):
    return [leak.kind for leak in find_leaks({"a.txt": text}, forbidden)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("write to anna.k@uni.example.org", "an e-mail address"),
        ("https://study.example/p/Zm9vYmFyYmF6cXV4MTIzNDU2", "a personal link"),
        ("from 192.168.10.4", "an internet address"),
        ("saved in /home/anna/study", "a path on somebody's machine"),
        (r"saved in C:\Users\anna", "a path on somebody's machine"),
        ("call +62 812 3456 7890", "a telephone number"),
    ],
)
def test_what_points_at_a_person_is_found(text, kind):
    assert kind in kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"sample_id": "Balinese_0001__1", "submitted_at": "2026-09-01T08:55:10Z"}',
        '{"f1": 0.6666666666666666, "active_seconds": 42.1}',
        "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "version 1.26.4",
        "| 2.6.2.1 | How much? |",
    ],
)
def test_ordinary_data_is_no_leak(text):
    assert kinds(text) == []


def test_a_forbidden_word_counts_only_where_it_stands_alone():
    assert kinds("A01 wrote this", author=["A01"]) == ["author"]
    assert kinds("DATA01 and A012", author=["A01"]) == []


def test_the_leak_itself_is_not_repeated():
    (leak,) = find_leaks({"a.txt": "x\nme@example.org"}, {})
    assert str(leak) == "a.txt line 2: holds an e-mail address"


def test_a_contact_address_may_stand_in_a_text_written_for_participants():
    assert find_leaks({"consent.md": "Questions? me@example.org"}, {}, ["consent.md"]) == []


def test_a_pseudonym_is_named_for_it_is_the_coordinators_own():
    (leak,) = find_leaks({"a.txt": "thanks to Anna"}, {"a pseudonym": ["Budi", "Anna"]})
    assert str(leak) == "a.txt line 1: holds a pseudonym, 'Anna'"
