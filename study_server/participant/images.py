"""Serves an image to whoever is to judge it, under a name that says nothing."""

from __future__ import annotations

from flask import Response, abort, request
from werkzeug.exceptions import RequestedRangeNotSatisfiable

from study_server.images.lossless import ImageUnusableError
from study_server.images.served import served_image, served_version
from study_server.participant.access import blueprint, load_visitor
from study_server.store.asking.image_access import find_image, mark_broken, mark_whole
from study_server.store.schema.database import glancing, transaction
from study_server.web import clock
from study_server.web.configuration import running_study

FOR_A_YEAR = "private, max-age=31536000, immutable"


@blueprint.get("/image/<public_id>")
def image(public_id: str) -> Response:
    """Give the image's pixels, without metadata, to a participant who holds a slot with it."""
    study = running_study()
    with glancing(study.engine) as database:
        visitor = load_visitor(database)
        found = None if visitor is None else find_image(database, public_id, visitor)
    if found is None:
        abort(404)
    # Read before the picture: of one that is replaced meanwhile, nothing is joined to the old.
    version = served_version(study.configuration, found.source, found.image_name, public_id)
    if request.if_none_match.contains(version):
        return _kept_for_a_year(Response(status=304), version)
    try:
        content = served_image(study.configuration, found.source, found.image_name, public_id)
    except ImageUnusableError:
        with transaction(study.engine) as database:
            mark_broken(database, found.id, clock.now())
        abort(404)
    if found.broken:
        with transaction(study.engine) as database:
            mark_whole(database, found.id)
    response = _kept_for_a_year(content.response(), version)
    # Whoever was cut off goes on where they were: over a bad link an image takes several tries.
    try:
        response.make_conditional(request, accept_ranges=True, complete_length=content.size)
    except RequestedRangeNotSatisfiable:
        content.body.close()
        raise
    return response


def _kept_for_a_year(response: Response, version: str) -> Response:
    response.headers["Cache-Control"] = FOR_A_YEAR
    response.set_etag(version)
    return response
