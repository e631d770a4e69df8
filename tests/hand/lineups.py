"""Cases of the lineups: device by device from the panels to the main, by project."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from facility.core.check import Severity
from facility.files.project.file import apply_sets, parse_project
from facility.power.feeders.schedule import Feeder
from facility.study.design.design import Design, design
from tests.hand.registry import case

_SHIPPED = Path(__file__).parents[2] / "reference" / "projects"
_HEAD = "schema_version: 1\n"
_DGX = "it: {gpu_model: H100 SXM5, gpus: %d, server: DGX H100}\n"
_NVL72 = (
    "it: {halls: [{name: H, racks:"
    " [{name: R, count: %d, devices: [{model: GB300 NVL72, count: 1}]}]}]}\n"
)
PROJECTS = {
    "four": "site: {station: ashburn}\n" + _DGX % 32
    + "power: {redundancy: 2N, distribution: {voltage: 208 V}}\n",
    "one": "site: {station: ashburn}\n" + _DGX % 8
    + "power: {redundancy: N, distribution: {voltage: 208 V}}\n"
    + "cooling: {plant: {heat_rejection: tower}}\n",
    "as-built": "site: {station: ashburn}\n" + _DGX % 256
    + "power: {redundancy: 2N, ups: {module_rating: 600 kW}, transformer: {rating: 300 kVA}}\n",
    "gb300": "site: {station: ashburn, utility_voltage: 34.5 kV}\n" + _NVL72 % 140
    + "power: {redundancy: 2N}\n",
    "4n3": "site: {station: chicago, utility_voltage: 34.5 kV}\n" + _NVL72 % 24
    + "power: {redundancy: 4N/3}\n",
    "norway": "site: {station: fargo, frequency: 50 Hz, utility_voltage: 11 kV}\n"
    "criteria: {code: IEC}\n" + _DGX % 512
    + "power: {redundancy: 2N, distribution: {rack_system: 400Y/230}}\n",
    "pdus": "site: {station: ashburn}\n" + _DGX % 512
    + "power: {redundancy: 2N, distribution: {voltage: 480 V, rack_system: 415Y/240}}\n",
    "japan": "site: {station: ashburn, frequency: 50 Hz, utility_voltage: 6.6 kV}\n"
    "criteria: {code: IEC}\n" + _DGX % 32
    + "power: {redundancy: N+1, distribution: {voltage: 200 V}, ups: {module_rating: 75 kW,"
    " efficiency_25: 94 %, efficiency_50: 95 %, efficiency_75: 95 %, efficiency_100: 95 %}}\n",
    "parallel": "site: {station: ashburn}\n" + _DGX % 768
    + "power: {redundancy: N, ups: {buses: 1}, transformer: {rating: 1500 kVA, count: 2}}\n",
}  # fmt: skip


@cache
def _made(name: str) -> Design:
    own = PROJECTS.get(name)
    text = _HEAD + own if own else (_SHIPPED / f"{name}.yaml").read_text("utf-8")
    return design(apply_sets(parse_project(text), ()))


def _first(name: str, stage: str) -> Feeder:
    return next(f for f in _made(name).distribution.feeders.feeders if f.circuit.stage == stage)


def _device(name: str, stage: str) -> float:
    choice = _first(name, stage).choice
    assert choice is not None
    return choice.ocpd_a


def _behind_smaller(name: str) -> float:
    """Return the WARNINGs about devices in series and mains of transformers."""
    rules = ("DEVICE-SERIES", "TRANSFORMER-DEVICE", "CIRCUIT-TOO-LARGE")
    found = [c for c in _made(name).distribution.checks if c.rule in rules and c.failed]
    assert all(c.severity is Severity.WARNING for c in found)
    return float(len(found))


for _name, _project, _stage in (
    ("dgx-su-32-ups-input", "dgx-su-32", "ups-input"),
    ("dgx-su-32-main", "dgx-su-32", "transformer"),
    ("h100-10k-ups-input", "h100-10k", "ups-input"),
    ("h100-10k-main", "h100-10k", "transformer"),
    ("mixed-hall-main", "mixed-hall", "transformer"),
    ("four-servers-208-v-ups-input", "four", "ups-input"),
    ("four-servers-208-v-main", "four", "transformer"),
    ("one-server-208-v-ups-input", "one", "ups-input"),
    ("one-server-208-v-panel-main", "one", "feeder"),
    ("japan-ups-input", "japan", "ups-input"),
    ("japan-bypass", "japan", "bypass"),
    ("as-built-main", "as-built", "transformer"),
    ("parallel-secondary-main", "parallel", "transformer"),
):
    case(f"lineup-{_name}")(lambda project=_project, stage=_stage: _device(project, stage))

for _name, _project in (
    ("as-built-warning", "as-built"),
    ("140-gb300-at-34.5-kv", "gb300"),
    ("34.5-kv-4n-3", "4n3"),
    ("norway-400-v-2n", "norway"),
    ("japan-200-v", "japan"),
    ("480-v-to-415-v-pdus", "pdus"),
):
    case(f"lineup-{_name}")(lambda project=_project: _behind_smaller(project))


@case("lineup-four-servers-208-v-ampacity")
def _() -> float:
    choice = _first("four", "transformer").choice
    assert choice is not None
    assert choice.ampacity_a >= choice.ocpd_a
    return choice.ampacity_a


@case("lineup-parallel-secondaries")
def _() -> float:
    return float(_first("parallel", "transformer").circuit.runs)
