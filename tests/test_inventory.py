"""The inventory for Sphinx: what stands in it, and documents that link by it."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from urllib.parse import quote

import pytest
from compute_atlas.graph.exchange.inventory import write_inventory
from compute_atlas.graph.lookup.labels import read_things
from compute_atlas.ontology.names import iri
from pyoxigraph import Quad, RdfFormat, parse
from sphinx.util.inventory import InventoryFile

from tests.serving import Service
from tests.toolchains import build_with_sphinx

EXAMPLES = Path(__file__).resolve().parents[1] / "docs" / "examples"
NAMES = """
@prefix e: <http://kg.test/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
e:b skos:prefLabel "Größe 8"@de , "size"@en ; skos:altLabel "Maß\\n  der  Dinge"@de , "GRÖSSE 8"@de .
e:a skos:altLabel "Größe 8"@de ; skos:notation "A" .
e:c skos:prefLabel "am 31 2023"@de , "am 31. 8 2023"@de , "Heft 3 4 x"@de , "a -1"@de .
e:p a <http://www.w3.org/1999/02/22-rdf-syntax-ns#Property> ; skos:prefLabel "gilt"@de .
"""


def read(content: bytes) -> dict[str, str]:
    """Return the address of each name, as Sphinx reads them."""
    entries = InventoryFile.loads(content, uri="http://kg.test").data["std:term"]
    return {name: item.uri for name, item in entries.items()}


def test_names_of_a_language_and_of_none_lead_to_the_things_they_are_best_for() -> None:
    things = read_things(parse(NAMES, format=RdfFormat.TURTLE)).values()
    content = write_inventory(things, "de", "1.0", lambda iri: iri.rpartition("/")[2])
    assert content.startswith(b"# Sphinx inventory version 2\n# Project: Compute Atlas\n# Version: 1.0\n")
    assert read(content) == {
        "A": "http://kg.test/a",
        "GRÖSSE 8": "http://kg.test/b",
        "Größe 8": "http://kg.test/b",
        "Maß der Dinge": "http://kg.test/b",
        "a -1": "http://kg.test/c",
    }
    assert content == write_inventory(reversed(things), "de", "1.0", lambda iri: iri.rpartition("/")[2])


def test_every_line_of_the_embedded_graph_is_read_as_it_was_meant(quads: list[Quad]) -> None:
    things = read_things(quads).values()
    for lang in ("ja", "it", "en"):
        content = write_inventory(things, lang, "1", lambda iri: iri)
        lines = zlib.decompress(content.split(b"\n", 4)[4]).decode().splitlines()
        assert len(lines) > 250
        assert sorted(read(content)) == sorted(re.sub(" std:term 1 .*", "", line) for line in lines)


def test_the_route_serves_it_and_leads_on_from_its_own_address(embedded_service: Service) -> None:
    status, headers, body = embedded_service.request("GET", "/inventory/ja-JP/objects.inv")
    assert (status, headers["content-type"]) == (200, "application/octet-stream")
    assert (
        read(body)["コンピューティング先"]
        == f"http://kg.test/resource?iri={quote(iri('ontology#ComputeTarget'), safe='')}"
    )
    status, headers, _ = embedded_service.request(
        "GET", "/inventory/ja/resource?iri=http%3A%2F%2Fx%2F%E3%81%82"
    )
    assert (status, headers["location"]) == (
        308,
        f"{embedded_service.url}/resource?iri=http%3A%2F%2Fx%2F%E3%81%82",
    )
    assert embedded_service.request("GET", "/inventory/fr/objects.inv")[0] == 400


def test_other_peoples_things_are_linked_by_their_iri(served: Service) -> None:
    body = served.request("GET", "/inventory/it/objects.inv")[2]
    assert read(body)["Serie NCv3"] == "http://kg.test/resource?iri=http%3A%2F%2Fkg.test%2FNCv3"


TERMS = {
    "ja": ("コンピューティング クラスター", "target/compute_cluster"),
    "it": ("istanza di ambiente di calcolo", "target/compute_instance"),
}


@pytest.mark.parametrize("lang", TERMS)
@pytest.mark.parametrize("start", ["/", "/inventory/{lang}/"], ids=["of-the-service", "of-the-inventory"])
def test_sphinx_resolves_a_term_against_the_running_service(
    embedded_service: Service, tmp_path: Path, lang: str, start: str
) -> None:
    term, identifier = TERMS[lang]
    url = embedded_service.url
    places = (url + start.format(lang=lang), f"{url}/inventory/{lang}/objects.inv")
    settings = f'extensions = ["sphinx.ext.intersphinx"]\nlanguage = "{lang}"\nintersphinx_mapping = {{"atlas": {places!r}}}\n'
    page, complaints = build_with_sphinx(
        tmp_path, settings, f"Title\n=====\n\n:term:`{term}` and :term:`text <{term}>`.\n"
    )
    assert complaints == ""
    links = re.findall(r'<a class="reference external" href="([^"]*)"', page)
    assert links == [f"{places[0]}{identifier}"] * 2
    status, headers, _ = embedded_service.request("GET", links[0].removeprefix(url), Accept="text/html")
    assert status == 200 or headers["location"] == f"{url}/{identifier}"


def test_the_example_extension_links_terms_by_any_name(
    embedded_service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    settings = f'extensions = ["sphinx_compute_atlas"]\nlanguage = "ja"\ncompute_atlas_url = "{embedded_service.url}"\n'
    text = "Title\n=====\n\n:term:`コンピューティング クラスター` :atlas:`istanze di calcolo` :atlas:`no such thing`\n"
    page, complaints = build_with_sphinx(tmp_path, settings, text)
    assert f'href="{embedded_service.url}/target/compute_cluster"' in page
    assert (
        f'href="{embedded_service.url}/target/compute_instance" title="コンピューティング インスタンス"'
        in page
    )
    assert '"no such thing" names no single thing' in complaints
    assert complaints.count("WARNING") == 1
