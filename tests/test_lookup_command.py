"""The commands lookup, annotate and check, as a user meets them."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_lookup_prints_what_the_route_answers(cli: Run) -> None:
    shown = cli("lookup", "コンピューティングクラスタ", "--lang", "ja-JP", "--label-lang", "it")
    answer = json.loads(shown.stdout)
    assert shown.returncode == 0
    assert answer["query"]["lang_used"] == "ja"
    assert answer["results"][0]["label"]["value"] == "cluster di elaborazione"


def test_lookup_without_a_match_ends_with_1(cli: Run) -> None:
    shown = cli("lookup", "forno a microonde", "--lang", "it")
    assert (shown.returncode, json.loads(shown.stdout)["results"]) == (1, [])
    near = cli("lookup", "destinaz", "--format", "table", "--limit", "1")
    assert near.returncode == 1
    assert near.stdout.endswith("\tprefix\tno\n")


def test_lookup_takes_other_rdf(tmp_path: Path, cli: Run) -> None:
    data = tmp_path / "data.ttl"
    data.write_text('<http://kg.test/a> <http://www.w3.org/2000/01/rdf-schema#label> "Rete"@it .')
    shown = cli("lookup", "rete", "--data", data)
    assert json.loads(shown.stdout)["results"][0]["id"] == "http://kg.test/a"


def test_batch_adds_columns_to_csv(tmp_path: Path, cli: Run) -> None:
    table = tmp_path / "terms.csv"
    table.write_text('﻿n,name\n1,"cluster di calcolo"\n2,"a, b"\n3,\n4,NCT4_v3\n', encoding="utf-8")
    shown = cli("lookup", "--batch", table, "--column", "name", "--lang", "it")
    rows = list(csv.reader(io.StringIO(shown.stdout)))
    assert rows == [
        ["n", "name", "id", "label", "score", "tier", "match"],
        [
            "1",
            "cluster di calcolo",
            "target/compute_cluster",
            "cluster di elaborazione",
            "100",
            "exact",
            "yes",
        ],
        ["2", "a, b", "", "", "", "", "no"],
        ["3", "", "", "", "", "", "no"],
        ["4", "NCT4_v3", "series/NCasT4_v3", "NCasT4_v3", "100", "exact", "yes"],
    ]
    assert (shown.returncode, shown.stderr) == (1, "compute-atlas: 2 of 4 rows have no sure match\n")


def test_annotate_knows_markup_by_the_ending(tmp_path: Path, cli: Run) -> None:
    page = tmp_path / "page.md"
    page.write_bytes(b"**NCv3**\r\n`NCv2`")
    answer = json.loads(cli("annotate", page, "--lang", "ja").stdout)
    assert [(span["start"], span["surface"]) for span in answer["annotations"]] == [(2, "NCv3")]
    plain = json.loads(cli("annotate", page, "--markup", "plain").stdout)
    assert len(plain["annotations"]) == 2


def test_check_lists_findings_and_ends_with_1(tmp_path: Path, cli: Run) -> None:
    page = tmp_path / "page.txt"
    page.write_text("注意\nNote", encoding="utf-8")
    shown = cli("check", page, "--lang", "ja", "--format", "text")
    assert shown.returncode == 1
    assert (
        shown.stdout == f'{page}:2:1: warning: "Note" is left in English; the term is "注意" [untranslated]\n'
    )
    vale = json.loads(cli("check", page, "--lang", "ja", "--format", "vale").stdout)
    assert vale[str(page)][0]["Line"] == 2


def test_check_of_a_clean_page_ends_with_0(tmp_path: Path, cli: Run) -> None:
    page = tmp_path / "page.txt"
    page.write_text("cluster di elaborazione", encoding="utf-8")
    shown = cli("check", page, "--lang", "it")
    assert (shown.returncode, json.loads(shown.stdout)["total"]) == (0, 0)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        pytest.param(["lookup"], 2, "give either a name", id="nothing"),
        pytest.param(["lookup", "a", "--batch", "x"], 2, "give either a name", id="both"),
        pytest.param(["lookup", " "], 2, "it is blank", id="blank"),
        pytest.param(["lookup", "a", "--lang", "ja_JP"], 2, "BCP 47", id="lang"),
        pytest.param(["lookup", "a", "--type", "VMSerie"], 1, "did you mean", id="type"),
        pytest.param(["lookup", "--batch", "{dir}/none.csv"], 1, "there is no such file", id="no-batch"),
        pytest.param(["lookup", "--batch", "{dir}/empty.csv"], 2, "is empty", id="empty-batch"),
        pytest.param(["lookup", "--batch", "{dir}/page.txt", "--column", "x"], 2, 'no column "x"', id="column"),
        pytest.param(["annotate", "{dir}/none.txt"], 1, "there is no such file", id="no-page"),
        pytest.param(["annotate", "{dir}/latin.txt"], 1, "latin.txt:2: it is not UTF-8", id="latin"),
        pytest.param(["annotate", "{dir}"], 1, "it cannot be read", id="folder"),
        pytest.param(["check", "{dir}/page.txt"], 2, "Missing option '--lang'", id="no-lang"),
        pytest.param(["check", "{dir}/page.txt", "--lang", "ga"], 2, "use one of: en, it, ja", id="language"),
        pytest.param(["check", "{dir}/empty.csv", "--lang", "ja"], 2, "it is blank", id="empty-page"),
    ],
)  # fmt: skip
def test_bad_input_is_one_clear_sentence(
    arguments: list[str], code: int, words: str, tmp_path: Path, cli: Run
) -> None:
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "page.txt").write_text("name")
    (tmp_path / "latin.txt").write_bytes(b"a\n\xe8")
    shown = cli(*(argument.format(dir=tmp_path) for argument in arguments))
    assert (shown.returncode, shown.stdout) == (code, "")
    assert words in shown.stderr
    assert "Traceback" not in shown.stderr
