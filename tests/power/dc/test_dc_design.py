"""The direct-current option of a project: results, checks, refusals, and what it leaves alone."""

from __future__ import annotations

import pytest

from facility.core.check import Check, Outcome
from facility.core.errors import FacilityError
from facility.core.trace import Findings, Trace, explain
from facility.files.workbook.book import workbook_book
from facility.model.inputs.power.dc import DcSection
from facility.power.dc.distribution import design_dc
from facility.report.sheet.styles import look_of
from facility.study.resolve.power.electrical import resolve_dc
from tests.power.helpers import criteria
from tests.study.fields import LIQUID
from tests.study.helpers import SHORTEST, design_of, si

BUSBAR = {"architecture": "54V busbar", "length": "1.5 m", "busbar_section": "900 mm2"}
FEEDER = {"architecture": "800V feeder", "length": "60 m", "conductor_size": "3/0", "sets": "2"}


def dc(rack_w: float = 132e3, code: str = "NEC", **section: str) -> tuple[Findings, Trace]:
    trace = Trace()
    read = DcSection.model_validate(section)
    basis = resolve_dc(read, trace)
    return design_dc(basis, rack_w, criteria(code=code), trace), trace


def check(found: Findings, rule: str) -> Check:
    return next(c for c in found.checks if c.rule == rule)


def number(found: Findings, key: str) -> float:
    return float(found.results[key].si)


def test_busbar_by_hand() -> None:
    """2 x 1.5 m of 900 mm2 copper at 75 degC: 0.0209681 x 1.5 / 900 = 34.947 microohm each way."""
    found, trace = dc(**BUSBAR)
    ohms = 1.0 / 58.0 * (1.0 + 0.00393 * 55.0) * 1.5 / 900.0
    assert number(found, "dc.resistance") == pytest.approx(ohms, rel=1e-12)
    amperes = number(found, "dc.current")
    assert amperes * (54.0 - 2.0 * amperes * ohms) == pytest.approx(132e3, rel=1e-12)
    assert amperes > 132e3 / 54.0
    source_w = number(found, "dc.source_power")
    assert source_w == pytest.approx(54.0 * amperes, rel=1e-12)
    assert source_w == pytest.approx(132e3 + number(found, "dc.loss"), rel=1e-12)
    assert "busbar-metals" in "\n".join(explain(trace, "dc.voltage_drop"))


def test_feeder_by_table_8() -> None:
    """3/0 AWG copper 0.0766 ohm/kft: 60 m of two sets 7.539 milliohm."""
    found, _ = dc(**FEEDER)
    assert number(found, "dc.resistance") == pytest.approx(0.0766 * 60.0 / 304.8 / 2.0, rel=1e-12)
    assert found.results["dc.conductors"].si == 4
    ampacity = check(found, "DC-AMPACITY")
    assert ampacity.limit == 400.0
    assert ampacity.value == pytest.approx(1.25 * number(found, "dc.current"))


def test_aluminum_and_temperature_move_the_resistance() -> None:
    base, _ = dc(**FEEDER)
    aluminum, _ = dc(**FEEDER, material="aluminum")
    cold, _ = dc(**FEEDER, conductor_temperature="20 degC")
    ratio = number(aluminum, "dc.resistance") / number(base, "dc.resistance")
    assert ratio == pytest.approx(0.126 / 0.0766, rel=1e-12)
    fall = number(cold, "dc.resistance") / number(base, "dc.resistance")
    assert fall == pytest.approx(1.0 - 0.00323 * 55.0, rel=1e-12)


def test_comparison_of_voltages_needs_219_times_the_copper_at_54() -> None:
    found, _ = dc(**BUSBAR)
    ratio = number(found, "dc.at_54v.section") / number(found, "dc.at_800v.section")
    assert ratio == pytest.approx((800.0 / 54.0) ** 2, rel=1e-9)
    losses = [number(found, f"dc.at_{v}v.loss") for v in (54, 400, 800)]
    assert losses == sorted(losses, reverse=True)


def test_load_beyond_the_transferable_power_is_a_violation() -> None:
    found, _ = dc(architecture="54V busbar", length="100 m", busbar_section="50 mm2")
    assert check(found, "DC-MAXIMUM-POWER").failed
    assert "dc.current" not in found.results
    assert check(found, "DC-VOLTAGE-DROP").outcome is Outcome.NOT_EVALUATED


def test_window_and_converter_need_data() -> None:
    open_, _ = dc(**BUSBAR)
    for rule in ("DC-VOLTAGE-LOW", "DC-VOLTAGE-HIGH", "DC-CONVERTER-LOSS", "DC-AMPACITY"):
        assert check(open_, rule).outcome is Outcome.NOT_EVALUATED
    assert "dc.input_power" not in open_.results
    given, _ = dc(**BUSBAR, voltage_min="53.95 V", voltage_max="54 V", converter_efficiency="97 %")
    assert check(given, "DC-VOLTAGE-LOW").failed
    assert not check(given, "DC-VOLTAGE-HIGH").failed
    expected = number(given, "dc.source_power") / 0.97
    assert number(given, "dc.input_power") == pytest.approx(expected)


def test_sizes_of_the_nec_have_no_ampacity_in_the_iec() -> None:
    found, _ = dc(code="IEC", **FEEDER)
    assert check(found, "DC-AMPACITY").outcome is Outcome.NOT_EVALUATED


def test_without_an_architecture_there_is_nothing() -> None:
    found, trace = dc(architecture="none")
    assert not found.results
    assert not found.checks
    assert "power.dc.beside" not in trace.ledger


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ({"length": "3 m"}, "architecture"),
        ({"architecture": "54V busbar", "length": "3 m"}, "busbar section"),
        ({"architecture": "800V feeder", "conductor_size": "500"}, "length"),
        ({**BUSBAR, "sets": "2"}, "does not use sets"),
        ({**FEEDER, "busbar_section": "900 mm2"}, "does not use busbar section"),
        ({**BUSBAR, "voltage_min": "54 V", "voltage_max": "48 V"}, "voltage_min"),
    ],
)
def test_contradictions_are_refused(section: dict[str, str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        DcSection.model_validate(section)


@pytest.mark.parametrize(
    ("change", "code"),
    [({"conductor_size": "3.5/0"}, "UNKNOWN_SIZE"), ({"conductor_size": "4"}, "PARALLEL_SIZE")],
)
def test_unknown_conductors_are_refused(change: dict[str, str], code: str) -> None:
    with pytest.raises(FacilityError) as caught:
        dc(**{**FEEDER, **change})
    assert caught.value.code == code


def test_the_ac_design_is_left_alone() -> None:
    plain = design_of(LIQUID)
    sets = [f"power.dc.{name}={value}" for name, value in BUSBAR.items()]
    with_dc = design_of(LIQUID, *sets)
    assert "power.dc.beside" in with_dc.ledger
    assert "power.dc.load" in with_dc.ledger
    for key in ("load.losses", "load.facility", "heat.air", "heat.liquid", "utility.demand_kva"):
        assert si(with_dc, key) == si(plain, key)
    assert si(with_dc, "dc.load") == si(with_dc, "racks.power_max")


@pytest.mark.parametrize("section", [BUSBAR, FEEDER])
def test_it_stands_in_the_workbook(section: dict[str, str]) -> None:
    """The resistivity, 0.020968 ohm mm2/m at 75 degC, is shown with six decimals."""
    sets = (f"power.dc.{name}={value}" for name, value in section.items())
    book = workbook_book(design_of(SHORTEST, *sets))
    for sheet in book.sheets:
        for cell in sheet.cells.values():
            look_of(cell.style)
