"""Annotation: what is marked in a text, where exactly, and what must not be."""

from __future__ import annotations

import bisect
import time
from pathlib import Path

import pytest
from compute_atlas.graph.errors import InvalidValue
from compute_atlas.graph.lookup.annotation import Annotation
from compute_atlas.graph.lookup.answers import annotation_answer
from compute_atlas.graph.lookup.resolve import is_ordinary, type_filter
from compute_atlas.graph.lookup.terms import Terms, read_terms
from compute_atlas.graph.lookup.textmap import UNITS, Offsets
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Quad, RdfFormat, parse

LINES, EQUAL_LINES = 133, 120
ANNOTATION_LIMIT_S = 0.1


@pytest.fixture(scope="module")
def terms(quads: list[Quad]) -> Terms:
    return read_terms(quads, "sha256:0")


def annotate(
    terms: Terms, text: str, lang: str = "*", form: str = "plain", **options: bool
) -> list[Annotation]:
    return terms.annotator(lang).annotate(text, form, is_ordinary, **options)


def found(terms: Terms, text: str, lang: str = "*", form: str = "plain") -> list[tuple[str, str]]:
    """Return surface and id of each annotation."""
    spans = annotate(terms, text, lang, form)
    return [(text[span.start : span.end], span.names[0].thing.id) for span in spans]


@pytest.mark.parametrize(
    ("text", "lang", "marked"),
    [
        pytest.param("シリーズはNCasT4_v3です。", "ja", [("NCasT4_v3", "series/NCasT4_v3")], id="latin-in-japanese"),
        pytest.param("ＮＣｖ３を選ぶ", "ja", [("ＮＣｖ３", "series/NCv3")], id="full-width"),
        pytest.param("OSディスク", "ja", [("OSディスク", "term/os_disk")], id="blank-left-out"),
        pytest.param("CUDA ト\u3099ライハ\u3099ー", "ja", [("CUDA ト\u3099ライハ\u3099ー", "term/cuda_driver")], id="decomposed"),
        pytest.param("per l’inferenza", "it", [("inferenza", "term/inference")], id="curly-apostrophe"),
        pytest.param("CLUSTER DI ELABORAZIONE", "it", [("CLUSTER DI ELABORAZIONE", "target/compute_cluster")], id="upper-case"),
        pytest.param('コンピューティング "クラスター"の場合', "ja", [('コンピューティング "クラスター"', "target/compute_cluster")], id="emphasis-behind"),
        pytest.param('"アンマネージド" コンピューティング先は', "ja", [('"アンマネージド" コンピューティング先', "ontology#UnmanagedCompute")], id="emphasis-in-front"),
        pytest.param('"コンピューティング ターゲット" とは', "ja", [("コンピューティング ターゲット", "ontology#ComputeTarget")], id="quoted-term"),
        pytest.param('"cluster" di elaborazione', "it", [], id="quotes-in-latin"),
        pytest.param("cluster \n di elaborazione", "it", [], id="line-break"),
        pytest.param("Non serve un cluster. Di elaborazione parliamo poi.", "it", [], id="sentence-end"),
        pytest.param("si, una volta", "it", [], id="accent-and-case"),
        pytest.param("CUDA 11.0.3", "it", [], id="longer-version"),
        pytest.param("9.0+ e 19.0+", "it", [("9.0+", "cuda/9.0")], id="version-inside-number"),
        pytest.param("NC24rs_v3", "it", [("NC24rs_v3", "size/Standard_NC24rs_v3")], id="size-without-tier"),
        pytest.param("NCv3\u0301, NCv3\u20d0, NC__v3", "it", [], id="mark-behind-a-letter"),
        pytest.param("un\u00admanaged compute", "en", [("un\u00admanaged compute", "ontology#UnmanagedCompute")], id="soft-hyphen"),
        pytest.param("nc e ND", "it", [("ND", "series/ND")], id="case-of-identifiers"),
        pytest.param("ではいけません", "ja", [], id="word-inside-hiragana"),
        pytest.param("はい。", "ja", [("はい", "term/yes")], id="word-of-hiragana"),
        pytest.param("クラスタリング", "ja", [], id="inside-katakana"),
        pytest.param("H", "it", [], id="one-letter"),
        pytest.param("| H | 汎用 |", "ja", [("H", "series/H"), ("汎用", "category/general_purpose")], id="one-letter-in-a-cell"),
        pytest.param("la serie H, il punto H", "it", [("H", "series/H")], id="one-letter-beside-its-kind"),
        pytest.param("H-series", "en", [("H-series", "series/H")], id="one-letter-before-its-kind"),
        pytest.param("H シリーズ", "ja", [("H", "series/H")], id="one-letter-and-japanese-kind"),
    ],
)  # fmt: skip
def test_what_is_marked(terms: Terms, text: str, lang: str, marked: list[tuple[str, str]]) -> None:
    assert found(terms, text, lang) == marked


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        pytest.param("[GPU](https://kg.test/GPU) GPU", ["GPU", "GPU"], id="link-target"),
        pytest.param("![GPU](GPU.png 'GPU')", ["GPU"], id="image"),
        pytest.param("[x]: GPU.md\nGPU", ["GPU"], id="definition"),
        pytest.param("```\nGPU\n```\nGPU", ["GPU"], id="fence"),
        pytest.param("`` GPU ` `` GPU", ["GPU"], id="code-span"),
        pytest.param("<!-- GPU --><b title='GPU'>GPU</b>", ["GPU"], id="html"),
        pytest.param("https://kg.test/GPU/x GPU", ["GPU"], id="address"),
        pytest.param("Standard\\_NC24rs\\_v3", ["Standard\\_NC24rs\\_v3"], id="escape"),
        pytest.param("_GPU_ **NCv3**", ["GPU", "NCv3"], id="emphasis"),
        pytest.param("| **H** |", ["H"], id="cell"),
        pytest.param("---\ntitle: GPU\n---\nGPU", ["GPU"], id="front-matter"),
        pytest.param("a\n\n    NC\n\n\tNC\n\nGPU", ["GPU"], id="indented-code"),
        pytest.param("    NC\n\n```\nNC\n```\n\n    NC\nGPU", ["GPU"], id="indented-code-around-a-fence"),
        pytest.param("GPU\n    GPU", ["GPU", "GPU"], id="no-code-inside-a-paragraph"),
        pytest.param("1. a\n\n    GPU\n\nb\n\n    NC", ["GPU"], id="no-code-inside-a-list"),
        pytest.param("!!! note\n\n    GPU", ["GPU"], id="no-code-inside-a-note"),
        pytest.param("un**managed compute**", ["compute"], id="word-across-emphasis"),
        pytest.param("**NC**v3, ~~NC~~v3, NC\\_v3", [], id="name-across-emphasis"),
        pytest.param("[NC](x)v3, un[managed compute][1]", ["compute"], id="word-across-a-link"),
        pytest.param("*NC*, **ND**. NC[1] [NC](x)", ["NC", "ND", "NC", "NC"], id="marks-beside-names"),
        pytest.param("NC<!-- --><b>v3</b>", [], id="name-across-tags"),
    ],
)
def test_markdown_is_left_alone(terms: Terms, text: str, marked: list[str]) -> None:
    assert [surface for surface, _ in found(terms, text, form="markdown")] == marked


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        pytest.param('<a href="GPU">GPU</a><code>GPU</code><script>GPU</script>', ["GPU"], id="tags"),
        pytest.param("<table><tr><td>H</td><td>NC</td></tr></table>", ["H", "NC"], id="cells"),
        pytest.param("<p>H</p>", [], id="no-cell"),
        pytest.param("cluster&nbsp;di&#32;elaborazione", ["cluster&nbsp;di&#32;elaborazione"], id="entities"),
        pytest.param("<p>cluster di</p><p>elaborazione</p>", [], id="blocks"),
        pytest.param("1 < 2 GPU > 1", ["GPU"], id="no-tag"),
        pytest.param("<!-- GPU", [], id="open-comment"),
        pytest.param("<b>NC</b>v3, un<i>managed</i>NC", [], id="word-across-tags"),
        pytest.param("NC&#118;4, NC&#x301;", [], id="word-across-entities"),
        pytest.param(
            "<b>NC</b> v3, NC<sup>1</sup>, <td>ND</td>x", ["NC", "NC", "ND"], id="tags-between-words"
        ),
    ],
)
def test_html_is_left_alone(terms: Terms, text: str, marked: list[str]) -> None:
    assert [surface for surface, _ in found(terms, text, "it", "html")] == marked


def test_an_unknown_markup_is_named(terms: Terms) -> None:
    with pytest.raises(
        InvalidValue, match='format="rtf": there is no such format; use one of: plain, markdown'
    ):
        annotate(terms, "x", form="rtf")


def test_overlaps_give_the_names_inside_names(terms: Terms) -> None:
    text = "istanza di ambiente di calcolo"
    spans = annotate(terms, text, "it", overlaps=True)
    assert [text[span.start : span.end] for span in spans] == [text, "ambiente di calcolo", "calcolo"]


def test_types_choose_before_the_longest_wins(terms: Terms) -> None:
    series = type_filter(terms.index, ["VMSeries"])
    text = "NC Promo, GPU, NC"
    spans = terms.annotator("it").annotate(text, "plain", series)
    assert [text[span.start : span.end] for span in spans] == ["NC Promo", "NC"]


def test_names_of_several_things_are_all_listed() -> None:
    text = '@prefix e: <http://kg.test/> . @prefix r: <http://www.w3.org/2000/01/rdf-schema#> . e:a r:label "pool"@en . e:b r:label "Pool"@en .'
    pools = read_terms(parse(text, format=RdfFormat.TURTLE), "")
    answer = annotation_answer("a pool", annotate(pools, "a pool", "en"), "codepoint")
    assert answer["annotations"] == [
        {
            "start": 2,
            "end": 6,
            "surface": "pool",
            "id": "http://kg.test/a",
            "iri": "http://kg.test/a",
            "label_kind": "label",
            "lang": "en",
            "candidates": [
                {"id": "http://kg.test/b", "iri": "http://kg.test/b", "label_kind": "label", "lang": "en"}
            ],
        }
    ]


def test_a_graph_without_labels_marks_nothing() -> None:
    assert annotate(read_terms([], ""), "NC") == []


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.sampled_from(UNITS))
def test_offsets_agree_with_encoding(text: str, unit: str) -> None:
    offsets = Offsets(text, unit)
    for place in range(len(text) + 1):
        head = text[:place]
        expected = {
            "codepoint": place,
            "utf-16": len(head.encode("utf-16-le")) // 2,
            "utf-8": len(head.encode()),
        }
        assert offsets.of(place) == expected[unit]


def test_lines_end_as_editors_count_them() -> None:
    offsets = Offsets("a\r\nb\nc\rd")
    assert [offsets.line_and_column(place) for place in (0, 3, 5, 7)] == [(1, 1), (2, 1), (3, 1), (4, 1)]


@given(st.text(alphabet="NCcluster di\n|`*_ <>&;クラスター。H、シリーズ\u3099ﾞé"))
def test_annotations_lie_in_the_text_in_order(text: str) -> None:
    pools = _few_terms()
    for form in ("plain", "markdown", "html"):
        place = 0
        for span in annotate(pools, text, form=form):
            assert place <= span.start < span.end <= len(text)
            assert "\n" not in text[span.start : span.end]
            place = span.end


def _few_terms() -> Terms:
    text = """@prefix e: <http://kg.test/> . @prefix r: <http://www.w3.org/2000/01/rdf-schema#> .
    e:a r:label "NC", "cluster"@en, "クラスター"@ja . e:b r:label "cluster di cluster"@it, "シリーズ"@ja ."""
    return read_terms(parse(text, format=RdfFormat.TURTLE), "")


@pytest.mark.parametrize("lang", ["ja", "it"])
def test_a_whole_document_is_fast_and_free_of_known_traps(terms: Terms, shared: Path, lang: str) -> None:
    text = (shared / "editions" / f"{lang}-seed.txt").read_text(encoding="utf-8")
    annotate(terms, text, lang)
    start = time.process_time()
    spans = annotate(terms, text, lang)
    assert time.process_time() - start < ANNOTATION_LIMIT_S
    surfaces = {text[span.start : span.end] for span in spans}
    assert len(spans) > 300
    assert not surfaces & {"si", "Una volta", "volta"}


def test_aligned_lines_name_the_same_things(terms: Terms, shared: Path) -> None:
    named = {}
    for lang in ("ja", "it"):
        text = (shared / "editions" / f"{lang}-seed.txt").read_text(encoding="utf-8")
        starts = [0, *(place + 1 for place, character in enumerate(text) if character == "\n")]
        lines: list[set[str]] = [set() for _ in range(LINES)]
        for span in annotate(terms, text, lang):
            lines[bisect.bisect_right(starts, span.start) - 1].add(span.names[0].thing.id)
        named[lang] = lines
    equal = sum(left == right for left, right in zip(named["ja"], named["it"], strict=True))
    assert equal >= EQUAL_LINES
