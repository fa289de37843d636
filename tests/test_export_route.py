"""/export/{format}, /paths as drawings, and `compute-atlas export`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from compute_atlas.graph.export.formats import FORMATS

from tests.serving import Service, running

Cli = Callable[..., subprocess.CompletedProcess[str]]
DATA = """
@prefix e: <http://kg.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:a rdfs:label "ア"@ja , "A"@it ; e:p e:b ; e:q e:b . e:b e:p e:c ; e:ram 48 .
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service of other people's data."""
    folder = tmp_path_factory.mktemp("export")
    (folder / "in.ttl").write_text(DATA, encoding="utf-8")
    with running(folder, "--data", str(folder / "in.ttl")) as found:
        yield found


def get(service: Service, path: str, **parameters: str) -> tuple[int, dict[str, str], bytes]:
    return service.request("GET", f"{path}?{urlencode(parameters)}")


def test_a_file_comes_with_its_name_and_type(service: Service) -> None:
    status, headers, body = get(service, "/export/graphml", lang="ja", of="http://kg.test/a")
    assert (status, headers["content-type"]) == (200, "application/graphml+xml; charset=utf-8")
    assert headers["content-disposition"].startswith('attachment; filename="compute-atlas_a-')
    assert headers["content-disposition"].endswith('.graphml"')
    assert "ア" in body.decode()
    assert body.endswith(b"</graphml>\n")
    assert (
        service.request("GET", "/export/graphml", If_None_Match=get(service, "/export/graphml")[1]["etag"])[0]
        == 304
    )


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("prh", "vale")])
def test_every_format_answers_everything(service: Service, name: str) -> None:
    status, headers, body = get(service, f"/export/{name}")
    assert (status, headers["content-type"]) == (200, FORMATS[name].content_type)
    assert FORMATS[name].suffix in headers["content-disposition"]
    assert body


def test_the_formats_are_listed(service: Service) -> None:
    listed = json.loads(get(service, "/export")[2])["formats"]
    assert [entry["name"] for entry in listed] == list(FORMATS)
    described = json.loads(get(service, "/openapi.json")[2])["paths"]["/export/{format}"]["get"]["parameters"]
    assert described[0]["schema"]["enum"] == list(FORMATS)


@pytest.mark.parametrize(
    ("path", "parameters", "status", "parameter", "detail"),
    [
        ("docx", {}, 404, "format", "graphml"),
        ("dot", {"of": "nix"}, 404, "of", "nix"),
        ("dot", {"of": "A", "hops": "99"}, 400, "hops", "from 1 to 6"),
        ("dot", {"hops": "1"}, 400, "hops", '"of"'),
        ("dot", {"of": "A", "class": "x"}, 400, "class", "leave out"),
        ("dot", {"from": "A"}, 400, "to", "missing"),
        ("dot", {"literals": "maybe"}, 400, "literals", "attributes, nodes"),
        ("dot", {"include": "all"}, 400, "include", "classes, annotations"),
        ("dot", {"lang": "not a tag"}, 400, "lang", "BCP 47"),
        ("dot", {"edition": "nix"}, 404, "edition", "nix"),
        ("dot", {"query": "SELECT * { ?s ?p ?o }"}, 400, "query", "CONSTRUCT"),
        ("dot", {"query": "CONSTRUCT"}, 400, None, "line 1"),
        ("svg", {"layout": "strip"}, 400, "layout", "`from` and `to`"),
        ("dot", {"colour": "red"}, 400, "colour", "unknown parameter"),
    ],
)
def test_wrong_use_says_what_to_do(
    service: Service, path: str, parameters: dict[str, str], status: int, parameter: str | None, detail: str
) -> None:
    found, headers, body = get(service, f"/export/{path}", **parameters)
    problem = json.loads(body)
    assert (found, headers["content-type"]) == (status, "application/problem+json")
    assert problem.get("parameter") == parameter
    assert detail in problem["detail"]


@pytest.mark.parametrize(
    ("parameters", "nodes", "edges"),
    [
        ({}, 3, 3),
        ({"of": "A"}, 2, 2),
        ({"of": "A", "hops": "2"}, 3, 3),
        ({"from": "A", "to": "http://kg.test/c"}, 3, 3),
        ({"from": "http://kg.test/c", "to": "A"}, 0, 0),
        ({"from": "http://kg.test/c", "to": "A", "direction": "any"}, 3, 3),
        ({"query": "CONSTRUCT { ?s <http://kg.test/r> ?o } WHERE { ?s <http://kg.test/q> ?o }"}, 2, 1),
        ({"literals": "nodes"}, 4, 4),
    ],
)
def test_a_part_is_cut_out(service: Service, parameters: dict[str, str], nodes: int, edges: int) -> None:
    status, _, body = get(service, "/export/node-link", **parameters)
    found = json.loads(body)
    assert (status, len(found["nodes"]), len(found["links"])) == (200, nodes, edges)


def test_paths_answer_as_drawings(service: Service) -> None:
    asked = {"from": "A", "to": "http://kg.test/c"}
    status, headers, body = get(service, "/paths", **asked, format="svg", lang="it")
    assert (status, headers["content-type"].partition(";")[0]) == (200, "image/svg+xml")
    assert ">A<" in body.decode()
    accepted = service.request("GET", f"/paths?{urlencode(asked)}", Accept="application/gexf+xml")
    assert accepted[2].startswith(b"<?xml")
    assert len(json.loads(get(service, "/paths", **asked, format="node-link")[2])["links"]) == 3


def test_the_command_writes_whole_files(cli: Cli, tmp_path: Path) -> None:
    target = tmp_path / "out.gexf"
    done = cli("export", "gexf", "--class", "VMSize", "--lang", "it", "-o", target)
    assert (done.returncode, done.stdout) == (0, "")
    assert target.read_text(encoding="utf-8").endswith("</gexf>\n")
    assert [path.name for path in tmp_path.iterdir()] == ["out.gexf"]
    query = tmp_path / "q.rq"
    query.write_text("CONSTRUCT WHERE { ?series ca:gpuArchitecture ?architecture }", encoding="utf-8")
    assert (
        "series:NCv3 ca:gpuArchitecture architecture:volta ."
        in cli("export", "turtle", "--query", query).stdout
    )


def test_the_command_refuses_with_a_sentence(cli: Cli, tmp_path: Path) -> None:
    wrong = cli("export", "docx")
    assert (wrong.returncode, "use one of: graphml" in wrong.stderr) == (2, True)
    unknown = cli("export", "dot", "--of", "nix", "-o", tmp_path / "out.dot")
    assert (unknown.returncode, list(tmp_path.iterdir())) == (1, [])
    assert "Traceback" not in unknown.stderr
    nowhere = cli("export", "dot", "-o", tmp_path / "missing" / "out.dot")
    assert (nowhere.returncode, "cannot be written" in nowhere.stderr) == (1, True)
