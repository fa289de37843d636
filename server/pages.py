"""Render pages of HTML: templates, what all of them need, and the headers that keep them safe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode, urlsplit

import flask
from compute_atlas.graph.exchange.facts import Value, thing_of
from compute_atlas.graph.layout.text import natural_key
from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.labels import Shown, short_type
from compute_atlas.ontology.names import BASE, ONTOLOGY, XSD, identifier
from compute_atlas.server import interface, pages_static, requests
from compute_atlas.server.addresses import address
from compute_atlas.server.errors import Problem
from compute_atlas.server.interface import Speech
from compute_atlas.server.negotiate import prefers_html
from compute_atlas.server.terms import current_terms
from jinja2 import Environment, PackageLoader
from markupsafe import Markup
from pyoxigraph import Literal, NamedNode

# Only what the service itself sends may run or be shown; styles and scripts stand in files.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SAFE = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
_TRUE = ("true", "1")
_templates = Environment(
    loader=PackageLoader("compute_atlas.server"), autoescape=True, trim_blocks=True, lstrip_blocks=True
)


@dataclass(frozen=True)
class View:
    """What a page needs to word and link things in the languages of the current request."""

    spoken: Speech
    index: Index
    origin: str
    """The URL of the service without a slash at its end."""

    @classmethod
    def current(cls, lang: str | None = None) -> View:
        """Return the view of the current request. Raises MalformedLanguage."""
        spoken = interface.read_speech(lang) if lang else interface.speech()
        return cls(spoken, current_terms().index, requests.base_url())

    @cached_property
    def base(self) -> str:
        """Return what the addresses of pages start with: the path of the service, nothing if it has none."""
        return urlsplit(self.origin).path

    @cached_property
    def languages(self) -> list[str]:
        """Return the languages for labels, best first."""
        return list(self.spoken.wanted)

    def t(self, key: str, **values: object) -> str:
        """Return the words of the interface for a key, for `group.name` one of a group.

        Where n is 1, the words of `key_one` are taken if there are any.
        """
        group, dot, name = key.partition(".")
        words = interface.words(self.spoken.language)
        if values.get("n") == 1 and f"{key}_one" in words:
            group = f"{key}_one"
        found = words[group]
        text = str(found[name] if dot else found)
        return text.format(**{name: self.number(value) for name, value in values.items()}) if values else text

    def number(self, value: object) -> object:
        """Return a whole number with its thousands apart, anything else as it is."""
        if not isinstance(value, int):
            return value
        return f"{value:,}".replace(",", str(interface.words(self.spoken.language)["thousands"]))

    def word(self, group: str, name: str) -> str:
        """Return the words for a name of a group, the name itself where there are none."""
        return str(interface.words(self.spoken.language)[group].get(name, name))

    def name(self, iri: str) -> Shown:
        """Return the label of a thing."""
        thing = thing_of(self.index, iri)
        if not thing.labels and iri not in self.index.things:
            short = _short(iri)
            known = self.word("terms", short)
            return Shown(known, self.spoken.language if known != short else None, False)
        return thing.shown(self.languages)

    def link(self, iri: str) -> str:
        """Return the address of the page of a thing."""
        return address(self.base, iri)

    def to(self, path: str, **parameters: str | list[str]) -> str:
        """Return an address on this service."""
        query = urlencode({name: value for name, value in parameters.items() if value}, doseq=True)
        return f"{self.base}{path}" + (f"?{query}" if query else "")

    def in_language(self, tag: str) -> str:
        """Return the address of the current page in another language."""
        kept = [pair for pair in requests.read_parameters().pairs if pair[0] != "lang"]
        return f"{self.base}{flask.request.path}?{urlencode([*kept, ('lang', tag)])}"

    def order(self, iris: Iterable[str]) -> list[str]:
        """Return things by their labels, numbers in them by size."""
        return sorted(iris, key=lambda iri: (natural_key(self.name(iri).value), iri))

    def is_thing(self, value: Value) -> bool:
        """Tell whether a term is a resource with an IRI."""
        return isinstance(value, NamedNode)

    def shown(self, value: Value) -> Shown:
        """Return a term as text: a thing by its label, yes and no in words."""
        if isinstance(value, NamedNode):
            return self.name(value.value)
        if isinstance(value, Literal):
            if value.datatype.value == f"{XSD}boolean":
                is_true = value.value in _TRUE
                return Shown(self.t("yes" if is_true else "no"), self.spoken.language, False)
            return Shown(value.value, value.language, False)
        return Shown("[…]", None, False)


def wants_page() -> bool:
    """Tell whether the client would rather have a page than data: only then is a problem shown as one."""
    return prefers_html(flask.request.headers.get("Accept"))


def answer_page(view: View, template: str, status: int = 200, **values: Any) -> flask.Response:
    """Return a page in the language of the request."""
    return answer_html(view, render(view, template, **values), status)


def answer_html(view: View, body: str, status: int = 200) -> flask.Response:
    """Return HTML as an answer that no other site may frame and that runs nothing but our own files."""
    headers = {"Content-Type": "text/html; charset=utf-8", "Vary": interface.VARY, **SAFE}
    headers["Content-Language"] = view.spoken.language
    return interface.remember(flask.Response(body, status, headers), view.spoken)


def render(view: View, template: str, **values: Any) -> str:
    """Return a template filled in."""
    return _templates.get_template(template).render(
        view=view,
        t=view.t,
        languages=interface.interface_languages(),
        static=f"{view.base}/static/{pages_static.digest()}",
        **values,
    )


def problem_page(problem: Problem) -> flask.Response:
    """Return a problem as a page: what was wrong, what to do, and where else to go."""
    view = View.current("en") if problem.members.get("parameter") == "lang" else View.current()
    response = answer_page(view, "problem.html", problem.status, problem=problem.members)
    response.headers.update({**problem.headers, "Cache-Control": "no-store"})
    return response


def card_page(card: dict[str, Any]) -> bytes:
    """Return a hover card; embedded in another page it brings its own style along."""
    return _templates.get_template("card.html").render(card=card).encode()


def line_way(places: Sequence[tuple[float, float]]) -> str:
    """Return the way of a line as SVG writes it: level at its ends."""
    way = "M{:.0f} {:.0f}".format(*places[0])
    for (x, y), (end_x, end_y) in pairwise(places):
        half = (x + end_x) / 2
        way += f"C{half:.0f} {y:.0f} {half:.0f} {end_y:.0f} {end_x:.0f} {end_y:.0f}"
    return way


def _short(iri: str) -> str:
    return short_type(iri).removeprefix(ONTOLOGY)


_templates.filters["tag"] = lambda lang: Markup(' lang="{}"').format(lang) if lang else ""
_templates.filters["id"] = lambda iri: identifier(iri) or iri
_templates.globals["iri_of"] = lambda name: name if "://" in name else BASE + name
_templates.globals["points"] = line_way
