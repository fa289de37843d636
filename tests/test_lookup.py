"""Lookup: tiers and scores, which hit is meant, guards, languages, types."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from compute_atlas.graph.errors import AmbiguousTerm, InvalidValue, LabelCollision, UnknownTerm
from compute_atlas.graph.lookup.answers import lookup_answer
from compute_atlas.graph.lookup.hits import Found
from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.labels import check_collisions, read_things
from compute_atlas.graph.lookup.resolve import is_ordinary, is_property, resolve, type_filter
from compute_atlas.graph.lookup.spoken import spoken_languages
from compute_atlas.graph.lookup.usertext import checked_page, checked_query
from compute_atlas.ontology.names import BASE
from pyoxigraph import Quad, RdfFormat, parse

Search = Callable[..., Found]

FOREIGN = """
@prefix e: <http://kg.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
e:a rdfs:label "Rete"@it ; a e:Net . e:b rdfs:label "Rete"@en . e:c rdfs:label "rete"@it-IT ; a e:Sub .
e:d rdfs:label "Plain name" ; skos:notation "D-1" . e:e rdfs:label "Bank"@en . e:f skos:altLabel "bank"@en .
e:Sub rdfs:subClassOf e:Net . [] rdfs:label "nobody"@en . e:g rdfs:label "  "@en .
"""


@pytest.fixture(scope="module")
def index(quads: list[Quad]) -> Index:
    return Index(read_things(quads))


@pytest.fixture(scope="module")
def foreign() -> Index:
    return Index(read_things(parse(FOREIGN, format=RdfFormat.TURTLE)))


def search(index: Index, query: str, lang: str | None = None, **options: bool) -> Found:
    spoken = spoken_languages(index.languages, lang, only=options.pop("only", False))
    return index.search(query, spoken, is_ordinary, **options)


def ids(found: Found) -> list[str]:
    return [hit.thing.id for hit in found.hits]


@pytest.mark.parametrize(
    ("query", "lang", "thing", "tier", "score"),
    [
        ("target/compute_cluster", "ja", "target/compute_cluster", "id", 100),
        (f"{BASE}series/NCv3", None, "series/NCv3", "id", 100),
        ("ca:VMSeries", None, "ontology#VMSeries", "id", 100),
        ("NCv3", "it", "series/NCv3", "id", 100),
        ("cluster di elaborazione", "it", "target/compute_cluster", "exact", 100),
        ("CLUSTER DI  ELABORAZIONE", "it", "target/compute_cluster", "strict", 98),
        ("コンピューティングクラスタ", "ja", "target/compute_cluster", "loose", 95),
        ("serie H", "it", "series/H", "loose", 95),
        ("H シリーズ", "ja", "series/H", "loose", 95),
        ("NC24rs v3", "en", "size/Standard_NC24rs_v3", "loose", 95),
        ("calcoli non gestiti", "it", "ontology#UnmanagedCompute", "stem", 90),
    ],
)
def test_what_is_surely_meant_is_the_match(
    index: Index, query: str, lang: str | None, thing: str, tier: str, score: float
) -> None:
    match = search(index, query, lang).match
    assert match is not None
    assert (match.thing.id, match.tier, match.score) == (thing, tier, score)


def test_beginnings_parts_and_slips_are_offered_below_a_match(index: Index) -> None:
    beginning, part, slip = (
        search(index, q, "it") for q in ("destinaz", "utenti dell", "isolamneto del calcolo")
    )
    assert (beginning.match, part.match, slip.match) == (None, None, None)
    assert all(70 <= hit.score <= 85 for hit in beginning.hits if hit.tier == "prefix")
    assert (slip.hits[0].thing.id, slip.hits[0].tier, slip.hits[0].score) == (
        "term/compute_isolation",
        "fuzzy",
        79,
    )
    assert slip.hits[0].ratio > 90


def test_a_part_of_a_name_scores_65(index: Index) -> None:
    hits = [hit for hit in search(index, "lavoro", "it").hits if hit.tier == "infix"]
    assert hits
    assert {hit.score for hit in hits} == {65}


def test_near_names_can_be_switched_off(index: Index) -> None:
    assert not search(index, "isolamneto del calcolo", "it", fuzzy=False).hits


@pytest.mark.parametrize("query", ["NCv9", "NX", "NC Prom0", "Standard_NC24sr_v3", "CUDA 11.00"])
def test_identifiers_are_never_matched_fuzzily(index: Index, query: str) -> None:
    assert not [hit for hit in search(index, query).hits if hit.tier == "fuzzy"]


@pytest.mark.parametrize(
    ("query", "lang", "first", "never"),
    [
        ("unmanagd compute", "en", "ontology#UnmanagedCompute", "ontology#ManagedCompute"),
        ("managd compute", "en", "ontology#ManagedCompute", "ontology#UnmanagedCompute"),
        ("アンマネジド コンピュティンク", "ja", "ontology#UnmanagedCompute", "ontology#ManagedCompute"),
        ("calcolo non gestitto", "it", "ontology#UnmanagedCompute", "ontology#ManagedCompute"),
        ("マネージド コンピューティング", "ja", "ontology#ManagedCompute", "ontology#UnmanagedCompute"),
    ],
)
def test_no_hit_says_the_opposite(index: Index, query: str, lang: str, first: str, never: str) -> None:
    found = ids(search(index, query, lang))
    assert found[0] == first
    assert never not in found


def test_the_language_of_the_query_decides_between_homonyms(foreign: Index) -> None:
    assert search(foreign, "Rete", "en").match is not None
    assert ids(search(foreign, "Rete", "en"))[0] == "http://kg.test/b"
    anywhere = search(foreign, "Rete", "*")
    assert anywhere.match is None
    assert {hit.thing.id for hit in anywhere.ambiguous} == {"http://kg.test/a", "http://kg.test/b"}


def test_two_things_in_one_language_are_ambiguous(foreign: Index) -> None:
    found = search(foreign, "BANK", "en")
    assert found.match is None
    answer = lookup_answer(
        "BANK",
        spoken_languages(foreign.languages, "en"),
        ["en"],
        found,
        limit=10,
        offset=0,
        digest="sha256:0",
    )
    assert answer["ambiguous"] is True
    assert [(result["match"], result["ambiguous"]) for result in answer["results"]] == [(False, True)] * 2


def test_strict_language_leaves_other_languages_out(index: Index) -> None:
    assert ids(search(index, "compute cluster", "ja"))[0] == "target/compute_cluster"
    assert not search(index, "compute cluster", "ja", only=True, fuzzy=False).hits
    assert search(index, "NCv3", "ja", only=True).match


def test_labels_shown_mark_a_fallback(index: Index, foreign: Index) -> None:
    cluster = index.things[f"{BASE}target/compute_cluster"]
    assert cluster.shown(["it"]).value == "cluster di elaborazione"
    assert not cluster.shown(["it-CH"]).fallback
    assert cluster.shown(["ga"]).fallback
    assert cluster.shown([]).value == "compute cluster"
    assert foreign.things["http://kg.test/d"].shown(["ja"]).fallback


def test_pages_of_results_do_not_overlap(index: Index) -> None:
    found = search(index, "c", "it")
    spoken = spoken_languages(index.languages, "it")
    pages = [
        lookup_answer("c", spoken, ["it"], found, limit=5, offset=offset, digest="")["results"]
        for offset in (0, 5)
    ]
    listed = [result["id"] for page in pages for result in page]
    assert listed == ids(found)[:10]


def test_suggestions_are_beginnings_only(index: Index) -> None:
    spoken = spoken_languages(index.languages, "ja")
    found = index.suggest("サーバーレス", spoken, is_ordinary)
    assert ids(found)[0] == "target/serverless_compute"
    assert {hit.tier for hit in found.hits} == {"prefix"}


def test_properties_and_records_are_found_only_by_type(index: Index) -> None:
    assert "ontology#supportedBy" not in ids(search(index, "supported by", "en"))
    wanted = type_filter(index, ["ObjectProperty"])
    spoken = spoken_languages(index.languages, "en")
    assert "ontology#supportedBy" in ids(index.search("supported by", spoken, wanted))
    assert not [thing for thing in ids(search(index, "it-seed")) if thing.startswith("claim/")]


@pytest.mark.parametrize(
    "name", ["VMSeries", "ontology#VMSeries", "ca:VMSeries", "VM シリーズ", f"{BASE}ontology#VMSeries"]
)
def test_a_type_has_many_names(index: Index, name: str) -> None:
    found = index.search("NC", spoken_languages(index.languages, "it"), type_filter(index, [name]))
    assert found.hits
    assert {hit.thing.kind for hit in found.hits} == {"series"}


def test_a_type_includes_its_subclasses(foreign: Index) -> None:
    wanted = type_filter(foreign, ["http://kg.test/Net"])
    found = foreign.search("rete", spoken_languages(foreign.languages, "it"), wanted)
    assert sorted(ids(found)) == ["http://kg.test/a", "http://kg.test/c"]


def test_an_unknown_type_is_named_with_near_ones(index: Index) -> None:
    with pytest.raises(UnknownTerm) as error:
        type_filter(index, ["VMSerie"])
    assert error.value.parameter == "type"
    assert "VMSeries" in error.value.suggestions


@pytest.mark.parametrize(
    "name",
    [
        "target/compute_cluster",
        "target:compute_cluster",
        "コンピューティング クラスター",
        "Cluster di calcolo",
        f"{BASE}target/compute_cluster",
    ],
)
def test_a_thing_has_many_names(index: Index, name: str) -> None:
    assert resolve(index, name, "from").id == "target/compute_cluster"


def test_an_ambiguous_name_lists_its_candidates(foreign: Index) -> None:
    with pytest.raises(AmbiguousTerm, match="use one of") as error:
        resolve(foreign, "BANK", "of")
    assert error.value.suggestions == ["http://kg.test/e", "http://kg.test/f"]


def test_an_unknown_name_lists_near_ones(index: Index) -> None:
    with pytest.raises(UnknownTerm) as error:
        resolve(index, "compute clutser", "to")
    assert error.value.suggestions[0] == "target/compute_cluster"
    assert error.value.parameter == "to"


def test_an_iri_without_a_label_is_a_thing_where_the_graph_has_it(index: Index) -> None:
    iri = "http://kg.test/unnamed"
    assert resolve(index, iri, "of", is_known=lambda name: name == iri).iri == iri
    with pytest.raises(UnknownTerm):
        resolve(index, iri, "of")


def test_a_property_is_resolved_where_one_is_wanted(index: Index) -> None:
    assert resolve(index, "is supported by", "only", accepts=is_property).id == "ontology#supportedBy"


def test_only_named_resources_are_things(foreign: Index) -> None:
    assert len(foreign.things) == 6


def test_the_shipped_labels_do_not_collide(index: Index) -> None:
    check_collisions(index.things)


def test_a_collision_is_an_error_unless_it_is_declared(foreign: Index) -> None:
    with pytest.raises(
        LabelCollision, match=r'"Bank"@en \(http://kg.test/e, http://kg.test/f\).*\[lookup.ambiguous\]'
    ):
        check_collisions(foreign.things)


@pytest.mark.parametrize("query", [None, "", " \u3000\u200b", "x" * 513, "a\x00b", "\x7f", "\ud800"])
def test_a_query_that_cannot_be_looked_up_is_refused(query: str | None) -> None:
    with pytest.raises(InvalidValue) as error:
        checked_query(query)
    assert error.value.parameter == "q"
    str(error.value).encode()


def test_a_page_may_have_lines_but_no_control_characters() -> None:
    assert checked_page("a\tb\r\nc")
    with pytest.raises(InvalidValue, match=r"U\+0007 at position 1 is a control character; take it out"):
        checked_page("a\x07")
