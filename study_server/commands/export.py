"""`lontar export`: writes the responses out of the database."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from sampling.record.event_log import event_line
from sampling.study.folder import open_study
from sampling.study.whole_files import write_whole
from study_server.folder.existing_database import open_existing, reading_existing
from study_server.folder.replacements import write_replacements
from study_server.folder.response_files import write_csv, write_json, write_json_lines
from study_server.store.schema.database import taken_for_one
from study_server.store.schema.events import read_log
from study_server.store.steering.exporting import participant_flow, read_responses


@click.command("export")
@click.pass_obj
def command(folder: Path) -> None:
    """Write responses/responses.jsonl, .csv, flow.json and events.jsonl from one snapshot.

    Questions that were replaced on the coordinator's pages are replaced in sample/ as well.
    """
    study = open_study(folder)
    engine = open_existing(study)
    with taken_for_one(engine):
        replaced = write_replacements(engine, study)
    with reading_existing(study) as session:
        records = read_responses(session)
        flow = participant_flow(session)
        events = [event_line(event) + "\n" for event in read_log(session)]
    write_json_lines(study.responses_file, records)
    write_csv(study.responses_file.with_suffix(".csv"), records)
    write_json(study.responses_file.with_name("flow.json"), flow)
    write_whole(study.responses_file.with_name("events.jsonl"), "".join(events))
    if replaced:
        what = "1 question was" if replaced == 1 else f"{replaced} questions were"
        click.echo(f"{what} replaced: sample/ and plan/ written again", err=True)
    counts = Counter(record["status"] for record in records)
    told = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    what = "1 response" if len(records) == 1 else f"{len(records)} responses"
    click.echo(f"{what} written to responses/ ({told or 'none yet'})", err=True)
