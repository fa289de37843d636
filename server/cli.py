"""The command line: `compute-atlas COMMAND`. Results go to stdout, all else to stderr."""

from __future__ import annotations

import importlib
import io
import os
import sys

import click
from compute_atlas.graph.errors import AtlasError

# Commands are imported when called: --help must not pay for RDF libraries.
COMMANDS = {
    "annotate": "Find the names of things in a page.",
    "build": "Make the graph from the ontology and editions.",
    "check": "Check the terms of a page.",
    "compare": "List where two documents disagree, without building a graph.",
    "differences": "List where the editions of a graph disagree.",
    "evidence": "Show what a fact rests on, line by line.",
    "export": "Write the graph, or a part of it, as a file for other tools.",
    "extract": "Read one edition and print what it states.",
    "glossary": "Print the terms of a graph for translators.",
    "infer": "Print what follows from RDF files by RDFS and OWL.",
    "learn": "Propose the words of a language from a page in it.",
    "lookup": "Find things by any of their names.",
    "path": "Find how two things are connected.",
    "query": "Ask one SPARQL query, without a server.",
    "serve": "Serve a graph over HTTP.",
    "validate": "Check RDF files and list every finding.",
}


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"compute_atlas.server.commands.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="compute-atlas")
def group() -> None:
    """A knowledge graph of Azure Machine Learning compute targets, with evidence for every fact."""


def main() -> None:
    """Run the command line; an error of the user's is one sentence on stderr and exit code 1."""
    _open_streams()
    try:
        _require_text(sys.argv[1:])
        try:
            group.main(prog_name="compute-atlas")
        finally:
            sys.stdout.flush()
    except click.UsageError as error:
        error.show()
        sys.exit(error.exit_code)
    except AtlasError as error:
        click.echo(f"compute-atlas: {error}", err=True)
        _discard_output()
        sys.exit(1)
    except BrokenPipeError:  # whoever read our output has seen enough
        _discard_output()
        sys.exit(1)


class _UnwritableOutput(AtlasError):
    def __init__(self, reason: str):
        super().__init__(f"standard output: it cannot be written ({reason}); lead it somewhere else")


class _Output(io.FileIO):
    """Standard output that tells its own failures from those of other files."""

    def write(self, content: object) -> int:
        try:
            return super().write(content)  # type: ignore[arg-type]
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _UnwritableOutput(error.strerror or str(error)) from error


def _open_streams() -> None:
    """Give commands standard streams that say so when they are closed, and results that are UTF-8."""
    # No file opened later may take the place of a closed stream: reading from it or writing to it must fail.
    for stream, mode in ((sys.stdin, os.O_WRONLY), (sys.stdout, os.O_RDONLY)):
        if stream is None:
            os.open(os.devnull, mode)
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)))
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    # A name of a file that is no text must not stop a result.
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(_Output(1, "w", closefd=False)),
        encoding="utf-8",
        errors="backslashreplace",
        line_buffering=is_terminal,
    )


def _discard_output() -> None:
    """Let what could not be written go, so that the end of the process does not try again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _require_text(arguments: list[str]) -> None:
    """Raise UsageError for an argument that is neither UTF-8 nor the name of a file."""
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError:
            if not any(os.access(part, os.F_OK) for part in (argument, *argument.split("="))):
                shown = argument.encode(errors="backslashreplace").decode()
                raise click.UsageError(f'the argument "{shown}" is not UTF-8; write it as UTF-8') from None
