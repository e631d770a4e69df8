"""Racks, frames and criteria that the tests of panels are built from."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import FloatArray
from facility.core.sources import Source
from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.model.it import (
    Device,
    Hall,
    ItPlan,
    Placed,
    PsuSet,
    Purpose,
    Rack,
    RackCircuit,
    Supply,
)
from facility.model.power.hall_distribution import PanelBasis
from facility.power.panels.balance.lines import Objective
from facility.power.panels.board.breakers import standard_breakers
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.design.halls import PanelSet, build_panels
from facility.study.verification.power.panel_cases import NEC

MAKER = Source("nvidia-dgx-h100-user-guide")
SIX_SUPPLIES = PsuSet(6, 4, 3300.0, 200.0, 240.0, 1, 0.98, (), MAKER)
DGX = Device(
    model="DGX H100",
    category="server",
    gpus=8,
    gpu_model="H100 SXM5",
    gpu_power_w=700.0,
    maximum_w=10200.0,
    psu=SIX_SUPPLIES,
    rack_units=8,
    source=MAKER,
)
SHELF = replace(
    DGX, model="NVL72", maximum_w=132e3, psu=PsuSet(8, 4, 33e3, 415.0, 480.0, 3, 0.98, (), MAKER)
)

IEC = replace(NEC, code="IEC", edition="2018", continuous_factor=1.0)
VOLTAGES = {
    "415Y/240": (415.0, 240.0),
    "400Y/230": (400.0, 230.0),
    "480Y/277": (480.0, 277.0),
    "208Y/120": (208.0, 120.0),
    "220Y/127": (220.0, 127.0),
}


def frame(system: str = "415Y/240", feeds: str = "ABC", **changes: object) -> PanelBasis:
    """Return an 84-pole, 400 A frame on `system`."""
    line_v, phase_v = VOLTAGES[system]
    basis = PanelBasis(
        system=system,
        v_ll=line_v,
        v_ln=phase_v,
        feeds=tuple(feeds),
        fed_from=tuple(f"UPS-{feed}" for feed in feeds),
        bus_a=400.0,
        main_a=400.0,
        poles=84,
        listed_100=False,
        breaker_sizes_a=standard_breakers("NEC", "2023"),
        numbering="US",
        tag_prefix="RPP",
    )
    return replace(basis, **changes)  # type: ignore[arg-type]


def rack(
    count: int,
    feeds: str = "ABC",
    *,
    devices: int = 4,
    device: Device = DGX,
    poles: int = 3,
    whips: int = 1,
    breaker_a: float | None = 60.0,
    name: str = "compute",
    hall: str = "H1",
    purpose: Purpose = "compute",
) -> Rack:
    """Return a kind of rack whose supplies are spread evenly over its feeds and whips."""
    assert device.psu is not None
    circuits = tuple(RackCircuit(f, poles, breaker_a, "") for f in feeds for _ in range(whips))
    supplies = []
    for number in range(devices):
        for index in range(device.psu.count):
            feed = index % len(feeds)
            whip = index // len(feeds) % whips
            supplies.append(Supply(number, feeds[feed], feed * whips + whip))
    return Rack(
        name,
        hall,
        purpose,
        count,
        (Placed(device, devices, device.maximum_w, device.maximum_w),),
        48,
        None,
        tuple(feeds),
        circuits,
        tuple(supplies),
        (device.maximum_w,) * devices,
        (device.maximum_w,) * devices,
        (device.psu.power_factor,) * devices,
        (device.psu.phases,) * devices,
    )


def plan(*racks: Rack, pdu_loss: float = 0.0, demand_factor: float = 1.0) -> ItPlan:
    """Return a plan of `racks` with the halls they name."""
    names = dict.fromkeys(r.hall for r in racks)
    halls = tuple(Hall(name, 1000.0, 10, 0.6, 30.0, 60.0, 2.7) for name in names)
    return ItPlan("datasheet_maximum", demand_factor, 1.0, halls, racks, pdu_loss)


def build(
    *racks: Rack,
    basis: PanelBasis | None = None,
    criteria: Criteria = NEC,
    trace: Trace | None = None,
) -> PanelSet:
    """Return the panels of `racks`."""
    return build_panels(plan(*racks), basis or frame(), criteria, trace or Trace())


def load(id: str, poles: int, va: float, pf: float = 1.0, **changes: object) -> Circuit:
    """Return a circuit with one state; a 3-pole load is balanced."""
    power = complex(va * pf, va * (1.0 - pf * pf) ** 0.5)
    legs = (power / 3.0,) * 3 if poles == 3 else (power,)
    circuit = Circuit(id, id, "MISC", poles, "L-L" if poles == 2 else "L-N", (legs,))
    return replace(circuit, **changes)  # type: ignore[arg-type]


def power_on_lines(
    circuit: Circuit, start: int, v_ll: float, objective: str
) -> NDArray[np.complex128]:
    """Return what a circuit adds to lines A, B, C by state: phasors [A], or VA of its poles.

    start: Phase of its first pole. A leg to neutral draws S* / V* on its line; a leg between two
    lines draws it from one and returns it to the next, and its VA count half on each.
    """
    found = np.zeros((len(circuit.power_va), 3), dtype=np.complex128)
    to_neutral = v_ll / math.sqrt(3.0) * np.exp(-2j * np.pi * np.arange(3) / 3.0)
    for state, legs in enumerate(circuit.power_va):
        for leg, power in enumerate(legs):
            on, other = (start + leg) % 3, (start + leg + 1) % 3
            if circuit.connection == "L-N":
                drawn_a = np.conj(power / to_neutral[on])
                found[state, on] += drawn_a if objective == "current" else abs(power)
                continue
            drawn_a = np.conj(power / (to_neutral[on] - to_neutral[other]))
            found[state, on] += drawn_a if objective == "current" else abs(power) / 2.0
            found[state, other] += -drawn_a if objective == "current" else abs(power) / 2.0
    return found


def peaks_of(posed: Panel, objective: Objective) -> tuple[NDArray[np.int64], FloatArray]:
    """Return all 3^n choices of the start phases of the movable circuits, and their peaks."""
    base = np.zeros((len(posed.states), 3), dtype=np.complex128)
    parts = []
    for circuit in posed.circuits:
        each = [power_on_lines(circuit, start, posed.v_ll, objective) for start in range(3)]
        if circuit.fixed:
            base += each[posed.start(circuit) or 0]
        else:
            parts.append(each)
    every = np.array(list(product(range(3), repeat=len(parts))), dtype=np.int64)
    totals = np.broadcast_to(base, (len(every), *base.shape)).copy()
    for number, each in enumerate(parts):
        totals += np.array(each)[every[:, number]]
    return every, np.abs(totals).max(axis=(1, 2))


def panel(
    *circuits: Circuit, poles: int = 42, system: str = "208Y/120", **changes: object
) -> Panel:
    """Return a 400 A panel with `circuits` in one state."""
    states = ("normal", "B lost")[: len(circuits[0].power_va)] if circuits else ("normal",)
    made = Panel(
        "P",
        "A",
        "H1",
        system,
        VOLTAGES[system][0],
        poles,
        400.0,
        400.0,
        False,
        "UPS-A",
        (),
        "US",
        states,
        circuits,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def feed_powers(found: PanelSet) -> dict[tuple[str, str], NDArray[np.complex128]]:
    """Return the power of each feed of each hall in every state [VA], by hall and feed."""
    totals: dict[tuple[str, str], NDArray[np.complex128]] = {}
    for panel in found.panels:
        power = [sum(c.total_va(n) for c in panel.circuits) for n in range(len(found.states))]
        at = (panel.hall, panel.side)
        totals[at] = totals.get(at, np.zeros(len(power), complex)) + np.array(power, complex)
    return totals


def feed_lines(found: PanelSet) -> dict[tuple[str, str], FloatArray]:
    """Return the line currents of each feed of each hall in every state [A], by hall and feed."""
    at = [(panel.hall, panel.side) for panel in found.panels]
    return {
        key: np.abs(found.phasors[[k == key for k in at], :, :3].sum(axis=0)) for key in set(at)
    }


def imbalance_max(found: PanelSet) -> float:
    """Return the largest imbalance of a panel, normal state."""
    return float(found.imbalance.max(initial=0.0))
