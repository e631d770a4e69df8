"""Annual runs of public peer tools and of `h100-10k`, in one run, if installed.

``python -m benchmarks.peers --sustaindc CLONE --energyplus PYTHON MODEL.idf WEATHER.epw``

SustainDC (github.com/HewlettPackard/dc-rl, MIT; no package: a clone of it) is the smallest public
model of hall and cooling by the hour that was found: its racks, fans, chiller and tower, stepped
through the dry bulbs of Ashburn. EnergyPlus is the wheel pyenergyplus-lbnl, in a separate
environment: one run of a model through a year, which it writes to files. Its wheel ships models of
buildings, not of a plant only. calPWUE, the calculator of Lei and Masanet, is no package either,
and no public clone was found. None of them designs the power chain.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

import numpy as np

from benchmarks.year import _least_s
from facility.core.kinds import FloatArray
from facility.core.reference import reference_path
from facility.files.project.file import load_project
from facility.study.annual.hours import hours_of
from facility.study.annual.study import annual
from facility.study.design.design import design

_ENERGYPLUS = """
import sys, time
from pyenergyplus.api import EnergyPlusAPI
model, weather, out = sys.argv[1:]
api = EnergyPlusAPI()
state = api.state_manager.new_state()
api.runtime.set_console_output_status(state, False)
start = time.process_time()
failed = api.runtime.run_energyplus(state, ["-a", "-w", weather, "-d", out, model])
print(failed, time.process_time() - start)
"""
_SUPPLY_C, _LOAD = 18.0, 80.0


def sustaindc_s(clone: Path, dry_bulb_c: FloatArray, wet_bulb_c: FloatArray) -> float:
    """Return the processor time of the hours of a hall of 1 MW, each a step."""
    sys.path.insert(0, str(clone))
    hall = import_module("envs.datacenter")
    plan = import_module("utils.dc_config_reader").DC_Config(datacenter_capacity_mw=1)
    racks = hall.DataCenter_ITModel(
        num_racks=plan.NUM_RACKS,
        rack_supply_approach_temp_list=plan.RACK_SUPPLY_APPROACH_TEMP_LIST,
        rack_CPU_config=plan.RACK_CPU_CONFIG,
        max_W_per_rack=plan.MAX_W_PER_RACK,
        DC_ITModel_config=plan,
    )
    start = time.process_time()
    for dry_c, wet_c in zip(dry_bulb_c.tolist(), wet_bulb_c.tolist(), strict=True):
        cpus, fans, outlets = racks.compute_datacenter_IT_load_outlet_temp(
            [_LOAD] * plan.NUM_RACKS, _SUPPLY_C
        )
        return_c = hall.calculate_avg_CRAC_return_temp(plan.RACK_RETURN_APPROACH_TEMP_LIST, outlets)
        hall.calculate_HVAC_power(_SUPPLY_C, return_c, dry_c, sum(cpus) + sum(fans), plan)
        racks.hot_water_temp, racks.cold_water_temp = return_c, _SUPPLY_C
        racks.wet_bulb_temp = wet_c
        racks.calculate_cooling_tower_water_usage()
    return time.process_time() - start


def energyplus_s(python: str, model: str, weather: str) -> float:
    """Return the processor time of a year of a model."""
    with tempfile.TemporaryDirectory() as out:
        words = [python, "-c", _ENERGYPLUS, model, weather, out]
        ran = subprocess.run(words, capture_output=True, text=True, check=True)
    failed, taken_s = ran.stdout.split()[-2:]
    if failed != "0":
        raise SystemExit(f"EnergyPlus ended with {failed}")
    return float(taken_s)


def main() -> None:
    """Print the processor time of a year of each, and its ratio to ours."""
    parser = argparse.ArgumentParser(description="A year of public peers")
    parser.add_argument("--sustaindc", type=Path)
    parser.add_argument("--energyplus", nargs=3, metavar=("PYTHON", "IDF", "EPW"))
    asked = parser.parse_args()
    found = design(load_project(reference_path("projects", "h100-10k.yaml")))
    record = found.weather_year
    if record is None:
        raise TypeError("a reference project without hours")
    annual(found)
    ours_s = _least_s(lambda: annual(found))
    print(f"h100-10k      {ours_s * 1e3:10.1f} ms")

    def show(peer: str, taken_s: float) -> None:
        print(f"{peer:12s}  {taken_s * 1e3:10.1f} ms, {taken_s / ours_s:.0f} times ours")

    if asked.sustaindc is not None:
        air = hours_of(record).air
        taken_s = sustaindc_s(asked.sustaindc, np.asarray(air.dry_bulb_c), air.wet_bulb_c)
        show("SustainDC", taken_s)
    if asked.energyplus is not None:
        show("EnergyPlus", energyplus_s(*asked.energyplus))


if __name__ == "__main__":
    main()
