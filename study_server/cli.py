"""The `lontar` command: finds a command by its name, shows a `StudyError` as one message."""

from __future__ import annotations

import difflib
import errno
import importlib
import importlib.metadata
import sys
from pathlib import Path

import click

from sampling.study.errors import StudyError

# Each command with its module under `commands/` and what it does.
COMMANDS = {
    "new": ("study", "writes a commented study folder"),
    "check": ("study", "reads every input and says all that is wrong"),
    "sample": ("sample", "draws the subset"),
    "assign": ("sample", "plans who answers what, in which order"),
    "power": ("power", "shows the detectable gap and interval widths of the design"),
    "freeze": ("freeze", "fixes sample, plan, instructions and rules by digest"),
    "coordinator": ("people", "adds a coordinator's sign-in"),
    "invite": ("people", "makes personal links, shown once"),
    "serve": ("serve", "runs the web server"),
    "status": ("collection", "shows completion in the terminal"),
    "export": ("collection", "writes the responses out of the database"),
    "prompts": ("models", "writes what a model must be asked"),
    "score": ("models", "scores predictions alone, without a study folder"),
    "analyze": ("results", "writes everything under results/ and prints Table 11"),
    "release": ("results", "builds the public bundle"),
    "verify": ("freeze", "recomputes and checks a sample, a plan, a bundle"),
    "check-reported": ("models", "tells whether published percentages are possible for their n"),
    "backup": ("collection", "writes a consistent copy of the database"),
    "erase": ("collection", "deletes a participant's answers"),
    "demo": ("demo", "runs a whole study on synthetic folios"),
}
DISK_FAULTS = frozenset({errno.ENOSPC, errno.EDQUOT})


class LazyGroup(click.Group):
    """Loads a command's module only when it is called, so that `lontar --help` is instant."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"study_server.commands.{COMMANDS[name][0]}")
        command: click.Command = getattr(module, f"{name.replace('-', '_')}_command")
        return command

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            context.fail(f"No such command {args[0]!r}.{hint}")
        return super().resolve_command(context, args)

    def invoke(self, context: click.Context) -> object:
        try:
            return super().invoke(context)
        except click.NoSuchOption as error:
            if error.option_name != "-C":
                raise
            said = f"{error.message} It stands before the command: lontar -C DIR COMMAND."
            raise click.UsageError(said, error.ctx) from None

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, does) for name, (_, does) in COMMANDS.items()])

    def format_epilog(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        folder = documentation_folder()
        if folder is not None:
            formatter.write_paragraph()
            formatter.write_text("Documentation, as Markdown:")
            with formatter.indentation():
                formatter.write(f"{'':{formatter.current_indent}}{folder}\n")


def documentation_folder() -> Path | None:
    """Find the documentation: in the checkout that this runs from, else where pip put it."""
    checkout = Path(__file__).parents[1] / "docs"
    if (checkout / "glossary.md").is_file():
        return checkout
    for file in importlib.metadata.files("lontar") or ():
        if file.match("share/doc/lontar/glossary.md"):
            return Path(str(file.locate())).resolve().parent
    return None


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-C",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    metavar="DIR",
    help="The study's folder (default: here).",
)
@click.version_option(package_name="lontar", prog_name="lontar")
@click.pass_context
def lontar(context: click.Context, folder: Path) -> None:
    """Human baselines for AI benchmarks that anyone can check."""
    context.obj = folder


def main() -> None:
    """Run a command: exit 0 done, 1 the user can fix it, 2 wrong usage."""
    try:
        lontar(prog_name="lontar")
    except StudyError as error:
        click.echo(f"lontar: {error}", err=True)
        sys.exit(1)
    except OSError as error:
        if error.filename is None and error.errno not in DISK_FAULTS:
            raise
        click.echo(f"lontar: {_refused(error)}", err=True)
        sys.exit(1)


def _refused(error: OSError) -> str:
    """Say which file the system would not read or write, and why.

    >>> _refused(PermissionError(13, "Permission denied", "results/table11.csv"))
    'results/table11.csv: permission denied; check that you may read and write there'
    >>> _refused(OSError(errno.ENOSPC, "No space left on device"))
    'a file could not be written: no space left on device; make room and run it again'
    >>> _refused(FileNotFoundError(2, "No such file or directory", "benchmark/vocabularies.json"))
    'benchmark/vocabularies.json: no such file or directory; put it there, or mend its name'
    """
    place = "a file could not be written" if error.filename is None else error.filename
    if error.errno in DISK_FAULTS:
        remedy = "make room and run it again"
    elif error.errno == errno.ENOENT:
        remedy = "put it there, or mend its name"
    else:
        remedy = "check that you may read and write there"
    return f"{place}: {(error.strerror or '').lower()}; {remedy}"
