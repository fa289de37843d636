"""Pages as they are sent: languages, labels with their tags, safety, any RDF, errors."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from compute_atlas.graph.comparing.disagreements import KINDS, LEVELS
from compute_atlas.server.interface import FOLDER, interface_languages, words

from tests.serving import Service, running

BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8"
PAGES = ("/", "/?q=comp", "/series/NCv3", "/path", "/query", "/compare", "/differences", "/overview", "/none")
ANY = """
@prefix e: <http://kg.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:City a rdfs:Class ; rdfs:label "Stadt"@de , "city"@en .
e:rome a e:City ; rdfs:label "Roma"@it , "<b>Rome</b>"@en ; e:twin e:paris ; e:people 2800000 .
e:paris a e:City ; rdfs:label "Paris"@fr ; e:people 2100000 .
e:twin rdfs:label "twin town"@en .
<http://kg.test/odd?x=1&y=%20#z> rdfs:label "odd"@en ; e:twin e:rome .
"""


class _Checked(HTMLParser):
    """Notes what a strict policy would refuse, and each element with its language."""

    def __init__(self) -> None:
        super().__init__()
        self.refused: list[str] = []
        self.ids: list[str] = []
        self.languages: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.refused += [f"<{tag} {name}>" for name in given if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in given):
            self.refused.append(f"<{tag}>")
        if given.get("id"):
            self.ids.append(str(given["id"]))
        self.languages.append((tag, given.get("lang")))


@pytest.fixture(scope="module")
def any_rdf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service on data of somebody else."""
    folder = tmp_path_factory.mktemp("any")
    (folder / "any.ttl").write_text(ANY, encoding="utf-8")
    with running(folder, "--data", str(folder / "any.ttl")) as service:
        yield service


def page(service: Service, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    status, found, body = service.request("GET", path, None, 30, **({"accept": BROWSER} | headers))
    return status, found, body.decode()


def language_of(text: str) -> str:
    return str(re.search(r'<html lang="([^"]*)"', text)[1])  # type: ignore[index]


# --- words


@pytest.mark.parametrize("language", ["ja", "it"])
def test_every_word_is_translated(language: str) -> None:
    def keys(table: dict[str, object], prefix: str = "") -> set[str]:
        nested = (keys(value, f"{key}.") for key, value in table.items() if isinstance(value, dict))
        own = {prefix + key for key, value in table.items() if not isinstance(value, dict)}
        return own.union(*nested)

    def is_optional(key: str) -> bool:
        return key.endswith("_one") or key.startswith("sides.")

    wanted, found = keys(words("en")), keys(words(language))
    assert {key for key in wanted ^ found if not is_optional(key)} == set()
    assert len(wanted) > 150


@pytest.mark.parametrize("language", ["en", "ja", "it"])
def test_words_have_the_same_placeholders(language: str) -> None:
    for key, text in words("en").items():
        if isinstance(text, str) and key in words(language):
            placeholders = sorted(re.findall(r"\{\w+\}", text))
            assert sorted(re.findall(r"\{\w+\}", words(language)[key])) == placeholders, key


def test_every_kind_and_level_of_difference_has_words() -> None:
    for path in sorted(FOLDER.glob("*.toml")):
        told = tomllib.loads(path.read_text(encoding="utf-8"))
        assert (set(told["kinds"]), set(told["levels"])) == (set(KINDS), set(LEVELS)), path.name


def test_every_word_is_used() -> None:
    server = FOLDER.parent
    pages = [*server.glob("templates/*.html"), *server.glob("pages*.py")]
    text = "".join(path.read_text(encoding="utf-8") for path in pages)
    of_names = ("path_out", "path_any", "thousands", "language")
    unused = [
        key
        for key, value in words("en").items()
        if isinstance(value, str)
        and f'"{key}"' not in text
        and not key.endswith("_one")
        and key not in of_names
    ]
    assert unused == []


# --- languages


@pytest.mark.parametrize(
    ("query", "cookie", "accepted", "language"),
    [
        ("", "", "", "en"),
        ("", "", "ja-JP,en;q=0.5", "ja"),
        ("", "lang=it", "ja", "it"),
        ("?lang=en", "lang=it", "ja", "en"),
        ("?lang=it-CH", "", "ja", "it"),
        ("?lang=de", "", "ja", "ja"),
        ("", "lang=;broken", "it", "it"),
        ("", "lang=%00", "it", "it"),
    ],
)
def test_the_language_is_chosen_by_parameter_cookie_and_header(
    embedded_service: Service, query: str, cookie: str, accepted: str, language: str
) -> None:
    _, headers, text = page(embedded_service, f"/{query}", cookie=cookie, accept_language=accepted)
    assert language_of(text) == headers["content-language"] == language
    assert {"Accept", "Accept-Language", "Cookie"} <= set(headers["vary"].split(", "))


def test_a_choice_is_remembered_and_only_a_choice(embedded_service: Service) -> None:
    _, headers, _ = page(embedded_service, "/compare?lang=ja")
    assert headers["set-cookie"].startswith("lang=ja;")
    assert "SameSite=Lax" in headers["set-cookie"]
    assert "set-cookie" not in page(embedded_service, "/compare", accept_language="ja")[1]


def test_data_does_not_depend_on_cookies(embedded_service: Service) -> None:
    for path in ("/series/NCv3", "/differences", "/sparql"):
        headers = page(embedded_service, path, accept="application/json, text/turtle", cookie="lang=ja")[1]
        assert "cookie" not in headers["vary"].lower()


def test_a_malformed_language_is_refused_in_words(embedded_service: Service) -> None:
    status, _, text = page(embedded_service, "/?lang=!")
    assert (status, language_of(text)) == (400, "en")
    assert "BCP 47" in text


@pytest.mark.parametrize("language", sorted(interface_languages()))
def test_a_switch_leads_to_the_same_page(embedded_service: Service, language: str) -> None:
    text = page(embedded_service, "/path?from=NCv3&to=cuda/11.0&lang=en")[2]
    [address] = re.findall(rf'<a href="([^"]*)" lang="{language}" hreflang', text)
    assert address == f"/path?from=NCv3&amp;to=cuda%2F11.0&amp;lang={language}"


def test_labels_carry_their_language_and_show_a_fallback(any_rdf: Service) -> None:
    text = page(any_rdf, "/resource?iri=http://kg.test/rome", accept_language="de")[2]
    assert '<span lang="de">Stadt</span>' in text
    assert re.search(r'<span lang="fr">Paris</span> <small class="other" title="[^"]+">fr</small>', text)
    assert "no name in this language" in text
    ours = page(any_rdf, "/resource?iri=http://kg.test/rome", accept_language="it")[2]
    assert '<div lang="it"><h1>Roma</h1></div>' in ours


# --- safety


@pytest.mark.parametrize("path", PAGES)
def test_a_page_keeps_to_a_strict_policy(embedded_service: Service, path: str) -> None:
    _, headers, text = page(embedded_service, path)
    policy = headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    checked = _Checked()
    checked.feed(text)
    assert checked.refused == []
    assert len(checked.ids) == len(set(checked.ids))
    addresses = re.findall(r' (?:src|href|action)="([a-z]+:[^"]*)"', text)
    assert all(address.startswith((embedded_service.url, "data:")) for address in addresses)


def test_labels_and_queries_are_text(any_rdf: Service) -> None:
    for path in (
        "/resource?iri=http://kg.test/rome",
        "/?q=%3Cscript%3E",
        "/query?query=%3C/textarea%3E%3Cscript%3E",
        "/path?from=%3Cscript%3E&to=%22onload",
        "/compare?class=%3Cscript%3E",
        "/resource?iri=http://kg.test/%3Cscript%3E",
    ):
        text = page(any_rdf, path)[2]
        assert "<b>Rome" not in text
        assert "<script>" not in text
        assert '""onload' not in text


def test_the_style_has_an_address_made_from_its_content(embedded_service: Service) -> None:
    text = page(embedded_service, "/")[2]
    address = str(re.search(r'href="(/static/[^"]+\.css)"', text)[1])  # type: ignore[index]
    status, headers, body = embedded_service.request("GET", address)
    assert (status, headers["content-type"]) == (200, "text/css; charset=utf-8")
    assert "immutable" in headers["cache-control"]
    assert b"prefers-color-scheme" in body
    assert embedded_service.request("GET", "/static/0/style.css")[0] == 404
    assert embedded_service.request("GET", address.replace("style.css", "%2E%2E%2Fpages.py"))[0] == 404


def test_scripts_and_styles_are_all_our_own(embedded_service: Service) -> None:
    files = sorted((Path(__file__).parents[1] / "server" / "static").iterdir())
    assert len(files) >= 5
    for file in files:
        assert not re.search(r"https?://|@import|eval\(|innerHTML", file.read_text(encoding="utf-8")), (
            file.name
        )


# --- any RDF


def test_explore_compare_and_overview_work_on_any_rdf(any_rdf: Service) -> None:
    start = page(any_rdf, "/")[2]
    assert "Roma" in page(any_rdf, "/", accept_language="it")[2]
    assert "/resource?iri=http%3A%2F%2Fkg.test%2FCity" in start
    compare = page(any_rdf, "/compare?lang=en")[2]
    assert re.search(r'<option value="http://kg.test/City" selected lang="en">city \(2\)', compare)
    assert "2800000" in compare
    side = page(any_rdf, "/compare?pick=http://kg.test/rome&pick=http://kg.test/paris")[2]
    assert 'class="differs"' in side
    assert "kg.test" in page(any_rdf, "/overview")[2]
    assert "records no disagreements" in page(any_rdf, "/differences?lang=en&format=html")[2]


def test_odd_iris_have_pages(any_rdf: Service) -> None:
    text = page(any_rdf, "/resource?iri=http://kg.test/rome")[2]
    address = str(re.search(r'href="(/resource\?iri=[^"]*odd[^"]*)"', text)[1])  # type: ignore[index]
    status, _, odd = page(any_rdf, address)
    assert (status, "<h1>odd</h1>" in odd) == (200, True)


def test_a_path_between_things_of_any_rdf(any_rdf: Service) -> None:
    text = page(any_rdf, "/path?from=Paris&to=Roma&lang=en")[2]
    assert "No path leads forward" in text
    assert "twin town" in text


# --- what pages answer


def test_a_sure_name_leads_to_its_page(embedded_service: Service) -> None:
    status, headers, _ = page(embedded_service, "/?q=NCv3")
    assert (status, headers["location"]) == (303, "/series/NCv3")
    status, _, text = page(embedded_service, "/?q=nothinglikethis")
    assert (status, "Nothing is called" in text) == (200, True)


def test_a_thing_tells_evidence_doubt_and_inference(embedded_service: Service) -> None:
    series = page(embedded_service, "/series/NCv3", accept_language="en")[2]
    assert re.search(r'edition%2Fja-seed&amp;line=\d+">ja-seed:\d+<', series)
    assert 'class="rule"' in series
    assert 'class="doubt"' in page(embedded_service, "/target/batch")[2]
    assert "/differences?subject=series%2FNCv2#" in page(embedded_service, "/series/NCv2")[2]


def test_an_iri_with_a_fragment_leads_to_its_place(embedded_service: Service) -> None:
    text = page(embedded_service, "/ontology", accept_language="ja")[2]
    assert re.search(
        r'<a id="VMSeries" href="/resource\?iri=[^"]*%23VMSeries"><span lang="ja">VM シリーズ</span></a>',
        text,
    )


def test_every_kind_of_thing_has_a_page(embedded_service: Service) -> None:
    listed = json.loads(embedded_service.ask("SELECT DISTINCT ?s { ?s a ?c ; skos:prefLabel ?l }")[2])
    iris = [row["s"]["value"] for row in listed["results"]["bindings"]]
    assert len(iris) > 300
    for iri in iris[:: len(iris) // 60]:
        assert page(embedded_service, f"/resource?iri={iri.replace('#', '%23')}")[0] == 200, iri


@pytest.mark.parametrize(
    ("query", "status", "told"),
    [
        ("query=ASK%20%7B%7D", 200, "Yes."),
        ("query=SELECT%20*%20%7B%7D", 200, "1 row"),
        ("query=SELECT%20?s%20%7B%20?s%20a%20%3Chttp://none%3E%20%7D", 200, "No row fits"),
        ("query=SELECT", 400, "Line 1, column"),
        ("query=DELETE%20WHERE%20%7B?s%20?p%20?o%7D", 403, "read-only"),
        ("saved=none", 404, "none"),
        ("saved=series_by_cuda_version&version=1", 400, "version"),
        ("saved=series_by_cuda_version&version=11.0", 200, "NCv3"),
        ("nonsense=1", 400, "nonsense"),
    ],
)
def test_query_page(embedded_service: Service, query: str, status: int, told: str) -> None:
    found, headers, text = page(embedded_service, f"/query?{query}", accept_language="en")
    assert found == status
    assert told in text
    if status == 200:
        assert headers["cache-control"] == "no-store"


def test_an_error_stands_below_its_line_in_the_query(embedded_service: Service) -> None:
    text = page(embedded_service, "/query?query=SELECT%20?s%20%7B%0A%20?s%20a%20;;%20x%20%7D")[2]
    found = re.search(r'data-line="(\d+)" data-column="(\d+)">([^<\n]*)\n( *)\^</pre>', text)
    assert found is not None
    line, column, source, blanks = found.groups()
    assert (line, source, len(blanks)) == ("2", " ?s a ;; x }", int(column) - 1)


def test_many_rows_are_counted_but_not_all_shown(embedded_service: Service) -> None:
    text = page(embedded_service, "/query?lang=en&query=SELECT%20*%20%7B?s%20?p%20?o%7D")[2]
    total = int(str(re.search(r"([\d,]+) rows", text)[1]).replace(",", ""))  # type: ignore[index]
    assert total == json.loads(embedded_service.request("GET", "/health/ready")[2])["triples"]
    assert text.count("<tr>") == 301


def test_compare_as_csv_has_the_rows_of_the_filter(embedded_service: Service) -> None:
    where = "where=ontology%23hasCategory%20%3D%20category/gpu"
    _, headers, text = page(embedded_service, f"/compare?class=VMSeries&{where}&format=csv&lang=it")
    assert headers["content-type"] == "text/csv; charset=utf-8"
    lines = text.splitlines()
    assert lines[0].startswith("Nome,id,categoria")
    assert len(lines) == 11
    assert all(",GPU," in line for line in lines[1:])
    status, _, problem = page(
        embedded_service, "/compare?where=none%20%3D%20x", accept="application/json, text/html;q=0.1"
    )
    assert status in (400, 406), problem


def test_differences_in_pages_and_about_one_thing(embedded_service: Service) -> None:
    everything = json.loads(embedded_service.request("GET", "/differences")[2])["items"]
    first, second = (page(embedded_service, f"/differences?offset={n}")[2] for n in (0, 40))
    ids = re.findall(r'class="point" id="([^"]+)"', first + second)
    assert ids == [item["id"] for item in everything[: len(ids)]]
    assert len(ids) == min(80, len(everything))
    about = json.loads(embedded_service.request("GET", "/differences?subject=series/NCv2")[2])["items"]
    assert {item["subject"] for item in about} == {"series/NCv2"}


def test_a_problem_is_a_page_in_the_readers_language(embedded_service: Service) -> None:
    status, headers, text = page(embedded_service, "/series/None", accept_language="ja")
    assert (status, headers["cache-control"]) == (404, "no-store")
    assert "ここには何もありません" in text
    assert '<p lang="en">nothing is known about' in text
