"""Rules that no project drives: the function that judges is called on both sides of its limit.

Each entry returns the checks of a case that must fail and of one that must pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from facility.catalogue import table
from facility.cooling.air.air_side import supply_air
from facility.cooling.chain.design_checks import design_checks
from facility.cooling.hydraulics.study import _checks as hydraulic_checks
from facility.cooling.liquid_path.checks import _own_limits
from facility.cooling.ride_through.schedule import PowerState
from facility.cooling.room.moisture import _sensible
from facility.core.check import Check
from facility.core.trace import Findings, Trace
from facility.files.panel_csv.document import read_panel_csv
from facility.model.cooling.liquid import CduCandidate, LiquidPlan
from facility.model.facility import Goal
from facility.power.feeders.cords import _of_kind
from facility.power.it.load import it_checks
from facility.power.it.reconcile import Reconciliation
from facility.power.network.graph.types import Equipment, Link
from facility.power.panels.design.checks import branch_ratings
from facility.power.ups.study import _compared
from facility.study.failures.study import FailureBasis, network_failures
from facility.study.transient.checks import ride_checks, volume_checks
from facility.study.verification.power.panel_cases import NEC
from tests.cooling.helpers import LIQUID, case
from tests.power.feeders.iec.test_iec_choice import chosen
from tests.power.feeders.nec_helpers import choose
from tests.study.failures.helpers import board, load, network, source
from tests.study.fields import AIR
from tests.study.fields import LIQUID as LIQUID_HALL
from tests.study.helpers import design_of

Both = tuple[Iterable[Check], Iterable[Check]]
DIRECT: dict[str, Callable[[], Both]] = {}


def direct(rule: str) -> Callable[[Callable[[], Both]], Callable[[], Both]]:
    def register(function: Callable[[], Both]) -> Callable[[], Both]:
        DIRECT[rule] = function
        return function

    return register


# --- conductors -------------------------------------------------------------------------------


@direct("IEC-VOLTAGE-DROP")
def _() -> Both:
    """70 mm2 at 100 A and unity: 1.732 x 100 x 0.32066 ohm/km; 5 % of 400 V after 360 m."""
    built: dict[str, Any] = {"continuous_a": 100.0, "size": "70", "power_factor": 1.0}
    return chosen(length_m=361.0, **built).checks, chosen(length_m=359.0, **built).checks


@direct("IEC-DESIGN-CURRENT")
def _() -> Both:
    return chosen(ocpd_a=38.0, size="6").checks, chosen(ocpd_a=40.0, size="6").checks


@direct("NEC-RACEWAY-FILL")
def _() -> Both:
    """Nine 500 kcmil THHN (9 x 456.3 mm2) in the 14,753 mm2 x 40 % of EMT 4, and twelve of them."""
    one: dict[str, Any] = {"size": "600", "sets": 1}
    return (
        choose(400.0, grouped_circuits=5, **one).checks,
        choose(400.0, grouped_circuits=1, **one).checks,
    )


@direct("NEC-RACEWAY-GROUP")
def _() -> Both:
    """Nine circuits of 400 A have no raceway of their own size; three of 20 A do."""
    return (choose(320.0, grouped_circuits=9).checks, choose(16.0, grouped_circuits=3).checks)


@direct("PANEL-BRANCH")
def _() -> Both:
    """Branch breakers of 250 A and of 225 A behind a bus of 225 A."""
    text = (
        "# panel: LP-1; system: 208Y/120; poles: 42; bus: 225 A\n"
        "description,poles,va,pf,breaker_a,position,fixed\nRack 1,3,9000,0.98,{},1,no\n"
    )
    return tuple(branch_ratings(read_panel_csv(text.format(a))) for a in (250, 225))  # type: ignore[return-value]


@direct("RECEPTACLE-RATING")
def _() -> Both:
    """A receptacle of 30 A behind a breaker of 35 A, and behind one of 30 A."""
    row = table("electrical/receptacles").get("IEC 60309 30A 4P5W 6h")
    return tuple(list(_of_kind(row, "rack", breaker_a, 20.0, NEC)) for breaker_a in (35.0, 30.0))  # type: ignore[return-value]


# --- IT, batteries, plant ---------------------------------------------------------------------


@direct("COMPONENT-SUM")
def _() -> Both:
    """Components of 10.3 kW in a device whose sheet says 10.2 kW; 10.1 kW are within it."""
    plan = design_of(AIR).facility.it
    return tuple(
        it_checks(plan, [Reconciliation("x", (), 0.9 * watts, 0.1 * watts, watts, 10.2e3, 0.0, ())])
        for watts in (10.3e3, 10.1e3)
    )  # type: ignore[return-value]


@direct("CDU-APPROACH")
def _() -> Both:
    """The approach that one CDU fewer needs, against what the temperatures leave."""
    one = case(LIQUID, "{method: hybrid}")
    design = one.sized()
    assert design.cdus is not None
    plan = design.cdus.plan

    needed_k = design.cdus.sizing_approach(design.cdus.duty)

    def leaving(part: float) -> tuple[Check, ...]:
        assert design.water is not None
        water = replace(design.water.plan, supply_c=plan.tcs_supply_c - needed_k * part)
        return design_checks(replace(design, water=replace(design.water, plan=water)))

    return leaving(0.95), leaving(1.05)


@direct("CDU-FILTER")
def _() -> Both:
    """A filter of 51 um and one of 50 um, where 50 um are asked for."""
    plan, own, supply_c = _own_cdu()

    def found(filter_um: float) -> list[Check]:
        return list(_own_limits(replace(own, filter_um=filter_um), plan, supply_c))

    return found(51.0), found(50.0)


@direct("CDU-PUMPS")
def _() -> Both:
    """Two pumps that are both needed, and three of which one is spare."""
    plan, own, supply_c = _own_cdu()
    return (
        list(_own_limits(replace(own, pumps="2", pump_spare=False), plan, supply_c)),
        list(_own_limits(replace(own, pumps="3, N+1", pump_spare=True), plan, supply_c)),
    )


def _own_cdu() -> tuple[LiquidPlan, CduCandidate, float]:
    """Return the plan of a design, its CDU of the catalogue, and the coolant supply."""
    design = design_of(LIQUID_HALL).cooling
    assert design.cdus is not None
    assert design.chain.liquid is not None
    own = design.chain.liquid.own(design.cdus.plan.unit)
    assert own is not None
    return design.chain.liquid, own, design.cdus.plan.tcs_supply_c


@direct("PIPE-VELOCITY")
def _() -> Both:
    """The limit 1 % under and 1 % over the fastest stretch of the chilled-water loop."""
    found = design_of(AIR)
    loops = [row for row in found.hydraulics.loops if row.name == "chw"]
    (row,) = loops
    fastest = max(flow.velocity_m_s for flow in row.flows)
    plan = found.facility.cooling.hydraulics

    def allowed(part: float) -> list[Check]:
        limit = replace(plan, velocity_max_m_s=part * fastest)
        return list(hydraulic_checks((row,), limit, None, None))

    return allowed(0.99), allowed(1.01)


@direct("AIR-COIL-SENSIBLE")
def _() -> Both:
    """Wet coils asked for a quarter more, and for no more, than the coil takes wide open."""
    found = design_of(AIR)
    design = found.cooling
    air = supply_air(design.chain, found.facility.site.pressure_pa, Trace())
    air_w_k = 2.0 * air.specific_heat_j_kgk
    met = {
        "air_c": 36.0,
        "humidity_ratio": 0.0147,
        "water_c": 8.0,
        "pressure_pa": 101325.0,
        "air_kg_s": 2.0,
    }

    def judged(load_w: float) -> list[Check]:
        findings = Findings(Trace())
        _sensible(design, load_w, air_w_k, met, findings)
        return findings.checks

    (most,) = (float(check.limit or 0.0) for check in judged(1e3))
    return judged(1.01 * most), judged(0.99 * most)


@direct("UPS-SHORTLIST")
def _() -> Both:
    """Two modules of the voltage to compare, and three."""

    def compared(models: int) -> list[Check]:
        ups = SimpleNamespace(shortlist=("a", "b", "c")[:models])
        wiring = SimpleNamespace(lv_voltage_v=480.0)
        basis = SimpleNamespace(wiring=wiring, ups=SimpleNamespace(shortlist=3))
        chain = SimpleNamespace(ups=ups, chain=basis)
        return [_compared(chain)]  # type: ignore[arg-type]

    return compared(2), compared(3)


# --- failures ---------------------------------------------------------------------------------


def _failures(*parts: Equipment, loads: tuple[Any, ...], **basis: Any) -> tuple[Check, ...]:
    return network_failures(network(*parts, loads=loads), FailureBasis(**basis)).checks


@direct("SPOF")
def _() -> Both:
    one, other = source("U"), source("V")
    single = _failures(one, board("X", "U"), loads=(load("R", "X"),))
    double = _failures(one, other, board("X", "U"), board("Y", "V"), loads=(load("R", "X", "Y"),))
    return single, double


DIRECT["CONCURRENTLY-MAINTAINABLE"] = DIRECT["SPOF"]


@direct("OVERLOAD-IN-STATE")
def _() -> Both:
    """2 kW on 480 V and 0.97: 2.48 A with the other board lost, against 2.4 A and 2.6 A."""

    def rated(amperes: float) -> tuple[Check, ...]:
        small = replace(board("X", "U"), rating_a=amperes)
        loads = (load("R1", "X", "Y"), load("R2", "X", "Y"))
        return _failures(source("U"), small, board("Y", "U"), loads=loads)

    return rated(2.4), rated(2.6)


@direct("OVERLOAD-DURING-MAINTENANCE")
def _() -> Both:
    """Three boards share 2 kW; two out leave 2.48 A on the third."""

    def rated(amperes: float) -> tuple[Check, ...]:
        small = replace(board("X", "U"), rating_a=amperes)
        loads = (load("R1", "X", "Y", "Z"), load("R2", "X", "Y", "Z"))
        net = network(source("U"), small, board("Y", "U"), board("Z", "U"), loads=loads)
        return network_failures(net, FailureBasis(), depth=2).checks

    return rated(2.4), rated(2.6)


@direct("VOLTAGE-IN-STATE")
def _() -> Both:
    """1 kW through 2 ohm per phase at 480 V: about 0.9 % of drop, against 0.5 % and 2 %."""

    def allowed(drop: float) -> tuple[Check, ...]:
        link = Link("U", "U>X", 2.0, 0.0, 100.0)
        far = Equipment("X", "panel", 480.0, (link,), rating_a=100.0)
        return _failures(source("U"), far, loads=(load("R", "X"),), voltage_drop=drop)

    return allowed(0.005), allowed(0.02)


# --- ride-through -----------------------------------------------------------------------------


_PLANT = SimpleNamespace(
    design=SimpleNamespace(
        counts=SimpleNamespace(
            crah=2,
            crah_duty=2,
            cdu=0,
            cdu_duty=0,
            chillers=0,
            chillers_duty=0,
            rejection=0,
            rejection_duty=0,
            fws_rejection=0,
            fws_rejection_duty=0,
        ),
        criteria=SimpleNamespace(goal=Goal()),
    ),
    thermal=SimpleNamespace(loops=SimpleNamespace(open_tanks=frozenset({"chw", "fws"}))),
    has_liquid=False,
    sink_w_k=0.0,
)


def _ride(grade: str, peak_c: float) -> list[Check]:
    limit = SimpleNamespace(
        id=grade, title="inlet", grade=grade, series="inlet_worst", limit_c=35.0, of_liquid=False
    )
    power = PowerState(battery_s=None, restored_s=30.0)
    found = SimpleNamespace(
        case=SimpleNamespace(
            id="crah", title="one air handler", power=power, lost={"fans": 1}, headers={}, pumps={}
        ),
        series={"inlet_worst": (25.0,)},
        before=lambda _: False,
        settled=True,
        horizon_s=600.0,
        limits=((limit, None if peak_c <= 35.0 else 60.0, peak_c),),
    )
    return list(ride_checks((found,), _PLANT, 0.0))  # type: ignore[arg-type]


DIRECT["RIDE-THROUGH"] = lambda: (_ride("allowable", 36.0), _ride("allowable", 34.5))
DIRECT["RIDE-THROUGH-RECOMMENDED"] = lambda: (_ride("recommended", 36.0), _ride("recommended", 34))
DIRECT["RIDE-THROUGH-CLASS"] = lambda: (_ride("class", 36.0), _ride("class", 34.5))


@direct("RIDE-THROUGH-BATTERY")
def _() -> Both:
    """Batteries of 29 s and of 31 s, where the generators carry the load after 30 s."""

    def lasting(seconds: float) -> list[Check]:
        power = SimpleNamespace(battery_s=seconds, restored_s=30.0)
        found = SimpleNamespace(
            case=SimpleNamespace(id="utility", title="utility", power=power),
            settled=True,
            horizon_s=600.0,
            limits=(),
        )
        return list(ride_checks((found,), _PLANT, 0.0))  # type: ignore[arg-type]

    return lasting(29.0), lasting(31.0)


@direct("RIDE-THROUGH-VOLUME")
def _() -> Both:
    def holding(tank_m3: float) -> list[Check]:
        thermal = SimpleNamespace(loops=SimpleNamespace(chw_tank_m3=tank_m3))
        held = {"chw_m3": 0.6, "chw_min_m3": 1.0, "direct": False, "not_counted": {}}
        plant = SimpleNamespace(thermal=thermal, **held)
        return list(volume_checks(plant))  # type: ignore[arg-type]

    return holding(0.35), holding(0.45)
