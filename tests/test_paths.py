"""Paths are the right ones, whatever holds the graph: arrays in memory or an engine asked in batches."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import networkx
import pytest
from compute_atlas.graph.store import open_store
from compute_atlas.graph.walking.frontier import Frontier, asking
from compute_atlas.graph.walking.links import ANNOTATION_CLASSES, Filter
from compute_atlas.graph.walking.paths import DEFAULT_LIMITS, Found, Limits, Question, find_paths
from compute_atlas.graph.walking.projection import Projection, project
from compute_atlas.ontology.names import BASE, ONTOLOGY, OWL, RDF, RDFS, SKOS
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, Store, parse

HERE = "http://kg.test/"
TYPE = f"{RDF}type"


def store_of(text: str) -> Store:
    """Return a store of Turtle with the prefix e: for things and predicates of the test."""
    prefixes = (
        f"@prefix e: <{HERE}> . @prefix ca: <{ONTOLOGY}> . @prefix owl: <{OWL}> . @prefix skos: <{SKOS}> .\n"
    )
    prefixes += f"@prefix rdfs: <{RDFS}> .\n"
    return open_store(parse((prefixes + text).encode(), format=RdfFormat.TURTLE))


def in_memory(store: Store, question: Question, limits: Limits = DEFAULT_LIMITS) -> Found:
    return find_paths(project(store, with_annotations=question.filter.asks_for_annotations), question, limits)


def in_batches(store: Store, question: Question, limits: Limits = DEFAULT_LIMITS) -> Found:
    return find_paths(Frontier(asking(store)), question, limits)


def e(names: str) -> tuple[str, ...]:
    return tuple(HERE + name for name in names.split())


@pytest.mark.parametrize("find", [in_memory, in_batches], ids=["arrays", "engine"])
class TestPaths:
    """What both ways to hold a graph have in common."""

    def paths(self, find: Callable[..., Found], text: str, ends: str, **options: Any) -> list[str]:
        """Return the paths from the first to the second end, as names of nodes."""
        found = find(store_of(text), self.question(ends, **options))
        assert found.is_complete
        return [" ".join(iri.removeprefix(HERE) for iri in path) for path in found.paths]

    def question(self, ends: str, **options: Any) -> Question:
        source, target = e(ends)
        via = e(options.pop("via", ""))
        sets = {
            name: frozenset(
                iri if iri.startswith("http") else HERE + iri for iri in options.pop(name).split()
            )
            for name in ("only", "without", "avoid", "types")
            if name in options
        }
        links = Filter(both_ways=options.pop("both_ways", False), **sets)
        return Question(source, target, filter=links, via=via, **options)

    def test_all_shortest_paths_are_listed_in_order_of_id(self, find: Any) -> None:
        text = "e:a e:p e:x2, e:x10, e:x1 . e:x1 e:p e:b . e:x2 e:p e:b . e:x10 e:p e:b . e:x1 e:p e:x2 ."
        assert self.paths(find, text, "a b") == ["a x1 b", "a x10 b", "a x2 b"]

    def test_all_paths_come_by_number_of_hops(self, find: Any) -> None:
        text = "e:a e:p e:b, e:c . e:c e:p e:b, e:d . e:d e:p e:b ."
        assert self.paths(find, text, "a b", mode="all") == ["a b", "a c b", "a c d b"]
        assert self.paths(find, text, "a b", mode="all", max_hops=2) == ["a b", "a c b"]
        assert self.paths(find, text, "a b", mode="k", k=2) == ["a b", "a c b"]
        assert self.paths(find, text, "a b") == ["a b"]

    def test_a_path_never_comes_back(self, find: Any) -> None:
        text = "e:a e:p e:c . e:c e:p e:d, e:a . e:d e:p e:c, e:b ."
        assert self.paths(find, text, "a b", mode="all") == ["a c d b"]
        assert self.paths(find, text, "a b", mode="all", both_ways=True) == ["a c d b"]

    def test_parallel_predicates_are_one_path(self, find: Any) -> None:
        text = "e:a e:p e:b ; e:q e:b . e:b e:p e:c . e:c e:q e:b ."
        assert self.paths(find, text, "a c", mode="all") == ["a b c"]
        assert self.paths(find, text, "a c", mode="all", both_ways=True) == ["a b c"]

    def test_a_link_to_itself_is_no_step(self, find: Any) -> None:
        text = "e:a e:p e:a, e:b . e:b e:p e:b ."
        assert self.paths(find, text, "a b", mode="all") == ["a b"]
        assert self.paths(find, text, "a a", mode="all") == ["a"]

    def test_from_a_thing_to_itself_is_one_path_without_a_step(self, find: Any) -> None:
        for mode in ("shortest", "all", "k"):
            assert self.paths(find, "e:a e:p e:b . e:b e:p e:a .", "a a", mode=mode) == ["a"]
        assert self.paths(find, "e:a e:p e:b .", "a a", via="b") == []

    def test_direction_counts_unless_any_is_asked_for(self, find: Any) -> None:
        text = "e:a e:p e:b . e:c e:p e:b ."
        assert self.paths(find, text, "a c") == []
        assert self.paths(find, text, "a c", both_ways=True) == ["a b c"]

    def test_ends_without_links_have_no_path(self, find: Any) -> None:
        text = 'e:a e:p e:b . e:island rdfs:label "island" . e:x e:p e:y .'
        assert self.paths(find, text, "a island", both_ways=True) == []
        assert self.paths(find, text, "island a", both_ways=True) == []
        assert self.paths(find, text, "a y", both_ways=True, mode="all") == []
        assert self.paths(find, text, "island island") == ["island"]

    @pytest.mark.parametrize("mode", ["shortest", "all", "k"])
    def test_one_hop_finds_neighbours_only(self, find: Any, mode: str) -> None:
        text = "e:a e:p e:b . e:b e:p e:c ."
        assert self.paths(find, text, "a b", max_hops=1, mode=mode) == ["a b"]
        assert self.paths(find, text, "a c", max_hops=1, mode=mode) == []
        assert self.paths(find, text, "a c", max_hops=2, mode=mode) == ["a b c"]

    def test_literals_blank_nodes_and_types_connect_nothing(self, find: Any) -> None:
        text = 'e:a e:p "x", [ e:p e:b ], e:Class . e:b e:p "x" ; a e:Class . e:a a e:Class .'
        assert self.paths(find, text, "a b", both_ways=True, without="p") == []
        assert self.paths(find, "e:a a e:C . e:b a e:C .", "a b", both_ways=True) == []
        assert self.paths(find, "e:a a e:C . e:b a e:C .", "a b", both_ways=True, only=TYPE) == ["a C b"]
        assert self.paths(find, "e:a e:p [ e:p e:b ] .", "a b", only="p") == []

    @pytest.mark.parametrize("predicate", ["ca:nextVersion", "skos:inScheme"])
    def test_scheme_and_order_connect_only_when_asked(self, find: Any, predicate: str) -> None:
        text = f"e:a {predicate} e:b . e:b {predicate} e:c ."
        whole = predicate.replace("ca:", ONTOLOGY).replace("skos:", SKOS)
        assert self.paths(find, text, "a c") == []
        assert self.paths(find, text, "a c", only=whole) == ["a b c"]
        assert self.paths(find, text, "a c", only=f"{whole} p", without=whole) == []

    @pytest.mark.parametrize("kind", ANNOTATION_CLASSES)
    def test_annotations_and_doubts_connect_only_when_asked(self, find: Any, kind: str) -> None:
        text = f"e:n a <{kind}> ; ca:claimSubject e:a ; ca:claimObject e:b . e:a e:p e:n . e:n e:p e:b ."
        assert self.paths(find, text, "a b", both_ways=True) == []
        asked = f"{ONTOLOGY}claimSubject {ONTOLOGY}claimObject"
        assert self.paths(find, text, "a b", both_ways=True, only=asked) == ["a n b"]

    def test_sides_of_a_disagreement_connect_nothing(self, find: Any) -> None:
        text = "e:n ca:side e:s . e:s e:p e:a, e:b ."
        assert self.paths(find, text, "a b", both_ways=True) == []

    def test_only_and_without_choose_predicates(self, find: Any) -> None:
        text = "e:a e:p e:b ; e:q e:c . e:c e:q e:b . e:a e:r e:b ."
        assert self.paths(find, text, "a b", only="q") == ["a c b"]
        assert self.paths(find, text, "a b", without="p r") == ["a c b"]
        assert self.paths(find, text, "a b", only="p q", without="p") == ["a c b"]
        assert self.paths(find, text, "a b", only="nothing") == []

    def test_avoid_keeps_off_things(self, find: Any) -> None:
        text = "e:a e:p e:x, e:y . e:x e:p e:b . e:y e:p e:b ."
        assert self.paths(find, text, "a b", avoid="x") == ["a y b"]
        assert self.paths(find, text, "a b", avoid="x y") == []
        assert self.paths(find, text, "a b", avoid="b") == []
        assert self.paths(find, text, "a a", avoid="a") == []

    def test_via_is_on_every_path_in_any_order(self, find: Any) -> None:
        text = "e:a e:p e:b, e:x, e:y . e:x e:p e:y, e:b . e:y e:p e:x, e:b ."
        assert self.paths(find, text, "a b", via="x") == ["a x b"]
        assert self.paths(find, text, "a b", via="y x") == ["a x y b", "a y x b"]
        assert self.paths(find, text, "a b", via="x", mode="all") == ["a x b", "a x y b", "a y x b"]
        assert self.paths(find, text, "a b", via="a b") == ["a b"]
        assert self.paths(find, text, "a b", via="x y", max_hops=2) == []
        assert self.paths(find, text, "a b", via="elsewhere") == []

    def test_via_takes_a_detour_where_the_short_way_would_come_back(self, find: Any) -> None:
        text = "e:a e:p e:m . e:m e:p e:v, e:b . e:v e:p e:m, e:w . e:w e:p e:b ."
        assert self.paths(find, text, "a b", via="v") == ["a m v w b"]

    def test_types_are_those_of_the_nodes_between_the_ends(self, find: Any) -> None:
        text = "e:a e:p e:x, e:y, e:b . e:x a e:Sub ; e:p e:b . e:y a e:Other ; e:p e:b . e:Sub rdfs:subClassOf e:Kind ."
        assert self.paths(find, text, "a b", types="Kind", mode="all") == ["a b", "a x b"]
        assert self.paths(find, text, "a b", types="Kind Other", mode="all") == ["a b", "a x b", "a y b"]
        assert self.paths(find, text, "a b", types="Nothing", mode="all") == ["a b"]
        assert self.paths(find, text, "a b", types="Kind", via="y", mode="all") == ["a y b"]

    def test_order_is_that_of_ids_and_not_of_iris(self, find: Any) -> None:
        text = f"e:a e:p <{BASE}zebra/1>, <http://other.test/x> . <{BASE}zebra/1> e:p e:b . <http://other.test/x> e:p e:b ."
        found = find(store_of(text), self.question("a b"))
        assert [path[1] for path in found.paths] == ["http://other.test/x", f"{BASE}zebra/1"]

    def test_a_list_cut_by_a_limit_says_so(self, find: Any) -> None:
        text = "e:a e:p " + ", ".join(f"e:x{n}" for n in range(9)) + " .\n"
        text += "\n".join(f"e:x{n} e:p e:b ." for n in range(9))
        found = find(store_of(text), self.question("a b"), Limits(paths=8))
        assert (len(found.paths), found.is_complete) == (8, False)
        assert find(store_of(text), self.question("a b"), Limits(paths=9)).is_complete
        assert find(store_of(text), self.question("a b", mode="k", k=8), Limits(paths=8)).is_complete
        assert find(store_of(text), self.question("a b"), Limits(links=3)) == Found([], False)

    def test_time_ends_a_search(self, find: Any) -> None:
        nodes = range(20)
        text = "\n".join(f"e:n{a} e:p e:n{b} ." for a in nodes for b in nodes if a != b)
        found = find(
            store_of(text), self.question("n0 n1", mode="all", max_hops=12), Limits(10**9, 10**12, 0.2)
        )
        assert not found.is_complete
        assert len(found.paths) > 100

    def test_time_ends_a_search_for_ways_through_things_that_do_not_connect(self, find: Any) -> None:
        text = "\n".join(f"e:n{a} e:p e:n{(a + 1) % 3}, e:n{(a + 2) % 3} ." for a in range(3))
        text += " e:n0 e:p e:v, e:w, e:x, e:y . e:v e:p e:n1 . e:w e:p e:n1 . e:x e:p e:n1 . e:y e:p e:n1 ."
        started = time.perf_counter()
        question = self.question("n0 n2", via="v w x y", max_hops=50)
        assert find(store_of(text), question, Limits(seconds=0.3)).paths == []
        assert time.perf_counter() - started < 3

    def test_a_hub_is_passed_and_started_from(self, find: Any) -> None:
        hub = NamedNode(f"{HERE}hub")
        link = NamedNode(f"{HERE}p")
        size = 100_000 if find is in_memory else 5_000
        spokes = [NamedNode(f"{HERE}n{number:06}") for number in range(size)]
        store = Store()
        store.bulk_extend(Quad(hub, link, spoke) for spoke in spokes)
        store.extend([Quad(NamedNode(f"{HERE}a"), link, hub), Quad(spokes[7], link, NamedNode(f"{HERE}b"))])
        assert find(store, self.question("a b")).paths == [e("a hub n000007 b")]
        assert find(store, self.question("hub b", mode="all")).paths == [e("hub n000007 b")]
        both = self.question("n000001 n000002", both_ways=True, mode="all")
        assert find(store, both).paths == [e("n000001 hub n000002")]


@pytest.mark.parametrize("find", [in_memory, in_batches], ids=["arrays", "engine"])
@settings(max_examples=60, deadline=None)
@given(
    links=st.lists(st.tuples(*[st.integers(0, 7)] * 2, st.sampled_from("pq")), max_size=25),
    max_hops=st.integers(1, 5),
    both_ways=st.booleans(),
)
def test_paths_are_those_that_networkx_finds(
    find: Any, links: list[tuple[int, int, str]], max_hops: int, both_ways: bool
) -> None:
    store = Store()
    graph: Any = networkx.Graph() if both_ways else networkx.DiGraph()
    graph.add_nodes_from(e("0 1"))
    for start, end, predicate in links:
        iris = [f"{HERE}{name}" for name in (start, predicate, end)]
        store.add(Quad(*(NamedNode(iri) for iri in iris)))
        graph.add_edge(iris[0], iris[2])
    source, target = e("0 1")
    wanted = sorted(
        map(tuple, networkx.all_simple_paths(graph, source, target, max_hops)), key=lambda p: (len(p), p)
    )

    def paths(mode: Any, k: int = 3) -> list[tuple[str, ...]]:
        found = find(store, Question(source, target, mode, k, max_hops, filter=Filter(both_ways)))
        assert found.is_complete
        return list(found.paths)

    assert paths("all") == wanted
    assert paths("k", 4) == wanted[:4]
    assert paths("shortest") == [path for path in wanted if len(path) == len(wanted[0])]
    if wanted:
        lengths = [len(path) for path in networkx.shortest_simple_paths(graph, source, target)][:4]
        assert [len(path) for path in paths("k", 4)] == [
            length for length in lengths if length <= max_hops + 1
        ]


def test_a_hub_costs_no_more_than_looking_at_it_once() -> None:
    store = Store()
    link = NamedNode(f"{HERE}p")
    hub = NamedNode(f"{HERE}hub")
    store.bulk_extend(Quad(NamedNode(f"{HERE}n{number}"), link, hub) for number in range(100_000))
    projection = project(store)
    started = time.perf_counter()
    question = Question(f"{HERE}n1", f"{HERE}n2", "all", max_hops=6, filter=Filter(both_ways=True))
    assert find_paths(projection, question).paths == [e("n1 hub n2")]
    assert time.perf_counter() - started < 2


def test_projection_leaves_out_what_is_no_link() -> None:
    store = Store()
    thing, link = NamedNode(f"{HERE}a"), NamedNode(f"{HERE}p")
    store.extend(
        [Quad(thing, link, Literal("x")), Quad(thing, link, BlankNode("b")), Quad(thing, link, thing)]
    )
    projection = project(store)
    assert projection.iris == []
    assert projection.node(thing.value) is None


@pytest.fixture(scope="module")
def embedded(store: Store) -> Projection:
    return project(store)


@pytest.mark.parametrize(
    ("ends", "options", "wanted"),
    [
        pytest.param(
            "size/Standard_NC24rs_v3 cuda/11.8", {}, ["size/Standard_NC24rs_v3 cuda/11.8"], id="size-to-cuda"
        ),
        pytest.param(
            "size/Standard_F72s_v2 target/compute_cluster",
            {},
            ["size/Standard_F72s_v2 series/FSv2 target/compute_cluster"],
            id="size-to-target",
        ),
        pytest.param(
            "size/Standard_NC24rs_v3 use/designer",
            {},
            [
                f"size/Standard_NC24rs_v3 series/NCv3 target/{target} use/designer"
                for target in ("compute_cluster", "compute_instance")
            ],
            id="size-to-use",
        ),
    ],
)
def test_paths_of_the_embedded_graph(
    embedded: Projection, ends: str, options: dict[str, Any], wanted: list[str]
) -> None:
    source, target = (BASE + name for name in ends.split())
    found = find_paths(embedded, Question(source, target, **options))
    assert [" ".join(iri.removeprefix(BASE) for iri in path) for path in found.paths] == wanted


def test_a_graph_may_have_more_predicates_than_two_bytes_count() -> None:
    links = (
        Quad(NamedNode(f"{HERE}a"), NamedNode(f"{HERE}p{n}"), NamedNode(f"{HERE}b")) for n in range(66_000)
    )
    ground = project(open_store(links))
    last = frozenset({f"{HERE}p65999"})
    question = Question(f"{HERE}a", f"{HERE}b", filter=Filter(only=last))
    assert find_paths(ground, question).paths == [e("a b")]
