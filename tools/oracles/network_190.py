"""Generate the 2N network of 190 buses and its states: ``python -m tools.oracles.network_190``.

Sides A and B are alike, each with its own utility supply at 13.8 kV: a service cable, a medium
voltage board, three substations (cable, 2,000 kVA transformer to 480 V, low-voltage board, output
board), four 500 kVA PDUs each (feeder, transformer 480-415Y/240 V) and five panels a PDU. Six
dual-corded racks share each panel: three have their B cord on the panel of the same number, three
on the next one. No converters stand between, so that every outage is one passive load flow.

A state is one set of branches out of service, with its own draw of the racks (85 to 100 % of
their design power, so that no two states are the same problem). A rack with both cords alive
takes half from each, with one alive all of it there, with none it is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tools.oracles.tables import COLUMNS, DATA, write

FloatArray = NDArray[np.float64]
Rack = tuple[str, str, str, int, int]

FOLDER = DATA / "network_190"
STATES = 600
SUBSTATIONS, PDUS, PANELS = 3, 4, 5
RACK_W = (9200, 8600, 9800, 7400, 10200, 8000)
RACK_POWER_FACTOR = (0.99, 0.98, 0.97, 0.99, 0.98, 0.96)
SOURCE_PU = {"A": 1.0, "B": 1.01}

# Resistance and reactance per phase [ohm per 1000 ft], copper in steel conduit.
KCMIL_500, AWG_4_0 = (0.029, 0.048), (0.063, 0.051)


@dataclass(frozen=True)
class Side:
    """Tables of one side, in the columns of the files, and each element's ends."""

    buses: list[tuple[object, ...]]
    branches: list[tuple[object, ...]]
    transformers: list[tuple[object, ...]]
    panels: list[str]

    def cable(
        self, start: str, end: str, size: tuple[float, float], sets: int, feet: float, amperes: int
    ) -> None:
        """Add a cable of parallel sets."""
        r_ohm, x_ohm = (round(per_kft * feet / 1000.0 / sets, 9) for per_kft in size)
        self.branches.append((f"C-{end}", start, end, r_ohm, x_ohm, amperes))

    def transformer(self, start: str, end: str, *nameplate: float) -> None:
        """Add a transformer: kVA, impedance and its resistive part [%], no-load loss [kW]."""
        self.transformers.append((f"T-{end}", start, end, *nameplate, 0.0))


def build_side(side: str) -> Side:
    """Return side ``A`` or ``B``: 95 buses."""
    made = Side([], [], [], [])
    utility, board = f"{side}-UTIL", f"{side}-MV"
    made.buses.extend([(utility, 13.8, SOURCE_PU[side]), (board, 13.8, "")])
    made.cable(utility, board, KCMIL_500, 2, 1200.0, 800)
    for s in range(1, SUBSTATIONS + 1):
        name = f"{side}-S{s}"
        made.buses.append((f"{name}-HV", 13.8, ""))
        made.buses.extend([(f"{name}-LV", 0.48, ""), (f"{name}-OUT", 0.48, "")])
        made.cable(board, f"{name}-HV", KCMIL_500, 1, 150.0 + 120.0 * s, 400)
        made.transformer(f"{name}-HV", f"{name}-LV", 2000.0, 5.75, 1.0, 2.9)
        made.cable(f"{name}-LV", f"{name}-OUT", KCMIL_500, 7, 90.0, 2500)
        for d in range(1, PDUS + 1):
            pdu = f"{name}-P{d}"
            made.buses.extend([(f"{pdu}-IN", 0.48, ""), (pdu, 0.415, "")])
            made.cable(f"{name}-OUT", f"{pdu}-IN", KCMIL_500, 2, 80.0 + 45.0 * d, 700)
            made.transformer(f"{pdu}-IN", pdu, 500.0, 4.5, 1.3, 0.95)
            for p in range(1, PANELS + 1):
                panel = f"{pdu}-L{p}"
                made.buses.append((panel, 0.415, ""))
                made.cable(pdu, panel, AWG_4_0, 1, 20.0 + 28.0 * p, 225)
                made.panels.append(panel)
    return made


def racks(a_panels: Sequence[str], b_panels: Sequence[str]) -> list[Rack]:
    """Return rack, its A and B panels, and its design power [W] and [var]."""
    found = []
    for i, a_panel in enumerate(a_panels):
        for k, (p_w, pf) in enumerate(zip(RACK_W, RACK_POWER_FACTOR, strict=True)):
            b_panel = b_panels[(i + (k >= 3)) % len(b_panels)]
            q_var = round(p_w * float(np.tan(np.arccos(pf))))
            found.append((f"R{i + 1:02d}-{k + 1}", a_panel, b_panel, p_w, q_var))
    return found


def outages(elements: Sequence[str], random: np.random.Generator) -> Iterator[tuple[str, ...]]:
    """Yield the normal state, every single outage and drawn double outages, all different."""
    yield ()
    yield from ((element,) for element in elements)
    pairs = list(combinations(elements, 2))
    drawn = random.choice(len(pairs), STATES - 1 - len(elements), replace=False)
    yield from (pairs[index] for index in np.sort(drawn))


def alive(panel: str, tree: dict[str, tuple[str, str]], out: Sequence[str]) -> bool:
    """Return whether every element between `panel` and its source is in service."""
    while panel in tree:
        element, panel = tree[panel]
        if element in out:
            return False
    return True


def split(
    placed: Sequence[Rack],
    states: Sequence[tuple[str, ...]],
    tree: dict[str, tuple[str, str]],
    panels: Sequence[str],
    random: np.random.Generator,
) -> FloatArray:
    """Return active and reactive power by panel and state, whole watts and vars."""
    index = {panel: i for i, panel in enumerate(panels)}
    draw = random.uniform(0.85, 1.0, (len(placed), len(states)))
    draw[:, 0] = 1.0
    load = np.zeros((2, len(panels), len(states)))
    for s, out in enumerate(states):
        fed = {panel: alive(panel, tree, out) for panel in panels}
        for r, (_, a_panel, b_panel, p_w, q_var) in enumerate(placed):
            live = [index[cord] for cord in (a_panel, b_panel) if fed[cord]]
            for bus in live:
                load[:, bus, s] += np.array([p_w, q_var]) * draw[r, s] / len(live)
    return np.rint(load)


def main() -> None:
    """Write the network, its racks and its states."""
    random = np.random.default_rng(0)
    a, b = build_side("A"), build_side("B")
    branches, transformers = a.branches + b.branches, a.transformers + b.transformers
    placed = racks(a.panels, b.panels)
    for name, found in (
        ("buses", a.buses + b.buses),
        ("branches", branches),
        ("transformers", transformers),
        ("racks", placed),
    ):
        write(FOLDER / f"{name}.csv", COLUMNS[name], found)

    series = branches + transformers
    states = list(outages([str(row[0]) for row in series], random))
    names = [f"S{i:03d}" for i in range(len(states))]
    listed = zip(names, (" ".join(out) for out in states), strict=True)
    write(FOLDER / "states.csv", COLUMNS["states"], listed)

    panels = a.panels + b.panels
    tree = {str(row[2]): (str(row[0]), str(row[1])) for row in series}
    load = split(placed, states, tree, panels, random)
    for table, values in zip(("p_w", "q_var"), load, strict=True):
        by_panel = ([p, *map(int, row)] for p, row in zip(panels, values, strict=True))
        write(FOLDER / f"{table}.csv.gz", ["bus", *names], by_panel)
    normal = ((p, *(load[:, i, 0] / 1e3).tolist()) for i, p in enumerate(panels))
    write(FOLDER / "loads.csv", COLUMNS["loads"], normal)


if __name__ == "__main__":
    main()
