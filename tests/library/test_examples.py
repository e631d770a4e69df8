"""The examples in the docstrings give what they say."""

from __future__ import annotations

import doctest
import importlib

import pytest

from tests.tools.source_tree import sources

WITH_EXAMPLES = sorted(name for name, _, text in sources() if ">>> " in text)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


def test_there_are_examples_at_the_doors() -> None:
    assert {"facility.api", "facility.core.units", "facility.study.design.design"} <= set(
        WITH_EXAMPLES
    )


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_of_a_module_are_true(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name), optionflags=OPTIONS)
    assert found.attempted > 0
    assert found.failed == 0
