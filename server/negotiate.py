"""Choose among the formats of an answer what a client asks for by `Accept` or `format=`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from compute_atlas.queries.formats import ALIASES, GRAPH_COUNTERPARTS, GRAPHS, Format
from compute_atlas.server.errors import BadParameter, NotAcceptable

HTML = Format("html", ("text/html", "application/xhtml+xml"), ".html")

_TOKEN = r"[\w!#$%&'*+.^`|~-]+"
_RANGE = re.compile(rf"\s*(\*|{_TOKEN}/{_TOKEN})\s*((?:;[^,;\"]*(?:\"[^\"]*\"[^,;]*)?)*)\s*\Z")
_QUALITY = re.compile(r";\s*q\s*=\s*([01](?:\.\d*)?)\s*(?:;|\Z)", re.IGNORECASE)
_COMMA = re.compile(r",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*\Z)")


@dataclass(frozen=True)
class Choice:
    """A format and the media type under which it was asked for."""

    format: Format
    media_type: str


def choose(offers: Sequence[Format], accept: str | None, format_name: str | None = None) -> Choice:
    """Return the format to answer in; the first offer is the default, and earlier ones win ties.

    `format_name` (a short name or media type) overrides `accept`. For each media type the most specific
    range counts. Raises BadParameter for an unknown name, NotAcceptable.
    """
    if format_name is not None:
        return _by_name(offers, format_name)
    if accept is None or not accept.strip():
        return Choice(offers[0], offers[0].media_types[0])
    ranges = _parse(accept)
    ranked = [
        (_rank(media_type, ranges), Choice(offer, media_type)) for media_type, offer in _media_types(offers)
    ]
    best = max((rank for rank, _ in ranked), default=(0.0, 0))
    if best[0] <= 0:
        raise NotAcceptable(accept, [offer.media_types[0] for offer in offers])
    return next(choice for rank, choice in ranked if rank == best)


def media_type(content_type: str | None) -> tuple[str, str]:
    """Return the media type of a Content-Type header in lower case, and its charset."""
    kind, _, parameters = (content_type or "").partition(";")
    charset = re.search(r"charset\s*=\s*\"?([^\";\s]*)", parameters, re.IGNORECASE)
    return kind.strip().lower(), charset[1].lower() if charset else ""


def prefers_html(accept: str | None) -> bool:
    """Say whether a client would rather have a page than data."""
    if not accept:
        return False
    ranges = _parse(accept)
    return _rank("text/html", ranges) > max(
        _rank("application/problem+json", ranges), _rank("application/json", ranges)
    )


def _by_name(offers: Sequence[Format], name: str) -> Choice:
    lowered = name.strip().lower()
    wanted = ALIASES.get(lowered, lowered)
    if offers[0] in GRAPHS:
        wanted = GRAPH_COUNTERPARTS.get(wanted, wanted)
    found = next((offer for offer in offers if offer.name == wanted), None)
    if found:
        return Choice(found, lowered if lowered in found.media_types else found.media_types[0])
    names = [offer.name for offer in offers]
    if wanted in ALIASES.values() or wanted == HTML.name:
        raise NotAcceptable(name, names)
    raise BadParameter("format", f'unknown format "{name}"; use one of: {", ".join(names)}', names)


def _media_types(offers: Sequence[Format]) -> list[tuple[str, Format]]:
    """Return the main media types of all offers first, then the other ones."""
    main = [(offer.media_types[0], offer) for offer in offers]
    return main + [(other, offer) for offer in offers for other in offer.media_types[1:]]


def _parse(accept: str) -> list[tuple[str, float]]:
    """Return media range and quality of each element that is well formed."""
    parsed = []
    for element in _COMMA.split(accept):
        found = _RANGE.match(element)
        if found:
            quality = _QUALITY.search(found[2])
            name = "*/*" if found[1] == "*" else found[1].lower()
            parsed.append((name, min(1.0, float(quality[1])) if quality else 1.0))
    return parsed


def _rank(media_type: str, ranges: list[tuple[str, float]]) -> tuple[float, int]:
    """Return the quality of the most specific range that matches, and how specific it is."""
    main = media_type.partition("/")[0]
    for specificity, pattern in ((2, media_type), (1, f"{main}/*"), (0, "*/*")):
        qualities = [quality for name, quality in ranges if name == pattern]
        if qualities:
            return max(qualities), specificity
    return 0.0, 0
