"""Verbs that are asked of equal projects share one design, but where a second one is the point."""

from __future__ import annotations

import pytest

# Modules that take `design` by name are loaded before it is replaced, and keep the real one.
import facility.api
import facility.files.panel_apply  # noqa: F401
from facility.study.design import design as home
from tests.tools import designs


@pytest.fixture(autouse=True)
def _equal_projects_are_designed_once(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let the verbs share designs, but in tests marked ``anew``."""
    if "anew" not in request.keywords:
        monkeypatch.setattr(home, "design", designs.once)
