"""Hover cards: what stands on one, and that nothing on it can break the page around."""

from __future__ import annotations

import json
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import pytest
from compute_atlas.server.pages import card_page

from tests.serving import Service, running

CHROMIUM = next(
    (path for path in map(Path, ("/usr/bin/chromium", "/usr/bin/chromium-browser")) if path.exists()), None
)
EVIL = "<script>alert(1)</script>\"&'"
SAMPLE = """
@prefix e: <http://evil.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
e:thing a e:Kind ; skos:prefLabel EVIL@en , EVIL@it , "ja x"@ja ; skos:notation EVIL ; skos:definition LONG@en ;
  e:p EVIL , <http://evil.test/'onclick='x> , 10 , 9 .
e:Kind rdfs:label EVIL . e:p rdfs:label EVIL .
"""


class Reader(HTMLParser):
    """Collects elements, attributes and text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_a_card_in_json_says_label_types_names_and_facts(embedded_service: Service) -> None:
    card = json.loads(embedded_service.request("GET", "/card/target/compute_cluster?lang=it&format=json")[2])
    assert card["label"] == {"value": "cluster di elaborazione", "lang": "it", "fallback": False}
    assert card["names"] == [
        {"value": "compute cluster", "lang": "en"},
        {"value": "コンピューティング クラスター", "lang": "ja"},
    ]
    assert card["types"][0] == {"id": "ontology#ManagedCompute", "label": "calcolo gestito"}
    assert len(card["facts"]) == 3
    assert (card["width"], card["height"]) == (400, 200)
    assert card["url"] == f"{embedded_service.url}/target/compute_cluster"


@pytest.mark.parametrize(
    "of", ["series:NCv3", "series/NCv3", "NCv3", "https://w3id.org/compute-atlas/series/NCv3"]
)
def test_a_card_is_asked_for_by_any_name(embedded_service: Service, of: str) -> None:
    card = json.loads(
        embedded_service.request("GET", f"/card?of={quote(of, safe='')}&format=json&lang=fr")[2]
    )
    assert (card["id"], card["label"]["fallback"]) == ("series/NCv3", True)


def test_a_definition_is_shown_in_the_language_asked_for(embedded_service: Service) -> None:
    path = "/card?of=" + quote("ontology#VMSeries", safe="")
    shown = {
        lang: json.loads(embedded_service.request("GET", f"{path}&lang={lang}&format=json")[2])
        for lang in ("ja", "it")
    }
    assert [shown[lang]["definition"]["lang"] for lang in shown] == ["ja", "it"]


@pytest.mark.parametrize(("path", "status"), [("/card", 400), ("/card?of=none such", 404), ("/card/series/none", 404), ("/card?of=NCv3&x=1", 400), ("/card?of=NCv3&lang=x_", 400), ("/card?of=NCv3&format=csv", 406)])  # fmt: skip
def test_what_has_no_card_is_an_error_of_the_common_shape(
    embedded_service: Service, path: str, status: int
) -> None:
    got, headers, _ = embedded_service.request("GET", quote(path, safe="/?&="))
    assert (got, headers["content-type"]) == (status, "application/problem+json")


@pytest.fixture(scope="module")
def evil_card(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("evil")
    literal = json.dumps(EVIL)
    data = folder / "evil.ttl"
    data.write_text(
        SAMPLE.replace("EVIL", literal).replace("LONG", json.dumps("<b>" + "長い言葉 " * 400)),
        encoding="utf-8",
    )
    with running(folder, "--data", str(data)) as service:
        status, headers, body = service.request(
            "GET", "/card?of=http%3A%2F%2Fevil.test%2Fthing&lang=en", Accept="text/html"
        )
    assert status == 200
    policy = r"default-src 'none'; style-src 'unsafe-hashes'( 'sha256-[\w+/=]{44}'){3}"
    assert re.fullmatch(policy, headers["content-security-policy"])
    return body.decode()


def test_everything_on_a_card_is_escaped(evil_card: str) -> None:
    reader = Reader()
    reader.feed(evil_card)
    assert "script" not in reader.tags
    assert "b" not in reader.tags
    assert reader.attributes <= {"lang", "charset", "style", "class", "href", "target", "rel"}
    assert "".join(reader.text).count(EVIL) == 5, "title, heading, type, property, value"
    assert "".join(reader.text).index("9,") > 0


def test_the_style_touches_nothing_but_the_card(evil_card: str) -> None:
    [style] = re.findall(r"<style>(.*?)</style>", evil_card, re.DOTALL)
    rules = [rule.partition("{")[0] for rule in style.split("}") if rule.strip()]
    assert len(rules) == 5
    assert all(part.strip().startswith(".atlas-card") for rule in rules for part in rule.split(","))


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here to lay a card out")
def test_a_browser_lays_the_largest_card_out_within_its_bounds(evil_card: str, tmp_path: Path) -> None:
    probe = "<script>const box=document.querySelector('.atlas-card').getBoundingClientRect();document.title=box.width+'x'+box.height</script>"
    page = tmp_path / "card.html"
    page.write_text(evil_card.replace("</body>", f"{probe}</body>"), encoding="utf-8")
    command = [
        str(CHROMIUM),
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path}/profile",
        "--dump-dom",
        page.as_uri(),
    ]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    found = re.search(r"<title>([\d.]+)x([\d.]+)</title>", shown)
    assert found, shown[:300]
    assert float(found[1]) <= 400
    assert 60 < float(found[2]) <= 200


def test_a_card_of_nothing_but_a_name_is_small() -> None:
    bare = {
        "label": {"value": "x", "lang": None},
        "url": "u",
        "width": 400,
        "height": 200,
        "types": [],
        "names": [],
        "facts": [],
    }
    assert card_page(bare).count(b"<p") == 1
