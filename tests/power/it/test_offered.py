"""Rows of the catalogue that cannot be designed with are marked, and not offered."""

from __future__ import annotations

import pytest

from facility.catalogue import table
from facility.core.errors import FacilityError
from facility.report.studies.known import table_view
from facility.study.resolve.it.devices import lacking
from facility.study.resolve.it.short_form import offered_gpus
from tests.power.it.helpers import plan_of


@pytest.mark.parametrize("gpu", offered_gpus())
def test_every_gpu_offered_can_be_designed_with_its_number_alone(gpu: str) -> None:
    assert plan_of(gpu_model=gpu, gpus="64").racks


def test_rubin_is_not_offered_and_its_rows_say_why() -> None:
    assert "Rubin" not in offered_gpus()
    heads, rows = table_view("equipment/servers")
    marks = {row[heads.index("model")]: row[-1] for row in rows}
    assert heads[-1] == "designed"
    assert marks["DGX H100"] == "yes"
    assert marks["VR NVL72"] == "no: the thermal design power of Rubin is not published"
    assert marks["XD670 H100"].startswith("no: the maximum power of XD670 H100 is not known")


def test_a_row_is_marked_exactly_where_a_project_of_it_is_refused() -> None:
    for row in table("equipment/servers").rows:
        model = row.text("model")
        fields = {"server": model, "servers": "4", "network": {"topology": "none"}}
        if not lacking(model):
            assert plan_of(**fields).racks
            continue
        with pytest.raises(FacilityError) as caught:
            plan_of(**fields)
        assert caught.value.code == "UNKNOWN_VALUE"
        assert caught.value.where.startswith("it."), "a field of the project is named"
