"""`lontar export`: writes the responses out of the database."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from sampling.study_folder import open_study
from study_server.existing_database import open_existing
from study_server.response_files import write_csv, write_json, write_json_lines
from study_server.store.database import reading
from study_server.store.exporting import participant_flow, read_responses


@click.command("export")
@click.pass_obj
def command(folder: Path) -> None:
    """Write responses/responses.jsonl, .csv and flow.json from one snapshot."""
    study = open_study(folder)
    with reading(open_existing(study)) as session:
        records = read_responses(session)
        flow = participant_flow(session)
    write_json_lines(study.responses_file, records)
    write_csv(study.responses_file.with_suffix(".csv"), records)
    write_json(study.responses_file.with_name("flow.json"), flow)
    counts = Counter(record["status"] for record in records)
    told = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    click.echo(f"{len(records)} responses written to responses/ ({told or 'none yet'})", err=True)
