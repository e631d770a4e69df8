"""Networks of the Modelica Buildings library with the flows that it publishes for them."""

from __future__ import annotations

import csv
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

from facility.core.kinds import FloatArray
from facility.physics.liquids.network import NetworkLinks, network_flows

_TABLE = Path(__file__).parent.parent / "data/modelica_networks.csv"
_ROWS = list(csv.DictReader(_TABLE.read_text(encoding="utf-8").splitlines()))
NETWORKS = {name: list(rows) for name, rows in groupby(_ROWS, key=lambda row: row["network"])}
_WATER = 995.586, 1e-3


def network_of(rows: list[dict[str, str]]) -> tuple[NetworkLinks, int]:
    """Return links by mass flow: a drop `dp_nominal_pa` at `m_nominal_kg_s`, with its square."""
    names = ["S", *sorted({row[at] for row in rows for at in ("start", "end")} - {"S"})]
    start, end = (np.array([names.index(row[at]) for row in rows]) for at in ("start", "end"))

    def column(name: str) -> FloatArray:
        return np.array([float(row[name] or 0.0) for row in rows])

    nominal = np.where(column("m_nominal_kg_s") > 0.0, column("m_nominal_kg_s"), 1.0)
    resistance, pipes = column("dp_nominal_pa") / nominal**2, len(rows)
    none, wide = np.zeros(pipes), np.full(pipes, np.inf)
    bore, one_way = np.full(pipes, 0.1), column("one_way").astype(bool)
    lift = column("lift_pa")
    return NetworkLinks(start, end, resistance, none, bore, none, lift, wide, one_way), len(names)


def test_every_network_names_its_source() -> None:
    assert len(NETWORKS) == 9
    assert all("commit c4117ccec1" in rows[0]["source"] for rows in NETWORKS.values())


@pytest.mark.parametrize("name", NETWORKS)
def test_flows_of_published_networks(name: str) -> None:
    """Header with two branches and a bypass, pumps side by side, a junction, check valves.

    Where the published valve or pump is no resistance, its drop at that time is given; all flows
    are found. Tolerances cover single precision and the smoothed laminar range of Modelica.
    """
    rows = NETWORKS[name]
    found = network_flows(*network_of(rows), *_WATER)
    for flow, row in zip(found, rows, strict=True):
        expected, tolerance = float(row["flow_kg_s"]), float(row["tolerance_kg_s"])
        assert flow == pytest.approx(expected, abs=tolerance), row["link"]


def test_pump_curve_of_the_throttle_circuit() -> None:
    """Its pump: 1.14, 1 and 0.42 of 95 kPa at 0, 1 and 2 of 2.222 kg/s, by a spline; here a square.

    The square through the first two points meets the header within 0.5 % of the published flow.
    """
    rows = NETWORKS["throttle-open"]
    links, nodes = network_of(rows)
    links.lift_pa[0], links.resistance[0] = 1.14 * 95e3, 0.14 * 95e3 / (2.0 / 0.9) ** 2
    found = network_flows(links, nodes, *_WATER)
    for flow, row in zip(found, rows, strict=True):
        assert flow == pytest.approx(float(row["flow_kg_s"]), rel=0.005)
