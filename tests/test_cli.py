"""The command line as a user meets it: output, errors in one sentence, exit codes, speed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from compute_atlas.server.cli import COMMANDS

CORPORA = Path(__file__).parent / "corpora"
Run = Callable[..., subprocess.CompletedProcess[str]]


def test_help_names_every_command_and_is_fast(cli: Run) -> None:
    before = os.times()
    shown = cli("--help")
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    assert shown.returncode == 0
    assert all(f"  {name} " in shown.stdout for name in COMMANDS)
    assert used < 0.4


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_each_command_explains_itself(name: str, cli: Run) -> None:
    shown = cli(name, "--help")
    assert shown.returncode == 0
    assert shown.stdout.startswith(f"Usage: compute-atlas {name}")


def test_extract_prints_claims_with_their_lines(cli: Run) -> None:
    shown = cli("extract", CORPORA / "page-it.txt", "--lang", "it")
    content = json.loads(shown.stdout)
    assert (content["edition"], content["lang"], content["input"]) == ("page-it", "it", "page-it.txt")
    fact = next(fact for fact in content["facts"] if fact["s"] == "series/FX" and fact["p"] == "has_category")
    assert fact["evidence"]["line"] == 33
    assert fact["evidence"]["quote"].startswith("| FX |")


def test_extract_lists_on_stderr_what_it_could_not_read(tmp_path: Path, cli: Run) -> None:
    page = tmp_path / "page.txt"
    page.write_text("Compute isolation\n| A | B |\n|---|---|\n| a | b |\n")
    shown = cli("extract", page, "--lang", "en")
    assert shown.returncode == 0
    assert shown.stderr == f"{page}:2: a table with the header A | B is not known\n"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        pytest.param(["extract", "{dir}/none.txt", "--lang", "ja"], 1, "there is no such file; check the name", id="missing"),
        pytest.param(["extract", "{dir}/empty.txt", "--lang", "ja"], 1, ":1: the document is empty", id="empty"),
        pytest.param(["extract", "{page}", "--lang", "jp"], 1, 'unknown language "jp"; use one of: cs, de, en, hu, it, ja, pt-br, zh-cn', id="language"),
        pytest.param(["extract", "{page}", "--lang", "it"], 1, "use --lang ja", id="other-language"),
        pytest.param(["extract", "{page}"], 2, "Missing option '--lang'", id="no-language"),
        pytest.param(["extract", "{page}", "--lang", "ja", "--id", "a/b"], 1, '"a/b" cannot be an edition', id="id"),
        pytest.param(["build", "--edition", "x.md"], 2, '"x.md" is not of the form [ID:]LANG=FILE', id="edition-form"),
        pytest.param(["build", "--edition", "ja={dir}/empty.txt", "-o", "{dir}/out"], 1, "the document is empty", id="build"),
        pytest.param(["infer", "{dir}/broken.ttl"], 1, "broken.ttl:3:1: Unexpected end", id="broken-rdf"),
        pytest.param(["validate", "{dir}/none.nt"], 1, "there is no such file", id="validate-missing"),
        pytest.param(["extract", "-", "--lang", "ja"], 2, "extract reads a named file", id="extract-stdin"),
        pytest.param(["export", "dot", "-o", "{dir}/none/x"], 1, "it cannot be written", id="unwritable"),
        pytest.param(["export", "dot", "--from", "NCv3"], 2, 'to="": it is missing', id="no-end"),
        pytest.param(["differences", "--edition", "nope"], 2, "use one of: en-2024-01, it-seed, ja-seed", id="edition"),
        pytest.param(["dance"], 2, "No such command 'dance'", id="command"),
    ],
)  # fmt: skip
def test_bad_input_is_one_clear_sentence(
    arguments: list[str], code: int, words: str, tmp_path: Path, cli: Run
) -> None:
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "broken.ttl").write_text("@prefix e: <http://kg.test/> .\ne:a e:b\n")
    places = {"dir": tmp_path, "page": CORPORA / "page-ja.txt"}
    shown = cli(*(argument.format(**places) for argument in arguments))
    assert shown.returncode == code
    assert shown.stdout == ""
    assert words in shown.stderr
    assert "Traceback" not in shown.stderr
    assert not (tmp_path / "out").exists()


def test_build_says_counts_and_digest_in_one_line(tmp_path: Path, cli: Run) -> None:
    first = cli("build", "-o", tmp_path)
    again = cli("build")
    assert first.stdout == again.stdout
    assert " quads in 8 graphs, 3 editions, " in first.stdout
    assert "; sha256:" in first.stdout
    assert (tmp_path / "compute-atlas.nq").stat().st_size > 1_000_000


def test_infer_prints_new_triples_only(tmp_path: Path, cli: Run) -> None:
    data = tmp_path / "data.ttl"
    data.write_text(
        "@prefix e: <http://kg.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
        " e:A rdfs:subClassOf e:B . e:x a e:A ."
    )
    shown = cli("infer", data, "--format", "nt")
    assert shown.stdout == (
        "<http://kg.test/x> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://kg.test/B> .\n"
    )


def shell(command: str) -> subprocess.CompletedProcess[str]:
    """Run a command line in which `compute-atlas` is the tested one."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=os.environ | {"PATH": path},
    )


@pytest.mark.parametrize("command", ["infer", "export trig", "query 'SELECT * { ?s ?p ?o }' --format csv"])
def test_a_reader_that_stops_early_is_no_error(command: str) -> None:
    assert shell(f"compute-atlas {command} | head -1").stderr == ""


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("--help >&-", id="closed-help"),
        pytest.param("query 'ASK {}' >&-", id="closed-text"),
        pytest.param("export dot >&-", id="closed-bytes"),
        pytest.param("glossary <&- >&-", id="nothing-open"),
    ],
)
def test_output_that_cannot_be_written_is_one_sentence(command: str) -> None:
    shown = shell(f"compute-atlas {command}")
    assert shown.returncode == 1
    assert shown.stderr.startswith("compute-atlas: standard output: it cannot be written (")
    assert shown.stderr.count("\n") == 1


def test_a_full_disk_is_an_error(tmp_path: Path) -> None:
    shown = shell(f"ulimit -f 4; compute-atlas glossary > {tmp_path}/out")
    assert (shown.returncode, shown.stderr.count("\n")) == (1, 1)
    assert "it cannot be written (File too large)" in shown.stderr


def test_a_command_without_results_needs_no_output(tmp_path: Path) -> None:
    shown = shell(f"compute-atlas export dot -o {tmp_path}/x.dot >&-")
    assert (shown.returncode, shown.stderr) == (0, "")


@pytest.mark.parametrize("command", ["query -", "annotate -", "check - --lang it", "lookup --batch -"])
def test_closed_input_is_one_sentence(command: str) -> None:
    shown = shell(f"compute-atlas {command} <&-")
    assert shown.returncode == 1
    assert shown.stderr.startswith("compute-atlas: -: it cannot be read (")
    assert shown.stderr.count("\n") == 1


def test_a_file_whose_name_is_no_text_can_be_read(tmp_path: Path) -> None:
    page = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.md")
    Path(page).write_text("calcolo")
    shown = subprocess.run(
        [str(Path(sys.executable).with_name("compute-atlas")), "annotate", page, "--lang", "it"],
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert b'"surface": "calcolo"' in shown.stdout
