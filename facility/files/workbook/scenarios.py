"""The workbook of scenarios."""

from __future__ import annotations

from collections.abc import Sequence

from facility.files.workbook.book import with_valid_names
from facility.files.workbook.render import rendered
from facility.report.documents import build_scenarios
from facility.study.scenarios import Scenarios


def scenarios_bytes(found: Scenarios, verdicts: Sequence[str]) -> bytes:
    """Return the workbook of scenarios; `verdicts` are those on the project and on each of them."""
    return rendered(lambda: with_valid_names(build_scenarios(found, verdicts)))
