"""Exports on the web: the files of `lontar export`, each download from one snapshot."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, abort, render_template
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from study_server.folder.response_files import safe_cell
from study_server.store.schema.database import reading
from study_server.store.steering.exporting import RESPONSE_FIELDS, participant_flow, read_responses
from study_server.web.configuration import running_study

blueprint = Blueprint("exports", __name__)
LONGEST_SLUG = 40
SHORT_ID = 8


def _json_lines(session: Session) -> str:
    return "".join(
        json.dumps(record, ensure_ascii=False) + "\n" for record in read_responses(session)
    )


def _csv(session: Session) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(RESPONSE_FIELDS)
    for record in read_responses(session):
        writer.writerow([safe_cell(record[field]) for field in RESPONSE_FIELDS])
    return text.getvalue()


def _flow(session: Session) -> str:
    return json.dumps(participant_flow(session), ensure_ascii=False, indent=2) + "\n"


DOWNLOADS: Mapping[str, tuple[Callable[[Session], Any], str, str]] = {
    "responses.jsonl": (_json_lines, "application/jsonl", "every response, exactly as given"),
    "responses.csv": (_csv, "text/csv", "the same for a spreadsheet, safe from formulas"),
    "flow.json": (_flow, "application/json", "people from invited to finished"),
}


def download_name(name: str, title: str, study_id: str) -> str:
    """Return a file's name with the study in it: its title's plain letters, and its own id.

    Two studies of one title differ by the id, which a study keeps for as long as its database.

    >>> download_name("responses.jsonl", "Écritures: palm leaves", "x9-aZ_41kq")
    'responses-ecritures-palm-leaves-x9-aZ_41.jsonl'
    >>> download_name("flow.json", "貝葉", "x9-aZ_41kq")
    'flow-x9-aZ_41.json'
    """
    stem, _, kind = name.rpartition(".")
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii").lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain)[:LONGEST_SLUG].strip("-")
    return "-".join(part for part in (stem, slug, study_id[:SHORT_ID]) if part) + f".{kind}"


def attached(response: Response, name: str) -> Response:
    """Have a browser keep a reply as a file whose name says which study it is of."""
    study = running_study()
    kept = download_name(name, study.name, study.public_id)
    response.headers["Content-Disposition"] = f"attachment; filename={kept}"
    return response


@blueprint.get("/exports")
def page() -> ResponseReturnValue:
    """List what can be downloaded."""
    with reading(running_study().engine) as session:
        return render_template(
            "coordinator/exports.html",
            downloads=DOWNLOADS,
            flow=participant_flow(session),
        )


@blueprint.get("/exports/<name>")
def download(name: str) -> ResponseReturnValue:
    """Give one file."""
    if name not in DOWNLOADS:
        abort(404)
    make, media_type, _ = DOWNLOADS[name]
    with reading(running_study().engine) as session:
        response = Response(make(session), mimetype=media_type)
    return attached(response, name)
