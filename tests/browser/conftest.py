"""Fixtures for tests in a browser; skipped with a word on what is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import HOW_TO_GET_IT, PROGRAM, Reader, launched, reader_of
from tests.serving import Service

NewReader = Callable[..., Reader]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The one browser of all tests."""
    if PROGRAM is None:
        pytest.skip(HOW_TO_GET_IT)
    with launched() as browser:
        yield browser


@pytest.fixture
def new_reader(browser: Browser, embedded_service: Service) -> Iterator[NewReader]:
    """Make readers of the embedded graph; nothing may have gone wrong in their pages."""
    readers: list[Reader] = []
    with ExitStack() as stack:

        def make(language: str = "en", **options: Any) -> Reader:
            reader = stack.enter_context(reader_of(browser, embedded_service.url, language, **options))
            readers.append(reader)
            return reader

        yield make
        assert [fault for reader in readers for fault in reader.faults] == []


@pytest.fixture
def reader(new_reader: NewReader) -> Reader:
    """A reader of English."""
    return new_reader()
