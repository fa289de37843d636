"""Addresses of pages on this service."""

from __future__ import annotations

from urllib.parse import quote

from compute_atlas.ontology.names import BASE, KINDS

_KEPT = "/:@!$&'()*+,;=~-._%"


def address(base_url: str, iri: str) -> str:
    """Return the address of the page of an IRI on this service."""
    local = iri.removeprefix(BASE)
    kind, _, name = local.partition("/")
    if local != iri and kind in KINDS and "#" not in name and "?" not in name:
        return f"{base_url}/{quote(local, safe=_KEPT)}"
    return f"{base_url}/resource?iri={quote(iri, safe='')}"
