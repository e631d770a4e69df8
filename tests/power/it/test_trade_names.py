"""Projects that name GPUs and servers as people do, and one field for an unpublished power."""

from __future__ import annotations

import pytest

from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.model.inputs.it import ItSection
from facility.study.resolve.it.plan import resolve_it
from tests.power.it.helpers import TWO, load_of

_NO_FABRIC = {"topology": "none"}


def test_trade_names_lead_to_the_catalogue_rows() -> None:
    found = load_of(gpu_model="GB200 NVL72", gpus="144", network=_NO_FABRIC)
    assert [load.device.model for load in found.devices if load.device.gpus] == ["GB200 NVL72"]
    found = load_of(server="Dell PowerEdge XE9680 (8x H100)", gpus="64", network=_NO_FABRIC)
    assert found.devices[0].device.model == "XE9680 H100"
    assert found.devices[0].count == 8


def test_the_server_decides_an_incomplete_gpu_name() -> None:
    found = load_of(gpu_model="H100", server="DGX H100", gpus="64", network=_NO_FABRIC)
    assert found.devices[0].device.gpu_model == "H100 SXM5"


def test_stated_power_completes_a_row_in_one_field() -> None:
    found = load_of(gpu_model="MI300X", gpus="64", server_power="10.5 kW", network=_NO_FABRIC)
    (servers,) = (load for load in found.devices if load.device.gpus)
    assert servers.device.model == "XE9680 MI300X"
    assert servers.device.maximum_w == 10_500.0
    assert servers.count * servers.device.maximum_w == 84_000.0
    assert not servers.device.from_memory


def test_fields_of_a_device_under_a_trade_name_complete_its_row() -> None:
    own = [{"model": "HPE Cray XD670 8x H100", "maximum_power": "11 kW"}]
    found = load_of(server="XD670 H100", servers="2", devices=own, network=_NO_FABRIC)
    assert found.devices[0].device.maximum_w == 11_000.0
    assert found.devices[0].device.rack_units == 5


@pytest.mark.parametrize(
    ("fields", "code", "where", "words"),
    [
        ({"gpu_model": "H100", "gpus": "64"}, "AMBIGUOUS_MODEL", "it.gpu_model", "H100 NVL"),
        ({"server": "XE9680", "servers": "2"}, "AMBIGUOUS_MODEL", "it.server", "XE9680 MI300X"),
        (
            {"gpu_model": "MI300X", "gpus": "64"},
            "UNKNOWN_VALUE",
            "it.server (XE9680 MI300X)",
            "it.server_power",
        ),
        (
            {"server": "Frob 9", "servers": "2", "server_power": "9 kW"},
            "UNKNOWN_MODEL",
            "it.server",
            "it.devices",
        ),
        (
            {
                "server": "DGX H100",
                "servers": "2",
                "server_power": "9 kW",
                "devices": [{"model": "DGX H100", "maximum_power": "9 kW"}],
            },
            "CONTRADICTION",
            "it.server_power",
            "only one",
        ),
        (
            {"server": "SR680a V3 B200", "servers": "2", "server_power": "9 kW"},
            "CONTRADICTION",
            "it.server_power.typical_power",
            "ascending",
        ),
    ],
    ids=["gpu", "server", "power", "unknown", "twice", "below typical"],
)
def test_doubts_are_questions(fields: dict[str, object], code: str, where: str, words: str) -> None:
    with pytest.raises(FacilityError) as asked:
        resolve_it(ItSection.model_validate(fields), TWO, Trace())
    assert (asked.value.code, asked.value.where) == (code, where)
    assert words in asked.value.hint
