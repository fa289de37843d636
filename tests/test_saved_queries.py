"""Each saved query says what it is in three languages, takes only terms, and has exactly the rows in its golden file."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from compute_atlas.graph.errors import AtlasError, InvalidValue, UnknownTerm
from compute_atlas.graph.lookup.terms import read_terms
from compute_atlas.graph.store import open_store
from compute_atlas.ontology.names import BASE, LANGUAGES, ONTOLOGY
from compute_atlas.queries.analysis import analyse
from compute_atlas.queries.asked import Names
from compute_atlas.queries.binding import allowed_values, bind, resolved
from compute_atlas.queries.catalogue import FOLDER, TYPES, SavedQuery, catalogue, saved_query
from compute_atlas.queries.dataset import Dataset
from compute_atlas.queries.evaluate import evaluate, query_of
from compute_atlas.queries.results import write
from pyoxigraph import Quad, RdfFormat, Store, parse

# The rows of a query with these values stand in the golden file behind those with the defaults.
MORE: dict[str, list[dict[str, str]]] = {
    "capability_comparison": [
        {"lang": "ja"},
        {"target": "compute instance", "other": "compute cluster", "lang": "it"},
    ],
    "conditions": [{"lang": "it"}],
    "counts": [{"lang": "ja"}],
    "creation_tools": [{"lang": "it"}, {"target": "コンピューティング インスタンス", "lang": "ja-JP"}],
    "disagreements": [{"level": "fact"}],
    "evidence_of_fact": [
        {"subject": "NCasT4_v3", "property": "ca:gpuArchitecture"},
        {"subject": "target/kubernetes", "property": "usableForTrainingIn"},
    ],
    "facts_about": [{"thing": "retirement/2023-08-31"}],
    "facts_of_one_edition": [{"edition": "edition/it-seed"}],
    "facts_on_line": [{"edition": "edition/it-seed", "line": "124"}, {"line": "9999"}],
    "idle_charges": [{"lang": "ja"}],
    "inference_by_limits": [{"ram_gb": "48"}, {"ram_gb": "47", "model_gb": "1"}],
    "inference_locations": [{"target": "target/endpoints", "lang": "ja"}],
    "inference_targets": [{"use": "Inferenza in tempo reale", "lang": "it"}],
    "label_variants": [{"lang": "ja", "at_least": "2"}],
    "labels_of": [{"thing": "target/remote_vm"}, {"thing": "series/NCasT4_v3"}],
    "links_to": [{"thing": "architecture/volta"}],
    "management_status": [{"status": "not stated", "lang": "it"}],
    "retirement_calendar": [{"until": "2023-12-31"}],
    "series_by_category": [{"category": "Con ottimizzazione per il calcolo"}],
    "series_by_cuda_version": [{"version": "10.2"}, {"version": "CUDA 13.0"}],
    "series_matrix": [{"category": "メモリ最適化"}],
    "series_of_one_target_only": [{"target": "target/compute_instance", "other": "target/compute_cluster"}],
    "source_names": [{"class": "compute target"}],
    "targets_by_training_use": [
        {"use": "use/designer", "lang": "ja"},
        {"use": "use/pipelines", "lang": "fr"},
    ],
    "text_of_label": [{"text": "クラスター"}, {"text": '" } UNION { ?thing ?p ?label'}],
    "translations": [{"class": "Capability", "source": "ja", "translation": "it"}],
    "uncertain_claims": [{"edition": "edition/ja-seed"}],
}
DISAGREEMENTS = f"""
@prefix ca: <{ONTOLOGY}> . @prefix e: <http://kg.test/> .
e:d a ca:Disagreement ; ca:disagreementKind "tense" ; ca:disagreementLevel "fact" ; ca:disagreementSubject e:s ;
    ca:disagreementProperty e:p ; ca:side e:one, e:two .
e:one ca:edition e:ja ; ca:line 66 ; ca:value "future" .
e:two ca:edition e:it ; ca:line 65 ; ca:value "past" .
e:other a ca:Disagreement ; ca:disagreementKind "name" ; ca:disagreementLevel "naming" ; ca:side e:three .
e:three ca:edition e:ja .
"""

QUERIES = sorted(catalogue())


@pytest.fixture(scope="module")
def dataset(store: Store) -> Dataset:
    return Dataset(store)


@pytest.fixture(scope="module")
def names(quads: list[Quad], dataset: Dataset) -> Names:
    return Names(read_terms(quads, "").index, dataset.prepared.is_known, dataset.prepared.is_predicate)


def bound(query: SavedQuery, values: dict[str, str], dataset: Dataset, names: Names) -> str:
    return bind(query, resolved(query, values, names.thing), dataset.prepared.ask)


def rows(query: SavedQuery, values: dict[str, str], dataset: Dataset, names: Names) -> str:
    answer = BytesIO()
    results = evaluate(dataset, query_of(analyse(bound(query, values, dataset, names))))
    write(results, "tsv", answer, store=dataset.store)
    return answer.getvalue().decode().replace(BASE, "")


def test_there_are_enough_queries_and_each_has_more_than_its_defaults() -> None:
    assert len(QUERIES) >= 20
    assert [path.stem for path in sorted(FOLDER.glob("*.rq"))] == QUERIES
    assert set(MORE) <= set(QUERIES)
    assert [name for name in QUERIES if saved_query(name).parameters and name not in MORE] == []


@pytest.mark.parametrize("name", QUERIES)
def test_rows_are_exactly_those_in_the_golden_file(
    name: str, dataset: Dataset, names: Names, golden: Callable[[str, str], None]
) -> None:
    query = saved_query(name)
    required = any(parameter.is_required for parameter in query.parameters)
    defaults: list[dict[str, str]] = [] if required else [{}]
    runs = defaults + MORE.get(name, [])
    told = [f"# {values or 'defaults'}\n{rows(query, values, dataset, names)}" for values in runs]
    golden(f"queries/{name}.tsv", "\n".join(told))


def test_disagreements_are_listed_with_their_sides(names: Names) -> None:
    dataset = Dataset(open_store(parse(DISAGREEMENTS.encode(), format=RdfFormat.TURTLE)))
    query = saved_query("disagreements")
    lines = rows(query, {"level": "fact"}, dataset, names).splitlines()
    assert [line.split("\t")[2:] for line in lines[1:]] == [
        ['"tense"', '"fact"', "<http://kg.test/it>", "65", '"past"'],
        ['"tense"', '"fact"', "<http://kg.test/ja>", "66", '"future"'],
    ]
    assert len(rows(query, {}, dataset, names).splitlines()) == 4


@pytest.mark.parametrize("name", QUERIES)
def test_the_header_is_complete(name: str) -> None:
    query = saved_query(name)
    assert set(query.title) == set(query.description) == set(LANGUAGES)
    assert all(query.title.values())
    selected = re.search(r"SELECT (?:DISTINCT )?(.*?) WHERE", query.text, re.DOTALL)
    assert selected
    columns = re.findall(r"\?(\w+)", re.sub(r"\(COUNT\(.*?\) AS (\?\w+)\)", r"\1", selected[1]))
    assert list(query.columns) == columns
    for parameter in query.parameters:
        assert parameter.kind in TYPES
        assert parameter.example is not None
        assert parameter.default is None or not parameter.optional


@pytest.mark.parametrize("name", QUERIES)
def test_the_file_itself_asks_with_the_defaults(name: str, dataset: Dataset, names: Names) -> None:
    query = saved_query(name)
    examples = {p.name: str(p.example) for p in query.parameters if p.is_required}
    assert rows(query, examples, dataset, names) == rows_of_text(query.text, dataset)
    assert rows_of_text(query.source, dataset) == rows_of_text(query.text, dataset)


def rows_of_text(text: str, dataset: Dataset) -> str:
    answer = BytesIO()
    write(evaluate(dataset, query_of(analyse(text))), "tsv", answer, store=dataset.store)
    return answer.getvalue().decode().replace(BASE, "")


@pytest.mark.parametrize(
    ("name", "values", "error", "parameter", "part"),
    [
        ("series_by_cuda_version", {"version": "10.3"}, InvalidValue, "version", "10.2"),
        ("series_by_cuda_version", {"version": "ten"}, InvalidValue, "version", "ten"),
        ("series_by_cuda_version", {"cuda": "10.2"}, InvalidValue, "cuda", "version"),
        ("labels_of", {}, InvalidValue, "thing", "thing=target/remote_vm"),
        ("labels_of", {"thing": "nobody knows this"}, UnknownTerm, "thing", "nobody knows this"),
        ("labels_of", {"thing": " "}, InvalidValue, "thing", "blank"),
        ("creation_tools", {"target": "FX"}, InvalidValue, "target", "series/FX is no ComputeTarget"),
        (
            "creation_tools",
            {"target": "category/gpu"},
            InvalidValue,
            "target",
            "category/gpu is no ComputeTarget",
        ),
        ("creation_tools", {"lang": "not a tag"}, InvalidValue, "lang", "not a tag"),
        ("inference_by_limits", {"ram_gb": "many"}, InvalidValue, "ram_gb", "whole number of 0 or more"),
        ("inference_by_limits", {"ram_gb": "-1"}, InvalidValue, "ram_gb", "too small"),
        ("inference_by_limits", {"ram_gb": "1" * 30}, InvalidValue, "ram_gb", "whole number"),
        ("management_status", {"status": "maybe"}, InvalidValue, "status", "managed, unmanaged, not stated"),
        ("evidence_of_fact", {"subject": "FX", "property": "x"}, InvalidValue, "property", "ca:hasCategory"),
        ("retirement_calendar", {"until": "2023-02-30"}, InvalidValue, "until", "2023-08-31"),
    ],
)
def test_a_wrong_value_is_named_with_what_would_do(
    name: str,
    values: dict[str, str],
    error: type[AtlasError],
    parameter: str,
    part: str,
    dataset: Dataset,
    names: Names,
) -> None:
    with pytest.raises(error, match=re.escape(part)) as caught:
        bound(saved_query(name), values, dataset, names)
    facts: Any = caught.value
    assert facts.parameter == parameter


def test_an_unknown_query_is_answered_with_near_ones() -> None:
    with pytest.raises(UnknownTerm) as caught:
        saved_query("series_by_cuda")
    assert "series_by_cuda_version" in caught.value.suggestions


@pytest.mark.parametrize(
    "text", ['"', "\\", "} #", '"} UNION { ?thing ?p ?label } #', "a\nb", "\\u0022", "?lang", "日本"]
)
def test_a_text_stays_a_text(text: str, dataset: Dataset, names: Names) -> None:
    asked = bound(saved_query("text_of_label"), {"text": text}, dataset, names)
    assert asked.count("UNION") == saved_query("text_of_label").text.count("UNION") + text.count("UNION")
    store = Store()
    store.update(
        'INSERT DATA { <http://kg.test/x> <http://www.w3.org/2004/02/skos/core#prefLabel> "left ... right" ;'
        ' <http://www.w3.org/2004/02/skos/core#prefLabel> "?" }'
    )
    assert list(evaluate(Dataset(store), query_of(analyse(asked)))) == []  # type: ignore[arg-type]


def test_allowed_values_are_listed_in_order(dataset: Dataset) -> None:
    (version,) = saved_query("series_by_cuda_version").parameters
    versions = allowed_values(version, dataset.prepared.ask)
    assert versions.index("9.2") < versions.index("10.0") < versions.index("11.8")
    status = saved_query("management_status").parameters[0]
    assert allowed_values(status, dataset.prepared.ask) == ["managed", "unmanaged", "not stated"]
    text = saved_query("text_of_label").parameters[0]
    assert allowed_values(text, dataset.prepared.ask) == []
