"""Image files: metadata gone, every pixel kept, and what is no image refused."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageCms, PngImagePlugin

from sampling.benchmark.image_files import image_fault
from study_server.images.lossless import ImageUnusableError, without_words
from study_server.images.opaque import image_size, opaque_image
from study_server.images.sources import image_version, read_image

SECRET = b"collection Khmer"


def picture() -> Image.Image:
    pixels = np.arange(60 * 40 * 3, dtype=np.uint32).reshape(40, 60, 3)
    return Image.fromarray((pixels * 7919 % 251).astype(np.uint8))


def exif(orientation: int = 1) -> Image.Exif:
    made = Image.Exif()
    made[0x010E] = SECRET.decode()
    made[0x0112] = orientation
    return made


def written(kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    picture().save(out, kind, exif=options.pop("exif", exif()), **options)
    return out.getvalue()


def pixels(data: bytes) -> Any:
    with Image.open(io.BytesIO(data)) as opened:
        return np.asarray(opened.convert("RGB"))


def srgb() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("JPEG", {"quality": 90}),
        ("JPEG", {"quality": 90, "progressive": True}),
        ("JPEG", {"quality": 90, "icc_profile": srgb(), "comment": SECRET}),
        ("PNG", {}),
        ("PNG", {"icc_profile": srgb()}),
        ("WEBP", {"quality": 90}),
        ("WEBP", {"lossless": True, "icc_profile": srgb()}),
    ],
)
def test_the_picture_stays_and_its_metadata_goes(kind: str, options: dict[str, Any]) -> None:
    if kind == "PNG":
        text = PngImagePlugin.PngInfo()
        text.add_text("Title", SECRET.decode())
        options = {**options, "pnginfo": text}
    data = written(kind, **options)
    assert SECRET in data
    served = opaque_image(data)
    assert SECRET not in served.data
    assert (pixels(served.data) == pixels(data)).all()
    with Image.open(io.BytesIO(served.data)) as opened:
        assert opened.format == kind
        assert not opened.getexif()
        assert not {"comment", "Title", "exif", "xmp"} & set(opened.info)


def test_compressed_data_is_the_benchmarks_own() -> None:
    data = written("JPEG", quality=80)
    served = opaque_image(data).data
    assert served[served.index(b"\xff\xda") :] == data[data.index(b"\xff\xda") :]


def test_what_follows_the_picture_in_a_file_is_dropped() -> None:
    data = written("JPEG", quality=80)
    assert opaque_image(data + SECRET + b"\xff\xd8second").data == opaque_image(data).data


@pytest.mark.parametrize("orientation", [2, 3, 4, 5, 6, 7, 8])
def test_a_picture_on_its_side_is_set_upright_without_loss(orientation: int) -> None:
    turned = written("PNG", exif=exif(orientation))
    served = opaque_image(turned)
    assert served.media_type == "image/png"
    ways = {
        2: lambda a: a[:, ::-1],
        3: lambda a: a[::-1, ::-1],
        4: lambda a: a[::-1],
        5: lambda a: a.swapaxes(0, 1),
        6: lambda a: a[::-1].swapaxes(0, 1),
        7: lambda a: a[::-1, ::-1].swapaxes(0, 1),
        8: lambda a: a.swapaxes(0, 1)[::-1],
    }
    assert (pixels(served.data) == ways[orientation](np.asarray(picture()))).all()
    assert image_size(turned) == (pixels(served.data).shape[1], pixels(served.data).shape[0])


@pytest.mark.parametrize("kind", ["TIFF", "BMP", "GIF"])
def test_formats_that_browsers_lack_become_png(kind: str) -> None:
    out = io.BytesIO()
    picture().quantize(200).save(out, kind) if kind == "GIF" else picture().save(out, kind)
    served = opaque_image(out.getvalue())
    assert served.media_type == "image/png"
    assert (pixels(served.data) == pixels(out.getvalue())).all()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("part", [0.3, 0.9])
def test_a_truncated_file_is_refused(kind: str, part: float) -> None:
    data = written(kind)
    with pytest.raises(ImageUnusableError):
        opaque_image(data[: int(len(data) * part)])


@pytest.mark.parametrize("data", [b"", b"no image", b"\xff\xd8\xff", b"<svg onload='x'/>"])
def test_what_is_no_image_is_refused(data: bytes) -> None:
    with pytest.raises(ImageUnusableError):
        opaque_image(data)


def blank_png(width: int, height: int) -> bytes:
    """A black picture of a size that nobody wants to unpack, one bit a pixel."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    packed = zlib.compress(bytes((width // 8 + 1) * 100), 1)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def test_a_very_large_scan_is_served_as_it_is(tmp_path: Path) -> None:
    # 47,000 x 8,500 pixels: a leaf of a metre at 1,200 dpi, and 399.5 million pixels.
    scan = blank_png(47_000, 8_500)
    assert opaque_image(scan).data == scan
    assert image_size(scan) == (47_000, 8_500)
    (tmp_path / "scan.png").write_bytes(scan)
    assert image_fault(tmp_path / "scan.png") is None


def test_a_decompression_bomb_is_refused_without_being_unpacked(tmp_path: Path) -> None:
    # One row more than 400 million pixels.
    bomb = blank_png(20_000, 20_001)
    fault = "has more than 400 million pixels; make it smaller"
    with pytest.raises(ImageUnusableError, match=f"the image {fault}"):
        opaque_image(bomb)
    assert image_size(bomb) is None
    (tmp_path / "bomb.png").write_bytes(bomb)
    assert image_fault(tmp_path / "bomb.png") == fault


def test_a_colour_profile_keeps_its_numbers_and_loses_its_words() -> None:
    profile = srgb()
    clean = without_words(profile)
    assert len(clean) == len(profile)
    assert b"sRGB" in profile.replace(b"\x00", b"")
    assert b"sRGB" not in clean.replace(b"\x00", b"")
    first = ImageCms.getOpenProfile(io.BytesIO(profile))
    second = ImageCms.getOpenProfile(io.BytesIO(clean))
    lab = ImageCms.createProfile("LAB")
    results = [
        ImageCms.applyTransform(
            picture(), ImageCms.buildTransform(one, lab, "RGB", "LAB")
        ).tobytes()
        for one in (first, second)
    ]
    assert results[0] == results[1]


@pytest.mark.parametrize(
    "name", ["../secret.jpg", "/etc/passwd", "a/../../x", "", "a//b", "./x", "..\\secret.jpg"]
)
def test_a_name_never_leads_outside_the_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "secret.jpg").write_bytes(b"x")
    with pytest.raises(ImageUnusableError):
        read_image(str(tmp_path / "images"), name)


def test_the_other_unicode_form_of_a_name_is_the_same_image(tmp_path: Path) -> None:
    (tmp_path / "cafe\u0301.jpg").write_bytes(b"x")
    assert read_image(str(tmp_path), "caf\u00e9.jpg") == b"x"
    assert image_version(str(tmp_path), "caf\u00e9.jpg").endswith("-1")


def test_a_folder_of_links_is_read(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "blob").write_bytes(b"x")
    (tmp_path / "images" / "a.jpg").symlink_to(tmp_path / "blob")
    assert read_image(str(tmp_path / "images"), "a.jpg") == b"x"
