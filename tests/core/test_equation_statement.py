"""Formulas in full: implicit and multiple results are not put behind a second symbol."""

import pytest

import facility


@pytest.mark.parametrize(
    ("topic", "name", "start"),
    [
        ("circuits", "three_phase_current", "I = S"),
        ("liquids", "darcy_friction", "1/√"),
        ("faults", "rated_impedance", "Z = z"),
        ("exchangers", "crossflow_effectiveness", "ε = 1/"),
        ("machines", "strings_needed", "n_s = "),
    ],
)
def test_formula_has_one_result(topic: str, name: str, start: str) -> None:
    equation = getattr(getattr(facility.equations, topic), name)
    assert equation.formula.startswith(start)


def test_repr_of_a_project_without_gpus() -> None:
    project = facility.project({"it": {"gpu_model": "H100 SXM5"}})
    assert repr(project) == "<Project without a name: H100 SXM5>"


@pytest.mark.parametrize(
    ("changes", "hint"),
    [
        ({"site.station": "dublin"}, "site.weather_file"),
        ({"cooling.method": "rear-door"}, "cooling.air.terminal"),
    ],
)
def test_errors_name_the_field_that_helps(changes: dict[str, object], hint: str) -> None:
    project = facility.project({"it": {"gpu_model": "H100 SXM5", "gpus": 64}})
    with pytest.raises(facility.FacilityError) as caught:
        facility.design(project.with_(changes))
    assert hint in caught.value.hint
