"""Cases at the edges: at a limit, at the end of a table, nothing where something is wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from facility.cooling.liquid_path.study import class_of
from facility.core.errors import FacilityError
from facility.files.circuit_table.rows import states_of
from facility.files.panel_csv.document import read_panel_csv
from facility.physics.plant.tower.yorkcalc import yorkcalc_outside
from facility.power.it.reconcile import supply_loss_at
from facility.power.network.build.loads import load_parts
from facility.power.panels.design.checks import _supply_voltages
from facility.power.ups.modules import eco_curve
from facility.report.book.panels.text_grid import row_positions
from facility.study.resolve.cooling.parts import known_fluid
from tests.hand.power import SMALL, _batteries
from tests.hand.registry import case
from tests.power.it.helpers import load_of
from tests.power.panels.helpers import DGX, frame, load, panel, plan, rack
from tests.study.helpers import design_of, si


def _refused(code: str, function: Callable[[], object]) -> float:
    """Return 1 where `function` is refused with `code`, else 0."""
    try:
        function()
    except FacilityError as error:
        return float(error.code == code)
    return 0.0


@case("class-of-a-supply-at-its-limit")
def _() -> float:
    """Class S40 is supplied up to 40 degC, 40 degC included."""
    found = class_of((("S30", 30.0), ("S40", 40.0), ("S45", 45.0)), 40.0)
    return float(found.removeprefix("S"))


@case("twelve-circuits-are-one-load")
def _() -> float:
    return float(len(load_parts(rack(1, "ABCDEF", whips=2))))


@case("thirteen-circuits-are-a-load-for-each-device")
def _() -> float:
    return float(len(load_parts(rack(1, "A", whips=13))))


@case("panel-csv-main-of-nothing")
def _() -> float:
    head = "# panel: P; system: 208Y/120; poles: 42; main: {}\n"
    body = "description,poles,va,pf,breaker_a,position,fixed\nx,1,100,1,20,1,no\n"
    nothing, usual = (
        _refused("PANEL_CSV_HEADER", lambda main=main: read_panel_csv(head.format(main) + body))
        for main in ("0 A", "100 A")
    )
    return nothing - usual


@case("glycol-freezes-below-water")
def _() -> float:
    freezing_c = known_fluid("PG25").freezing_c
    return 0.0 if freezing_c is None else freezing_c


@case("partner-lost-of-three")
def _() -> float:
    """Of three equal circuits on three feeds each of the two left carries half of the lost one."""
    circuits = tuple(
        load(id, 1, 1000.0, side=id.upper(), partner=" / ".join({*"abc"} - {id})) for id in "abc"
    )
    states, complete = states_of(circuits)
    return abs(complete[1].total_va(states.index("A lost")))


@case("loss-of-supplies-of-an-assumed-curve")
def _() -> float:
    assert DGX.psu is not None
    known = replace(DGX.psu, efficiency=((0.5, 0.96), (1.0, 0.94)))
    one = supply_loss_at(replace(DGX, psu=replace(known, assumed=False)), 8e3)
    other = supply_loss_at(replace(DGX, psu=replace(known, assumed=True)), 8e3)
    return float(one is not None and one > 0.0) - float(other is not None)


@case("tower-with-little-air")
def _() -> float:
    """All the water on a tenth of the air: ten times the ratio of the rating, of 8 at most."""
    return float("water over air flow ratio" in yorkcalc_outside(20.0, 5.6, 1.0, 0.1))


@case("battery-at-the-last-time-of-its-table")
def _() -> float:
    return float(_batteries().bank.block.segment(20.0 * 60.0)[3])


@case("eco-mode-of-a-module")
def _() -> float:
    return float(dict(eco_curve("9395XR-1935"))[0.5])


@case("fewer-systems-than-the-scheme")
def _() -> float:
    return _refused(
        "REDUNDANCY_CONTRADICTION",
        lambda: design_of(SMALL, "power.redundancy=2N", "power.systems=1"),
    )


@case("a-rack-that-the-servers-just-fill")
def _() -> float:
    """Eight servers of 8 units, four of them in a rack of 32 units; doors take the heat of four."""
    doors = "cooling.air.terminal=active-rear-door"
    return si(design_of(SMALL, "it.rack_units=32", doors), "load.racks.compute")


@case("rows-of-a-single-column")
def _() -> float:
    """20 ways in one column fold at a whole way of three poles: 12 on the left, 8 on the right."""
    return float(len(row_positions(panel(poles=20, numbering="IEC"))))


@case("apparent-power-of-two-kinds-in-a-rack")
def _() -> float:
    """Two devices of 8 kW at 0.8 and one of 9 kW at 0.9: 20 and 10 kVA, added as numbers."""

    def device(model: str, watts: int, factor: float) -> dict[str, object]:
        supplies = {"count": 2, "needed": 1, "rating": "12 kW", "power_factor": str(factor)}
        return {"model": model, "category": "server", "gpus": 1, "gpu_model": "H100 SXM5",
                "maximum_power": f"{watts} kW", "rack_units": 8, "supplies": supplies}  # fmt: skip

    one = {"name": "R", "count": 1, "devices": [{"model": "A", "count": 2}, {"model": "B"}]}
    found = load_of(
        ("A", "B"),
        devices=[device("A", 8, 0.8), device("B", 9, 0.9)],
        halls=[{"name": "H", "racks": [one]}],
    )
    return float(found.it_va)


HALLS = """\
schema_version: 1
site: {station: ashburn}
it:
  halls:
    - {name: One, racks: [{name: R, count: 2, devices: [{model: DGX H100, count: 4}]}]}
    - {name: Two, racks: [{name: S, count: 6, devices: [{model: DGX H100, count: 4}]}]}
power: {redundancy: N}
cooling: {method: air}
"""


@case("hall-of-its-own-racks")
def _() -> float:
    """A hall has room for its racks alone: beside another hall it is as large as by itself."""
    both = si(design_of(HALLS), "it.hall.2.floor_area")
    alone = HALLS.replace(HALLS.splitlines()[4] + "\n", "")
    return both / si(design_of(alone), "it.hall.1.floor_area")


@case("fan-of-an-own-unit-goes-by-its-air")
def _() -> float:
    """A fan moves air: twice the capacity from as much air needs no other fan."""
    rating = ("airflow=2.8 m3/s", "return_air=36 degC", "water_in=18 degC", "water_out=24 degC")
    unit = ("cooling.air.terminal=in-row", *(f"cooling.air.rating.{one}" for one in rating))
    small, large = (
        design_of(SMALL, *unit, f"cooling.air.rating.net_sensible={kw} kW").cooling.chain.crah.unit
        for kw in (20, 40)
    )
    return large.fan_w / small.fan_w


@case("supply-on-a-circuit-of-two-poles")
def _() -> float:
    """One circuit of one pole, 120 V, and one of two poles: the supplies of the latter get 208."""
    one = rack(1, "AB", poles=1)
    first, second = one.circuits
    checks = _supply_voltages(
        plan(replace(one, circuits=(first, replace(second, poles=2)))), frame("208Y/120", "AB")
    )
    return max(float(check.value or 0.0) for check in checks)


@case("own-power-of-a-device-is-no-memory")
def _() -> float:
    """The row of the node is from memory; with a power that the project states it no longer is."""
    model = "NVMe storage node 2U"
    one = {"name": "R", "count": 1, "devices": [{"model": model}]}
    recalled, stated = (
        load_of(("A", "B"), halls=[{"name": "H", "racks": [one]}], devices=devices)
        for devices in ([], [{"model": model, "maximum_power": "1.2 kW"}])
    )
    marks = [float(found.devices[0].device.from_memory) for found in (recalled, stated)]
    return marks[0] - marks[1]


@case("crac-at-5000-ft")
def _() -> float:
    """Thin air carries less off the condensers of CRACs, as of air-cooled chillers."""
    rating = ("net_sensible=80 kW", "airflow=5.6 m3/s", "return_air=36 degC")
    unit = ("cooling.air.terminal=crac", *(f"cooling.air.rating.{one}" for one in rating))
    path = design_of(SMALL, *unit, "site.elevation=1525 m").cooling.chain.crah.path
    assert path.refrigerant is not None
    return path.refrigerant.capacity_ratio
