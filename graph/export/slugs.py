"""Ids of nodes and edges: plain ASCII, the same in every file, different for different things."""

from __future__ import annotations

import re
from hashlib import sha256

from compute_atlas.ontology.names import KINDS, identifier

_KIND_AND_NAME = re.compile(rf"(?:(?:{'|'.join(KINDS)})/|ontology#)[A-Za-z0-9_.-]+")
_LONGEST_NAME = 40
_HASH_DIGITS = 15


def node_id(key: str) -> str:
    """Return the id of a term, given as IRI, `_:label` or literal in N-Triples.

    Our own things are `kind.name`; those of others are the end of the IRI and a hash of all of it, without
    a full stop, so that no two things can share an id.
    """
    own = identifier(key)
    if own and _KIND_AND_NAME.fullmatch(own):
        return own.replace("/", ".", 1).replace("#", ".", 1)
    if key.startswith('"'):
        return f"literal-{_hash(key)}"
    if key.startswith("_:"):
        return f"blank-{_hash(key)}"
    parts = [part for part in re.split(r"[^A-Za-z0-9_]+", key) if part]
    return f"{parts[-1][:_LONGEST_NAME] if parts else 'node'}-{_hash(key)}"


def edge_id(source_id: str, predicate_id: str, target_id: str) -> str:
    """Return the id of an edge, which no node can have: it holds colons."""
    return f"{source_id}:{predicate_id}:{target_id}"


def _hash(key: str) -> str:
    return sha256(key.encode()).hexdigest()[:_HASH_DIGITS]
