from analysis.release.croissant import RecordField, croissant_metadata
from sampling.study.definition import ReleaseTable

FIELDS = [RecordField("sample_id", "the question's id"), RecordField("f1", "F1", "sc:Float")]


def metadata(release=None):
    return croissant_metadata(
        "A study",
        release or ReleaseTable(),
        {"responses.jsonl": "ab" * 32, "table11.csv": "cd" * 32},
        {"responses.jsonl": FIELDS},
    )


def test_each_file_has_its_digest_and_type():
    files = {file["@id"]: file for file in metadata()["distribution"]}
    assert files["responses.jsonl"]["encodingFormat"] == "application/jsonlines"
    assert files["table11.csv"]["sha256"] == "cd" * 32


def test_a_record_set_points_at_its_file_and_field():
    (record_set,) = metadata()["recordSet"]
    assert record_set["field"][1]["source"] == {
        "fileObject": {"@id": "responses.jsonl"},
        "extract": {"column": "f1"},
    }


def test_what_nobody_declared_is_left_out():
    assert "license" not in metadata()
    assert metadata(ReleaseTable(license="CC-BY-4.0"))["license"] == "CC-BY-4.0"
