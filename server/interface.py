"""The interface in each of its languages: which one a request gets, and the words as data."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import flask
from compute_atlas.graph.errors import MalformedLanguage
from compute_atlas.graph.languages import ANY, acceptable, checked, lookup
from compute_atlas.server import requests

FOLDER = Path(__file__).parent / "translations"
COOKIE = "lang"
_YEAR_S = 365 * 24 * 3600
VARY = "Accept, Accept-Language, Cookie"


@dataclass(frozen=True)
class Speech:
    """The language of the interface, and those for labels, best first."""

    language: str
    wanted: tuple[str, ...]
    chosen: str | None = None


@cache
def interface_languages() -> dict[str, str]:
    """Return the languages of the interface, each with its own name."""
    tags = sorted(path.stem for path in FOLDER.glob("*.toml"))
    return {tag: str(words(tag)["language"]) for tag in tags}


@cache
def words(language: str) -> dict[str, Any]:
    """Return the words of a language of the interface by key."""
    return tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))


def speech() -> Speech:
    """Return the languages of the current request: `lang`, then the cookie, then Accept-Language.

    Raises MalformedLanguage for `lang`.
    """
    return read_speech(requests.read_parameters().one("lang"))


def read_speech(asked: str | None) -> Speech:
    """Return the languages of the current request, with what it asks for by a parameter."""
    chosen = checked(asked) if asked else None
    accepted = acceptable(flask.request.accept_languages)
    tags = [tag for tag in (chosen, _remembered()) if tag and tag != ANY]
    wanted = tuple(dict.fromkeys([*tags, *accepted]))
    found = (tag for name in wanted if (tag := lookup(name, interface_languages())))
    language = next(found, "en")
    return Speech(language, tuple(dict.fromkeys([*wanted, language])), chosen)


def remember(response: flask.Response, spoken: Speech) -> flask.Response:
    """Let the client remember the language that it has chosen."""
    if spoken.chosen:
        response.set_cookie(
            COOKIE, spoken.chosen, max_age=_YEAR_S, path="/", secure=False, httponly=True, samesite="Lax"
        )
    return response


def _remembered() -> str | None:
    try:
        return checked(flask.request.cookies.get(COOKIE, "") or ANY)
    except MalformedLanguage:
        return None
