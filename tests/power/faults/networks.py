"""Networks of the short-circuit tests: those that `tools/oracles/iec60909_pandapower.py` solved."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from facility.power.faults.impedances import conductor_branch, transformer_branch
from facility.power.faults.types import FaultBranch, FaultSource, FaultTree, Sequences
from facility.study.verification.power import fault_cases

DATA = Path(__file__).resolve().parent / "data"
VOLTAGE = fault_cases.AT_NOMINAL
SOURCES = replace(fault_cases.SOURCES, utility_minimum_va=300e6)
OPEN = complex(math.inf)
ZERO = 4.0

# name, upper and lower bus, km, ohm/km at 20 C, reactance, parallel sets
CABLES = (
    ("MV1", "SVC", "MVB", 0.35, 0.100, 0.125, 1),
    ("F1", "LV1", "SWB1", 0.020, 0.0754, 0.080, 6),
    ("F2", "LV2", "SWB2", 0.025, 0.0754, 0.080, 6),
    ("F3", "SWB1", "UPS1", 0.030, 0.0991, 0.081, 3),
    ("F4", "UPS1", "RPP1", 0.060, 0.193, 0.083, 2),
    ("F5", "RPP1", "RACK1", 0.025, 1.15, 0.094, 1),
    ("F6", "SWB1", "MCC1", 0.080, 0.153, 0.082, 2),
    ("F7", "SWB2", "MCC2", 0.055, 0.153, 0.082, 1),
    ("F8", "SWB2", "CHL", 0.090, 0.0991, 0.081, 2),
    ("F9", "MCC2", "FAN", 0.035, 1.83, 0.098, 1),
    ("F10", "SWB2", "RPP2", 0.120, 0.268, 0.085, 1),
    ("F11", "GEN", "SWB1", 0.045, 0.0601, 0.079, 8),
)
TRANSFORMERS = (("MVB", "LV1", 2.5e6, 0.0575, 0.0072), ("MVB", "LV2", 1.5e6, 0.0575, 0.0090))
MOTORS = (
    ("MCC1", 0.110e6 / 0.86 / 0.94, 6.0, 0.42),
    ("CHL", 0.250e6 / 0.88 / 0.95, 5.0, 0.30),
    ("FAN", 0.022e6 / 0.85 / 0.91, 6.5, 0.42),
)
BELOW_GENERATOR = {"SWB1", "UPS1", "RPP1", "RACK1", "MCC1"}


@lru_cache(maxsize=1)
def recorded() -> tuple[dict[str, str], ...]:
    """Return the rows that pandapower calculated."""
    with (DATA / "pandapower_iec60909.csv").open(newline="", encoding="utf-8") as stream:
        return tuple(csv.DictReader(stream))


def impedance(magnitude: float, r_over_x: float) -> complex:
    x = magnitude / math.hypot(1.0, r_over_x)
    return complex(r_over_x * x, x)


def motor(tag: str, bus: str, voltage_v: float, z1: complex) -> FaultSource:
    return FaultSource(tag, bus, "motor", voltage_v, Sequences(z1, OPEN), Sequences(z1, OPEN))


def _cable(row: tuple[str, str, str, float, float, float, int]) -> FaultBranch:
    _, upper, lower, km, r, x, sets = row
    hot = r * (1.0 + 0.004 * (90.0 - 20.0))
    return conductor_branch(
        lower,
        upper,
        13800.0 if lower == "MVB" else 480.0,
        km * complex(r, x),
        km * complex(hot, x),
        (ZERO, ZERO),
        sets,
    )


def radial(state: str) -> FaultTree:
    """Return the 13.8/0.48 kV site fed by the utility or by its generator."""
    on_utility = state == "utility"
    branches = [
        _cable(row)
        for row in CABLES
        if (row[1] != "GEN" if on_utility else row[2] in BELOW_GENERATOR and row[1] != "LV1")
    ]
    kept = {branch.tag for branch in branches}
    if on_utility:
        branches += [
            transformer_branch(lower, upper, va, 13800.0, 480.0, z, "Dyn1", 1.0, load_loss_w=r * va)
            for upper, lower, va, z, r in TRANSFORMERS
        ]
        least, most = (impedance(13800.0**2 / va, rx) for va, rx in ((500e6, 0.08), (300e6, 0.1)))
        feeder = FaultSource(
            "UTILITY", "SVC", "utility", 13800.0, Sequences(least, least), Sequences(most, most)
        )
    else:
        z1 = complex(0.0006, 0.13 * 480.0**2 / 2.5e6)
        pair = Sequences(z1, OPEN)
        feeder = FaultSource(
            "G1", "GEN", "generator", 480.0, pair, pair, math.inf, 2.5e6, 0.13, 0.8
        )
    motors = [
        motor(f"M-{bus}", bus, 480.0, impedance(480.0**2 / va / multiple, rx))
        for bus, va, multiple, rx in MOTORS
        if bus in kept
    ]
    root, root_v = ("SVC", 13800.0) if on_utility else ("GEN", 480.0)
    return FaultTree(root, root_v, tuple(branches), (feeder, *motors))


def tr_60909_4(with_motors: bool) -> FaultTree:
    """Return the radial part below bus 5 of the test network of IEC TR 60909-4."""
    (five,) = (r for r in recorded() if r["network"] == "tr4-above" and r["bus"] == "5")
    network = complex(float(five["r_ohm"]), float(five["x_ohm"])) / 1.1
    pair = Sequences(network, OPEN)
    feeder = FaultSource("NETWORK", "5", "utility", 110e3, pair, pair)
    own = Sequences(complex(0.018, 0.1 * 10.5e3**2 / 10e6), OPEN)
    generator = FaultSource("G3", "6", "generator", 10.5e3, own, own, math.inf, 10e6, 0.1, 0.8)
    transformers = transformer_branch(
        "6",
        "5",
        31.5e6,
        115e3,
        10.5e3,
        0.12,
        "Dd0",
        math.inf,
        load_loss_w=0.005 * 31.5e6,
        units=2,
        nominal_v=10e3,
    )
    line = conductor_branch("7", "6", 10e3, 0.082 + 0.086j, 0.082 + 0.086j, (1.0, 1.0))
    motors = [
        motor(f"M{n}", "7", 10e3, impedance(10e3**2 / (w / cosine / efficiency) / multiple, 0.1))
        for n, (w, cosine, efficiency, multiple) in enumerate(
            ((5e6, 0.88, 0.975, 5.0), (2e6, 0.89, 0.968, 5.2), (2e6, 0.89, 0.968, 5.2)), start=1
        )
    ]
    sources = (feeder, generator, *motors) if with_motors else (feeder, generator)
    return FaultTree("5", 110e3, (transformers, line), sources)
