"""Four-wire feeders recorded for comparison: inputs, and what a solver found.

In ``data/four_wire``, one row each, parted by ``case``:

* ``cases.csv``: source bus, line-to-line voltage, whether the neutral is grounded at every bus, and
  the primary voltage where the first section is the winding of a delta-wye transformer
* ``sections.csv``: impedances of lines A, B, C and of the neutral
* ``loads.csv``: constant power to neutral (AN, BN, CN) or between lines (AB, BC, CA)
* ``found.csv``: phasors found: ``voltage`` of A, B, C to the neutral of a bus and of N to ground;
  ``current`` of a section by its end; ``primary`` line currents; ``loss`` of a section [W]
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from tests.oracles.networks import DATA, rows

FOLDER = DATA / "four_wire"
CONNECTIONS = ("AN", "BN", "CN", "AB", "BC", "CA")


@dataclass(frozen=True)
class FeederSection:
    """Impedances of one section [ohm]."""

    start: str
    end: str
    line_ohm: tuple[complex, complex, complex]
    neutral_ohm: complex


@dataclass
class FeederCase:
    """One feeder with its loads; `found` by quantity, place and conductor."""

    name: str
    source: str
    line_voltage_v: float
    neutral_grounded: bool
    primary_v: float | None
    sections: list[FeederSection] = field(default_factory=list)
    loads_va: dict[str, dict[str, complex]] = field(default_factory=lambda: defaultdict(dict))
    found: dict[tuple[str, str, str], complex] = field(default_factory=dict)


def read_cases() -> dict[str, FeederCase]:
    """Return every case, with what was recorded of it."""
    cases = {
        r["case"]: FeederCase(
            r["case"],
            r["source"],
            float(r["line_voltage_v"]),
            r["neutral_grounded"] == "yes",
            float(r["primary_v"]) if r["primary_v"] else None,
        )
        for r in rows(FOLDER / "cases.csv")
    }
    for r in rows(FOLDER / "sections.csv"):
        a, b, c, n = (complex(float(r[f"r_{x}_ohm"]), float(r[f"x_{x}_ohm"])) for x in "abcn")
        cases[r["case"]].sections.append(FeederSection(r["start"], r["end"], (a, b, c), n))
    for r in rows(FOLDER / "loads.csv"):
        power = complex(float(r["p_w"]), float(r["q_var"]))
        cases[r["case"]].loads_va[r["bus"]][r["connection"]] = power
    if (FOLDER / "found.csv").exists():
        for r in rows(FOLDER / "found.csv"):
            key = (r["quantity"], r["place"], r["conductor"])
            cases[r["case"]].found[key] = complex(float(r["real"]), float(r["imaginary"]))
    return cases
