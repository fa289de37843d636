"""Drive Debian's Chromium: one browser, a context for each reader, and what must never happen in a page."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, sync_playwright

PROGRAM = shutil.which("chromium")
HOW_TO_GET_IT = "Chromium is not installed: apt-get install chromium fonts-noto-cjk"
DESKTOP, MOBILE = (1280, 900), (390, 844)
_OPTIONS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]


@dataclass
class Reader:
    """Somebody with a browser: a page, what it asked for, and what went wrong in it."""

    page: Page
    url: str
    context: BrowserContext
    requests: list[Request] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def open(self, path: str) -> Page:
        """Go to a page of the service."""
        self.page.goto(self.url + path)
        return self.page

    def watch(self) -> None:
        """Note requests, requests to another host, errors, and what the policy of a page forbade."""
        self.page.on("request", self._see)
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))

    def _see(self, request: Request) -> None:
        self.requests.append(request)
        address = urlsplit(request.url)
        if address.scheme != "data" and address.netloc != urlsplit(self.url).netloc:
            self.faults.append(f"request to {request.url}")

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"{message.type}: {message.text}")


@contextlib.contextmanager
def launched() -> Iterator[Browser]:
    """Start the browser, end it afterwards."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=_OPTIONS)
        yield browser
        browser.close()


@contextlib.contextmanager
def reader_of(
    browser: Browser, url: str, language: str = "en", size: tuple[int, int] = DESKTOP, **options: Any
) -> Iterator[Reader]:
    """Give a reader a fresh profile with a language and the size of a window."""
    width, height = size
    context = browser.new_context(
        locale=language, viewport={"width": width, "height": height}, reduced_motion="reduce", **options
    )
    reader = Reader(context.new_page(), url, context)
    reader.page.set_default_timeout(10_000)
    reader.watch()
    yield reader
    context.close()
