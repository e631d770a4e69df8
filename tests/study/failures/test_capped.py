"""IT load that runs capped has its own verdict, column and words, and is not dropped."""

from __future__ import annotations

import pytest

from facility.report.book.distribution.failures import STATES
from facility.report.studies.failures import state_object
from facility.report.tables.states import matrix_rows, state_facts, verdict_lines, worst_first
from facility.study.failures.study import FailureStudy, failures
from tests.study.helpers import design_of, si

# Eight servers of 14.3 kW on two feeds: one lost leaves 3 of 6 supplies, 9.9 kW each.
B200 = """\
schema_version: 1
it: {gpu_model: B200 SXM, gpus: 64, server: DGX B200, network: {topology: none}}
power: {redundancy: 2N}
cooling: {method: air}
"""
LOAD_W, DRAWN_W = 8 * 14.3e3, 8 * 9.9e3


@pytest.fixture(scope="module")
def study() -> FailureStudy:
    return failures(design_of(B200))


def test_capped_load_is_neither_dropped_nor_a_loss_of_fault_tolerance(study: FailureStudy) -> None:
    worst = worst_first(study.states)[0]
    assert (worst.capped.load_w, worst.dropped_w) == (pytest.approx(LOAD_W), 0.0)
    assert worst.capped.drawn_w == pytest.approx(DRAWN_W)
    assert study.runs_capped.holds
    assert study.fault_tolerant.holds
    assert study.concurrently_maintainable.holds
    assert "all IT load is served or runs capped" in study.fault_tolerant.because
    assert not study.single_points
    assert si(study, "load_capped.max") == pytest.approx(LOAD_W)


def test_every_door_shows_it(study: FailureStudy) -> None:
    worst = worst_first(study.states)[0]
    words = "114 kW of IT load runs capped and draws 79.2 kW; published figures conflict"
    (line,) = (line for line in verdict_lines(study) if line.startswith("Power-capped IT load: "))
    assert words in line
    assert dict(state_facts(worst))["IT load capped"] == (
        "114 kW, capped demand 79.2 kW; published figures conflict"
    )
    shown = state_object(worst)
    assert shown["load_capped"] == pytest.approx(LOAD_W / 1e3)
    assert shown["load_capped_drawn"] == pytest.approx(DRAWN_W / 1e3)
    assert shown["capped_figures_conflict"] is True
    (column,) = (c for c in STATES.columns if c.key == "capped")
    assert column.head == "IT load capped (kW)"
    assert column.of is not None
    assert column.of(worst) == pytest.approx(LOAD_W)
    assert next(iter(matrix_rows(study, 1))).capped_w == pytest.approx(LOAD_W)


def test_nothing_runs_capped_with_as_many_supplies_as_needed() -> None:
    """DGX B300: six of twelve supplies are needed, and six are left."""
    found = failures(
        design_of(B200.replace("B200 SXM", "B300 SXM").replace("DGX B200", "DGX B300 AC"))
    )
    assert not found.runs_capped.holds
    assert "Power-capped IT load: none." in list(verdict_lines(found))
    assert si(found, "load_capped.max") == 0.0
