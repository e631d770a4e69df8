"""Networks and states recorded for comparison: plain tables, and the voltages a solver found.

A folder under ``data`` holds one balanced three-phase network:

* ``buses.csv``: id, nominal_kv, source_pu (empty where the bus is no source)
* ``branches.csv``: id, from_bus, to_bus, r_ohm and x_ohm at the nominal voltage of the to-side,
  rating_a
* ``transformers.csv``: id, from_bus, to_bus (low side), sn_kva, vk_percent, vkr_percent, pfe_kw,
  i0_percent; the ratio is that of the nominal voltages of the two buses
* ``loads.csv``: bus, p_kw, q_kvar, constant power

Elements are the branches and then the transformers, in the order of the files.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

DATA = Path(__file__).resolve().parent / "data"
FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Bus:
    """A bus; `source_pu` is the voltage held at a source, None elsewhere."""

    id: str
    nominal_kv: float
    source_pu: float | None


@dataclass(frozen=True)
class Branch:
    """A cable, with the series impedance per phase of the whole run."""

    id: str
    from_bus: str
    to_bus: str
    r_ohm: float
    x_ohm: float
    rating_a: float


@dataclass(frozen=True)
class Transformer:
    """A transformer from its high side to its low side, on its own rating."""

    id: str
    from_bus: str
    to_bus: str
    sn_kva: float
    vk_percent: float
    vkr_percent: float
    pfe_kw: float
    i0_percent: float


@dataclass(frozen=True)
class Load:
    """Constant power, balanced."""

    bus: str
    p_kw: float
    q_kvar: float


@dataclass(frozen=True)
class Network:
    """One network, as its files say."""

    buses: tuple[Bus, ...]
    branches: tuple[Branch, ...]
    transformers: tuple[Transformer, ...]
    loads: tuple[Load, ...]

    @cached_property
    def bus_index(self) -> dict[str, int]:
        """Position of each bus."""
        return {bus.id: i for i, bus in enumerate(self.buses)}

    @cached_property
    def elements(self) -> tuple[Branch | Transformer, ...]:
        """Branches, then transformers."""
        return (*self.branches, *self.transformers)


@dataclass(frozen=True)
class States:
    """Outages of one network, and the load in each of them.

    Attributes
    ----------
    names : tuple[str, ...]
        One for each state.
    outages : tuple[tuple[str, ...], ...]
        Ids of the elements out of service, by state.
    p_w, q_var : ndarray, shape (buses, states)
        Load after the transfer of dual-corded racks; zero at buses without supply.
    in_service : ndarray of bool, shape (elements, states)
        False for the elements that are out.
    """

    names: tuple[str, ...]
    outages: tuple[tuple[str, ...], ...]
    p_w: FloatArray
    q_var: FloatArray
    in_service: NDArray[np.bool_]


@dataclass(frozen=True)
class Recorded:
    """Voltage magnitudes a solver found [pu], by bus and state, NaN where de-energised."""

    voltage_pu: FloatArray
    solver: str
    version: str
    date: str


def rows(path: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a CSV file."""
    with path.open(newline="", encoding="utf-8") as stream:
        yield from csv.DictReader(stream, strict=True)


def read_network(folder: str) -> Network:
    """Return the network in ``data/<folder>``."""
    base = DATA / folder
    return Network(
        tuple(
            Bus(r["id"], float(r["nominal_kv"]), float(r["source_pu"]) if r["source_pu"] else None)
            for r in rows(base / "buses.csv")
        ),
        tuple(
            Branch(r["id"], r["from_bus"], r["to_bus"], *_numbers(r, "r_ohm", "x_ohm", "rating_a"))
            for r in rows(base / "branches.csv")
        ),
        tuple(
            Transformer(
                r["id"],
                r["from_bus"],
                r["to_bus"],
                *_numbers(r, "sn_kva", "vk_percent", "vkr_percent", "pfe_kw", "i0_percent"),
            )
            for r in rows(base / "transformers.csv")
        ),
        tuple(Load(r["bus"], *_numbers(r, "p_kw", "q_kvar")) for r in rows(base / "loads.csv")),
    )


def read_states(folder: str, network: Network) -> States:
    """Return the states in ``data/<folder>``."""
    base = DATA / folder
    listed = list(rows(base / "states.csv"))
    outages = tuple(tuple(r["outages"].split()) for r in listed)
    position = {element.id: i for i, element in enumerate(network.elements)}
    in_service = np.ones((len(position), len(outages)), dtype=np.bool_)
    for state, out in enumerate(outages):
        for element in out:
            in_service[position[element], state] = False
    names = tuple(r["state"] for r in listed)
    p_w, q_var = (
        np.nan_to_num(_by_bus(base / f"{table}.csv.gz", network, names))
        for table in ("p_w", "q_var")
    )
    return States(names, outages, p_w, q_var, in_service)


def read_recorded(folder: str, network: Network, states: States) -> Recorded:
    """Return the voltages recorded in ``data/<folder>`` for its states."""
    base = DATA / folder
    voltage_pu = _by_bus(base / "voltage_pu.csv.gz", network, states.names)
    source = next(rows(base / "recorded.csv"))
    return Recorded(voltage_pu, source["solver"], source["version"], source["date"])


def _numbers(row: dict[str, str], *columns: str) -> tuple[float, ...]:
    return tuple(float(row[column]) for column in columns)


def _by_bus(path: Path, network: Network, names: tuple[str, ...]) -> FloatArray:
    """Return a table of buses by states; NaN for the buses and cells it leaves empty."""
    table = np.full((len(network.buses), len(names)), np.nan)
    with gzip.open(path, "rt", encoding="utf-8", newline="") as stream:
        reader = csv.reader(stream, strict=True)
        header = next(reader)
        if tuple(header[1:]) != names:
            raise ValueError(f"{path.name}: columns are not the states of states.csv")
        for bus, *cells in reader:
            table[network.bus_index[bus]] = [float(cell) if cell else np.nan for cell in cells]
    return table
