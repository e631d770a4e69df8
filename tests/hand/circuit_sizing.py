"""Cases of conductors and busways: parallel sets, earth conductors, ambient, runs of a feeder."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

from facility.model.power.faults import Clearing
from facility.physics.circuits.iec_conductors import protective_area
from facility.power.feeders.busway import choose_busway
from facility.power.feeders.duties import UnitCurrents, _ratings
from facility.power.feeders.iec.candidate import withstand
from facility.power.feeders.let_through import Protection
from facility.power.feeders.nec.checks import grounding_withstand, withstand_checks
from facility.power.feeders.nec.grounding import installed_egc
from facility.power.feeders.nec.tables import wire_size
from facility.power.feeders.types import ConductorChoice
from facility.study.verification.power.conductor_cases import COPPER, feeder
from facility.study.verification.power.panel_cases import NEC
from tests.hand.registry import case
from tests.power.feeders.iec.test_iec_choice import BASIS
from tests.power.feeders.nec_helpers import choose

_CMIL_M2 = 5.067074790974977e-10
_THREE_CYCLES = Protection(0.05, "")

# --- withstand --------------------------------------------------------------------------------


def _two_cables() -> ConductorChoice:
    """Return two sets of 500 kcmil copper, THHN used at 75 degC, on a device of 700 A."""
    found = choose(560.0, size="500", sets=2, ocpd_a=700.0)
    return replace(found, insulation="THHN")


@case("nec-withstand-of-two-cables")
def _() -> float:
    (found,) = withstand_checks("c", _two_cables(), 50e3, _THREE_CYCLES, 75.0, "2023")
    return float(found.limit or 0.0)


@case("nec-withstand-of-two-earth-conductors")
def _() -> float:
    choice = replace(_two_cables(), egc_size="1")
    return float(grounding_withstand("c", choice, 9e3, _THREE_CYCLES, 75.0, "2023").limit or 0.0)


@case("iec-withstand-of-three-earth-conductors")
def _() -> float:
    return withstand(35e-6, 3, 0.1, BASIS)


@case("nec-cables-raised-by-a-fault")
def _() -> float:
    """Area of the lines of a circuit of 200 A behind a fault of 60 kA that lasts 50 ms."""
    clearing = Clearing(0.05)
    found = choose(150.0, ocpd_a=200.0, fault_a=60e3, clearing=clearing)
    return found.sets * found.area_m2 / _CMIL_M2


# --- earth conductors -------------------------------------------------------------------------


@case("nec-egc-of-the-handbook-example")
def _() -> float:
    """Lines of 500 kcmil where 250 kcmil have the ampacity, on a device of 250 A."""
    found = choose(200.0, ocpd_a=250.0, size="500", sets=1)
    assert found.egc_minimum == "4"
    return float(found.egc_size)


@case("nec-egc-not-above-its-line")
def _() -> float:
    """Line of 6 AWG where 12 AWG has the ampacity, on 30 A."""
    least, line = wire_size("10"), wire_size("6")
    found = installed_egc(least, line, "cu", 1, line.area_m2, wire_size("12").area_m2)
    assert found is not None
    return float(found.name)


@case("nec-egc-just-above-a-size")
def _() -> float:
    """Lines of 1/0 where 4 AWG would do, on 60 A."""
    least, line = wire_size("10"), wire_size("1/0")
    found = installed_egc(least, line, "cu", 1, line.area_m2, wire_size("4").area_m2)
    assert found is not None
    return float(found.name)


@case("nec-egc-of-parallel-sets")
def _() -> float:
    """Two sets of 350 kcmil where 600 kcmil in all would do, on 500 A: 2 AWG times 700 / 600."""
    least, line = wire_size("2"), wire_size("350")
    found = installed_egc(least, line, "cu", 2, 2.0 * line.area_m2, 600.0 * 1e3 * _CMIL_M2)
    assert found is not None
    return float(found.name)


@case("iec-earth-of-an-upsized-line")
def _() -> float:
    return 1e6 * float(protective_area.si(240e-6))


# --- busway -----------------------------------------------------------------------------------


def _busway(ambient_c: float, load_a: float, device_a: float) -> ConductorChoice:
    basis = replace(COPPER, ambient_c=ambient_c)
    return choose_busway(feeder(load_a), basis, NEC, device_a, 1.25 * load_a)


@case("busway-ambient-factor-at-50-degrees")
def _() -> float:
    return _busway(50.0, 800.0, 1000.0).ambient_factor


@case("busway-rating-at-50-degrees")
def _() -> float:
    return float(_busway(50.0, 800.0, 1000.0).size)


@case("busway-ampacity-at-50-degrees")
def _() -> float:
    return _busway(50.0, 800.0, 1000.0).ampacity_a


@case("busway-cool-ambient-is-no-credit")
def _() -> float:
    return float(_busway(20.0, 800.0, 1000.0).ampacity_a)


@case("busway-two-runs-at-60-degrees")
def _() -> float:
    """No single run of 5,000 A carries 4,500 A at 60 degC; two runs do, each derated."""
    return _busway(60.0, 3600.0, 4500.0).ampacity_a


# --- runs of a feeder -------------------------------------------------------------------------


_NONE = UnitCurrents()


def _rated(stage: str, runs: int, target: object, units: UnitCurrents = _NONE) -> float:
    circuit = SimpleNamespace(
        stage=stage, voltage_v=480.0, target="T", runs=runs, duty_runs=runs, motors=None
    )
    plan = SimpleNamespace(network={"T": target})
    ((amperes, _),) = _ratings(circuit, plan, units)  # type: ignore[arg-type]
    return amperes


@case("pdu-feeder-of-two-runs")
def _() -> float:
    return _rated("pdu", 2, SimpleNamespace(kind="pdu", rating_va=300e3))


@case("maintenance-bypass-of-two-runs")
def _() -> float:
    bus = UnitCurrents(bus_a=2400.0, module_a=600.0)
    return _rated("bypass", 2, SimpleNamespace(kind="maintenance-bypass"), bus)


@case("static-bypass-of-one-module")
def _() -> float:
    bus = UnitCurrents(bus_a=2400.0, module_a=600.0)
    return _rated("bypass", 2, SimpleNamespace(kind="static-bypass"), bus)


@case("generator-set-circuit-of-one-set")
def _() -> float:
    return _rated("set", 3, None, UnitCurrents(set_va=1e6))
