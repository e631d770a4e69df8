"""A browser for each file, and a visitor whose page its tests come to one after the other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.ui.browsing import Watched, chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def _page(browser: Browser) -> Iterator[Watched]:
    opened = Watched(browser)
    yield opened
    opened.context.close()


@pytest.fixture
def visitor(_page: Watched) -> Iterator[Watched]:
    """Give the page of the file: one more would read and compile all scripts of the app again."""
    yield _page
    _page.is_sound()
