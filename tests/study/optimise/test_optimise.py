"""The optimiser: known fronts through the wrapper, and the full grid of a project."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

import facility
from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.files.project.file import load_project
from facility.files.sweep.front import run_to_folder
from facility.model.inputs.document import Project, project_sha256
from facility.study.optimise.limits import REFUSED, RowLimit, stated_limit
from facility.study.optimise.problem import OptimisationProblem, optimisation_problem
from facility.study.optimise.search import Evaluation, Numbers, generations, not_dominated
from facility.study.optimise.study import Optimum, Terms, search
from facility.study.optimise.variables import design_variable
from facility.study.sweep import row
from facility.study.sweep.axes import axes_of
from facility.study.sweep.engine import Engine
from facility.study.sweep.plan import planned
from facility.study.sweep.row import study_project
from facility.study.sweep.studies import StudyFound
from tests.study.helpers import SMALL

GRID = {
    "cooling.plant.heat_rejection": "tower,dry_cooler,air_cooled",
    "cooling.plant.chilled_water_supply": "8..14/2 degC",
    "cooling.economizer.kind": "none,integrated-water-side",
}
FREE = [f"{path}={values}" for path, values in GRID.items()]
AIMS = ("energy", "water")


@pytest.fixture(scope="module")
def small() -> Project:
    return facility.project(SMALL)


@pytest.fixture(scope="module", autouse=True)
def _equal_projects_are_studied_once() -> Iterator[None]:
    """But in other processes: searches here make the same few designs again and again."""
    known: dict[tuple[str, tuple[str, ...]], dict[str, StudyFound]] = {}

    def studied(project: Project, studies: Sequence[str]) -> dict[str, StudyFound]:
        key = project_sha256(project), tuple(studies)
        if key not in known:
            known[key] = study_project(project, studies)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row, "study_project", studied)
        yield


def dominated(values: FloatArray) -> list[bool]:
    """Return which rows another row beats, by the definition and without any library."""
    return [
        any(all(other <= one) and any(other < one) for other in values) for one in np.array(values)
    ]


def searched(free: Sequence[str], judge: object, count: int, seed: int = 1) -> FloatArray:
    seen: list[Sequence[float]] = []

    def worth(asked: Sequence[Numbers]) -> list[Evaluation]:
        found = [judge(numbers) for numbers in asked]  # type: ignore[operator]
        seen.extend(one.objectives for one in found if max(one.excess, default=0.0) <= 0.0)
        return found

    fields = [design_variable(text) for text in free]
    limits = len(worth([tuple(field.bounds[0] for field in fields)])[0].excess)
    seen.clear()
    made = 0
    for number in generations(fields, (2, limits), worth, seed):
        made += number
        if made >= count:
            break
    values = np.array(seen)
    return values[not_dominated(values)]


def test_the_front_of_zdt1_is_found() -> None:
    """Zitzler, Deb and Thiele 2000: on the front the second objective is 1 - sqrt(first)."""

    def zdt1(x: Numbers) -> Evaluation:
        g = 1.0 + 9.0 * sum(x[1:]) / (len(x) - 1)
        return Evaluation((x[0], g * (1.0 - (x[0] / g) ** 0.5)), ())

    front = searched([f"x.a{n}=0.0..1.0" for n in range(5)], zdt1, 2400)
    off = front[:, 1] - (1.0 - np.sqrt(front[:, 0]))
    assert np.all(off >= -1e-12)
    assert np.median(off) < 0.01
    first, second = np.append(np.unique(front[:, 0]), 1.0), np.sort(front[:, 1])[::-1]
    area = float(np.sum(np.diff(first) * (1.0 - second[: len(first) - 1])))
    assert area == pytest.approx(2.0 / 3.0, abs=0.01)  # of the square that the whole front leaves


def test_the_front_under_a_limit_is_found() -> None:
    """Binh and Korn 1997: both limits are held, and the ends of the front are known."""

    def bnh(x: Numbers) -> Evaluation:
        objectives = (4 * x[0] ** 2 + 4 * x[1] ** 2, (x[0] - 5) ** 2 + (x[1] - 5) ** 2)
        first = (x[0] - 5) ** 2 + x[1] ** 2 - 25
        second = 7.7 - (x[0] - 8) ** 2 - (x[1] + 3) ** 2
        return Evaluation(objectives, (first, second))

    front = searched(["x.a=0.0..5.0", "x.b=0.0..3.0"], bnh, 1200)
    assert front[:, 0].min() == pytest.approx(0.0, abs=0.5)
    assert front[:, 1].min() == pytest.approx(4.0, abs=0.05)
    assert front[:, 0].max() == pytest.approx(136.0, abs=1.0)
    inside = front[front[:, 0] < 70.0]
    diagonal = 2.0 * (5.0 - np.sqrt(inside[:, 0] / 8.0)) ** 2  # where x = y <= 3
    assert np.all(inside[:, 1] >= diagonal - 1e-9)
    assert np.abs(inside[:, 1] - diagonal).max() < 1.0


def test_mixed_variables_reach_a_known_least() -> None:
    def worth(x: Numbers) -> Evaluation:
        bowl = (x[0] - 3.0) ** 2 + (x[1] - 0.25) ** 2 + abs(x[2] - 2.0) + abs(x[3] - 1.0)
        return Evaluation((bowl, bowl), ())

    front = searched(["a.a=0..9", "a.b=0.0..1.0", "a.c=p,q,r,s", "a.d=0..8/4 kW"], worth, 1600)
    assert front[:, 0].min() < 1e-3


def grid_front(small: Project) -> tuple[set[str], FloatArray]:
    keys = ["energy.annual", "water.annual"]
    swept = facility.sweep(small, GRID, results=keys)
    rows = [row for row in swept.rows if row["status"] == "ok" and row["violations"] == 0]
    values = np.array([[row[head] for head in swept.results] for row in rows], dtype=float)
    beaten = dominated(values)
    assert 0 < len(rows) <= 24
    assert 1 < beaten.count(False) < len(rows)
    best = {str(row["project_sha256"]) for row, b in zip(rows, beaten, strict=True) if not b}
    return best, values


def hashes(found: Optimum) -> set[str]:
    return {str(one.cells["project_sha256"]) for one in found.front}


def test_all_designs_of_a_small_space_and_the_search_give_the_front_of_the_grid(
    small: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    best, values = grid_front(small)
    quest = optimisation_problem(small, [design_variable(text) for text in FREE], AIMS)
    every = search(quest, Terms(24))
    assert every.complete
    assert len(every.rows) == 24
    assert hashes(every) == best
    monkeypatch.setattr(OptimisationProblem, "size", None)
    found = search(quest, Terms(24))
    assert not found.complete
    assert len(found.rows) <= 24
    assert hashes(found) == best
    for one in found.front:
        mine = np.array([one.cells[head] for head in found.objectives], dtype=float)
        assert not any(all(other <= mine) and any(other < mine) for other in values)
    again = search(quest, Terms(24))
    assert again.rows == found.rows
    assert [one.cells for one in again.front] == [one.cells for one in found.front]
    few = search(quest, Terms(7, 3))
    assert len(few.rows) == 7
    assert len({row["project_sha256"] for row in few.rows}) == 7


def test_the_front_is_looked_at_with_all_studies(small: Project) -> None:
    found = facility.optimise(small, FREE[:1], AIMS)
    assert found.complete
    for one in found.front:
        design = facility.design(one.project)
        violations = [c for c in design.checks if c.failed and c.severity.value == "VIOLATION"]
        assert one.cells["violations"] == len(violations)
        assert one.holds == (not violations)
        assert one.cells["project_sha256"] == project_sha256(one.project) == design.sha256
        assert one.cells["energy.annual [MWh]"] == design.all_results["energy.annual"].in_view()
        assert "not run" not in one.cells.values()


def test_limits_are_held(small: Project) -> None:
    dry = facility.optimise(small, FREE[:1], ["energy"], subject_to=["water.annual<=1 m3"])
    chosen = {one.cells["cooling.plant.heat_rejection"] for one in dry.front}
    kinds = ("dry_cooler", "air_cooled")
    of_kind = {kind: small.with_({"cooling.plant.heat_rejection": kind}) for kind in kinds}
    energy_j = {
        kind: facility.annual(facility.design(one)).results["energy.annual"].si
        for kind, one in of_kind.items()
    }
    assert chosen == {min(kinds, key=energy_j.__getitem__)}
    assert dry.feasible == 2
    scheme = facility.optimise(
        small, ["power.redundancy=N,N+1,2N"], ["load.losses"], subject_to=["ups.scheme=2N"]
    )
    assert [one.cells["power.redundancy"] for one in scheme.front] == ["2N"]
    flag = RowLimit(stated_limit("concurrently_maintainable"), "flag", None)
    assert flag.excess({"flag": True}) <= 0.0 < flag.excess({"flag": False})
    assert flag.excess({"flag": None}) == REFUSED
    assert not facility.failures(facility.design(small)).results["concurrently_maintainable"].si
    with pytest.raises(FacilityError, match="NO_FEASIBLE"):
        facility.optimise(
            small,
            ["power.redundancy=N,N+1"],
            ["load.losses"],
            subject_to=["concurrently_maintainable"],
            studies=["outages"],
        )
    with pytest.raises(FacilityError) as raised:
        facility.optimise(small, FREE[:1], ["energy"], subject_to=["utility.demand_kva<=1 kVA"])
    assert (raised.value.code, raised.value.exit_code) == ("NO_FEASIBLE", 4)
    assert "refused" not in raised.value.message
    with pytest.raises(FacilityError, match=r"2 failed, the first with UNIT_MISSING: .*'20'"):
        facility.optimise(small, ["cooling.supply_air=20..21"], ["energy"])


@pytest.mark.parametrize(
    ("text", "kind", "count"),
    [
        ("it.gpus=64..256", "whole", 193),
        ("it.gpus=64..256/64", "step", 4),
        ("power.redundancy=N+1,2N", "choice", 2),
        ("cooling.supply_air=20..25 degC", "real", None),
        ("site.tariff=0.05 USD/kWh..0.2 USD/kWh", "real", None),
        ("site.tariff=0.05..0.2/0.05 USD/kWh", "step", 4),
        ("cooling.supply_air=-5..-1 degC", "real", None),
    ],
)
def test_what_is_free(text: str, kind: str, count: int | None) -> None:
    field = design_variable(text)
    assert (field.kind, field.count) == (kind, count)
    low, high = field.bounds
    for number in np.linspace(low, high, 7):
        typed = float(field.text(float(number)).split()[0]) if kind in ("real", "whole") else low
        assert low <= typed <= high
    if kind != "step":
        assert field.text(low).split()[0] in text
        assert field.text(high).split()[0] in text


def test_a_value_is_typed_in_four_digits_and_stays_inside() -> None:
    field = design_variable("cooling.supply_air=20.12345..25.98765 degC")
    assert field.text(21.456789) == "21.46 degC"
    assert field.text(20.12345) == "20.12345 degC"
    assert field.text(25.98765) == "25.98765 degC"


@pytest.mark.parametrize(
    "text", ["a.b", "a.b=1", "a.b=2..1", "a.b=1..2..3", "a.b=1 kW..2 K", "a.b=x,x"]
)
def test_what_cannot_be_free_is_refused(text: str) -> None:
    with pytest.raises(FacilityError) as raised:
        design_variable(text)
    assert raised.value.code in ("OPTIMISE_FREE", "SWEEP_VALUES")


def test_what_is_asked_wrongly_is_refused_before_anything_runs(small: Project) -> None:
    def refused(code: str, *, budget: int = 24, **asked: object) -> None:
        words = {"free": FREE[:1], "minimise": AIMS, **asked}
        with pytest.raises(FacilityError) as raised:
            facility.optimise(small, budget=budget, **words)  # type: ignore[arg-type]
        assert raised.value.code == code

    refused("UNKNOWN_FIELD", free=["cooling.plan.x=1..2"])
    refused("SWEEP_VALUES", free=[])
    refused("UNKNOWN_RESULT", minimise=["energy.anual"])
    refused("OPTIMISE_OBJECTIVE", minimise=[])
    refused("OPTIMISE_OBJECTIVE", minimise=["ups.model"])
    refused("OPTIMISE_LIMIT", subject_to=["<= 3"])
    refused("OPTIMISE_LIMIT", subject_to=["verdict=1"])
    refused("OPTIMISE_LIMIT", subject_to=["ups.model"])
    refused("OPTIMISE_LIMIT", subject_to=["water.annual"])
    refused("UNKNOWN_RESULT", subject_to=["water.anual<=3 m3"])
    refused("UNIT_WRONG", subject_to=["water.annual<=3 kW"])
    refused("OPTIMISE_BUDGET", budget=0)


def test_without_the_extra_it_is_refused(small: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pymoo", None)
    with pytest.raises(FacilityError, match=r"facility\[sweep\]"):
        facility.optimise(small, FREE[:1], AIMS)


def test_the_folder_holds_designs_front_and_projects(small: Project, tmp_path: Path) -> None:
    quest = optimisation_problem(small, [design_variable(FREE[0])], AIMS, [stated_limit("verdict")])
    folder = tmp_path / "front"
    made: list[int] = []
    found = run_to_folder(quest, folder, Terms(10), made.append)
    assert made == [1, 2, 3]
    assert len((folder / "designs.csv").read_text().splitlines()) == 4
    assert len((folder / "front.csv").read_text().splitlines()) == 1 + len(found.front)
    for n, one in enumerate(found.front, 1):
        project = load_project(folder / f"front-{n}.yaml")
        assert project_sha256(project) == one.cells["project_sha256"]
    with pytest.raises(FacilityError, match="FILE_EXISTS"):
        run_to_folder(quest, folder, Terms(10))
    run_to_folder(quest, folder, Terms(10), force=True)

    def stop(number: int) -> None:
        if number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_to_folder(quest, tmp_path / "stopped", Terms(10), stop)
    assert len((tmp_path / "stopped" / "designs.csv").read_text().splitlines()) == 3


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def test_processes_and_a_search_stopped_and_resumed_leave_the_same_files(
    small: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OptimisationProblem, "size", None)
    quest = optimisation_problem(small, [design_variable(text) for text in FREE], AIMS)
    alone = run_to_folder(quest, tmp_path / "alone", Terms(12, 5))
    assert len(alone.rows) == 12
    beside = run_to_folder(quest, tmp_path / "beside", Terms(12, 5, Engine(2)))
    assert beside.rows == alone.rows
    assert contents(tmp_path / "beside") == contents(tmp_path / "alone")
    made: list[int] = []

    def stop(number: int) -> None:
        made.append(number)
        if number == 7:
            raise KeyboardInterrupt

    stopped = tmp_path / "stopped"
    with pytest.raises(KeyboardInterrupt):
        run_to_folder(quest, stopped, Terms(12, 5), stop)
    designs = stopped / "designs.csv"
    kept = designs.read_bytes()
    assert kept.count(b"\n") == 1 + 7
    designs.write_bytes(kept + b"8,0f3c,")
    made.clear()
    run_to_folder(quest, stopped, Terms(12, 5), made.append, resume=True)
    assert made == [8, 9, 10, 11, 12]
    assert contents(stopped) == contents(tmp_path / "alone")
    made.clear()
    (stopped / "front-99.yaml").write_text("of a larger front")
    run_to_folder(quest, stopped, Terms(12, 5), made.append, resume=True)
    assert made == []
    assert contents(stopped) == contents(tmp_path / "alone")
    designs.write_bytes(designs.read_bytes().replace(b"cooling.economizer.kind", b"it.gpus", 1))
    with pytest.raises(FacilityError, match="SWEEP_OTHER"):
        run_to_folder(quest, stopped, Terms(12, 5), resume=True)


def test_weather_of_a_file_goes_with_the_projects(tmp_path: Path) -> None:
    from facility.core.reference import reference_path

    record = next(reference_path("weather").glob("*.epw.gz"))
    (tmp_path / "mine.epw.gz").write_bytes(record.read_bytes())
    file = tmp_path / "p.yaml"
    file.write_text(
        "schema_version: 1\nsite: {weather_file: mine.epw.gz}\n"
        "it: {gpu_model: H100 SXM5, gpus: 64}\ncooling: {method: air}\n"
    )
    quest = optimisation_problem(load_project(file), [design_variable(FREE[0])], ["energy"], [])
    found = run_to_folder(quest, tmp_path / "front", Terms(3))
    again = facility.design(load_project(tmp_path / "front" / "front-1.yaml"))
    head = found.objectives[0]
    assert again.all_results["energy.annual"].in_view() == found.front[0].cells[head]


def test_designs_whose_prices_are_of_different_things_are_not_compared() -> None:
    """The guides print no price of an H200 server: without it, its GPU-hour seems the cheaper."""
    project = facility.project({**SMALL, "cost": {"prices": "guides"}})
    models = design_variable("it.gpu_model=H100 SXM5,H200 SXM")
    with pytest.raises(FacilityError) as caught:
        search(optimisation_problem(project, [models], ["cost.gpu_hour"], ()))
    assert caught.value.code == "OPTIMISE_BASIS"
    assert "servers" in caught.value.message
    priced = project.with_({"cost.capital.gpu": "45000 USD"})
    assert search(optimisation_problem(priced, [models], ["cost.gpu_hour"], ())).complete


def test_a_sweep_says_what_its_costs_leave_out() -> None:
    project = facility.project({**SMALL, "cost": {"prices": "guides"}})
    models = axes_of({"it.gpu_model": ["H100 SXM5", "H200 SXM"]})
    lacking = [
        column.name for column in planned(project, models, results=["cost.levelised"]).job.columns
    ]
    assert lacking[1:] == ["cost.lacks"]
    assert len(planned(project, models, results=["cost.annual"]).job.columns) == 1


def test_cost_is_that_of_ownership_and_electricity_its_own() -> None:
    """Twice the power chain costs more to own; a search for the least cost takes one."""
    project = facility.project({**SMALL, "cost": {"prices": "guides"}})
    schemes = design_variable("power.redundancy=N,2N")
    found = search(optimisation_problem(project, [schemes], ["cost", "capital", "electricity"], ()))
    assert [name.partition(" ")[0] for name in found.objectives] == [
        "cost.ownership",
        "cost.capital",
        "cost.annual",
    ]
    one, two = found.rows
    for name in found.objectives[:2]:
        assert float(str(two[name])) > float(str(one[name]))
    best = search(optimisation_problem(project, [schemes], ["cost"], ())).front
    assert [row.cells["power.redundancy"] for row in best] == ["N"]


def test_a_cost_without_prices_is_refused_before_any_design() -> None:
    with pytest.raises(FacilityError) as caught:
        optimisation_problem(
            facility.project(SMALL), [design_variable("power.redundancy=N,2N")], ["cost"], ()
        )
    assert caught.value.code == "OPTIMISE_OBJECTIVE"
    assert "cost.prices" in caught.value.hint
