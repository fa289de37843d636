"""Make the pictures of pages that the README shows: docs/images/*.png, from the embedded graph."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.browser.chromium import HOW_TO_GET_IT, PROGRAM, launched, reader_of
from tests.serving import running

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "images"
SIZE = (1180, 820)
PICTURES = {
    "explore-ja": ("ja", "light", "/architecture/volta"),
    "compare-it": (
        "it",
        "dark",
        "/compare?pick=series/NCv3&pick=series/ND&pick=series/NDv2&pick=series/NCasT4_v3",
    ),
}


def main() -> None:
    """Write the pictures."""
    if PROGRAM is None:
        raise SystemExit(HOW_TO_GET_IT)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as service, launched() as browser:
        for name, (language, scheme, path) in PICTURES.items():
            with reader_of(browser, service.url, language, SIZE, color_scheme=scheme) as reader:
                target = FOLDER / f"{name}.png"
                page = reader.open(path)
                # Whoever looks at a picture has no pointer: nothing is marked as under it or in focus.
                page.screenshot(path=target, animations="disabled", caret="hide")
                print(f"{target.relative_to(FOLDER.parents[1])}: {target.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
