"""`compute-atlas learn`: propose the words of a language never seen."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--lang", "language", required=True, help="Language of the document, e.g. fr.")
@click.option(
    "--like",
    required=True,
    help="Known edition that the document resembles most: an id, or the file of an outline.",
)
@click.option(
    "--include",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    multiple=True,
    help="Folder with the files that the document includes (may be repeated).",
)
def command(file: Path, language: str, like: str, include: tuple[Path, ...]) -> None:
    """Propose names, headings, words and cues from the document in FILE, as TOML for a person to review.

    The document is aligned with the outline of a known edition: sections, tables, rows, links and figures;
    other known editions fill in what that one does not hold. Use the result with `extract --lexicon`.
    """
    from compute_atlas.graph.comparing import outlines
    from compute_atlas.graph.reading import learning, pages

    document = pages.parse_file(file, include)
    for finding in document.findings:
        click.echo(f"{file}:{finding.line}: {finding.what}", err=True)
    found = learning.learn(document, language, outlines.like(like))
    click.echo(learning.as_toml(language, found, file.name), nl=False)
