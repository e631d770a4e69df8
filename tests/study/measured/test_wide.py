"""Branch readings with one column for each circuit."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from facility.core.errors import FacilityError
from facility.study.design.design import Design
from facility.study.measured.branches import BranchStudy, measured_branches
from facility.study.measured.readings import branch_readings, is_branch_file
from facility.study.measured.wide import circuit_columns
from tests.study.helpers import SHORTEST, design_of


@pytest.mark.parametrize(
    ("heading", "found"),
    [
        ("RPP-A01/1", ("RPP-A01", "1", None, "")),
        ("RPP-A01/1,3,5 (A)", ("RPP-A01", "1,3,5", None, "A")),
        ("RPP-A01 CKT 3 kW", ("RPP-A01", "3", None, "kW")),
        ("CKT 3 kW", ("", "3", None, "kW")),
        ("Circuit 12", ("", "12", None, "")),
        ("ckt_3_kw", ("", "3", None, "kW")),
        ("RPP-A01-7 [A]", ("RPP-A01", "7", None, "A")),
        ("RPP-A01/1,3,5 L2 A", ("RPP-A01", "1,3,5", 1, "A")),
        ("Panel LP-2: ckt 4 amps", ("LP-2", "4", None, "A")),
        ("RPP-A01 mains L1", ("RPP-A01", "", 0, "")),
        *((text, None) for text in ("Load 1 kW", "IT kW", "Outdoor dry bulb", "kWh 2025", "")),
    ],
)
def test_headings_of_circuits(heading: str, found: tuple[object, ...] | None) -> None:
    other = "Circuit 41"
    columns = circuit_columns(["Timestamp", heading, other, "Circuit 42"])
    first = columns[0] if columns[0].number == 1 else None
    assert (first and (first.panel, first.circuit, first.phase, first.unit)) == found


def test_a_meter_log_is_another_table() -> None:
    assert circuit_columns(["Timestamp", "IT kW", "Facility kW"]) == []
    assert circuit_columns(["RPP-A01/1", "RPP-A01/3"]) == []  # no time


@pytest.fixture(scope="module")
def found() -> Design:
    return design_of(SHORTEST, "it.gpus=256")


def study(folder: Path, design: Design, content: str, name: str = "wide.csv") -> BranchStudy:
    path = folder / name
    path.write_text(content)
    assert is_branch_file(path)
    return measured_branches(design, path)


def test_phases_in_columns_are_mean_and_maximum(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text(
        "Timestamp,P-1/1 A,P-1/1 B,P-1/1 C,P-1/7 A\n2025-01-01 00:00,10,20,30,4\n"
        "2025-01-01 01:00,30,20,10,6\n"
    )
    readings = branch_readings(path)
    assert readings["P-1", "1"].mean_a.tolist() == [20.0, 20.0, 20.0]
    assert readings["P-1", "1"].max_a.tolist() == [30.0, 20.0, 30.0]
    assert readings["P-1", "7"].mean_a.tolist() == [5.0]  # 7 A alone is in amperes
    assert readings["P-1", "7"].by_pole


def test_power_of_a_circuit_is_its_current_at_the_design_power_factor(
    found: Design, tmp_path: Path
) -> None:
    """Three poles, balanced: I = P / (pf sqrt(3) V)."""
    panel = found.panels.panels[0]
    circuit, other = panel.circuits[:2]
    assert circuit.poles == 3
    total = circuit.total_va()
    poles = ["/".join(map(str, panel.occupied(one))) for one in (circuit, other)]
    names = [f'"{panel.tag}/{text.replace("/", ",")} kW"' for text in poles]
    rows = [f"Timestamp,{names[0]},{names[1]}", "2025-01-01 00:00,6,6", "2025-01-01 01:00,4,4"]
    (measured,) = study(tmp_path, found, "\n".join(rows)).panels
    expected_a = 5000.0 / (total.real / abs(total) * sqrt(3.0) * panel.v_ll)
    reading = next(one for one in measured.readings if one.circuit.id == circuit.id)
    assert float(reading.mean_a.mean()) == pytest.approx(expected_a, rel=0.02)
    assert np.allclose(reading.max_a, 1.2 * reading.mean_a)


def test_what_names_no_panel_or_no_circuit_is_refused(found: Design, tmp_path: Path) -> None:
    tag = found.panels.panels[0].tag
    rows = "\n2025-01-01 00:00,1,1,1\n"
    for content, code, words in (
        (f"Time,{tag}/1,{tag}/3,Ambient{rows}", "METER_COLUMNS", "names no circuit"),
        (f"Time,CKT 1,CKT 3,CKT 5{rows}", "METER_COLUMNS", "name no panel"),
        (f"Time,{tag}/1 kW,{tag}/7 kW,{tag}/9 kW{rows}", "METER_CIRCUIT", "one pole"),
    ):
        with pytest.raises(FacilityError, match=words) as refused:
            study(tmp_path, found, content)
        assert refused.value.code == code
    (panel,) = study(tmp_path, found, f"Time,CKT 1,CKT 3,CKT 5{rows}", f"{tag}.csv").panels
    assert panel.design.tag == tag
