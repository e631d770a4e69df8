"""Branch readings against a design: as designed, swapped, drifted, uneven; headroom and moves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from facility.core.errors import FacilityError
from facility.power.panels.board.currents import by_start, panel_loads
from facility.power.panels.board.model import Circuit, Panel
from facility.report.studies.branches import BranchReport
from facility.study.design.design import Design
from facility.study.measured.branches import (
    PHASE_NOISE,
    BranchStudy,
    measured_branches,
    other_order,
)
from facility.study.measured.readings import branch_readings, is_branch_file
from tests.study.helpers import SHORTEST, design_of

Change = Callable[[int, np.ndarray], np.ndarray]


@pytest.fixture(scope="module")
def found() -> Design:
    return design_of(SHORTEST, "it.gpus=256")


def amperes(panel: Panel, circuit: Circuit) -> np.ndarray:
    start = panel.start(circuit)
    assert start is not None
    return np.asarray(np.abs(by_start(circuit, panel.v_ll)[start][0][:3]))


def text(panel: Panel, change: Change, mains: tuple[int, ...] | None = None) -> str:
    rows, total = ["panel,circuit,current_a,current_b,current_c"], np.zeros(3)
    for n, circuit in enumerate(panel.circuits):
        found = change(n, amperes(panel, circuit))
        total += found
        rows.append(f"{panel.tag},{circuit.id}," + ",".join(f"{a:.6f}" if a else "" for a in found))
    if mains is not None:
        rows.append(f"{panel.tag},," + ",".join(f"{total[n]:.6f}" for n in mains))
    return "\n".join(rows)


def study(folder: Path, design: Design, content: str) -> BranchStudy:
    path = folder / "branches.csv"
    path.write_text(content)
    assert is_branch_file(path)
    return measured_branches(design, path)


def failed(of: BranchStudy) -> list[str]:
    return [check.rule for check in of.checks if check.failed]


def test_readings_as_designed_have_no_findings(found: Design, tmp_path: Path) -> None:
    panel = found.panels.panels[0]
    of = study(tmp_path, found, text(panel, lambda n, a: a, (0, 1, 2)))
    assert failed(of) == []
    (measured,) = of.panels
    assert measured.imbalance == pytest.approx(panel_loads(panel)[0].imbalance, abs=1e-6)
    assert measured.limit_a is not None
    largest_a = max(panel_loads(panel)[0].line_a)
    assert measured.headroom_a == pytest.approx(measured.limit_a - largest_a, rel=1e-3)


def test_a_drifted_circuit_and_swapped_mains_are_named(found: Design, tmp_path: Path) -> None:
    panel = found.panels.panels[0]
    of = study(tmp_path, found, text(panel, lambda n, a: a * (0.1 if n == 3 else 0.6), (1, 0, 2)))
    assert (
        {"METERED-DRIFT"}
        <= set(failed(of))
        <= {"METERED-DRIFT", "METERED-MAINS", "METERED-IMBALANCE"}
    )
    (check,) = (check for check in of.checks if check.rule == "METERED-DRIFT")
    assert panel.circuits[3].id in check.why


def test_a_circuit_that_changes_over_the_readings(found: Design, tmp_path: Path) -> None:
    """Twelve readings from 1 to 2 times the design: 21/11 over 12/11 of the outer quarters."""
    panel = found.panels.panels[0]
    rows = ["timestamp,panel,circuit,current_a,current_b,current_c"]
    for time in range(12):
        for n, circuit in enumerate(panel.circuits):
            now = amperes(panel, circuit) * (1.0 + time / 11.0 if n == 1 else 1.0)
            cells = ",".join(f"{a:.4f}" for a in now)
            rows.append(f"2025-01-01 {time:02d}:00,{panel.tag},{circuit.id},{cells}")
    of = study(tmp_path, found, "\n".join(rows))
    (check,) = (check for check in of.checks if check.rule == "METERED-DRIFT")
    assert check.failed
    assert f"worst {panel.circuits[1].id}: 175% of its initial readings" in check.why


def test_mains_in_another_order(found: Design, tmp_path: Path) -> None:
    """Phases of 1, 2 and 3 times the design: the mains swapped by A and B."""
    scale = np.array([1.0, 2.0, 3.0])
    panel = found.panels.panels[0]
    of = study(tmp_path, found, text(panel, lambda n, a: a * scale, (1, 0, 2)))
    (check,) = (check for check in of.checks if check.rule == "METERED-MAINS")
    assert check.failed
    assert "B-A-C" in check.why


def test_unequal_circuits_are_moved_by_the_balance(found: Design, tmp_path: Path) -> None:
    """All circuits on A alone carry twice: the moves lower the measured imbalance."""
    scale = np.array([2.0, 1.0, 1.0])
    of = study(tmp_path, found, text(found.panels.panels[0], lambda n, a: a * scale))
    (measured,) = of.panels
    assert measured.imbalance == pytest.approx(0.5, abs=0.15)  # 2 over the mean of 4/3
    assert measured.plan is not None
    assert measured.plan.imbalance < measured.imbalance
    assert {"METERED-IMBALANCE"} <= set(failed(of))


def test_overload_is_a_violation(found: Design, tmp_path: Path) -> None:
    of = study(tmp_path, found, text(found.panels.panels[0], lambda n, a: a * 30.0))
    assert "METERED-HEADROOM" in failed(of)


def test_phases_of_a_circuit_in_another_order(found: Design, tmp_path: Path) -> None:
    panel = found.panels.panels[0]
    rolled = study(tmp_path, found, text(panel, lambda n, a: np.roll(a, 1) if n == 0 else a))
    (check,) = (check for check in rolled.checks if check.rule == "METERED-PHASES")
    design = amperes(panel, panel.circuits[0])
    uneven = np.ptp(design) > PHASE_NOISE * design.mean()
    assert check.failed == uneven
    assert not uneven or panel.circuits[0].id in check.why


def test_one_pole_circuits_on_another_phase(found: Design, tmp_path: Path) -> None:
    panel = found.panels.panels[0]
    one = panel.circuits[0]
    rows = [f"{panel.tag},{one.id},A,40", f"{panel.tag},{one.id},A,20"]
    of = study(tmp_path, found, "\n".join(["panel,circuit,phase,current (A)", *rows]))
    (reading,) = of.panels[0].readings
    assert reading.mean_a[0] == 30.0
    assert reading.max_a[0] == 40.0
    assert reading.measured_phases == "A"


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("NOWHERE,1,3,3,3", "UNKNOWN_PANEL"),
        ("{tag},999,3,3,3", "METER_CIRCUIT"),
        ("{tag},1,-3,3,3", "METER_NUMBER"),
        ("{tag},1,x,3,3", "METER_NUMBER"),
    ],
)
def test_readings_that_are_refused(row: str, code: str, found: Design, tmp_path: Path) -> None:
    content = "panel,circuit,current_a,current_b,current_c\n"
    with pytest.raises(FacilityError) as caught:
        study(tmp_path, found, content + row.format(tag=found.panels.panels[0].tag))
    assert caught.value.code == code


LAYOUTS = {
    "a row for each pole": (
        "panel,circuit,current_a,current_b,current_c",
        ["{1},14,0,0", "{2},0,15,0", "{3},0,0,16"],
    ),
    "titles, headings of the trade, and poles in one cell": (
        "BCMS export 2026-10-12\nPanelboard,Ckt No.,Ia (A),Ib (A),Ic (A)",
        ['"{1},{2},{3}",14,15,16'],
    ),
    "German": ("Verteiler;Stromkreis;L1 (A);L2 (A);L3 (A)", ["{1};14,0;15,0;16,0"]),
    "a phase in each row": ("panel,circuit,phase,current", ["{1},A,14", "{2},B,15", "{3},C,16"]),
    "a row for each pole without a phase": (
        "panel,circuit,current",
        ["{1},14", "{2},15", "{3},16"],
    ),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_each_layout_is_one_circuit(name: str, found: Design, tmp_path: Path) -> None:
    """14, 15 and 16 A on A, B and C of the first 3-pole circuit; the others at design load."""
    panel, circuit = three_pole(found)
    poles = panel.occupied(circuit)
    assert panel.phases(circuit) == "ABC"
    heads, rows = LAYOUTS[name]
    mark = ";" if ";" in heads else ","
    body = [f"{panel.tag}{mark}" + row.format("", *poles) for row in rows]
    of = study(tmp_path, found, "\n".join([heads, *body]))
    (measured,) = of.panels
    (reading,) = measured.readings
    assert (reading.circuit, reading.mean_a.tolist()) == (circuit, [14.0, 15.0, 16.0])
    more = len(panel.circuits) - 1
    assert measured.coverage == f"1 of {more + 1} circuits measured, {more} at design load"
    (listed,) = BranchReport(found, of).lists()["panels"]
    assert listed["panel"] == panel.tag
    assert listed["a"] == {"value": pytest.approx(float(measured.line_a[0])), "unit": "A"}


def three_pole(found: Design) -> tuple[Panel, Circuit]:
    return next(
        (panel, one) for panel in found.panels.panels for one in panel.circuits if one.poles == 3
    )


def test_two_currents_of_one_phase_are_refused(found: Design, tmp_path: Path) -> None:
    panel, circuit = three_pole(found)
    first, second, _ = panel.occupied(circuit)
    rows = [f"{panel.tag},{first},14,14,14", f"{panel.tag},{second},10,10,10"]
    with pytest.raises(FacilityError, match="14 A and 10 A on phase A") as caught:
        study(tmp_path, found, "\n".join(["panel,circuit,current_a,current_b,current_c", *rows]))
    assert caught.value.code == "METER_CIRCUIT"


@pytest.mark.parametrize(
    ("measured", "expected", "order"),
    [
        ((14, 21, 28), (28, 14, 21), (2, 0, 1)),
        ((25, 16, 13), (19, 19, 20.4), None),  # A balanced design has no order
        ((15, 15.4, 12.1), (14.76, 21.83, 21.83), None),  # Readings within 25 % have none
        ((14.9, 15.8, 21), (14.76, 21.83, 21.83), None),
        ((21, 21, 14), (14.76, 21.83, 21.83), (2, 0, 1)),
        ((14, 21, 28), (14, 21, 28), None),
    ],
)
def test_order_of_phases(
    measured: tuple[float, ...], expected: tuple[float, ...], order: tuple[int, ...] | None
) -> None:
    assert other_order(np.array(measured, float), np.array(expected, float)) == order


def test_control_characters_stay_out_of_messages(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text('title\n"a,b","c",d\n1,2,3\n')
    with pytest.raises(FacilityError) as caught:
        branch_readings(path)
    assert str(caught.value).isprintable()
