"""`compute-atlas extract`: read one edition and print what it states."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--lang", "language", required=True, help="Language of the document, e.g. ja.")
@click.option("--id", "name", help="Id of the edition (default: the file's name without its ending).")
@click.option(
    "--format", "form", type=click.Choice(["claims", "trig", "outline"]), default="claims", show_default=True
)
@click.option(
    "--include",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    multiple=True,
    help="Folder with the files that the document includes (may be repeated).",
)
@click.option(
    "--lexicon",
    type=click.Path(path_type=Path),
    help="TOML file with more words of the language, as `learn` proposes them.",
)
@click.option("--quotes", is_flag=True, help="Quote the document's lines in the graph (--format trig).")
def command(
    file: Path,
    language: str,
    name: str | None,
    form: str,
    include: tuple[Path, ...],
    lexicon: Path | None,
    quotes: bool,
) -> None:
    """Read the edition in FILE (text or Markdown) and print what it states.

    `claims` is JSON with the line of each fact; `trig` the edition's graph; `outline` what stands where,
    for `learn --like`. What could not be read is listed on stderr with its line. A language without a
    lexicon is read as far as shape and names tell.
    """
    from compute_atlas.graph import editions
    from compute_atlas.graph.reading import lexicon as lexicons
    from compute_atlas.graph.reading import pages
    from compute_atlas.graph.reading.claims import as_json

    if str(file) == "-":
        raise click.UsageError("extract reads a named file, not standard input; save the page and name it")
    name = editions.checked_id(name or file.stem)
    reading = pages.read_file(file, language, include=include, lexicon=lexicon)
    if not lexicon and reading.language not in lexicons.available():
        click.echo(
            f'compute-atlas: no words of "{language}" are known ({", ".join(lexicons.available())} are): only'
            f" what shape and names tell is read; `compute-atlas learn {file} --lang {language} --like"
            " en-2024-01` proposes the words for --lexicon",
            err=True,
        )
    for finding in reading.findings:
        click.echo(f"{file}:{finding.line}: {finding.what}", err=True)
    if form == "claims":
        facts = [as_json(claim, reading.document) for claim in reading.claims]
        content = {"edition": name, "lang": language, "input": file.name, "facts": facts}
        click.echo(json.dumps(content, ensure_ascii=False, indent=1))
    elif form == "outline":
        click.echo(editions.as_outline(reading, lexicon), nl=False)
    else:
        sys.stdout.buffer.write(editions.as_trig(name, reading, with_quotes=quotes))
