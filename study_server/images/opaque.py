"""Makes an image file say nothing but its picture, losing not one pixel's value."""

from __future__ import annotations

import io
from dataclasses import dataclass

from PIL import Image, ImageOps

from sampling.benchmark.image_files import UNREADABLE, explain_unreadable, open_picture
from study_server.images.lossless import ImageUnusableError, strip_jpeg, strip_png, strip_webp

ORIENTATION = 0x0112
UPRIGHT = {None, 0, 1}
STRIPPERS = {
    "JPEG": (strip_jpeg, "image/jpeg"),
    "MPO": (strip_jpeg, "image/jpeg"),
    "PNG": (strip_png, "image/png"),
    "WEBP": (strip_webp, "image/webp"),
}
# An MPO is opened as the JPEG that it begins with.
READ = ("JPEG", "PNG", "WEBP", "TIFF", "BMP", "GIF")


@dataclass(frozen=True)
class OpaqueImage:
    """The bytes to serve and their media type."""

    data: bytes
    media_type: str


def opaque_image(data: bytes) -> OpaqueImage:
    """Take an image file's metadata away.

    Upright JPEG, PNG and WebP keep their compressed data as it is. What lies on its side by its
    EXIF orientation, and other formats, become an upright PNG with the same pixel values.

    Raises
    ------
    ImageUnusableError
        When it is no image, is truncated, or has more pixels than
        `sampling.benchmark.image_files` allows.
    """
    try:
        with open_picture(io.BytesIO(data), READ) as picture:
            return _opaque(data, picture)
    except UNREADABLE as error:
        raise ImageUnusableError(f"the image {explain_unreadable(error)}") from None


def image_size(data: bytes) -> tuple[int, int] | None:
    """Give the upright width and height of an image file, or None when it is none."""
    try:
        with open_picture(io.BytesIO(data), READ) as picture:
            turned = picture.getexif().get(ORIENTATION) in {5, 6, 7, 8}
            width, height = picture.size
    except UNREADABLE:
        return None
    return (height, width) if turned else (width, height)


def _opaque(data: bytes, picture: Image.Image) -> OpaqueImage:
    """Strip, or draw again upright."""
    kind = picture.format or ""
    upright = picture.getexif().get(ORIENTATION) in UPRIGHT
    if upright and kind in STRIPPERS:
        strip, media_type = STRIPPERS[kind]
        return OpaqueImage(strip(data), media_type)
    turned = ImageOps.exif_transpose(picture)
    if turned.mode not in {"1", "L", "LA", "P", "RGB", "RGBA", "I;16"}:
        turned = turned.convert("RGB")
    turned.info.clear()
    written = io.BytesIO()
    turned.save(written, "PNG", compress_level=6)
    return OpaqueImage(written.getvalue(), "image/png")
