"""Rows of the catalogue that cannot be designed with are marked, and not offered."""

from __future__ import annotations

import pytest

from facility.catalogue import table
from facility.catalogue.trade_names import SERVERS
from facility.core.errors import FacilityError
from facility.files.project.file import parse_project
from facility.report.studies.known import table_view
from facility.study.design.design import design
from facility.study.resolve.it.devices import missing_data
from facility.study.resolve.it.short_form import offered_gpus
from tests.power.it.helpers import plan_of


@pytest.mark.parametrize("gpu", offered_gpus())
def test_every_gpu_offered_can_be_designed_with_its_number_alone(gpu: str) -> None:
    assert plan_of(gpu_model=gpu, gpus="64").racks


def test_rows_without_a_maximum_say_why_and_those_without_a_gpu_power_are_designed() -> None:
    assert "Rubin" not in offered_gpus()
    heads, rows = table_view("equipment/servers")
    marks = {row[heads.index("model")]: row[-1] for row in rows}
    assert heads[-1] == "designed"
    assert marks["DGX H100"] == "yes"
    assert marks["VR NVL72"] == marks["DGX Rubin NVL8 rack"] == "yes", "the rack's power is known"
    assert marks["XD670 H100"].startswith("no: the maximum power of XD670 H100 is missing")


def test_a_row_is_marked_exactly_where_a_project_of_it_is_refused() -> None:
    for row in table("equipment/servers").rows:
        model = row.text("model")
        fields = {"server": model, "servers": "4", "network": {"topology": "none"}}
        if not missing_data(model):
            assert plan_of(**fields).racks
            continue
        with pytest.raises(FacilityError) as caught:
            plan_of(**fields)
        assert caught.value.code == "UNKNOWN_VALUE"
        assert caught.value.where.startswith("it."), "a field of the project is named"


@pytest.mark.parametrize("size", [{"servers": "1"}, {"gpus": "64"}], ids=["one", "64 GPUs"])
@pytest.mark.parametrize("model", [m for m in table(SERVERS).keys if not missing_data(m)])
def test_every_server_offered_can_be_designed(model: str, size: dict[str, str]) -> None:
    liquid = table(SERVERS).get(model)["liquid_only"]
    (number,) = size.items()
    text = f"schema_version: 1\nit: {{server: {model}, {number[0]}: {number[1]}}}\n"
    text += f"power: {{redundancy: 2N}}\ncooling: {{method: {'liquid' if liquid else 'air'}}}\n"
    found = design(parse_project(text))
    maximum_w = next(d.device.maximum_w for d in found.it.devices if d.device.model == model)
    assert found.it.servers_w % maximum_w == pytest.approx(0.0, abs=1e-6)
    assert found.it.servers_w >= maximum_w


def test_a_row_designs_with_the_power_of_its_rack_alone() -> None:
    """VR NVL72: 230 kW a rack; the thermal design power of its GPU is not published."""
    found = plan_of(server="VR NVL72", servers="4", network={"topology": "none"})
    device = found.racks[0].placed[0].device
    assert (device.maximum_w, device.gpu_power_w) == (230e3, None)
    assert found.racks[0].input_w == 230e3
