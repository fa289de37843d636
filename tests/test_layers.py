"""The rooms and who may enter which: server → queries → graph → ontology, kept by reading the imports."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("ontology", "graph", "queries", "server")
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
FORBIDDEN = {
    "graph": {"flask", "werkzeug", "click", "granian"},
    "queries": {"flask", "werkzeug", "click", "granian"},
    "server": set(),
}


def room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0]


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports are absolute"
            yield node.module or ""


def uses(tree: ast.AST, name: str) -> bool:
    """Tell whether the code names it: `print`, or an attribute such as `os.environ`."""
    wanted = ast.dump(ast.parse(name, mode="eval").body)
    return any(
        ast.dump(node) == wanted for node in ast.walk(tree) if isinstance(node, ast.Name | ast.Attribute)
    )


def test_all_rooms_have_modules() -> None:
    assert {room(path) for path in MODULES} == set(ROOMS)
    assert len(MODULES) > 30


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_what_its_room_may(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = ROOMS.index(room(path))
    for name in imports(tree):
        first, *rest = name.split(".")
        assert first not in ROOMS, f"{name}: import compute_atlas.{name}"
        if first == "compute_atlas":
            assert ROOMS.index(rest[0]) <= own, f"{room(path)} must not import {name}"
        elif room(path) == "ontology":
            assert first in sys.stdlib_module_names | {"__future__"}, f"ontology imports {name}"
        else:
            assert first not in FORBIDDEN[room(path)], f"{room(path)} must not import {name}"
    if room(path) in ("ontology", "graph"):
        for name in ("print", "os.environ", "os.getenv"):
            assert not uses(tree, name), f"{name} belongs in server"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_says_what_it_is_for(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert docstring, "start the module with one sentence"
