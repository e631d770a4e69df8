"""Solve the radial network with pandapower: ``python -m tools.oracles.radial_pandapower``.

Records every bus voltage, the loading and loss of every cable and transformer, and the power
taken from the source.
"""

from __future__ import annotations

import pandapower as pp

from tests.oracles.networks import read_network
from tools.oracles.pandapower_net import build
from tools.oracles.tables import DATA, today, write

FOLDER = "radial_16"


def main() -> None:
    """Record the solution."""
    network = read_network(FOLDER)
    net = build(network)
    pp.runpp(net, tolerance_mva=1e-10)
    by = ("pandapower", pp.__version__, today())
    record = ("solver", "version", "date")
    buses = zip(network.buses, net.res_bus.itertuples(), strict=True)
    write(
        DATA / FOLDER / "found_buses.csv",
        ("bus", "voltage_pu", "angle_deg", *record),
        ((bus.id, f"{r.vm_pu:.10f}", f"{r.va_degree:z.8f}", *by) for bus, r in buses),
    )
    cables = zip(network.branches, net.res_line.itertuples(), strict=True)
    units = zip(network.transformers, net.res_trafo.itertuples(), strict=True)
    rows = [
        (
            e.id,
            f"{1e3 * r.i_from_ka:.7f}",
            f"{1e3 * r.i_to_ka:.7f}",
            f"{r.loading_percent:.7f}",
            f"{1e3 * r.p_from_mw:.7f}",
            f"{1e3 * r.q_from_mvar:.7f}",
            f"{1e3 * r.pl_mw:.7f}",
            *by,
        )
        for e, r in cables
    ] + [
        (
            e.id,
            f"{1e3 * r.i_hv_ka:.7f}",
            f"{1e3 * r.i_lv_ka:.7f}",
            f"{r.loading_percent:.7f}",
            f"{1e3 * r.p_hv_mw:.7f}",
            f"{1e3 * r.q_hv_mvar:.7f}",
            f"{1e3 * r.pl_mw:.7f}",
            *by,
        )
        for e, r in units
    ]
    write(
        DATA / FOLDER / "found_elements.csv",
        (
            "element",
            "from_a",
            "to_a",
            "loading_percent",
            "from_kw",
            "from_kvar",
            "loss_kw",
            *record,
        ),
        rows,
    )
    print(
        f"{len(network.buses)} buses, lowest {net.res_bus.vm_pu.min():.4f} pu, "
        f"source {1e3 * net.res_ext_grid.p_mw.sum():.1f} kW"
    )


if __name__ == "__main__":
    main()
