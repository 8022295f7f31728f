"""Images in an object store: read by fsspec, by name alone, away is not broken."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import fsspec
import pytest
from sqlalchemy import select

from sampling.study.errors import StudyError
from sampling.study.folder import open_study
from study_server.app import create_app
from study_server.folder.inviting import invite
from study_server.folder.loading import prepare_database
from study_server.folder.study_content import image_folders
from study_server.images.lossless import ImageAwayError, ImageUnusableError
from study_server.images.sources import check_store, read_image
from study_server.store.schema.database import reading, transaction
from study_server.store.schema.tables import ImageTable
from study_server.web.configuration import ServerConfiguration

Study = Callable[..., Any]


@pytest.fixture
def bucket(small_image: Callable[[str], bytes]) -> Iterator[str]:
    """The address of a folder in a store, with one image in it and a secret beside it."""
    memory = fsspec.filesystem("memory")
    root = f"/bucket-{uuid.uuid4().hex}"
    memory.pipe({f"{root}/images/leaf.jpg": small_image("Khmer"), f"{root}/secret": b"secret"})
    yield f"memory:/{root}/images"
    memory.rm(root, recursive=True)


def test_an_image_is_read_whole_or_in_part(bucket: str, small_image: Any) -> None:
    assert read_image(bucket, "leaf.jpg") == small_image("Khmer")
    assert read_image(f"{bucket}/", "leaf.jpg", 3) == b"\xff\xd8\xff"


@pytest.mark.parametrize(
    "name",
    ["nothing.jpg", "../secret", "x/../../secret", "*.jpg", "leaf.jpg::file:///etc/passwd",
     "file:///etc/passwd", "/secret", "leaf.jpg?versionId=1"],
)  # fmt: skip
def test_a_name_is_never_an_address_nor_a_pattern(bucket: str, name: str) -> None:
    with pytest.raises(ImageUnusableError):
        read_image(bucket, name)


def test_a_store_that_is_away_is_no_broken_image(bucket: str) -> None:
    memory = type(fsspec.filesystem("memory"))
    with (
        patch.object(memory, "size", side_effect=ConnectionError("no route")),
        pytest.raises(ImageAwayError, match="cannot be read just now \\(ConnectionError\\)"),
    ):
        read_image(bucket, "leaf.jpg")


def test_software_that_is_missing_is_said_before_anybody_waits() -> None:
    with pytest.raises(StudyError, match="nosuch:// cannot be used"):
        check_store("nosuch://bucket/images")
    missing = ModuleNotFoundError("No module named 's3fs'", name="s3fs")
    with (
        patch.object(fsspec.core, "url_to_fs", side_effect=missing),
        pytest.raises(StudyError, match=r"need s3fs: pip install 'lontar\[remote\]' s3fs"),
    ):
        check_store("s3://bucket/images")


def test_a_study_is_served_from_a_store_and_outlives_its_absence(
    make_small_study: Callable[..., Path],
    tmp_path: Path,
    noon: Any,
    new_visit: Callable[[Any], Any],
) -> None:
    folder = make_small_study(tmp_path / "study")
    memory, root = fsspec.filesystem("memory"), f"/store-{uuid.uuid4().hex}"
    for file in (folder / "benchmark" / "images").iterdir():
        memory.pipe(f"{root}/{file.name}", file.read_bytes())
        file.unlink()
    toml = (folder / "study.toml").read_text()
    (folder / "study.toml").write_text(toml.replace("benchmark/images", f"memory:/{root}"))
    study = open_study(folder)
    engine = prepare_database(study, noon)
    with transaction(engine) as session:
        (link, *_others) = invite(session, (), False, noon)
    url = engine.url.render_as_string(hide_password=False)
    app = create_app(ServerConfiguration(url, b"s" * 40, image_folders(study)))
    visit = new_visit(app.test_client())
    visit.get(f"/p/{link.token}")
    while visit.path != "/question":
        visit.go_on()
    address = visit.page.split('data-image="')[1].split('"')[0]
    with patch.object(type(memory), "size", side_effect=TimeoutError):
        assert visit.client.get(address).status_code == 503
    reply = visit.client.get(address)
    assert (reply.status_code, reply.content_type) == (200, "image/jpeg")
    with reading(engine) as session:
        broken = select(ImageTable.id).where(ImageTable.broken_at.is_not(None))
        assert session.scalars(broken).all() == []
    app.extensions["lontar"].engine.dispose()
    engine.dispose()
    memory.rm(root, recursive=True)
