"""Stated circuits of power shelves against the rated input of their shelves."""

from __future__ import annotations

import pytest

from facility.core.check import Check
from tests.study.helpers import checks_of, design_of

RACK = """\
schema_version: 1
site: {{station: ashburn}}
it:
  halls:
    - name: H1
      racks:
        - {{name: C, count: 4, circuits: [{circuits}], devices: [{{model: GB200 NVL72}}]}}
power: {{redundancy: {redundancy}, distribution: {{rack_system: 480Y/277}}}}
cooling: {{method: hybrid}}
"""


def whips(breaker: str, redundancy: str = "4N/3", feeds: str = "AABBCCDD") -> list[Check]:
    stated = f", breaker: {breaker}" if breaker else ""
    circuits = ", ".join(f"{{poles: 3, feed: {feed}{stated}}}" for feed in feeds)
    found = design_of(RACK.format(circuits=circuits, redundancy=redundancy))
    assert not any(check.failed for check in checks_of(found, "BRANCH-LOAD"))
    return checks_of(found, "SHELF-CIRCUIT")


def test_a_whip_smaller_than_its_shelf_is_found_where_no_lost_feed_shows_it() -> None:
    """33 kVA / 0.98 at 480 V is 40.5 A; 45 A carry 36 A; a lost feed leaves 27.0 A."""
    (found,) = whips("45 A")
    assert (found.word, found.limit) == ("WARNING", 36.0)
    assert found.value == pytest.approx(33e3 / 0.98 / (3.0**0.5 * 480.0))
    assert (found.subject, len(found.alike)) == ("C, input 1 of feed A", 7)
    assert found.why == (
        "the power shelf of GB200 NVL72 draws 40.5 A at its rating; the circuit of 45 A permits"
        " 36.0 A continuously"
    )


def test_a_whip_for_its_shelf_passes_and_one_left_open_is_not_stated() -> None:
    assert [check.outcome for check in whips("60 A")] == ["PASS"]
    assert not whips("")
