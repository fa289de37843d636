"""Language tags: their form (BCP 47), and which of those there are fits best (RFC 4647 lookup)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from compute_atlas.graph.errors import MalformedLanguage
from compute_atlas.ontology.names import LANGUAGES

ANY = "*"
_UNDETERMINED = "und"

_LANGTAG = re.compile(
    r"(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})"  # language
    r"(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?"  # script, region
    r"(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*"  # variants
    r"(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*"  # extensions
    r"(?:-x(?:-[a-z\d]{1,8})+)?"  # private use
    r"|x(?:-[a-z\d]{1,8})+|i-[a-z]{2,8}",
    re.IGNORECASE,
)


def checked(tag: str, parameter: str = "lang") -> str:
    """Return the tag, `*` for any language. Raises MalformedLanguage."""
    if tag in (ANY, _UNDETERMINED):
        return ANY
    if not _LANGTAG.fullmatch(tag):
        raise MalformedLanguage(tag, parameter)
    return tag


def lookup(wanted: str, available: Collection[str]) -> str | None:
    """Return the one of the available tags that fits a wanted one best, None if none does.

    RFC 4647 lookup (`ja-JP` → `ja`); then a more special form of the wanted language (`ja` → `ja-JP`), then
    another form of the same language (`pt-BR` → `pt-PT`).
    """
    by_key = {tag.lower(): tag for tag in sorted(available)}
    ranges = list(truncations(wanted.lower()))
    for tag in ranges:
        if tag in by_key:
            return by_key[tag]
    return next((by_key[key] for tag in ranges for key in by_key if key.startswith(f"{tag}-")), None)


def fits(tag: str | None, wanted: str) -> bool:
    """Tell whether a tag is the wanted one, a more general or a more special form of it."""
    if wanted == ANY:
        return True
    left, right = (tag or "").lower(), wanted.lower()
    return left != "" and (left == right or left.startswith(f"{right}-") or right.startswith(f"{left}-"))


def acceptable(weighted: Iterable[tuple[str, float]]) -> list[str]:
    """Return the languages of an Accept-Language header, given with their weights from the best down.

    Where it refuses some (weight 0), the other ones of the fixed order come before them.
    """
    pairs = list(weighted)
    named = [tag for tag, weight in pairs if weight > 0 and tag != ANY]
    refused = [tag for tag, weight in pairs if weight == 0]
    others = [tag for tag in LANGUAGES if not any(fits(tag, other) for other in refused)] if refused else []
    return list(dict.fromkeys([*named, *others]))


def preferences(wanted: Iterable[str]) -> tuple[str, ...]:
    """Return the wanted tags, best first, and after them the fixed order of fallbacks."""
    return tuple(dict.fromkeys([*wanted, *LANGUAGES]))


def best(wanted: Iterable[str], available: Collection[str]) -> str | None:
    """Return the one of the available tags for a reader of the wanted ones, None if none of these fits."""
    return next((tag for name in preferences(wanted) if (tag := lookup(name, available))), None)


def truncations(tag: str) -> Iterator[str]:
    """Yield a tag and its more general forms: zh-hans-cn, zh-hans, zh."""
    parts = tag.split("-")
    while parts:
        yield "-".join(parts)
        parts.pop()
        if parts and len(parts[-1]) == 1:
            parts.pop()
