"""Run other people's tools on our files: Sphinx, textlint."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

_MODULES = Path(__file__).parent / "node" / "node_modules"
_TEXTLINT = _MODULES / ".bin" / "textlint"
LACKS_TEXTLINT = not _TEXTLINT.exists() or shutil.which("node") is None
HOW_TO_GET_IT = "textlint is not installed: npm ci --prefix tests/node"


def build_with_sphinx(folder: Path, settings: str, text: str) -> tuple[str, str]:
    """Return a document as Sphinx makes it, and what Sphinx complains about."""
    (folder / "conf.py").write_text(settings, encoding="utf-8")
    (folder / "index.rst").write_text(text, encoding="utf-8")
    complaints = io.StringIO()
    with docutils_namespace():
        app = Sphinx(
            folder, folder, folder / "out", folder / "trees", "html", status=None, warning=complaints
        )
        app.build()
    return (folder / "out" / "index.html").read_text(encoding="utf-8"), complaints.getvalue()


def lint(folder: Path, page: str, *options: str) -> list[str]:
    """Return the messages of textlint, with the rules that .textlintrc.json in the folder names."""
    command = [str(_TEXTLINT), "--rules-base-directory", str(_MODULES), "--format", "json", *options, page]
    shown = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    [result] = json.loads(shown.stdout)
    return [message["message"] for message in result["messages"]]
