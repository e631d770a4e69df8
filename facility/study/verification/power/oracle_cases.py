"""Cases of networks, with one part per row of the table ``cases/networks``.

The expected values are from independent solvers: faults, balanced flow, four wires.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np

from facility.catalogue import Row, table
from facility.core.errors import FacilityError
from facility.core.parse import parse_number
from facility.model.power.faults import VoltageFactors
from facility.physics.faults.impedances import rated_impedance, source_impedance
from facility.power.faults.currents import fault_currents
from facility.power.faults.impedances import conductor_branch, transformer_branch
from facility.power.faults.types import (
    Case,
    FaultBranch,
    FaultCurrents,
    FaultSource,
    FaultTree,
    Sequences,
)
from facility.power.network.flow.solve import Flow, compile_network, solve
from facility.power.network.graph.types import (
    Cord,
    Equipment,
    Link,
    Load,
    LoadKind,
    Network,
    Outage,
)
from facility.study.verification.inputs import CaseFunctions, fields_of

_TABLE = "cases/networks"
_VOLTAGE = VoltageFactors(highest=1.0, lowest=0.95, low_voltage_tolerance=0.06)
_OPEN = complex(math.inf)


def _parts(network: str, kind: str) -> tuple[Row, ...]:
    return table(_TABLE).select(network=network, kind=kind)


def _fields(row: Row) -> dict[str, float]:
    texts = fields_of(row.text("fields"), row.label)
    return {name: parse_number(text, row.label) for name, text in texts.items()}


def _one(network: str, kind: str) -> Row:
    rows = _parts(network, kind)
    if len(rows) != 1:
        raise FacilityError("CASE_INPUTS", network, f"{len(rows)} parts of kind {kind}.", "")
    return rows[0]


def _level(level_va: float, voltage_v: float, r_over_x: float) -> Sequences:
    z1 = complex(*source_impedance.si(level_va, voltage_v, 1.0 / r_over_x))
    return Sequences(z1, z1)


def _utility(
    row: Row,
    voltage_v: float,
    highest_va: float,
    highest_rx: float,
    lowest_va: float = math.nan,
    lowest_rx: float = 1.0,
) -> FaultSource:
    maximum = None if math.isnan(lowest_va) else _level(lowest_va, voltage_v, lowest_rx)
    minimum = _level(highest_va, voltage_v, highest_rx)
    return FaultSource(row.text("tag"), row.text("above"), "utility", voltage_v, minimum, maximum)


def _generator(
    row: Row,
    voltage_v: float,
    rating_va: float,
    reactance: float,
    resistance_ohm: float,
    power_factor: float,
) -> FaultSource:
    z1 = complex(resistance_ohm, reactance * voltage_v**2 / rating_va)
    pair = Sequences(z1, _OPEN)
    return FaultSource(
        row.text("tag"),
        row.text("above"),
        "generator",
        voltage_v,
        pair,
        pair,
        math.inf,
        rating_va,
        reactance,
        power_factor,
    )


def _motor(
    row: Row,
    voltage_v: float,
    shaft_w: float,
    power_factor: float,
    efficiency: float,
    multiple: float,
    rx: float,
) -> FaultSource:
    rating_va = shaft_w / power_factor / efficiency
    z1 = complex(*rated_impedance.si(rating_va, voltage_v, 1.0 / multiple, 1.0 / rx))
    pair = Sequences(z1, _OPEN)
    return FaultSource(row.text("tag"), row.text("above"), "motor", voltage_v, pair, pair)


_SOURCES: Mapping[str, Callable[..., FaultSource]] = {
    "utility": _utility,
    "generator": _generator,
    "motor": _motor,
}


def _fault_branch(row: Row) -> FaultBranch:
    tag, above, data = row.text("tag"), row.text("above"), _fields(row)
    if row.text("kind") == "conductor":
        cold = complex(data["r_ohm"], data["x_ohm"])
        hot = complex(data.get("hot_r_ohm", data["r_ohm"]), data["x_ohm"])
        zero = data.get("zero", 1.0)
        return conductor_branch(
            tag, above, data["voltage_v"], cold, hot, (zero, zero), int(data.get("sets", 1.0))
        )
    grounded = bool(data["grounded"])
    return transformer_branch(
        tag,
        above,
        data["rating_va"],
        data["high_v"],
        data["low_v"],
        data["impedance"],
        "Dyn1" if grounded else "Dd0",
        1.0 if grounded else math.inf,
        load_loss_w=data["load_loss_w"],
        units=int(data.get("units", 1.0)),
        nominal_v=data.get("nominal_v"),
    )


@lru_cache(maxsize=16)
def _faults(network: str, case: Case, motors: str) -> FaultCurrents:
    rows = [row for row in table(_TABLE).rows if row["network"] == network]
    feeds = ("utility", "generator") + (("motor",) if motors == "yes" else ())
    sources = tuple(
        _SOURCES[row.text("kind")](row, **_fields(row)) for row in rows if row["kind"] in feeds
    )
    branches = tuple(
        _fault_branch(row) for row in rows if row["kind"] in ("conductor", "transformer")
    )
    tree = FaultTree(sources[0].bus, sources[0].rated_v, branches, sources)
    return fault_currents(tree, "iec-60909", case, _VOLTAGE)


def _fault(network: str, bus: str, fault: str, case: Case, motors: str = "yes") -> float:
    """Return one current of a network by IEC 60909: three_phase, line_line, line_ground, peak."""
    found = _faults(network, case, motors)
    name = bus if isinstance(bus, str) else f"{bus:g}"
    return float(getattr(found, f"{fault}_a")[found.index(name)])


def _unit_load(name: str, power_va: complex) -> LoadKind:
    """Return a load with one cord, balanced."""
    drawn = np.zeros((2, 1, 3), dtype=np.complex128)
    drawn[1] = power_va / 3.0
    dropped = np.array([power_va.real, 0.0])
    return LoadKind(name, drawn, np.zeros_like(drawn), dropped, np.array([True, False]))


def _equipment(row: Row, source_voltage: float) -> Equipment:
    """Return a bus with its supply; `source_voltage` is the source voltage relative to nominal."""
    tag, data = row.text("tag"), _fields(row)
    volts = data["voltage_v"] * source_voltage
    if row.text("kind") == "source":
        return Equipment(tag, "utility", volts)
    if row.text("kind") == "cable":
        link = Link(row.text("above"), f"to {tag}", data["r_ohm"], data["x_ohm"])
        return Equipment(tag, "panel", volts, (link,))
    z = data["impedance"] * data["voltage_v"] ** 2 / data["rating_va"]
    r = data["resistance"] * data["voltage_v"] ** 2 / data["rating_va"]
    return Equipment(
        tag,
        "transformer",
        volts,
        (Link(row.text("above"), f"to {tag}"),),
        rating_va=data["rating_va"],
        resistance_ohm=r,
        reactance_ohm=math.sqrt(z * z - r * r),
        no_load_w=data["no_load_w"] * source_voltage**2,
        delta_wye=True,
    )


@lru_cache(maxsize=4)
def _flow(network: str) -> tuple[Network, Flow, float]:
    source_voltage = _fields(_one(network, "source"))["held"]
    rows = [row for row in table(_TABLE).rows if row["network"] == network]
    buses = tuple(
        _equipment(row, source_voltage)
        for row in rows
        if row["kind"] in ("source", "cable", "winding")
    )
    loads = tuple(
        Load(
            row.text("tag"),
            _unit_load(row.text("tag"), complex(data["p_w"], data["q_var"])),
            (Cord(Link(row.text("above"))),),
        )
        for row in _parts(network, "load")
        for data in (_fields(row),)
    )
    made = Network(buses, loads, balanced=True)
    return made, solve(compile_network(made), [Outage("normal")]), source_voltage


def _voltage(network: str, bus: str) -> float:
    made, flow, source_voltage = _flow(network)
    return float(flow.voltage_pu[made.index[bus], 0]) * source_voltage


def _bus_current(network: str, bus: str) -> float:
    """Return the incoming current of a bus at its own voltage."""
    made, flow, _ = _flow(network)
    return float(flow.current_a[made.index[bus], 0, 0])


def _supplied(network: str) -> float:
    made, flow, _ = _flow(network)
    return float(flow.output_w[made.index[_one(network, "source").text("tag")], 0])


FUNCTIONS: CaseFunctions = {
    "oracle.fault": ("current", _fault),
    "oracle.voltage": ("ratio", _voltage),
    "oracle.current": ("current", _bus_current),
    "oracle.supplied": ("active_power", _supplied),
}
