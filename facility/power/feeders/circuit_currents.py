"""Circuit currents of a network in the states used for sizing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from facility.core.rounding import argmax_of_rows_within_rounding, argmax_within_rounding
from facility.power.network.build.plan import NetworkPlan, PlannedCircuit
from facility.power.network.flow.solve import solve
from facility.power.network.graph.types import Network, Outage
from facility.power.panels.design.halls import PanelSet


class CircuitCurrents:
    """Circuit currents over the states, at the nominal voltage of their source.

    Conductors are not selected yet: their loss of about 1 % is excluded from the currents.

    plan: Network and circuits.
    outages: States, the normal one first.
    """

    def __init__(self, plan: NetworkPlan, outages: Sequence[Outage]) -> None:
        network = plan.network
        self._flow = solve(plan.compiled, outages)
        self._rows = {link.circuit: n for n, (_, link) in enumerate(network.links) if link.circuit}
        self._amperes = self._flow.circuit_a * self._voltage_pu(network)
        self._worst = argmax_of_rows_within_rounding(self._amperes).tolist()
        self._network = network
        self._recharging = [
            state
            for state, outage in enumerate(outages)
            if all(tag in network.index and network[tag].kind == "utility" for tag in outage.out)
        ]
        self._loads = {load.tag: load.kind for load in network.loads}
        self._into: dict[tuple[str, str], list[int]] = {}
        for circuit in plan.circuits.values():
            into = self._into.setdefault((circuit.target, circuit.stage), [])
            into.append(self._rows[circuit.tag])

    def max_current_into(self, target: str, stage: str, recharging: bool = False) -> float:
        """Return the largest current of the circuits of `stage` into a piece of equipment.

        With `recharging` only over the states in which batteries recharge.
        """
        amperes = self._amperes[self._into.get((target, stage), [])]
        return float((amperes[:, self._recharging] if recharging else amperes).max(initial=0.0))

    def recharging(self, tag: str) -> tuple[float, str]:
        """Return the largest current of a circuit while batteries recharge, and the state.

        Batteries recharge when every system has returned: all in service, or on the generators.
        """
        amperes = self._amperes[self._rows[tag], self._recharging]
        state = argmax_within_rounding(amperes)
        return float(amperes[state]), self._flow.outages[self._recharging[state]].id

    def _power_factor(self, target: str, state: int) -> float:
        if target in self._loads:
            kind = self._loads[target]
            whole = complex(kind.neutral_va[-1].sum() + kind.pair_va[-1].sum())
            return abs(whole.real / whole)
        row = self._network.index[target]
        converter = self._network[target].converter
        if converter is not None:
            return converter.input_power_factor
        power_va = float(self._flow.output_va[row, state])
        return float(self._flow.output_w[row, state]) / power_va if power_va else 1.0

    def _voltage_pu(self, network: Network) -> NDArray[np.float64]:
        """Return the source voltage of each circuit: nominal, by NEC 220.5(A)."""
        sources = [network.index[link.source] for _, link in network.links]
        return np.nan_to_num(self._flow.voltage_pu[sources])

    def normal(self, tag: str) -> float:
        """Return the current of a circuit with all in service."""
        return float(self._amperes[self._rows[tag], 0])

    def worst(self, circuit: PlannedCircuit) -> tuple[float, str, float]:
        """Return the largest current of a circuit, its state, and the power factor in it."""
        row = self._rows[circuit.tag]
        state = self._worst[row]
        factor = self._power_factor(circuit.target, state)
        return float(self._amperes[row, state]), self._flow.outages[state].id, factor


def sizing_outages(network: Network, panels: PanelSet) -> tuple[Outage, ...]:
    """Return the states used for circuit sizing.

    All in service; the loss of the utility, of the LV boards of each MV switchgear (each board of a
    low-voltage service), and of all panels of each feed; all UPS on static bypass, and all on
    maintenance bypass. With bus ties also the loss of the transformers of each MV switchgear. Of
    parallel transformers one each is lost: the others carry its load, but at a lower voltage.
    """
    ways = [
        tuple(link.source for link in one.links)
        for one in network.equipment
        if one.kind == "ups-output"
    ]
    feeds = panels.basis.feeds
    # Incomers of LV boards that can supply another board.
    tied = [
        one.links[0].source
        for one in network.equipment
        if one.kind == "lv-board" and len(one.links) > 1
    ]
    return (
        Outage("normal"),
        *(
            Outage("loss of utility", (one.tag,))
            for one in network.equipment
            if one.kind == "utility"
        ),
        *_boards_lost(network),
        *(
            Outage(f"transformers downstream of {tag} lost", found)
            for tag, found in _downstream(network, "transformer")
            if tied
        ),
        *(Outage(f"loss of {tag}", (tag,)) for tag in tied),
        *_one_of_each_lost(network),
        *(
            Outage(f"feed {feed} lost", tuple(p.tag for p in panels.panels if p.side == feed))
            for feed in feeds
        ),
        Outage("static bypass", tuple(way[0] for way in ways)),
        Outage("maintenance bypass", tuple(tag for way in ways for tag in way[:2])),
    )


def _boards_lost(network: Network) -> Iterator[Outage]:
    """Yield the loss of the LV boards of each MV switchgear, or of each board without one."""
    boards_of = tuple(_downstream(network, "lv-board"))
    for tag, boards in boards_of:
        yield Outage(f"LV boards downstream of {tag} lost", boards)
    if not boards_of:
        for one in network.equipment:
            if one.kind == "lv-board":
                yield Outage(f"loss of {one.tag}", (one.tag,))


def _one_of_each_lost(network: Network) -> Iterator[Outage]:
    """Yield the loss of one unit of all parallel transformers; each group loses only its own."""
    lost = tuple(
        one.unit_tags[0]
        for one in network.equipment
        if one.kind == "transformer" and len(one.unit_tags) > 1
    )
    if lost:
        yield Outage("one of the parallel transformers lost", lost)


def _downstream(network: Network, kind: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each MV switchgear with its downstream equipment of one kind."""
    switchgear: dict[str, str] = {}
    found: dict[str, list[str]] = {}
    for one in network.equipment:
        if one.kind == "mv-switchgear":
            switchgear[one.tag] = one.tag
        elif one.links and one.links[0].source in switchgear:
            switchgear[one.tag] = switchgear[one.links[0].source]
            if one.kind == kind:
                found.setdefault(switchgear[one.tag], []).append(one.tag)
    for tag, tags in found.items():
        yield tag, tuple(tags)
