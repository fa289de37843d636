"""The command `query`, and how `serve` refuses to start."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., subprocess.CompletedProcess[str]]
DATA = '@prefix e: <http://e/> . e:a e:p "シリーズ"@ja , "b\\nc" , 1 . e:bb e:p series:x .\n'


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "data.ttl"
    file.write_text("@prefix series: <https://w3id.org/compute-atlas/series/> .\n" + DATA, encoding="utf-8")
    return file


def test_a_select_is_a_table_with_columns_of_japanese_width(cli: Cli, data: Path) -> None:
    done = cli("query", "SELECT ?o ?s { ?s ?p ?o } ORDER BY ?s STR(?o)", "--data", data)
    assert done.stdout.splitlines() == [
        "o             s",
        "────────────  ─────────────",
        "1             <http://e/a>",
        "b c           <http://e/a>",
        "シリーズ @ja  <http://e/a>",
        "series:x      <http://e/bb>",
    ]


@pytest.mark.parametrize(
    ("query", "options", "output"),
    [
        ("ASK {}", [], "true\n"),
        ("ASK { ?s ?p 2 }", [], "false\n"),
        ("ASK {}", ["--format", "json"], '{"head":{},"boolean":true}'),
        ("SELECT ?o { ?s ?p ?o FILTER(ISNUMERIC(?o)) }", ["--format", "csv"], "o\r\n1\r\n"),
        ("CONSTRUCT WHERE { ?s ?p 1 }", [], "<http://e/a> <http://e/p> 1 .\n"),
        ("CONSTRUCT WHERE { ?s ?p 1 }", ["--format", "jsonld"], '[{"@id":"http://e/a"'),
        ("SELECT ?x {}", [], "x\n─\n\n"),
    ],
)
def test_formats(data: Path, query: str, options: list[str], output: str) -> None:
    # Not `text=True`: CSV has its own ends of lines.
    from tests.serving import COMMAND

    done = subprocess.run(
        [COMMAND, "query", query, "--data", data, *options], capture_output=True, check=True
    )
    assert done.stdout.decode().startswith(output)


def test_a_query_may_come_from_a_file_or_standard_input(cli: Cli, data: Path, tmp_path: Path) -> None:
    file = tmp_path / "count.rq"
    file.write_text("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", encoding="utf-8-sig")
    assert cli("query", file, "--data", data, "--format", "csv").stdout == "n\n4\n"


def test_a_file_may_be_a_named_graph(cli: Cli, data: Path) -> None:
    done = cli(
        "query", "SELECT DISTINCT ?g { GRAPH ?g {} }", "--data", f"{data}=http://e/g?a=b", "--format", "csv"
    )
    assert done.stdout == "g\nhttp://e/g?a=b\n"


def test_a_syntax_error_shows_the_line(cli: Cli, data: Path) -> None:
    done = cli("query", "SELECT *\n{ ?s ?p }", "--data", data)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        'compute-atlas: line 2, column 9: "}" cannot stand here',
        "{ ?s ?p }",
        "        ^",
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["query", "ASK {}", "--format", "docx"], 2, "docx"),
        (["query", "ASK {}", "--format", "csv"], 2, "table, json, xml"),
        (["query", "SELECT * {}", "--format", "turtle"], 2, "turtle"),
        (["query"], 2, "QUERY"),
        (["query", "none.rq"], 1, "none.rq: there is no such file; check the name"),
        (["query", "ASK {} #\udcff"], 2, '"ASK {} #\\udcff" is not UTF-8'),
        (["query", "ASK {}", "--data", "none.ttl"], 1, "none.ttl: there is no such file"),
        (["query", "ASK {}", "--data", ""], 1, "the file's name is missing"),
        (["query", "ASK {}", "--data", "=http://e/"], 1, "the file's name is missing"),
        (["query", "ASK {}", "--data", "README.md=rel"], 1, '"rel"; give an absolute IRI'),
        (["query", "ASK {}", "--data", "README.md=http://e/ x"], 1, '"http://e/ x"; give an absolute IRI'),
        (["query", "ASK {}", "--data", "long" * 100], 1, "long: it cannot be read"),
        (["query", "ASK { SERVICE <http://e/> {} }"], 1, "SERVICE is not allowed"),
        (["query", "SELECT (<http://e/f>() AS ?x) {}"], 1, "no function <http://e/f>"),
        (["serve", "--data", "none.ttl"], 1, "none.ttl: there is no such file"),
        (["serve", "--port", "x"], 2, "x"),
        (["serve", "--port", "70000"], 2, "70000"),
        (["serve", "--host", "192.0.2.1"], 1, "cannot listen on 192.0.2.1:8765"),
        (["serve", "--timeout", "0"], 2, "0"),
        (["serve", "--timeout", "nan"], 2, "nan is no number of seconds"),
        (["serve", "--timeout", "inf"], 2, "inf is not in the range"),
        (["serve", "extra"], 2, "extra"),
    ],
)
def test_wrong_use_is_one_clear_sentence(cli: Cli, arguments: list[str], code: int, words: str) -> None:
    done = cli(*arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_in_use_is_told(cli: Cli) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        done = cli("serve", "--port", str(other.getsockname()[1]))
    assert done.returncode == 1
    assert "Address already in use; choose another --host or --port" in done.stderr


def test_a_wrong_setting_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPUTE_ATLAS_WEB_THREADS", "many")
    done = cli("serve")
    assert done.returncode == 2
    assert 'COMPUTE_ATLAS_WEB_THREADS is "many"' in done.stderr


def test_imports_that_are_not_followed_are_named(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "o.ttl"
    file.write_text("<http://e/o> <http://www.w3.org/2002/07/owl#imports> <http://e/other> .")
    assert "<http://e/other> is not followed" in cli("query", "ASK {}", "--data", file).stderr


def test_a_query_on_a_small_file_is_quick(cli: Cli, data: Path) -> None:
    started = time.perf_counter()
    cli("query", "ASK {}", "--data", data)
    assert time.perf_counter() - started < 1.0
