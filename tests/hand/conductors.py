"""Cases of conductors and their devices: IEC areas and parallel cables, limits, schedules."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

from facility.catalogue import table
from facility.model.power.faults import Clearing
from facility.physics.circuits.iec_conductors import protective_area, tabulated_drop
from facility.power.feeders.busway import _choice
from facility.power.feeders.circuit_currents import sizing_outages
from facility.power.feeders.iec.checks import (
    disconnection_check,
    loop_impedance_at_end,
    protective_check,
)
from facility.power.feeders.iec.choice import choose_iec
from facility.power.feeders.let_through import Protection
from facility.power.feeders.nec.secondaries import transformer_rules
from facility.power.feeders.schedule import Feeder
from facility.report.book.distribution.feeders import FeederFacts
from facility.report.book.distribution.voltage_drop import voltage_drop_sheet
from facility.report.sheet.tables import PageSetup
from facility.study.design.design import Design
from facility.study.verification.power.conductor_cases import COPPER, IEC
from facility.study.verification.power.panel_cases import NEC
from tests.hand.registry import case
from tests.power.feeders.iec.test_iec_choice import BASIS, DEMAND, chosen
from tests.power.feeders.nec_helpers import check, choose
from tests.report.book.reading import rows_of
from tests.study.helpers import design_of

PDU = """\
schema_version: 1
site: {station: ashburn}
it: {gpu_model: H100 SXM5, gpus: 128, server: DGX H100}
power: {redundancy: 3N/2, distribution: {rack_system: 208Y/120}}
cooling: {method: air}
"""


@cache
def _design() -> Design:
    return design_of(PDU)


@case("iec-protective-of-50")
def _() -> float:
    return 1e6 * float(protective_area.si(50e-6))


@case("iec-protective-of-35")
def _() -> float:
    return 1e6 * float(protective_area.si(35e-6))


@case("iec-protective-of-25")
def _() -> float:
    return 1e6 * float(protective_area.si(25e-6))


@case("iec-protective-of-10")
def _() -> float:
    return 1e6 * float(protective_area.si(10e-6))


@case("iec-parallel-drop")
def _() -> float:
    found = chosen(continuous_a=200.0, size="70", sets=2, length_m=100.0, power_factor=1.0)
    return float(found.drop_v or 0.0)


@case("iec-parallel-resistance-of-the-group")
def _() -> float:
    found = chosen(continuous_a=200.0, size="70", sets=2, length_m=100.0, power_factor=1.0)
    return float(found.group_resistance_ohm or 0.0)


@case("nec-parallel-drop")
def _() -> float:
    found = choose(400.0, size="500", sets=2, length_m=304.8, power_factor=1.0)
    return float(found.drop_v or 0.0)


@case("nec-branch-drop-limit")
def _() -> float:
    by = replace(NEC, voltage_drop_branch=0.02, voltage_drop_feeder=0.04)
    return float(check(choose(50.0, by=by, location="branch"), "NEC-VOLTAGE-DROP").limit or 0.0)


@case("nec-feeder-drop-limit")
def _() -> float:
    by = replace(NEC, voltage_drop_branch=0.02, voltage_drop_feeder=0.04)
    return float(check(choose(50.0, by=by), "NEC-VOLTAGE-DROP").limit or 0.0)


@case("iec-branch-drop-limit")
def _() -> float:
    by = replace(IEC, voltage_drop_branch=0.02, voltage_drop_feeder=0.04)
    demand = replace(DEMAND, location="branch")
    found = choose_iec(demand, BASIS, by, id="c")
    return float(check(found, "IEC-VOLTAGE-DROP").limit or 0.0)


@case("sheet-branch-drop-limit")
def _() -> float:
    found = _design()
    by = replace(found.facility.criteria, voltage_drop_branch=0.02, voltage_drop_feeder=0.04)
    feeders = found.distribution.feeders.feeders
    facts = replace(FeederFacts.of(found.facility), criteria=by)
    sheet = voltage_drop_sheet("V", feeders, facts, PageSetup("", "", "", False))
    limits = {
        float(str(cell.value))
        for row in rows_of(sheet, 4)
        if row["Stage"].value == "branch"
        for head, cell in row.items()
        if head.startswith("Limit") and cell.value is not None
    }
    (limit,) = limits
    return limit


@case("feeder-current-at-nominal-voltage")
def _() -> float:
    """Sum of the currents of the mechanical circuits over what the load draws at 415 V."""
    found = _design()
    point, power = found.point.demand, found.facility.power
    mech_va = (point.mech_w + point.mech_ups_w) / power.mechanical_power_factor
    house_va = point.house_w / power.house_power_factor
    nominal_a = (mech_va + house_va) / (math.sqrt(3.0) * power.wiring.lv_voltage_v)
    feeders = found.distribution.feeders.feeders
    mechanical = (f for f in feeders if f.circuit.stage == "mechanical")
    return sum(f.circuit.runs * f.normal_a for f in mechanical) / nominal_a


@case("circuit-rating-is-that-of-the-device")
def _() -> float:
    """Most that a circuit of the network is rated over its devices on duty, of all circuits."""
    set_ = _design().distribution.feeders
    sized = [f for f in set_.feeders if f.choice is not None]
    assert any(f.choice.ampacity_a > f.choice.ocpd_a for f in sized if f.choice)
    return max(
        float(set_.links[f.circuit.tag].rating_a or 0.0) / f.circuit.duty_runs / f.choice.ocpd_a
        for f in sized
        if f.choice
    )


def _with_device(feeder: Feeder, ocpd_a: float) -> Feeder:
    assert feeder.choice is not None
    return replace(feeder, choice=replace(feeder.choice, ocpd_a=ocpd_a))


@case("pdu-secondary-devices-add-up")
def _() -> float:
    """A PDU whose primary device needs one on the secondary: two feeders of 400 A count as 800."""
    found = _design().distribution
    network = found.plan.network
    pdu = next(one for one in network.equipment if one.kind == "pdu")
    feeders = found.feeders.feeders
    ahead = next(f for f in feeders if f.circuit.target == pdu.tag)
    behind = next(f for f in feeders if f.circuit.source == pdu.tag)
    two = (_with_device(behind, 400.0), _with_device(behind, 400.0))
    rated_a = float(pdu.rating_va or 0.0) / (math.sqrt(3.0) * ahead.circuit.voltage_v)
    checks = transformer_rules(
        (_with_device(ahead, 2.0 * rated_a), *two), network, "2023", outdoors=True
    )
    values = [c.value for c in checks if c.rule == "NEC-TRANSFORMER-PROTECTION" and c.value]
    return max(v for v in values if v != 2.0 * rated_a)


@case("iec-tabulated-drop-of-two-cables")
def _() -> float:
    return float(tabulated_drop.si(0.00025, 1.0, 50.0, 100.0, 2.0))


@case("nec-size-at-50-degrees")
def _() -> float:
    """Load that is not continuous, so that the device is not above it."""
    hot = replace(COPPER, ambient_c=50.0)
    found = choose(0.0, hot, other_a=100.0)
    assert found.ocpd_a == 100.0
    return float(found.size)


@case("nec-ampacity-at-50-degrees")
def _() -> float:
    basis = replace(COPPER, ambient_c=50.0, ambient_by_table=False)
    return choose(0.0, basis, other_a=100.0).ampacity_corrected_a


@case("nec-ampacity-at-50-degrees-by-table")
def _() -> float:
    return choose(0.0, replace(COPPER, ambient_c=50.0), other_a=100.0).ampacity_corrected_a


@case("nec-ampacity-at-51-degrees-by-table")
def _() -> float:
    basis = replace(COPPER, ambient_c=51.0, insulation_c=75.0)
    return choose(0.0, basis, other_a=80.0, ocpd_a=80.0).ampacity_corrected_a


@case("iec-harmonic-factor")
def _() -> float:
    return chosen(third_harmonic=0.20).harmonic_factor


@case("iec-withstand-of-two-cables")
def _() -> float:
    found = chosen(fault_a=20e3, clearing=Clearing(0.25), continuous_a=200.0, size="70", sets=2)
    return float(check(found, "IEC-SHORT-CIRCUIT").limit or 0.0)


@case("iec-two-loaded-conductors")
def _() -> float:
    found = chosen(continuous_a=20.0, size="2.5", poles=2, voltage_v=230.0, neutral="none")
    return found.ampacity_term_a


@case("states-that-bypasses-are-sized-on")
def _() -> float:
    found = _design().distribution
    outages = sizing_outages(found.plan.network, _design().panels)
    return float(sum("bypass" in one.id for one in outages))


@case("iec-loop-of-line-and-earth")
def _() -> float:
    """Line of 70 mm2, earth of 35 mm2, 100 m: the reactance counts there and back."""
    found = chosen(size="70", continuous_a=100.0, length_m=100.0)
    return float(loop_impedance_at_end(found, 0.001) or 0.0)


@case("iec-final-circuit-of-32-amperes")
def _() -> float:
    found = chosen(continuous_a=30.0, location="branch")
    assert found.ocpd_a == 32.0
    check = disconnection_check("c", found, 230.0, 0.1, (320.0, 0.0), branch=True)
    return float("within 0.4 s" in check.why)


@case("iec-earth-of-two-cables")
def _() -> float:
    found = chosen(size="70", sets=2, continuous_a=200.0)
    return float(protective_check("c", found, 5e3, Protection(0.25, ""), BASIS).limit or 0.0)


@case("busway-drop-of-two-runs")
def _() -> float:
    """Drop of two runs over that of one, at the same load."""
    row = table("electrical/feeder_busway").rows[0]
    demand = replace(DEMAND, continuous_a=400.0, length_m=30.0)
    one, two = (_choice(demand, COPPER, row, runs, 1.0, 400.0, 400.0).drop_v for runs in (1, 2))
    assert one is not None
    return float(two or 0.0) / one
