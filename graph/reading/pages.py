"""Read the document in a file, with the files that it includes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from compute_atlas.graph.errors import UnreadableFile
from compute_atlas.graph.reading import lexicon as lexicons
from compute_atlas.graph.reading.document import MAX_BYTES, Document, Resolve, parse
from compute_atlas.graph.reading.edition import Reading, read


def read_file(
    path: Path, language: str, *, include: Sequence[Path] = (), lexicon: Path | None = None
) -> Reading:
    """Return what the document in a file states.

    `include` are folders with the files that it includes, beside its own folder; `lexicon` a file with more
    words of the language. Raises UnreadableFile, UnknownLanguage, BadLexicon, NothingRead.
    """
    words = lexicons.load(language, lexicon)
    return read(parse_file(path, include), words)


def parse_file(path: Path, include: Sequence[Path] = ()) -> Document:
    """Return the blocks of the document in a file. Raises UnreadableFile."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise UnreadableFile(str(path), "there is no such file", "check the name") from None
    except OSError as error:
        raise UnreadableFile(
            str(path), f"it cannot be read ({error.strerror})", "name a readable file"
        ) from error
    return parse(str(path), content, _resolver([path.parent, *include]))


def _resolver(folders: Sequence[Path]) -> Resolve:
    """Return what finds an included file: by its path from one of the folders, else by its name in one."""

    def resolve(name: str) -> bytes | None:
        bare = name.removeprefix("~/")
        for candidate in (
            *(folder / bare for folder in folders),
            *(folder / Path(bare).name for folder in folders),
        ):
            try:
                with candidate.open("rb") as file:
                    return file.read(MAX_BYTES + 1)
            except OSError:
                continue
        return None

    return resolve
