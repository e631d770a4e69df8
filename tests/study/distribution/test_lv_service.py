"""A service at low voltage: no transformer of the owner from the utility to the racks."""

from __future__ import annotations

import pytest

from facility.core.check import Outcome
from facility.core.errors import FacilityError
from facility.files.project.file import parse_project
from facility.files.workbook.book import workbook_bytes
from facility.study.design.design import design
from facility.study.failures.study import failures
from tests.study.helpers import checks_of, design_of, si
from tests.tools.workbooks import read_book

US = """\
schema_version: 1
site: {station: ashburn, utility_voltage: 480 V}
it: {gpu_model: H100 SXM5, gpus: 64}
power: {redundancy: 2N}
cooling: {method: air}
"""
GB = """\
schema_version: 1
site: {place: London, country: GB, elevation: 20 m, utility_voltage: 400 V,
  design_dry_bulb: 36 degC, design_wet_bulb: 23 degC}
it: {gpu_model: H100 SXM5, gpus: 16}
power: {redundancy: N+1}
cooling: {method: air}
"""


@pytest.mark.parametrize("text", [US, GB])
def test_no_transformer_stands_between_utility_and_boards(text: str) -> None:
    found = design_of(text)
    voltage_v = found.facility.site.utility_voltage_v
    assert found.facility.power.wiring.lv_voltage_v == voltage_v
    assert [int(found.results[f"transformer.count{end}"].si) for end in ("", ".duty")] == [0, 0]
    assert "transformer.rating_kva" not in found.all_results
    assert "transformer.loading_failure" not in found.all_results
    assert si(found, "losses.transformer") == 0.0
    assert found.results["generator.connection"].si == "LV"
    kinds = {one.kind for one in found.distribution.plan.network.equipment}
    assert not kinds & {"transformer", "mv-switchgear"}
    rules = {check.rule for check in found.checks}
    assert not rules & {
        "TRANSFORMER-SPARE",
        "TRANSFORMER-INRUSH",
        "TRANSFORMER-HARMONICS",
        "MV-CABLE",
        "TRANSFORMER-LOADING-NORMAL",
        "LV-BOARD-TRANSFORMERS",
    }


def test_the_workbook_speaks_of_the_service_and_of_its_current() -> None:
    book = read_book(workbook_bytes(design_of(GB)), data_only=True)
    ups = [row[:2] for row in book["UPS"].iter_rows(values_only=True)]
    assert "MV/LV transformer" not in {label for label, _ in ups}
    assert ("LV service circuit", None) in ups
    rows = [row[:2] for row in book["Transformers"].iter_rows(values_only=True)]
    at = rows.index(("Voltage", 400))
    assert rows[at + 1][1] == pytest.approx(si(design_of(GB), "utility.current"), rel=1e-9)


def test_the_demand_at_the_meter_is_that_of_the_boards() -> None:
    ups = "power.ups.module_rating=150 kW"
    found = design_of(US, ups)
    on_mv = design_of(US.replace("480 V", "13.8 kV"), "power.distribution.voltage=480 V", ups)
    lost_kw = (si(on_mv, "utility.demand") - si(found, "utility.demand")) / 1e3
    assert lost_kw == pytest.approx(si(on_mv, "losses.transformer") / 1e3, rel=1e-6)
    assert si(found, "utility.current") == pytest.approx(
        si(found, "utility.demand_kva") / (3.0**0.5 * 480.0), rel=1e-9
    )


def test_fault_level_left_open_is_a_high_usual_one() -> None:
    """2,500 kVA of 5.75 % is 43.48 MVA: 52.3 kA at 480 V. At 400 V 27 kA is 18.71 MVA."""
    assert si(design_of(US), "utility.fault_current") == pytest.approx(52.296e3, rel=1e-4)
    assert si(design_of(GB), "utility.fault_current") == pytest.approx(27e3, rel=1e-9)
    assert design_of(GB).facility.site.fault_level_va == pytest.approx(18.7061e6, rel=1e-5)
    assert any(a.id == "site.fault_level" for a in design_of(GB).ledger)
    assert design_of(US.replace("480 V", "13.8 kV")).facility.site.fault_level_va is None


def test_faults_at_the_boards_follow_from_the_level_stated() -> None:
    """The service carries 20 kA at its terminals; a board behind its cable has less."""
    found = design_of(US, "site.fault_level=16.628 MVA", "site.x_over_r=6")
    assert si(found, "utility.fault_current") == pytest.approx(20e3, rel=1e-4)
    board_a = float(found.all_results["fault.board.utility"].si)
    assert 10e3 < board_a < 20.5e3
    (check,) = checks_of(found, "UTILITY-FAULT-LEVEL")
    assert check.outcome is Outcome.PASS
    assert "20.0 kA" in check.why


def test_each_lineup_has_its_way_into_the_service() -> None:
    found = design_of(US)
    ways = [f for f in found.distribution.feeders.feeders if f.circuit.source == "UTIL"]
    assert {f.circuit.target for f in ways} == {"ATS-A", "ATS-B"}
    demand_va = si(found, "utility.demand_kva")
    for feeder in ways:
        assert feeder.choice is not None
        assert feeder.choice.ocpd_a * 3.0**0.5 * 480.0 > 0.5 * demand_va


def test_outages_drop_the_load_that_they_drop_behind_transformers() -> None:
    on_mv = design_of(US.replace("480 V", "13.8 kV"), "power.distribution.voltage=480 V")
    study, other = failures(design_of(US)), failures(on_mv)
    assert study.concurrently_maintainable.holds is other.concurrently_maintainable.holds
    assert study.fault_tolerant.holds is other.fault_tolerant.holds
    dropped = {state.case.outage.id: state.dropped_w for state in other.states}
    both = [state for state in study.states if state.case.outage.id in dropped]
    assert len(both) > 10
    for state in both:
        assert state.dropped_w == pytest.approx(dropped[state.case.outage.id], abs=1.0)


def test_workbook_says_that_there_is_no_transformer() -> None:
    content = workbook_bytes(design_of(US))
    book = read_book(content)
    text = " ".join(str(cell.value) for row in book["Transformers"] for cell in row)
    assert "the utility serves the LV boards at 480 V" in text


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ("power.distribution.voltage=415 V", "power.distribution.voltage"),
        ("power.transformer.count=2", "power.transformer"),
        ("power.generator.connection=MV", "power.generator.connection"),
    ],
)
def test_what_needs_transformers_contradicts_it(change: str, where: str) -> None:
    with pytest.raises(FacilityError) as caught:
        design_of(US, change)
    assert (caught.value.code, caught.value.where) == ("CONTRADICTION", where)
    assert "480 V" in caught.value.message


@pytest.mark.parametrize(
    ("voltage", "refused"), [("480 V", False), ("208 V", False), ("345 V", True), ("13.8 V", True)]
)
def test_voltages_of_public_services(voltage: str, refused: bool) -> None:
    text = US.replace("480 V", voltage)
    if not refused:
        assert design(parse_project(text)).facility.site.lv_service
        return
    with pytest.raises(FacilityError, match="kV") as caught:
        parse_project(text)
    assert caught.value.code == "IMPLAUSIBLE"


@pytest.mark.parametrize(("voltage", "failed"), [("400 V", True), ("480 V", False)])
def test_low_voltage_of_the_country(voltage: str, failed: bool) -> None:
    (check,) = checks_of(design_of(US.replace("480 V", voltage)), "SITE-VOLTAGE")
    assert check.failed is failed
    assert voltage in check.why
    assert "208 V or 480 V" in check.why


def test_racks_at_the_low_voltage_of_the_country() -> None:
    indian = GB.replace("GB", "IN").replace("utility_voltage: 400 V,", "")
    assert design_of(indian).facility.power.wiring.rack_system == "415Y/240"
    assert design_of(indian).facility.site.utility_voltage_v == 11_000.0


def test_what_low_voltage_cannot_carry_is_refused_with_the_field() -> None:
    """2,048 GPUs take 4 MW: at 480 V the sets have more than the 6,000 A of one board."""
    with pytest.raises(FacilityError, match="of one LV board") as caught:
        design_of(US.replace("2N", "N+1"), "it.gpus=2048")
    assert (caught.value.code, caught.value.where) == ("LV_SERVICE", "site.utility_voltage")
    assert caught.value.exit_code == 4
    assert "kV" in caught.value.hint
