"""Answers of a brief become the fields of a project, and nothing else; doubts are questions."""

import pytest

import facility
from facility.core.errors import FacilityError
from facility.files.project.file import begun_example, example_names, example_text, parse_project
from facility.model.inputs.document import as_typed
from facility.study.brief.brief import Brief, begun, left_to_tool, read_amount
from facility.study.brief.site import distance_warning
from facility.study.design.design import design

PHOENIX = {
    "place": "Phoenix, AZ, US",
    "country": "US",
    "latitude": "33.448",
    "longitude": "-112.074",
    "elevation": "331 m",
    "station": "phoenix",
}
US_ASHBURN = {"country": "US", "station": "ashburn"}
SMALL = {"gpu_model": "H100 SXM5", "gpus": "256"}


@pytest.mark.parametrize(
    ("brief", "expected"),
    [
        (Brief(), {"it": SMALL}),
        (Brief(size="1,024 GPUs"), {"it": SMALL | {"gpus": "1024"}}),
        (
            Brief("32 servers", "DGX-H100", "Phoenix", "", "415, 34.5 kV", "2n"),
            {
                "site": PHOENIX | {"utility_voltage": "34.5 kV"},
                "criteria": {"redundancy_goal": "2N"},
                "it": {"server": "DGX-H100", "servers": "32"},
                "power": {"distribution": {"rack_system": "415Y/240"}},
            },
        ),
        # Two DGX H100 to a rack: 2 x 10.2 kW in a reference rack of 41 kW, limited by its air.
        (Brief(size="16 racks"), {"it": {"gpu_model": "H100 SXM5", "servers": "32"}}),
        (Brief(survive="any failure"), {"criteria": {"availability_goal": "fault_tolerant"}}),
        (Brief(survive="Tier IV"), {"criteria": {"availability_goal": "fault_tolerant"}}),
        (Brief(survive="nothing"), {"criteria": {"redundancy_goal": "N"}}),
        (
            Brief(location="39.04, -77.49"),
            {"site": {"latitude": "39.04", "longitude": "-77.49"} | US_ASHBURN},
        ),
        (
            Brief(location="Munich", weather="37 degC, 24 degC", sets=("site.frequency=50 Hz",)),
            {
                "site": {
                    "place": "Munich, DE",
                    "country": "DE",
                    "latitude": "48.137",
                    "longitude": "11.575",
                    "elevation": "524 m",
                    "design_dry_bulb": "37 degC",
                    "design_wet_bulb": "24 degC",
                    "frequency": "50 Hz",
                }
            },
        ),
    ],
)  # fmt: skip
def test_a_project_states_the_answers_alone(brief: Brief, expected: dict[str, object]) -> None:
    project = begun(brief)
    assert as_typed(project) == {"schema_version": "1", "it": SMALL} | expected
    assert int(design(project).results["load.gpus"].si) > 0


@pytest.mark.parametrize(
    ("brief", "code", "where", "hint"),
    [
        (Brief(size="some"), "BRIEF_SIZE", "size", "256 GPUs"),
        (Brief(size="1.5 GPUs"), "BRIEF_SIZE", "size", "256 GPUs"),
        (Brief(size="0 racks"), "BRIEF_SIZE", "size", "256 GPUs"),
        (Brief(size="256"), "BRIEF_SIZE", "size", "256 GPUs"),
        (Brief(model="H100"), "AMBIGUOUS_MODEL", "model", "H100 SXM5 (NVIDIA, 700 W)"),
        (Brief(model="H101"), "UNKNOWN_MODEL", "model", "H100"),
        (Brief(location="Nowhereville"), "UNKNOWN_PLACE", "place", "coordinates"),
        (Brief(location="Springfield"), "AMBIGUOUS_PLACE", "place", "Springfield, MO, US"),
        (
            Brief(location="Munich"),
            "WEATHER_SITE",
            "weather",
            "climate.onebuilding.org (country DEU)",
        ),
        (Brief(location="Phoenix", weather="fenix"), "UNKNOWN_MODEL", "weather", "phoenix"),
        (Brief(voltage="417"), "UNKNOWN_SYSTEM", "power.distribution.rack_system", "415Y/240"),
        (Brief(survive="2M"), "BRIEF_SURVIVE", "survive", "2N"),
        (Brief(survive="N" * 300), "TEXT_TOO_LONG", "survive", "N+1"),
    ],
)
def test_a_doubt_is_a_question(brief: Brief, code: str, where: str, hint: str) -> None:
    with pytest.raises(FacilityError) as caught:
        begun(brief)
    assert (caught.value.code, caught.value.where) == (code, where)
    assert hint in caught.value.hint


def test_an_offered_station_is_told_with_distance_and_height() -> None:
    with pytest.raises(FacilityError) as caught:
        begun(Brief(location="Columbus, OH"))
    # 0.39 degrees of latitude, 3.07 x cos(40.2 degrees) of longitude: 2.38 x 111.2 km
    assert "265 km, 145 m higher" in caught.value.message
    assert 'weather="pittsburgh"' in caught.value.hint
    accepted = design(begun(Brief(location="Columbus, OH", weather="pittsburgh")))
    assert distance_warning(accepted.facility.site.record) == ""


def test_a_distant_station_is_not_offered_and_accepted_with_a_warning() -> None:
    with pytest.raises(FacilityError) as caught:
        begun(Brief(location="La Paz, Bolivia"))
    assert "the nearest is miami (Miami, Florida), 4,88" in caught.value.message
    assert "others are offered within 2,000 km" in caught.value.message
    assert "accept the station" not in caught.value.hint
    # Miami: 42.3 degrees of latitude, 12.1 of longitude at the equator: 44.0 x 111.2 km.
    accepted = design(begun(Brief(location="La Paz, Bolivia", weather="miami")))
    assert "from miami (Miami, Florida), 4,88" in distance_warning(accepted.facility.site.record)


def test_what_is_left_to_the_tool_is_told_with_its_default() -> None:
    brief = Brief(model="B200 SXM", location="Phoenix")
    left = dict(left_to_tool(brief, design(begun(brief))))
    assert left == {
        "Size": "256 GPUs",
        "Voltage": "racks 415Y/240, utility 13,800 V",
        "Redundancy": "UPS N+1",
    }


def test_a_stated_station_is_the_site() -> None:
    brief = Brief(model="H100 SXM5", weather="phoenix", voltage="415")
    assert [subject for subject, _ in left_to_tool(brief, design(begun(brief)))] == [
        "Size",
        "Redundancy",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("256 gpus", (256, "gpus")),
        ("1 rack", (1, "racks")),
        ("4 nodes", (4, "servers")),
        ("5 MW", (5e6, "power")),
        ("750kW", (750e3, "power")),
    ],
)
def test_sizes(text: str, expected: tuple[float, str]) -> None:
    assert read_amount(text) == expected


@pytest.mark.parametrize("name", example_names())
def test_a_start_from_an_example_drops_its_identity(name: str) -> None:
    project, example = parse_project(begun_example(name)), parse_project(example_text(name))
    assert as_typed(project) == as_typed(example) | {"project": {"started_from": name}}
    assert example.project.name == name


def test_the_library_begins_a_project() -> None:
    assert facility.new(racks=2, model="GB200 NVL72").it.servers == 2
    with pytest.raises(FacilityError) as caught:
        facility.new(gpus=64, racks=2)
    assert caught.value.code == "BRIEF_SIZE"
