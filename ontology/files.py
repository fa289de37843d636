"""Where the ontology's files are, by topic, in a fixed order."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parent

ONTOLOGY = FOLDER / "compute.ttl"
THINGS = FOLDER / "things.ttl"
SHAPES = FOLDER / "shapes.ttl"
LEXICONS = FOLDER / "lexicon"


def labels() -> list[Path]:
    """Return the label files, one a language."""
    return sorted((FOLDER / "labels").glob("*.ttl"))


def editions() -> list[Path]:
    """Return what each shipped edition states, one TriG file a document."""
    return sorted((FOLDER / "editions").glob("*.trig"))


def outlines() -> list[Path]:
    """Return what stands where in known editions, one JSON file a document."""
    return sorted((FOLDER / "outlines").glob("*.json"))


def supplements() -> list[Path]:
    """Return the facts from other sources."""
    return sorted((FOLDER / "supplement").glob("*.ttl"))


def rules(name: str) -> list[Path]:
    """Return the CONSTRUCT queries of one set of rules: `graph` (this vocabulary) or `owl` (any)."""
    return sorted((FOLDER / "rules" / name).glob("*.rq"))


def violations() -> list[Path]:
    """Return the queries that must find nothing in a sound graph."""
    return sorted((FOLDER / "violations").glob("*.rq"))
