"""Cases at the edges: at a limit, at the end of a table, nothing where something is wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from facility.cooling.liquid_path.study import class_of
from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.files.import_panel.merge import _legs_of
from facility.files.import_panel.schedule import Line
from facility.files.panel_csv.document import read_panel_csv
from facility.files.panel_csv.rows import states_of
from facility.physics.plant.tower.yorkcalc import yorkcalc_outside
from facility.power.it.reconcile import supply_loss_at
from facility.power.network.build.loads import load_parts
from facility.power.ups.modules import eco_curve
from facility.report.book.panels.text_grid import row_positions
from facility.study.resolve.cooling.parts import resolve_fluid
from tests.hand.power import SMALL, _batteries
from tests.hand.registry import case
from tests.power.it.helpers import load_of
from tests.power.panels.helpers import DGX, load, panel, rack
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
    freezing_c = resolve_fluid("PG25", "t", "water", "", Trace()).freezing_c
    return 0.0 if freezing_c is None else freezing_c


@case("delta-leg-of-the-poles")
def _() -> float:
    """Legs of 8, 4 and 2 kVA give poles (8 + 2) / 2, (8 + 4) / 2 and (4 + 2) / 2."""
    line = Line("w", 1, "1", "", "MISC", 3, None, (5e3, 6e3, 3e3), (None,) * 3)
    return abs(_legs_of(line, [0.0] * 3, "L-L")[1][0])


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
    """Eight servers of 8 units, four of them in a rack of 32 units."""
    return si(design_of(SMALL, "it.rack_units=32"), "load.racks.compute")


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
