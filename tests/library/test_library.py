"""What ``import facility`` gives: every door opened as its page and the examples do."""

from __future__ import annotations

import importlib
import inspect
import json
import math
import re
import runpy
import subprocess
import sys
from collections.abc import Callable, Mapping
from operator import attrgetter
from pathlib import Path

import numpy as np
import pint
import pytest

import facility
from facility.core.errors import FacilityError
from facility.core.kinds import KINDS
from facility.core.parse import parse_quantity
from facility.core.units import quantity, typed_text
from facility.core.views import System
from facility.files.project.file import apply_sets, example_names, example_text, parse_project
from facility.study.sweep.study import Sweep
from tests.study.helpers import SHORTEST, design_of, reference

ROOT = Path(__file__).parents[2]
SECTIONS: Mapping[str, object] = {
    "schema_version": 1,
    "it": {"gpu_model": "H100 SXM5", "gpus": 64},
    "power": {"redundancy": "N+1"},
    "cooling": {"method": "air"},
}


def test_every_name_is_found_and_described() -> None:
    for name in facility.__all__:
        assert getattr(facility, name) is not None
        assert name in dir(facility)
        if name != "__version__":
            assert f"`{name}" in (ROOT / "docs" / "library.md").read_text(encoding="utf-8"), name
    with pytest.raises(AttributeError, match="designs"):
        facility.designs  # noqa: B018


def test_importing_costs_no_registry_of_units_and_no_studies() -> None:
    code = "import facility, sys; print(sum(m in sys.modules for m in ('pint', 'numpy', 'scipy')))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "0"


def test_names_of_the_type_checker_are_those_at_run_time() -> None:
    text = (ROOT / "facility" / "__init__.py").read_text(encoding="utf-8")
    for name in facility.__all__:
        found = inspect.unwrap(getattr(facility, name)) if name != "__version__" else ""
        home = getattr(found, "__module__", "facility.core")
        if inspect.isclass(found):
            assert getattr(importlib.import_module(home), found.__name__) is found
        elif inspect.ismodule(found):
            assert found.__name__ == f"facility.{name}"
        elif name not in ("__version__", "Quantity"):
            assert inspect.unwrap(getattr(importlib.import_module(home), name)) is found
        assert f" {name}" in text.partition("__version__ =")[0]


@pytest.mark.parametrize("name", example_names())
def test_a_project_is_the_same_from_text_and_from_mappings(name: str) -> None:
    from facility.model.inputs.document import as_typed

    from_text = facility.project(example_text(name))
    assert as_typed(facility.project(as_typed(from_text))) == as_typed(from_text)


def test_sections_may_hold_numbers_quantities_and_lists() -> None:
    cooling = {"method": "air", "supply_air": quantity(22.0, "degC")}
    built = facility.project(
        {
            **SECTIONS,
            "cooling": cooling,
            "confirmed": ["it.diversity"],
            "power": {"redundancy": "N"},
        }
    )
    assert built.cooling.supply_air is not None
    assert (built.cooling.supply_air.si, built.it.gpus) == (22.0, 64)
    assert built.confirmed == ("it.diversity",)


def test_a_changed_project_is_what_the_file_with_the_change_is() -> None:
    from facility.model.inputs.document import as_typed

    project = parse_project(SHORTEST)
    sets = ["it.gpus=128", "site.tariff=0.07 USD/kWh", "it.halls.0.name=A"]
    changed = project.with_({"site.tariff": "0.07 USD/kWh", "it.halls[0].name": "A"}, it__gpus=128)
    assert as_typed(changed) == as_typed(apply_sets(project, sets))
    assert project.it.gpus == 64
    assert changed.with_(site__tariff=None).site.tariff is None


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("it.gpu", 8, "UNKNOWN_FIELD"),
        ("it.gpus", "many", "NOT_A_COUNT"),
        ("it.gpus", object(), "INPUT_TYPE"),
        ("it.gpus", [1.5, {"a": b"x"}], "INPUT_TYPE"),
        ("cooling.supply_air", 22, "UNIT_MISSING"),
        ("cooling.supply_air", quantity(22.0, "kW"), "UNIT_WRONG"),
        ("cooling.supply_air", quantity(2.0, "kW") * quantity(1.0, "m"), "UNIT_UNKNOWN"),
        ("cooling.supply_air", quantity([1.0, 2.0], "degC"), "INPUT_TYPE"),
        ("it..gpus", 8, "SET_SYNTAX"),
        ("it.gpus.x", 8, "SET_INDEX"),
    ],
)
def test_a_change_that_makes_no_sense_is_refused(path: str, value: object, code: str) -> None:
    with pytest.raises(FacilityError) as caught:
        parse_project(SHORTEST).with_({path: value})
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("unit", "text"),
    [("kW", "12.5 kW"), ("kVA", "12.5 kVA"), ("m", "12.5 m"), ("", "12.5"), ("percent", "12.5 %")],
)
def test_a_quantity_of_a_foreign_registry_is_typed_by_its_unit(unit: str, text: str) -> None:
    foreign: pint.UnitRegistry[float] = pint.UnitRegistry()
    assert typed_text(foreign.Quantity(12.5, unit)) == text


@pytest.mark.parametrize("unit", ["cfm", "ton", "furlong", "kW*m"])
def test_a_foreign_unit_that_is_ambiguous_or_unknown_is_refused(unit: str) -> None:
    foreign: pint.UnitRegistry[float] = pint.UnitRegistry()
    given = {"schema_version": 1, "it": {"gpu_model": "H100 SXM5", "gpus": 64}}
    calls: tuple[Callable[[], object], ...] = (
        lambda: typed_text(foreign.Quantity(2.0, unit)),
        lambda: facility.project({**given, "site": {"elevation": foreign.Quantity(2.0, unit)}}),
        lambda: facility.project(given).with_({"site.elevation": foreign.Quantity(2.0, unit)}),
    )
    for call in calls:
        with pytest.raises(FacilityError) as caught:
            call()
        assert caught.value.code == "UNIT_FOREIGN"


def test_a_quantity_is_typed_as_text_that_reads_back() -> None:
    for kind, token in ((name, token) for name in KINDS for token in KINDS[name].units):
        back = parse_quantity(typed_text(quantity(12.5, token)), kind).si
        typed = parse_quantity(f"12.5 {token}".strip(), kind).si
        assert back == pytest.approx(typed, rel=1e-15), (kind, token)


def test_what_it_gives_fits_a_line() -> None:
    design = reference("h100-10k")
    shown = [design, design.project, design.results, facility.failures(design_of(SHORTEST))]
    assert max(len(repr(one)) for one in shown) < 200
    assert not any("\n" in repr(one) for one in shown)
    assert design.results["pue.design"].shown() in repr(design)
    assert "<td>pue.design</td>" in design._repr_html_()
    assert "&lt;b&gt;" in design_of(SHORTEST, "project.name=<b>")._repr_html_()


@pytest.mark.parametrize("study", ["failures", "transient", "annual", "load_motion", "balance"])
def test_a_study_is_a_frame_a_table_and_a_line(study: str) -> None:
    design = design_of(SHORTEST)
    asked = design.panels.panels[0] if study == "balance" else design
    found = getattr(facility, study)(asked)
    frame, key = found.to_frame(), next(iter(found.results))
    assert list(frame.index) == list(found.results)
    assert frame.loc[key, "value"] == found.results[key].in_view()
    assert f"<td>{key}</td>" in found._repr_html_()
    results = found.results
    numbered = next(key for key, value in results.items() if value.kind)
    group, rest = numbered.split(".", 1)
    assert attrgetter(rest)(getattr(results, group).si) == results[numbered].si
    assert attrgetter(rest)(getattr(results, group)) is results[numbered]
    assert len(repr(found)) < 200
    assert "\n" not in repr(found)


def test_a_sweep_is_a_frame_and_a_table() -> None:
    rows = ({"it.gpus": "8", "status": "ok"}, {"it.gpus": "<b>", "status": "refused"})
    swept = Sweep(("it.gpus", "status"), ("it.gpus",), (), rows, 2)
    assert swept.to_frame().to_dict("records") == list(rows)
    assert "<th>status</th>" in swept._repr_html_()
    assert "<td>&lt;b&gt;</td>" in swept._repr_html_()


def test_varied_fields_are_numbers_in_a_frame() -> None:
    vary = {
        "it.gpus": [1024, 256, 8192],
        "site.elevation": ["0.5 km", "20 m", ""],
        "power.redundancy": ["N", "2N", "N+1"],
    }
    rows = tuple(
        {path: str(cells[place]) for path, cells in vary.items()} | {"status": "ok"}
        for place in range(3)
    )
    frame = Sweep((*vary, "status"), tuple(vary), (), rows, 3).to_frame()
    assert list(frame.columns) == ["it.gpus", "site.elevation [m]", "power.redundancy", "status"]
    assert list(frame.sort_values("it.gpus")["it.gpus"]) == [256, 1024, 8192]
    assert frame["it.gpus"].dtype.kind == "i"
    assert list(frame["site.elevation [m]"])[:2] == [500.0, 20.0]
    assert math.isnan(frame["site.elevation [m]"][2])


def test_a_project_is_changed_by_a_copy_alone() -> None:
    project = facility.project({"it": {"gpu_model": "H100 SXM5", "gpus": 64}})
    assert str(project.schema_version) == "1"
    for section, name in ((project, "it"), (project.it, "gpus"), (project.site, "tariff")):
        with pytest.raises(FacilityError, match="with_") as caught:
            setattr(section, name, 3)
        assert (caught.value.code, caught.value.where) == ("READ_ONLY", name)


def test_explain_walks_back_from_a_result_to_what_was_given() -> None:
    found = facility.explain(design_of(SHORTEST), "pue.design")
    text = str(found)
    assert text.startswith("pue.design = ")
    assert "it.gpus = " in found
    assert "load.device.dgx_h100.count = " in text
    with pytest.raises(FacilityError, match="UNKNOWN_RESULT"):
        facility.explain(design_of(SHORTEST), "pue.desing")


@pytest.mark.parametrize("system", ["si", "ip"])
def test_an_explanation_is_data_a_frame_and_a_table(system: System) -> None:
    design = design_of(SHORTEST, "project.name=<b>")
    found = facility.explain(design, "load.facility", system)
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    first = told["steps"][0]
    assert (told["result"], told["system"], first["depth"]) == ("load.facility", system, 0)
    assert first["si"] == design.results["load.facility"].si
    assert first["inputs"]
    named = {step["id"] for step in told["steps"]}
    assert {one["step"] for step in told["steps"] for one in step["inputs"]} - {""} <= named
    assert len({step["id"] for step in told["steps"] if not step["repeated"]}) == len(named)
    frame = found.to_frame()
    assert list(frame["id"]) == [step["id"] for step in told["steps"]]
    assert frame["si"].dtype == float
    assert f"<td>{first['display']}</td>" in found._repr_html_()
    assert "\n" not in repr(found)


@pytest.mark.parametrize("key", ["ups.scheme", "it.basis", "PSU-REDUNDANCY"])
def test_what_is_not_calculated_is_explained_in_words(key: str) -> None:
    found = facility.explain(design_of(SHORTEST), key)
    assert str(found).startswith(key)
    assert found.to_dict()["steps"] == []
    assert found.to_frame().empty
    assert key in found._repr_html_()


def test_export_and_verify(tmp_path: Path) -> None:
    design = design_of(SHORTEST)
    (workbook,) = facility.export(design, tmp_path / "a.xlsx")
    assert facility.verify(workbook).same
    assert facility.export(design, str(tmp_path / "a.svg"), "one-line")[0].stat().st_size > 1_000
    with pytest.raises(FacilityError, match="FILE_EXISTS"):
        facility.export(design, workbook)
    with pytest.raises(FacilityError, match="OPTIONS"):
        facility.export(design, workbook, "pdf")  # type: ignore[arg-type]


def test_panels_of_designs_and_of_files_are_balanced(tmp_path: Path) -> None:
    from facility.files.panel_csv.document import write_panel_csv

    panel = design_of(SHORTEST).panels.panels[0]
    file = tmp_path / "panel.csv"
    file.write_text(write_panel_csv(panel), encoding="utf-8")
    read = facility.balance(file, exact=True)
    assert read.bound <= read.reached
    assert read.status == "optimal"
    # The file has one state in which every partner is lost at once: never less than the design.
    assert read.reached >= facility.balance(panel, exact=True).reached


def test_the_page_of_the_library_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile("\n".join(blocks), "library.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "megawatt" in printed
    assert "pue" in printed
    assert len(blocks) >= 4


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "examples").glob("*.py")))
def test_an_example_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [name, str(tmp_path)])
    runpy.run_path(str(ROOT / "examples" / name), run_name="__main__")
    assert len(capsys.readouterr().out.splitlines()) > 4


def refused(door: Callable[[], object]) -> str:
    with pytest.raises(FacilityError) as caught:
        door()
    return caught.value.code


@pytest.mark.parametrize("name", ["design", "compare_cooling", "sweep", "optimise", "ranges"])
@pytest.mark.parametrize("given", [None, 3, "text", SECTIONS])
def test_doors_of_projects_refuse_what_is_none(name: str, given: object) -> None:
    more = ([], []) if name == "optimise" else ()
    assert refused(lambda: getattr(facility, name)(given, *more)) == "INPUT_TYPE"


@pytest.mark.parametrize("name", ["annual", "failures", "transient", "load_motion", "explain"])
@pytest.mark.parametrize("given", [None, 3, facility.project(SECTIONS)])
def test_doors_of_designs_refuse_what_is_none(name: str, given: object) -> None:
    more = ("load.it",) if name == "explain" else ()
    assert refused(lambda: getattr(facility, name)(given, *more)) == "INPUT_TYPE"


def test_other_doors_refuse_what_they_cannot_read() -> None:
    project, found = facility.project(SECTIONS), design_of(SHORTEST)
    doors: tuple[Callable[[], object], ...] = (
        lambda: facility.project(None),  # type: ignore[arg-type]
        lambda: facility.load_project(3),  # type: ignore[arg-type]
        lambda: facility.verify(3),  # type: ignore[call-overload]
        lambda: facility.balance(None),  # type: ignore[arg-type]
        lambda: facility.explain(found, 3),  # type: ignore[arg-type]
        lambda: facility.export(found, 3),  # type: ignore[arg-type]
        lambda: facility.sweep(project, ["it.gpus=64"]),  # type: ignore[arg-type]
        lambda: facility.sweep(project, {"it.gpus": 64}),  # type: ignore[dict-item]
        lambda: facility.optimise(project, "it.gpus=64..128", ["cost"]),
        lambda: project.with_([("it.gpus", 128)]),  # type: ignore[arg-type]
    )
    assert [refused(door) for door in doors] == ["INPUT_TYPE"] * len(doors)
    assert refused(lambda: project.with_({1: 2})) == "SET_SYNTAX"  # type: ignore[dict-item]


def test_numbers_of_numpy_are_numbers() -> None:
    project = facility.project(SECTIONS)
    for value in (np.int64(128), np.float64(128.0).astype(int), np.array([128])[0]):
        assert project.with_({"it.gpus": value}).it.gpus == 128
    half = project.with_({"it.load_factor": np.float32(0.5)}).it.load_factor
    assert half is not None
    assert half.text == "0.5"
    vary = {"it.gpus": np.array([64, 128])}
    rows = facility.sweep(project, vary, studies=["sizing"]).rows  # type: ignore[arg-type]
    assert [row["it.gpus"] for row in rows] == ["64", "128"]
    samples = [{"it.gpus": 64, "site.elevation": "10 m"}, {"site.elevation": "20 m", "it.gpus": 64}]
    found = facility.sweep(project, samples=samples, studies=["sizing"])
    assert found.paths == ("it.gpus", "site.elevation")
    assert [row["site.elevation"] for row in found.rows] == ["10 m", "20 m"]


@pytest.mark.parametrize("value", [math.nan, math.inf, True, [1.0, math.nan], None, "3"])
def test_a_quantity_is_of_finite_numbers(value: object) -> None:
    assert refused(lambda: quantity(value, "kW")) == "NOT_A_NUMBER"


@pytest.mark.parametrize(
    ("name", "what"), [("a.pdf", "workbook"), ("a", "lists"), ("a.docx", "one-line")]
)
def test_a_file_is_of_the_kind_its_name_says(name: str, what: str, tmp_path: Path) -> None:
    found = design_of(SHORTEST)
    assert refused(lambda: facility.export(found, tmp_path / name, what)) == "FILE_SUFFIX"  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("turn", ["\u202e", "\u2066", "\u200f", "\u061c"])
def test_names_do_not_turn_the_text_behind_them(turn: str) -> None:
    project = facility.project(SECTIONS)
    assert refused(lambda: project.with_({"project.name": f"a{turn}b"})) == "TEXT_CONTROL"
