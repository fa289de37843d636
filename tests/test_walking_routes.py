"""/paths, /neighbours, /evidence, /queries and their commands answer as the contract says."""

from __future__ import annotations

import json
from collections.abc import Callable
from subprocess import CompletedProcess
from typing import Any
from urllib.parse import urlencode

import pytest
from compute_atlas.ontology.names import BASE, ONTOLOGY
from compute_atlas.queries.catalogue import catalogue
from pyoxigraph import RdfFormat, parse

from tests.serving import Service

Run = Callable[..., CompletedProcess[str]]
Values = dict[str, str | list[str]]


def get(
    service: Service, path: str, values: Values | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    query = f"?{urlencode(values, doseq=True)}" if values else ""
    return service.request("GET", path + query, None, 30, **headers)


def answer(service: Service, path: str, values: Values | None = None, **headers: str) -> Any:
    status, _, body = get(service, path, values, **headers)
    assert status == 200, body.decode()
    return json.loads(body)


def nodes(content: Any) -> list[list[str]]:
    return [[node["id"] for node in path["nodes"]] for path in content["paths"]]


def test_paths_are_found_between_things_named_in_any_way(embedded_service: Service) -> None:
    for source, target in [
        ("size/Standard_F72s_v2", "target/compute_cluster"),
        (f"{BASE}size/Standard_F72s_v2", "target:compute_cluster"),
        ("F72s_v2", "コンピューティング クラスター"),
        ("standard_f72s_v2", "cluster di elaborazione"),
    ]:
        content = answer(embedded_service, "/paths", {"from": source, "to": target})
        assert nodes(content) == [["size/Standard_F72s_v2", "series/FSv2", "target/compute_cluster"]]
        assert content["complete"] is True
        assert content["mode"] == "shortest"
        assert content["from"]["id"] == "size/Standard_F72s_v2"


def test_every_option_reaches_the_search(embedded_service: Service) -> None:
    ends: Values = {"from": "series/NDv2", "to": "series/NCv3"}
    any_way = ends | {"direction": "any"}
    assert nodes(answer(embedded_service, "/paths", ends)) == []
    same = answer(embedded_service, "/paths", any_way | {"only": ["ca:gpuArchitecture"]})
    assert nodes(same) == [["series/NDv2", "architecture/volta", "series/NCv3"]]
    assert [step["forward"] for step in same["paths"][0]["steps"]] == [True, False]
    through = answer(embedded_service, "/paths", any_way | {"via": "target/compute_cluster", "max_hops": "2"})
    assert nodes(through) == [["series/NDv2", "target/compute_cluster", "series/NCv3"]]
    avoiding: Values = {"avoid": ["target/compute_cluster", "category/gpu"], "without": "supportsCuda"}
    assert nodes(answer(embedded_service, "/paths", any_way | avoiding)) == [
        ["series/NDv2", "architecture/volta", "series/NCv3"],
        ["series/NDv2", "target/compute_instance", "series/NCv3"],
    ]
    typed = answer(
        embedded_service, "/paths", any_way | {"types": "GPUArchitecture", "mode": "all", "max_hops": "2"}
    )
    assert nodes(typed) == [["series/NDv2", "architecture/volta", "series/NCv3"]]
    assert len(answer(embedded_service, "/paths", any_way | {"k": "7"})["paths"]) == 7
    cut = answer(embedded_service, "/paths", any_way | {"mode": "all", "limit": "5"})
    assert (len(cut["paths"]), cut["complete"]) == (5, False)


def test_order_of_versions_connects_only_when_asked(embedded_service: Service) -> None:
    ends: Values = {"from": "cuda/9.0", "to": "cuda/10.0"}
    assert nodes(answer(embedded_service, "/paths", ends)) == []
    path = ["cuda/9.0", "cuda/9.1", "cuda/9.2", "cuda/10.0"]
    assert nodes(answer(embedded_service, "/paths", ends | {"only": "ca:nextVersion"})) == [path]


def test_paths_are_worded_in_the_language_asked_for(embedded_service: Service) -> None:
    ends: Values = {"from": "architecture/ampere", "to": "cuda/11.0"}
    for values, header, text in [
        (ends | {"lang": "ja-JP"}, "", "Ampere アーキテクチャは CUDA 11.0 以降でサポートされます。"),
        (ends, "it-IT,en;q=0.5", "L'architettura Ampere è supportata a partire da CUDA 11.0."),
        (ends, "", "The Ampere architecture is supported from CUDA 11.0 on."),
    ]:
        assert answer(embedded_service, "/paths", values, Accept_Language=header)["paths"][0]["text"] == text
    label = answer(embedded_service, "/paths", ends | {"lang": "fr"})["paths"][0]["steps"][0]["predicates"][
        0
    ]["label"]
    assert label == {"value": "minimum CUDA version", "lang": "en", "fallback": True}


def test_paths_come_as_a_graph_and_as_rows(embedded_service: Service) -> None:
    ends: Values = {"from": "series/FX", "to": "tool/studio"}
    _, headers, body = get(embedded_service, "/paths", ends, Accept="text/turtle")
    assert headers["content-type"] == "text/turtle; charset=utf-8"
    assert {str(quad.predicate) for quad in parse(body, format=RdfFormat.TURTLE)} == {
        f"<{ONTOLOGY}supportedBy>",
        f"<{ONTOLOGY}canCreateFrom>",
    }
    rows = answer(embedded_service, "/paths", ends, Accept="application/sparql-results+json")
    assert rows["head"]["vars"] == ["path", "step", "s", "p", "o"]
    assert [binding["step"]["value"] for binding in rows["results"]["bindings"]] == ["1", "2"]
    _, _, table = get(embedded_service, "/paths", ends | {"format": "csv"})
    assert table.decode().splitlines()[0] == "path,step,s,p,o"
    assert get(embedded_service, "/paths", ends, Accept="image/png")[0] == 406


def test_paths_go_through_any_data(served: Service) -> None:
    content = answer(served, "/paths", {"from": "NCv3 シリーズ", "to": "http://kg.test/CUDA9"})
    (path,) = content["paths"]
    assert [node["iri"].rpartition("/")[2] for node in path["nodes"]] == ["NCv3", "Volta", "CUDA9"]
    assert [step["predicates"][0]["graphs"] for step in path["steps"]] == [[], ["http://kg.test/g"]]
    assert path["text"] == "“NCv3 シリーズ”: next “<b>&”. “<b>&”: next “CUDA9”."


@pytest.mark.parametrize(
    ("path", "values", "status", "parameter", "part"),
    [
        ("/paths", {"to": "series/FX"}, 400, "from", "missing"),
        ("/paths", {"from": "", "to": "series/FX"}, 400, "from", "blank"),
        ("/paths", {"from": "series/FX"}, 400, "to", "missing"),
        ("/paths", {"from": "series/FX", "to": "http://kg.test/nowhere"}, 404, "to", "nowhere"),
        ("/paths", {"from": "series/NCv9", "to": "series/FX"}, 404, "from", "series/NCv9"),
        (
            "/paths",
            {"from": "series/FX", "to": "series/FX", "mode": "longest"},
            400,
            "mode",
            "shortest, all, k",
        ),
        ("/paths", {"from": "series/FX", "to": "series/FX", "k": "0"}, 400, "k", "1 to 10000"),
        ("/paths", {"from": "series/FX", "to": "series/FX", "k": "2", "mode": "all"}, 400, "k", "mode=k"),
        ("/paths", {"from": "series/FX", "to": "FX", "max_hops": "abc"}, 400, "max_hops", "no whole number"),
        ("/paths", {"from": "series/FX", "to": "FX", "max_hops": "51"}, 400, "max_hops", "out of range"),
        ("/paths", {"from": "series/FX", "to": "series/FX", "max_hops": "-1"}, 400, "max_hops", "1 to 50"),
        ("/paths", {"from": "series/FX", "to": "series/FX", "max_hops": "２"}, 400, "max_hops", "1 to 50"),
        ("/paths", {"from": "series/FX", "to": "series/FX", "direction": "in"}, 400, "direction", "out, any"),
        ("/paths", {"from": "series/FX", "to": "series/FX", "only": "ca:nothing"}, 404, "only", "ca:nothing"),
        ("/paths", {"from": "series/FX", "to": "series/FX", "types": "Nothing"}, 404, "types", "Nothing"),
        ("/paths", {"from": "series/FX", "to": "series/FX", "lang": "not a tag"}, 400, "lang", "not a tag"),
        ("/paths", {"from": "series/FX", "to": "series/FX", "hops": "3"}, 400, "hops", "max_hops"),
        ("/paths", {"from": ["series/FX", "series/M"], "to": "series/FX"}, 400, "from", "one value"),
        (
            "/paths",
            {"from": "series/FX", "to": "series/FX", "via": ["M", "H", "HB", "HC", "NC"]},
            400,
            "via",
            "4",
        ),
        ("/neighbours", {}, 400, "of", "missing"),
        ("/neighbours", {"of": "FX", "hops": "3"}, 400, "hops", "1 to 2"),
        ("/neighbours/series/Nothing", {}, 404, "of", "series/Nothing"),
        ("/evidence", {}, 400, "subject", "missing"),
        ("/evidence", {"subject": "FX", "predicate": "nothing like it"}, 404, "predicate", "nothing like it"),
        ("/evidence", {"subject": "FX", "object": "nothing like it"}, 404, "object", "nothing like it"),
        (
            "/evidence",
            {"subject": "FX", "predicate": "requiredRamLtGb", "object": "true"},
            404,
            "object",
            "true",
        ),
        ("/queries/facts_on_line", {"edition": "nope"}, 404, "edition", "nope"),
        ("/queries/nothing", {}, 404, "name", "series_by_cuda_version"),
        ("/queries/nothing.rq", {}, 404, "name", "nothing"),
        ("/queries/labels_of", {}, 400, "thing", "target/remote_vm"),
        ("/queries/series_by_cuda_version", {"version": "10.3"}, 400, "version", "10.2"),
        ("/queries/series_by_cuda_version", {"verison": "10.2"}, 400, "verison", "version"),
        ("/queries/series_by_cuda_version", {"lang": "not a tag"}, 400, "lang", "not a tag"),
    ],
)
def test_a_wrong_request_is_told_what_to_do(
    embedded_service: Service, path: str, values: Values, status: int, parameter: str, part: str
) -> None:
    seen, headers, body = get(embedded_service, path, values)
    problem = json.loads(body)
    assert (seen, headers["content-type"]) == (status, "application/problem+json")
    assert problem["parameter"] == parameter
    assert part in problem["detail"]


def test_neighbours_are_named_in_the_path_or_as_a_parameter(embedded_service: Service) -> None:
    by_path = answer(embedded_service, "/neighbours/series/FX", {"hops": "2", "lang": "ja"})
    by_name = answer(embedded_service, "/neighbours", {"of": "FX シリーズ", "hops": "2", "lang": "ja"})
    assert by_path == by_name
    assert by_path["of"]["id"] == "series/FX"
    _, headers, _ = get(embedded_service, "/neighbours/series/FX", {"format": "nt"})
    assert headers["content-type"] == "application/n-triples"


def test_evidence_takes_things_and_forms_of_literals(embedded_service: Service) -> None:
    for value in ("architecture/turing", "Turing"):
        content = answer(
            embedded_service,
            "/evidence",
            {"subject": "NCasT4_v3", "predicate": "ca:gpuArchitecture", "object": value},
        )
        assert [claim["line"] for claim in content["claims"]] == [189, 110, 110]
    facts: Values = {"subject": "target/container_instances", "predicate": "requiredRamLtGb", "object": "48"}
    assert {claim["object"] for claim in answer(embedded_service, "/evidence", facts)["claims"]} == {48}
    for predicate, value in (
        ("requiredRamLtGb", "47"),
        ("autoscales", "false"),
        ("retirementDate", "2001-01-01"),
    ):
        facts = {"subject": "target/container_instances", "predicate": predicate, "object": value}
        assert answer(embedded_service, "/evidence", facts) == {"claims": []}
    derived = answer(
        embedded_service, "/evidence", {"subject": "NC24rs_v3", "predicate": "ca:belongsToSeries"}
    )
    assert {claim["line"] for claim in derived["derived_from"]} == {124, 209}


def test_saved_queries_are_listed_shown_and_run(embedded_service: Service) -> None:
    listed = answer(embedded_service, "/queries")["queries"]
    assert [entry["name"] for entry in listed] == list(catalogue())
    entry = next(entry for entry in listed if entry["name"] == "series_by_cuda_version")
    assert entry["title"]["it"] == "Quali serie di macchine virtuali supportano una versione CUDA?"
    assert entry["parameters"] == [
        {"name": "version", "type": "version", "required": False, "default": "11.0", "example": "10.2"}
    ]
    status, headers, text = get(embedded_service, "/queries/series_by_cuda_version.rq")
    assert (status, headers["content-type"]) == (200, "application/sparql-query; charset=utf-8")
    asked = embedded_service.ask(text.decode())
    assert asked[0] == 200
    run = get(embedded_service, "/queries/series_by_cuda_version", {"version": "11.0"})
    assert run[2] == asked[2]
    assert get(embedded_service, entry["example"])[0] == 200


def test_a_thing_of_a_known_class_needs_no_kind(embedded_service: Service) -> None:
    path = "/queries/facts_on_line"
    short, full = (
        get(embedded_service, path, {"edition": name}) for name in ("en-2024-01", "edition/en-2024-01")
    )
    assert short[0] == 200
    assert short[2] == full[2] != get(embedded_service, path)[2]


def test_a_refused_language_is_not_chosen(embedded_service: Service) -> None:
    ends: Values = {"from": "Standard_NC24rs_v3", "to": "cuda/11.8"}
    told = [
        json.loads(get(embedded_service, "/paths", ends, Accept_Language=accepted)[2])["paths"][0]["text"]
        for accepted in ("en;q=0", "ja", "en;q=0, ja;q=0")
    ]
    assert told[0] == told[1]
    assert told[2].startswith("Il supporto")


def test_saved_queries_answer_in_the_formats_of_the_endpoint(embedded_service: Service) -> None:
    path = "/queries/creation_tools"
    _, headers, body = get(embedded_service, path, {"format": "csv"}, Accept_Language="ja")
    assert headers["content-type"].startswith("text/csv")
    assert "Azure CLI" in body.decode()
    assert "Interfaccia" in get(embedded_service, path, {"lang": "it"})[2].decode()
    assert get(embedded_service, path, Accept="text/turtle")[0] == 406
    _, headers, _ = get(embedded_service, path)
    unchanged = get(embedded_service, path, If_None_Match=headers["etag"])
    assert unchanged[0] == 304


def test_the_path_command_reads_aloud_and_says_when_there_is_none(cli: Run) -> None:
    told = cli("path", "F72s_v2", "target/compute_cluster", "--lang", "it", "--format", "text")
    assert told.stdout == (
        "La dimensione Standard_F72s_v2 appartiene alla serie FSv2. "
        "La serie FSv2 è supportata dalla destinazione di calcolo «cluster di elaborazione».\n"
    )
    assert nodes(json.loads(cli("path", "FX", "tool/studio", "--via", "target/compute_cluster").stdout)) == [
        ["series/FX", "target/compute_cluster", "tool/studio"]
    ]
    assert cli("path", "F72s_v2", "tool/studio", "--max-hops", "2").returncode == 1
    wrong = cli("path", "F72s_v2", "tool/studio", "--max-hops", "two")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "max_hops" in wrong.stderr
    unknown = cli("path", "F72s_v2", "nowhere at all")
    assert (unknown.returncode, unknown.stdout) == (1, "")
    assert "nowhere at all" in unknown.stderr


def test_the_path_command_writes_rows_and_graphs(cli: Run) -> None:
    assert cli("path", "FX", "tool/studio", "--format", "csv").stdout.splitlines()[0] == "path,step,s,p,o"
    assert "ca:supportedBy" in cli("path", "FX", "tool/studio", "--format", "turtle").stdout


def test_the_evidence_command_lists_claims(cli: Run) -> None:
    table = cli(
        "evidence", "NCasT4_v3", "ca:gpuArchitecture", "Turing", "--format", "table"
    ).stdout.splitlines()
    assert table[1] == "series/NCasT4_v3\tgpuArchitecture\tarchitecture/turing\tit-seed\t110\tfalse"
    nothing = cli("evidence", "FX", "ca:gpuArchitecture")
    assert (nothing.returncode, json.loads(nothing.stdout)) == (1, {"claims": []})


def test_the_query_command_runs_saved_queries(cli: Run) -> None:
    found = cli("query", "series_by_cuda_version", "-p", "version=10.2", "--format", "csv")
    assert len(found.stdout.splitlines()) == 10
    for arguments, code, part in [
        (["series_by_cuda_version", "-p", "version=10.3"], 2, "10.2"),
        (["series_by_cuda_version", "-p", "version"], 2, "NAME=VALUE"),
        (["series_by_cuda"], 1, "series_by_cuda_version"),
        (["ASK {}", "-p", "a=b"], 2, "saved query"),
    ]:
        wrong = cli("query", *arguments)
        assert (wrong.returncode, wrong.stdout) == (code, "")
        assert part in wrong.stderr
