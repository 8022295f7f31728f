"""Pages compressed on their way, where nobody but their reader had a say in what is in them.

The size of a compressed page tells whether something in it repeats. So nothing is compressed that
holds a secret, such as a form's token, beside what somebody else could have chosen: a form's
reply, a page whose address has a query, or a coordinator's page, which shows what others wrote.
"""

from __future__ import annotations

import gzip

from flask import Flask, Response, request

COMPRESSED = ("text/html", "application/json")
LEVEL = 4
# Below this a page fits in one packet anyway.
SMALLEST = 1_000
APART = "/coordinator"


def set_up(app: Flask) -> None:
    """Compress pages of an application."""
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    """Compress a page, if it may be and whoever asked can read it."""
    if not _may_be(response):
        return response
    response.vary.add("Accept-Encoding")
    if request.accept_encodings["gzip"] > 0:
        response.set_data(gzip.compress(response.get_data(), LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response


def _may_be(response: Response) -> bool:
    """Tell whether a reply is a page that holds nothing another person chose."""
    return (
        request.method in {"GET", "HEAD"}
        and not request.query_string
        and not request.path.startswith(APART)
        and response.status_code == 200
        and response.mimetype in COMPRESSED
        and "Content-Encoding" not in response.headers
        and not response.is_streamed
        and (response.content_length or 0) >= SMALLEST
    )
