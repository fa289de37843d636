"""Which language a query is in: what was asked for, and what the labels have of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from compute_atlas.graph import languages
from compute_atlas.graph.errors import InvalidValue


@dataclass(frozen=True)
class Languages:
    """The language of a query: what was asked for, and which of the labels' languages that means.

    `used` is None where any language is meant. `is_sure` if the caller said what language the query is in:
    then its labels decide what matches, where labels of another language say the same.
    """

    asked: str | None
    used: str | None
    is_sure: bool = False
    only: bool = False

    @property
    def is_any(self) -> bool:
        """Whether the query may be in any language."""
        return self.asked == languages.ANY

    @property
    def is_fallback(self) -> bool:
        """Whether another language is used than the one asked for."""
        return self.asked is not None and not self.is_any and not languages.fits(self.used, self.asked)


def spoken_languages(
    available: Collection[str], lang: str | None, accepted: Iterable[str] = (), *, only: bool = False
) -> Languages:
    """Return the language of a query: `lang` if it is given, else what is accepted, else the fixed order.

    `available` are the languages of the labels; `only` leaves out labels of other languages.
    Raises MalformedLanguage for `lang`; malformed accepted tags are passed over.
    """
    accepted = list(accepted)
    asked = languages.checked(lang) if lang is not None else next(iter(accepted), None)
    if asked == languages.ANY:
        return Languages(asked, None)
    wanted = (asked,) if asked and only else languages.preferences([*([asked] if asked else []), *accepted])
    used = next((tag for name in wanted if (tag := languages.lookup(name, available))), None)
    is_sure = lang is not None and asked is not None and languages.fits(used, asked)
    return Languages(asked, used, is_sure=is_sure, only=only)


def page_language(available: Collection[str], lang: str | None, accepted: Iterable[str] = ()) -> str:
    """Return the labels' language of a page: `lang`, else what is accepted, else the fixed order.

    Raises MalformedLanguage, InvalidValue where no label is in the language asked for.
    """
    spoken = spoken_languages(available, lang, accepted)
    if spoken.used is None or (lang is not None and spoken.is_fallback):
        known = sorted(available)
        mend = f"use one of: {', '.join(known)}"
        raise InvalidValue("lang", lang or "", "no term is known in this language", mend, known)
    return spoken.used


def text_language(available: Collection[str], lang: str | None) -> str:
    """Return the labels' language of any text, `*` (all of them) where none is given or none fits.

    Raises MalformedLanguage.
    """
    asked = languages.ANY if lang is None else languages.checked(lang)
    return asked if asked == languages.ANY else languages.lookup(asked, available) or languages.ANY
