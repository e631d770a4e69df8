"""A server and a browser for each file; its tests come to one page one after the other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.ui.browsing import Watched, chromium, served


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


@pytest.fixture
def page(visitor: Watched) -> Page:
    visitor.come(None)
    return visitor.page


@pytest.fixture(scope="module")
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    """Address of the app, or of the page of its own that the folder of a test has."""
    script = request.path.with_name("page.py")
    with served(script=script if script.exists() else None) as found:
        yield found
