"""Write short-circuit currents that pandapower calculates after IEC 60909 as a table.

Run in a separate environment with pandapower 3 (it pins pandas below 3)::

    python tools/oracles/iec60909_pandapower.py OUTFILE

Networks: ``radial``, a 13.8/0.48 kV site with two transformers, cables, a generator and motors,
fed by the utility (14 buses) or by the generator; ``tr4``, the test network of IEC TR 60909-4:
first its meshed part above bus 5, whose equivalent then feeds the radial part below (transformers
T5 and T6, generator G3, line L6, motors M1 to M3). `tests/power/faults/networks.py` has the same
inputs.
"""

from __future__ import annotations

import csv
import datetime
import sys
import warnings
from pathlib import Path

import pandapower as pp
import pandapower.shortcircuit as sc

CABLES = (
    # name, from, to, km, ohm/km at 20 C, reactance, parallel
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
TRANSFORMERS = (("T1", "MVB", "LV1", 2.5, 5.75, 0.72), ("T2", "MVB", "LV2", 1.5, 5.75, 0.90))
MOTORS = (
    ("M1", "MCC1", 0.110, 0.86, 94.0, 6.0, 0.42),
    ("M2", "CHL", 0.250, 0.88, 95.0, 5.0, 0.30),
    ("M3", "FAN", 0.022, 0.85, 91.0, 6.5, 0.42),
)
ZERO = 4.0
MEDIUM = ("SVC", "MVB")


def radial(state: str) -> tuple[pp.pandapowerNet, dict[str, int]]:
    """Return the site network fed by the utility or by its generator."""
    net = pp.create_empty_network(f_hz=60, sn_mva=10.0)
    names = {name for cable in CABLES for name in cable[1:3]}
    names |= {name for unit in TRANSFORMERS for name in unit[1:3]}
    if state == "utility":
        names.discard("GEN")
    else:
        names -= {"SVC", "MVB", "LV1", "LV2", "SWB2", "MCC2", "CHL", "FAN", "RPP2"}
    bus = {
        name: pp.create_bus(net, vn_kv=13.8 if name in MEDIUM else 0.48, name=name)
        for name in sorted(names)
    }
    for name, upper, lower, km, r, x, parallel in CABLES:
        if upper in bus and lower in bus:
            pp.create_line_from_parameters(
                net,
                bus[upper],
                bus[lower],
                length_km=km,
                r_ohm_per_km=r,
                x_ohm_per_km=x,
                r0_ohm_per_km=ZERO * r,
                x0_ohm_per_km=ZERO * x,
                c_nf_per_km=0.0,
                c0_nf_per_km=0.0,
                max_i_ka=1.0,
                parallel=parallel,
                endtemp_degree=90.0,
                name=name,
            )
    for name, upper, lower, mva, vk, vkr in TRANSFORMERS:
        if upper in bus:
            pp.create_transformer_from_parameters(
                net,
                bus[upper],
                bus[lower],
                sn_mva=mva,
                vn_hv_kv=13.8,
                vn_lv_kv=0.48,
                vk_percent=vk,
                vkr_percent=vkr,
                pfe_kw=0.0,
                i0_percent=0.0,
                vector_group="Dyn",
                shift_degree=30.0,
                vk0_percent=vk,
                vkr0_percent=vkr,
                mag0_percent=100.0,
                mag0_rx=0.0,
                si0_hv_partial=0.9,
                name=name,
            )
    for name, at, mw, cosine, efficiency, multiple, rx in MOTORS:
        if at in bus:
            pp.create_motor(
                net,
                bus[at],
                pn_mech_mw=mw,
                cos_phi=cosine,
                cos_phi_n=cosine,
                efficiency_n_percent=efficiency,
                lrc_pu=multiple,
                rx=rx,
                vn_kv=0.48,
                name=name,
            )
    if state == "utility":
        pp.create_ext_grid(
            net,
            bus["SVC"],
            s_sc_max_mva=500.0,
            rx_max=0.08,
            x0x_max=1.0,
            r0x0_max=0.08,
            s_sc_min_mva=300.0,
            rx_min=0.10,
            x0x_min=1.0,
            r0x0_min=0.10,
        )
    else:
        pp.create_gen(
            net,
            bus["GEN"],
            p_mw=2.0,
            sn_mva=2.5,
            vn_kv=0.48,
            xdss_pu=0.13,
            cos_phi=0.8,
            rdss_ohm=0.0006,
            slack=True,
        )
    return net, bus


def above_bus_5() -> tuple[pp.pandapowerNet, dict[str, int]]:
    """Return the part of the IEC TR 60909-4 network down to bus 5, its power station units in."""
    net = pp.create_empty_network(sn_mva=10.0)
    kv = {
        "1": 380.0,
        "2": 110.0,
        "3": 110.0,
        "4": 110.0,
        "5": 110.0,
        "8": 30.0,
        "H": 30.0,
        "HG1": 20.0,
        "HG2": 10.0,
    }
    bus = {name: pp.create_bus(net, voltage, name=name) for name, voltage in kv.items()}
    for name, current_ka in (("1", 38.0), ("5", 16.0)):
        pp.create_ext_grid(net, bus[name], s_sc_max_mva=current_ka * kv[name] * 3**0.5, rx_max=0.1)
    for at, own, mva, high, low, vk, taps, x, r, cosine, range_percent in (
        ("4", "HG1", 150.0, 115.0, 21.0, 16.0, True, 0.14, 0.002, 0.85, 0.0),
        ("3", "HG2", 100.0, 120.0, 10.5, 12.0, False, 0.16, 0.005, 0.9, 7.5),
    ):
        unit = pp.create_transformer_from_parameters(
            net,
            bus[at],
            bus[own],
            sn_mva=mva,
            vn_hv_kv=high,
            vn_lv_kv=low,
            vk_percent=vk,
            vkr_percent=0.5,
            pfe_kw=0.0,
            i0_percent=0.0,
            oltc=taps,
            power_station_unit=True,
            pt_percent=12.0 if taps else float("nan"),
        )
        pp.create_gen(
            net,
            bus[own],
            p_mw=cosine * mva,
            vn_kv=low,
            xdss_pu=x,
            rdss_ohm=r,
            cos_phi=cosine,
            sn_mva=mva,
            pg_percent=range_percent,
            power_station_trafo=unit,
        )
    for low in ("H", "8"):
        pp.create_transformer3w_from_parameters(
            net,
            bus["1"],
            bus["2"],
            bus[low],
            vn_hv_kv=400.0,
            vn_mv_kv=120.0,
            vn_lv_kv=30.0,
            sn_hv_mva=350.0,
            sn_mv_mva=350.0,
            sn_lv_mva=50.0,
            pfe_kw=0.0,
            i0_percent=0.0,
            vk_hv_percent=21.0,
            vkr_hv_percent=0.26,
            vk_mv_percent=7.0,
            vkr_mv_percent=0.16,
            vk_lv_percent=10.0,
            vkr_lv_percent=0.16,
        )
    for start, end, km, r, x in (
        ("2", "3", 20.0, 0.12, 0.39),
        ("3", "4", 10.0, 0.12, 0.39),
        ("2", "5", 5.0, 0.12, 0.39),
        ("2", "5", 5.0, 0.12, 0.39),
        ("5", "3", 10.0, 0.096, 0.388),
        ("5", "4", 15.0, 0.12, 0.386),
    ):
        pp.create_line_from_parameters(
            net,
            bus[start],
            bus[end],
            length_km=km,
            r_ohm_per_km=r,
            x_ohm_per_km=x,
            c_nf_per_km=0.0,
            max_i_ka=1.0,
        )
    return net, bus


def below_bus_5(
    level_ka: float, rx: float, with_motors: bool
) -> tuple[pp.pandapowerNet, dict[str, int]]:
    """Return the part of the IEC TR 60909-4 network below bus 5, on a network equivalent."""
    net = pp.create_empty_network(sn_mva=10.0)
    bus = {"5": pp.create_bus(net, 110.0), "6": pp.create_bus(net, 10.0)}
    bus["7"] = pp.create_bus(net, 10.0)
    pp.create_ext_grid(net, bus["5"], s_sc_max_mva=level_ka * 110.0 * 3**0.5, rx_max=rx)
    for name in ("T5", "T6"):
        pp.create_transformer_from_parameters(
            net,
            bus["5"],
            bus["6"],
            sn_mva=31.5,
            vn_hv_kv=115.0,
            vn_lv_kv=10.5,
            vk_percent=12.0,
            vkr_percent=0.5,
            pfe_kw=0.0,
            i0_percent=0.0,
            name=name,
        )
    pp.create_gen(
        net, bus["6"], p_mw=0.0, vn_kv=10.5, xdss_pu=0.1, rdss_ohm=0.018, cos_phi=0.8, sn_mva=10.0
    )
    pp.create_line_from_parameters(
        net,
        bus["6"],
        bus["7"],
        length_km=1.0,
        r_ohm_per_km=0.082,
        x_ohm_per_km=0.086,
        c_nf_per_km=0.0,
        max_i_ka=1.0,
    )
    if with_motors:
        for mw, cosine, efficiency, multiple in (
            (5.0, 0.88, 97.5, 5.0),
            (2.0, 0.89, 96.8, 5.2),
            (2.0, 0.89, 96.8, 5.2),
        ):
            pp.create_motor(
                net,
                bus["7"],
                pn_mech_mw=mw,
                cos_phi=cosine,
                cos_phi_n=cosine,
                efficiency_n_percent=efficiency,
                vn_kv=10.0,
                rx=0.1,
                lrc_pu=multiple,
            )
    return net, bus


def rows_of(
    label: str,
    net: pp.pandapowerNet,
    bus: dict[str, int],
    faults: tuple[str, ...],
    cases: tuple[str, ...],
    comment: str,
) -> list[dict[str, str]]:
    """Return one row for each bus, fault and case."""
    found = []
    for case in cases:
        for fault in faults:
            peak = fault != "1ph"
            sc.calc_sc(
                net,
                fault=fault,
                case=case,
                ip=peak,
                lv_tol_percent=6,
                kappa_method="C",
                topology="auto",
            )
            for name, index in bus.items():
                result = net.res_bus_sc.loc[index]
                found.append(
                    {
                        "network": label,
                        "bus": name,
                        "fault": fault,
                        "case": case,
                        "ikss_a": f"{1e3 * result['ikss_ka']:.4f}",
                        "ip_a": f"{1e3 * result['ip_ka']:.4f}" if peak else "",
                        "r_ohm": f"{result['rk_ohm']:.9g}",
                        "x_ohm": f"{result['xk_ohm']:.9g}",
                        "version": f"pandapower {pp.__version__}",
                        "date": datetime.date.today().isoformat(),
                        "comment": comment,
                    }
                )
    return found


def main(path: str) -> None:
    """Calculate all networks and write the table to `path`."""
    warnings.simplefilter("ignore")
    rows = []
    all_faults = ("3ph", "2ph", "1ph")
    rows += rows_of("radial-utility", *radial("utility"), all_faults, ("max", "min"), "")
    rows += rows_of("radial-generator", *radial("generator"), ("3ph", "2ph"), ("max", "min"), "")
    above = rows_of(
        "tr4-above", *above_bus_5(), ("3ph",), ("max",), "bus 5 is the equivalent that feeds tr4"
    )
    rows += above
    (five,) = (row for row in above if row["bus"] == "5")
    level_ka, rx = float(five["ikss_a"]) / 1e3, float(five["r_ohm"]) / float(five["x_ohm"])
    for label, motors in (("tr4", True), ("tr4-no-motors", False)):
        rows += rows_of(label, *below_bus_5(level_ka, rx, motors), ("3ph", "2ph"), ("max",), "")
    with Path(path).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main(sys.argv[1])
