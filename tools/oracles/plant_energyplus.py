"""Run EnergyPlus on a plant alone: ``python -m tools.oracles.plant_energyplus WEATHER.epw ...``.

1 MW of chilled water all year on one chiller, by a tower with a fan of variable speed or by air:
the plants of `reference/cases/energyplus.csv`, of which it prints the figures.
"""

from __future__ import annotations

import csv
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from pyenergyplus.api import EnergyPlusAPI

_CHILLERS = Path(__file__).resolve().parents[2] / "reference" / "cooling" / "chillers_eir.csv"
_TOWER, _AIR = "York YT 1055kW/5.96COP/Vanes", "Carrier 30XA500 1609.4kW/2.9COP"
_LOAD_W, _SUPPLY_C, _CHW_M3_S, _CHW_PA = 1e6, 6.67, 0.043, 1e5
_CW_M3_S, _CW_PA, _FAN_W, _PUMPS = 0.0651, 1.5e5, 18e3, 0.7
_AIR_M3_S = _FAN_W * 0.5 / 190.0
_WH = 3.6e9
_FIGURES = {
    "chiller_mwh": ("Chiller Electricity Energy", sum, _WH),
    "chiller_heat_mwh": ("Chiller Evaporator Cooling Energy", sum, _WH),
    "chiller_peak_kw": ("Chiller Electricity Rate", max, 1e3),
    "tower_fan_mwh": ("Cooling Tower Fan Electricity Energy", sum, _WH),
    "pumps_mwh": ("Pump Electricity Energy", sum, _WH),
    "evap_m3": ("Cooling Tower Water Evaporation Volume", sum, 1.0),
    "drift_m3": ("Cooling Tower Water Drift Volume", sum, 1.0),
    "blowdown_m3": ("Cooling Tower Water Blowdown Volume", sum, 1.0),
    "makeup_m3": ("Cooling Tower Make Up Water Volume", sum, 1.0),
    "t_cond_in_mean_c": ("Chiller Condenser Inlet Temperature", lambda v: sum(v) / len(v), 1.0),
    "t_cond_in_max_c": ("Chiller Condenser Inlet Temperature", max, 1.0),
}


def _loop(name: str, flow_m3_s: float, head_pa: float, source: str, load: str) -> Iterable[str]:
    """Return a loop: pump and `source` on its supply side, `load` on the other."""
    power_w = flow_m3_s * head_pa / _PUMPS
    pump = (flow_m3_s, head_pa, power_w, 1, 0, "Continuous")
    heads = {
        "S": ("Pump:ConstantSpeed", f"{name} Pump", f"{name} In", f"{name} Pumped"),
        "D": ("Pipe:Adiabatic", f"{name} First", f"{name} DIn", f"{name} DFirst"),
    }
    for side, machine, out in (("S", source, "Out"), ("D", load, "DOut")):
        head, (kind, title) = heads[side], machine.split("|")
        tail = ("Pipe:Adiabatic", f"{name} {side} Last", f"{name} {side} Mixed", f"{name} {out}")
        work = (kind, title, f"{title} {name} In", f"{title} {name} Out")
        for branch, parts in (("A", head), ("B", work), ("C", tail)):
            yield _object("Branch", f"{name} {side}{branch}", "", *parts)
        branches = [f"{name} {side}{branch}" for branch in "ABC"]
        split, mix = f"{name} {side} Split", f"{name} {side} Mix"
        pair = ("Connector:Splitter", split, "Connector:Mixer", mix)
        yield _object("BranchList", f"{name} {side}", *branches)
        yield _object("ConnectorList", f"{name} {side} Pair", *pair)
        yield _object("Connector:Splitter", split, *branches[:2])
        yield _object("Connector:Mixer", mix, branches[2], branches[1])
        yield _object(*tail)
        yield _object(*head, *(pump if side == "S" else ()))


def _object(*fields: object) -> str:
    return ", ".join(str(field) for field in fields) + ";"


def _plant(kind: str, name: str, flow_m3_s: float, machine: str) -> Iterable[str]:
    sides = (f"{name} {end}" for end in ("In", "Out", "S", "S Pair", "DIn", "DOut", "D", "D Pair"))
    what = kind.removesuffix("Loop")
    last = ("Optimal", "", "SingleSetpoint") if what == "Plant" else ("Optimal",)
    limits = (98, 1, flow_m3_s, 0, "Autocalculate")
    yield _object(kind, name, "Water", "", f"{name} Ops", f"{name} Out", *limits, *sides, *last)
    scheme = "PlantEquipmentOperation:CoolingLoad"
    yield _object(f"{what}EquipmentOperationSchemes", f"{name} Ops", scheme, f"{name} Op", "On")
    yield _object(scheme, f"{name} Op", 0, 1e9, f"{name} List")
    yield _object(f"{what}EquipmentList", f"{name} List", *machine.split("|"))


def _chiller(title: str, tower: bool) -> Iterable[str]:
    with _CHILLERS.open(encoding="utf-8") as lines:
        row = next(found for found in csv.DictReader(lines) if found["name"] == title)
    rated = [row[key] for key in ("cop_ref", "t_chw_lvg_ref_c", "t_cond_ent_ref_c")]
    least, most = row["plr_min"], row["plr_max"]
    condenser = ("Chiller CW In", "Chiller CW Out", "WaterCooled") if tower else ("Outdoors", "")
    yield _object(
        "Chiller:Electric:EIR", "Chiller", float(row["cap_ref_kw"]) * 1e3, *rated, _CHW_M3_S,
        _CW_M3_S if tower else "", "Cap", "EIR", "Part", least, most, 1, least, "Chiller CHW In",
        "Chiller CHW Out", *condenser, *(() if tower else ("AirCooled",)), 0, 1, 2, "NotModulated",
    )  # fmt: skip
    box = [row[key] for key in ("x_min_c", "x_max_c", "y_min_c", "y_max_c")]
    for name, stem in (("Cap", "capft"), ("EIR", "eirft")):
        terms = [row[f"{stem}_{term}"] for term in ("1", "x", "x2", "y", "y2", "xy")]
        yield _object("Curve:Biquadratic", name, *terms, *box)
    part = [row[f"eirfplr_{term}"] for term in ("1", "p", "p2")]
    yield _object("Curve:Quadratic", "Part", *part, least, most)
    if not tower:
        yield _object("OutdoorAir:Node", "Outdoors")


def model(tower: bool) -> str:
    """Return the input of EnergyPlus."""
    chiller = "Chiller:Electric:EIR|Chiller"
    parts = [
        "Version, 25.2;",
        "SimulationControl, No, No, No, No, Yes, No, 1;",
        "Building, Plant, 0, City, 0.04, 0.4, FullExterior, 25, 6;",
        "Timestep, 4;",
        "RunPeriod, Year, 1, 1, , 12, 31, , Sunday, No, No, No, Yes, Yes;",
        "GlobalGeometryRules, UpperLeftCorner, CounterClockWise, World;",
        "Schedule:Constant, On, , 1;",
        f"Schedule:Constant, Load, , {-_LOAD_W};",
        f"Schedule:Constant, Supply, , {_SUPPLY_C};",
        "SetpointManager:Scheduled, CHW Point, Temperature, Supply, CHW Out;",
        f"LoadProfile:Plant, Coils, Coils CHW In, Coils CHW Out, Load, {_CHW_M3_S}, On;",
        *_plant("PlantLoop", "CHW", _CHW_M3_S, chiller),
        *_loop("CHW", _CHW_M3_S, _CHW_PA, chiller, "LoadProfile:Plant|Coils"),
        *_chiller(_TOWER if tower else _AIR, tower),
        *(f"Output:Variable, *, {figure}, Hourly;" for figure, _, _ in _FIGURES.values()),
    ]
    if tower:
        cells = "CoolingTower:VariableSpeed|Tower"
        parts += [
            *_plant("CondenserLoop", "CW", _CW_M3_S, cells),
            *_loop("CW", _CW_M3_S, _CW_PA, cells, chiller),
            "SetpointManager:FollowOutdoorAirTemperature, CW Point, Temperature, "
            "OutdoorAirWetBulb, 4.0, 29.44, 15.6, CW Out;",
            f"CoolingTower:VariableSpeed, Tower, Tower CW In, Tower CW Out, YorkCalc, , 25.56, "
            f"3.89, 5.56, {_CW_M3_S}, {_AIR_M3_S}, {_FAN_W}, , 0.2, 0.125, 0, 2, , "
            "SaturatedExit, , 0.008, ConcentrationRatio, 5;",
        ]
    return "\n".join(parts)


def hours(folder: Path) -> dict[str, list[float]]:
    """Return what EnergyPlus reported, by name."""
    names: dict[str, str] = {}
    found: dict[str, list[float]] = {}
    for line in (folder / "eplusout.eso").read_text(encoding="utf-8").splitlines():
        cells = line.split(",")
        if len(cells) == 4 and cells[1] == "1":
            names[cells[0]] = cells[3].split(" [")[0]
        elif len(cells) == 2 and cells[0] in names:
            found.setdefault(names[cells[0]], []).append(float(cells[1]))
    return found


def run(weather: str, tower: bool, folder: Path) -> dict[str, float]:
    """Return the figures of a year."""
    idf = folder / "plant.idf"
    idf.write_text(model(tower), encoding="utf-8")
    api = EnergyPlusAPI()
    state = api.state_manager.new_state()
    api.runtime.set_console_output_status(state, False)
    if api.runtime.run_energyplus(state, ["-w", weather, "-d", str(folder), str(idf)]):
        raise SystemExit((folder / "eplusout.err").read_text(encoding="utf-8"))
    series = hours(folder)
    return {
        name: of(series[figure]) / scale
        for name, (figure, of, scale) in _FIGURES.items()
        if figure in series
    }


def main() -> None:
    """Print weather, plant, figure and value."""
    for weather in sys.argv[1:]:
        for tower in (True, False):
            with tempfile.TemporaryDirectory() as folder:
                for name, value in run(weather, tower, Path(folder)).items():
                    plant = "water_cooled" if tower else "air_cooled"
                    print(f"{Path(weather).stem},{plant},{name},{value:.7g}")


if __name__ == "__main__":
    main()
