"""docs/integrations.md keeps its word: each example runs, each file that it shows does what it says."""

from __future__ import annotations

import configparser
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from urllib.parse import quote

import pytest
import yaml
from compute_atlas.ontology.names import iri
from translate.storage.tbx import tbxfile

from tests.serving import Service
from tests.toolchains import HOW_TO_GET_IT, LACKS_TEXTLINT, build_with_sphinx, lint

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```sh\n(.*?)```\n```text\n(.*?)```", TEXT, re.DOTALL)
FILES: dict[str, str] = dict(re.findall(r"```\w+ (\S+)\n(.*?)```", TEXT, re.DOTALL))
ADDRESS = "http://127.0.0.1:8765"


def here(text: str, service: Service) -> str:
    """Return a text of the page with the address of a service that runs."""
    return text.replace(ADDRESS, service.url)


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    return subprocess.run(
        ["bash", "-euc", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_page_has_its_examples() -> None:
    assert len(EXAMPLES) == TEXT.count("```sh") == 6
    assert sorted(FILES) == [".textlintrc.json", ".vale.ini", "conf.py", "index.rst", "mkdocs.yml"]


@pytest.mark.parametrize(("command", "answer"), EXAMPLES, ids=range(1, len(EXAMPLES) + 1))
def test_an_example_answers_what_the_page_prints(
    embedded_service: Service, tmp_path: Path, command: str, answer: str
) -> None:
    shown = run(here(command, embedded_service), tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.rstrip() == answer.rstrip()


def test_each_address_in_the_table_answers(embedded_service: Service) -> None:
    addresses = re.findall(r"`(/[\w/.]+)`", TEXT.partition("## OpenRefine")[0])
    assert addresses == ["/reconcile/ja", "/glossary", "/inventory/ja/objects.inv", "/card"]
    for address in addresses:
        path = f"{address}?of=NCv3" if address == "/card" else address
        assert embedded_service.request("GET", path)[0] == 200
    for suffix in re.findall(r"`(?:/glossary)?(\.(?:csv|tbx2?|ttl|json))`", TEXT):
        assert embedded_service.request("GET", f"/glossary{suffix}?type=VMSeries&lang=it,ja")[0] == 200


def test_the_glossary_for_weblate_begins_with_the_source_language(tmp_path: Path) -> None:
    [command] = re.findall(r"`(compute-atlas glossary --format tbx2 [^`]*)`", TEXT)
    store = tbxfile.parsestring(run(command, tmp_path).stdout.encode())  # type: ignore[no-untyped-call]
    cluster = next(unit for unit in store.units if unit.getid() == "target.compute_cluster")
    assert (cluster.source, cluster.target) == ("compute cluster", "コンピューティング クラスター")


def test_sphinx_builds_the_document_of_the_page(embedded_service: Service, tmp_path: Path) -> None:
    page, complaints = build_with_sphinx(
        tmp_path, here(FILES["conf.py"], embedded_service), FILES["index.rst"]
    )
    assert complaints == ""
    links = re.findall(r'<a class="reference external" href="([^"]*)"', page)
    url = embedded_service.url
    page_of_class = f"{url}/resource?iri={quote(iri('ontology#ComputeTarget'), safe='')}"
    assert links == [f"{url}/target/compute_cluster", page_of_class]


def test_mkdocs_gives_each_thing_one_card(embedded_service: Service, tmp_path: Path) -> None:
    shutil.copy(ROOT / "docs" / "examples" / "mkdocs_compute_atlas.py", tmp_path)
    (tmp_path / "mkdocs.yml").write_text(here(FILES["mkdocs.yml"], embedded_service), encoding="utf-8")
    (tmp_path / "docs").mkdir()
    text = "# 計算\n\nコンピューティング クラスターと NCv3、`NCv3` と [Volta](https://example.org/NCv3)。NCv3 もう一度 & <b>終わり</b>\n"
    (tmp_path / "docs" / "index.md").write_text(text, encoding="utf-8")
    (tmp_path / "docs" / "empty.md").write_text("# 何もない\n", encoding="utf-8")
    built = run("python -m mkdocs build --quiet --strict", tmp_path)
    assert (built.returncode, built.stderr) == (0, "")
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    marked = re.findall(
        r'<span class="atlas-term" tabindex="0" data-atlas-card="([\w-]+)">([^<]*)</span>', page
    )
    assert marked == [
        ("atlas-target-compute-cluster", "コンピューティング クラスター"),
        ("atlas-series-NCv3", "NCv3"),
        ("atlas-architecture-volta", "Volta"),
    ]
    assert re.findall(r'<template id="([\w-]+)"><article class="atlas-card"', page) == sorted(
        name for name, _ in marked
    )
    assert "<code>NCv3</code>" in page
    assert 'href="https://example.org/NCv3"' in page
    assert page.count("NCv3 もう一度 &amp; <b>終わり</b>") == 1
    assert "atlas" not in (tmp_path / "site" / "empty" / "index.html").read_text(encoding="utf-8")


@pytest.mark.skipif(LACKS_TEXTLINT, reason=HOW_TO_GET_IT)
def test_textlint_mends_a_page_with_the_files_shown(tmp_path: Path) -> None:
    assert run("compute-atlas export prh --lang ja -o prh.yml", tmp_path).returncode == 0
    (tmp_path / ".textlintrc.json").write_text(FILES[".textlintrc.json"], encoding="utf-8")
    (tmp_path / "page.md").write_text(
        "コンピューティング先と推論のコンピューティング先、NCT4_v3シリーズ。\n", encoding="utf-8"
    )
    assert len(lint(tmp_path, "page.md", "--fix")) == 2
    assert lint(tmp_path, "page.md") == []
    mended = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert mended == "コンピューティング ターゲットと推論のコンピューティング先、NCasT4_v3シリーズ。\n"


def test_the_package_for_vale_has_the_documented_form(tmp_path: Path) -> None:
    settings = configparser.ConfigParser()
    settings.read_string("[top]\n" + FILES[".vale.ini"])
    package = settings["top"]["Packages"]
    assert run(f"compute-atlas export vale --lang ja -o {package}", tmp_path).returncode == 0
    style = settings["*.md"]["BasedOnStyles"]
    with zipfile.ZipFile(tmp_path / package) as opened:
        texts = {name: opened.read(name).decode() for name in opened.namelist()}
    assert all(name.startswith(f"{Path(package).stem}/") for name in texts), (
        "the folder is named as the file is"
    )
    rules = {name: yaml.safe_load(texts[f"{style}/styles/{style}/{name}.yml"]) for name in ("Terms", "Forms")}
    assert {name: rule["level"] for name, rule in rules.items()} == {"Terms": "warning", "Forms": "error"}
    for rule in rules.values():
        assert (rule["extends"], rule["nonword"], rule["ignorecase"]) == ("substitution", True, False)
        assert rule["message"].count("%s") == 2
        assert rule["swap"]
    found = [re.sub(r"\\s\+", r"\\s", pattern) for pattern in rules["Terms"]["swap"]]
    assert [bool(re.search(pattern, "イエス")) for pattern in found].count(True) == 1
    accepted = texts[f"{style}/styles/config/vocabularies/{style}/accept.txt"].splitlines()
    assert "Azure\\s+Kubernetes\\s+Service" in accepted
    assert not any(re.fullmatch(entry, "イエス") for entry in accepted)


def test_prh_is_yaml_with_a_specimen_a_rule(embedded_service: Service) -> None:
    content = yaml.safe_load(io.BytesIO(embedded_service.request("GET", "/export/prh?lang=it")[2]))
    assert content["version"] == 1
    assert len(content["rules"]) > 20
    assert all(
        rule["specs"] == [{"from": rule["specs"][0]["from"], "to": rule["expected"]}]
        for rule in content["rules"]
    )


def test_a_wrong_language_of_an_export_is_named(embedded_service: Service) -> None:
    status, _, body = embedded_service.request("GET", "/export/prh?lang=fr")
    assert (status, json.loads(body)["parameter"]) == (400, "lang")
