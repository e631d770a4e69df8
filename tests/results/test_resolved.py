"""What projects are resolved to, worked once more by other formulas."""

from __future__ import annotations

import pytest

from tests.results import resolved
from tests.results.variants import PLANTS, VARIANTS
from tests.study.helpers import PROJECTS, design_of, reference


@pytest.mark.parametrize("name", [*VARIANTS, *PLANTS, *PROJECTS])
def test_a_project_is_resolved_as_in_the_second_calculation(name: str) -> None:
    text = (VARIANTS | PLANTS).get(name)
    found = design_of(text) if text is not None else reference(name)
    assert list(resolved.differences(found)) == []
