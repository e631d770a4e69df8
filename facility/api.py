"""Library functions that accept files, texts or objects; `facility` exports them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, Unpack, overload

from facility.core.errors import FacilityError, path_of, refuse_other, unknown
from facility.core.views import System
from facility.files.import_panel.read import load_panel
from facility.files.io.file_names import refuse_suffix
from facility.files.issue.write import USUAL as USUAL_FORMATS
from facility.files.issue.write import Format, write_set
from facility.files.monitoring.folder import write_points
from facility.files.project.file import parse_project, project_in
from facility.files.project.own_tables import folder_files_at, own_tables
from facility.files.svg.sheets import write_one_line
from facility.files.sweep.samples import read_samples
from facility.files.workbook.book import write_workbook
from facility.files.workbook.split import lists_workbook, write_book, write_split
from facility.files.workbook.verify import VerifyReport, verify_workbook
from facility.model.inputs.change import as_text
from facility.model.inputs.document import Project, as_typed
from facility.power.panels.balance.one_panel import BalanceResult
from facility.power.panels.balance.one_panel import balance as balance_panel
from facility.power.panels.board.model import Panel
from facility.report.why.explanation import Explanation, explanation
from facility.study.brief.brief import BriefAnswers, answered, begun, fitted, stated_amount
from facility.study.brief.fit import LIMIT_KINDS, Fit
from facility.study.design.design import Design
from facility.study.equipped import equipped
from facility.study.optimise.limits import VERDICT, stated_limit
from facility.study.optimise.problem import optimisation_problem
from facility.study.optimise.study import USUAL_BUDGET, Optimum, Terms, search
from facility.study.optimise.variables import design_variable
from facility.study.points.points import design_points
from facility.study.sweep.axes import axes_of, samples_axis
from facility.study.sweep.engine import Engine
from facility.study.sweep.plan import planned, sites_axis
from facility.study.sweep.studies import USUAL
from facility.study.sweep.study import Sweep, run_plan
from facility.study.verification import CaseOutcome, run_cases

Export = Literal["workbook", "rooms", "lists", "one-line", "points"]
_SUFFIX = {"workbook": ".xlsx", "lists": ".xlsx", "one-line": ".svg"}


def project(source: Mapping[str, object] | str, *, equipment: Path | str | None = None) -> Project:
    """Return the project in `source`.

    Parameters
    ----------
    source : Mapping[str, object] or str
        The text of a project file (YAML or JSON), or its sections as nested mappings and lists of
        text, numbers and quantities: ``{"it": {"gpus": 256, ...}}``, where ``schema_version`` may
        be omitted. Relative file names in it refer to the working folder.
    equipment : Path or str, optional
        Folder of CSV files with own equipment, each named as its table of the catalogue and with
        its columns (``ups.csv``); its rows become part of the project.

    Raises
    ------
    FacilityError
        With exit code 6 for text that cannot be parsed, 3 for its content.

    Examples
    --------
    >>> import facility
    >>> few = {"it": {"gpu_model": "H100 SXM5", "gpus": 64}}
    >>> facility.project(few)
    <Project without a name: 64 H100 SXM5>
    """
    if isinstance(source, str):
        found = parse_project(source, folder=Path())
    else:
        if not isinstance(source, Mapping):
            hint = "Supply file text or nested mappings; facility.load_project reads a file."
            refuse_other(source, "Mapping", "source", hint)
        sections = {str(key): as_text(value, str(key)) for key, value in source.items()}
        found = project_in({"schema_version": "1", **sections}, Path())
    if equipment is None:
        return found
    tables = own_tables(folder_files_at(path_of(equipment, "equipment")))
    return project_in({**as_typed(found), "equipment": tables}, found.site.folder)


def new(
    *,
    gpus: int | None = None,
    servers: int | None = None,
    racks: int | None = None,
    power: str = "",
    **answers: Unpack[BriefAnswers],
) -> Project:
    """Return a project from key data; omitted entries take defaults.

    Parameters
    ----------
    gpus, servers, racks : int, optional
        Size; racks are full compute racks. Without any, 256 GPUs.
    power : str
        IT load instead: the largest number of servers within ``"5 MW"``.
    model : str
        GPU or server; default H100 SXM5.
    place : str
        City of the gazetteer (``"Phoenix, AZ"``) or coordinates (``"39.04, -77.49"``).
    weather : str
        Station, EPW or TMY3 file in the working folder, or design dry and wet bulb
        (``"36 degC, 24 degC"``); default: the station included that applies to the place.
    voltage : str
        Of the racks (``"415"``), of the utility (``"13.8 kV"``), or both with a comma.
    survive : str
        Redundancy scheme (``"N+1"``), ``"maintenance"`` or ``"any failure"``.

    Raises
    ------
    FacilityError
        For an answer that cannot be read, and for a question that is open: ``AMBIGUOUS_PLACE``;
        ``WEATHER_SITE`` where no station included applies to the place.

    Examples
    --------
    >>> import facility
    >>> facility.new(gpus=64, place="Phoenix", survive="2N")
    <Project without a name: 64 H100 SXM5>
    """
    size = stated_amount(gpus, servers, racks, power)
    return begun(answered(size, answers))


def largest(limits: Mapping[str, str], **answers: Unpack[BriefAnswers]) -> Fit:
    """Return the largest cluster within limits, the binding limit and the gain of relaxing it.

    Parameters
    ----------
    limits : Mapping[str, str]
        ``grid`` (``"20 MW"`` or ``"22 MVA"`` at the utility, design hour), ``power`` (IT load),
        ``water`` (of a year, ``"50000 m3"``), ``area`` (of the halls, ``"2000 m2"``), ``budget``
        (capital cost, ``"50000 kUSD"``).
    model, place, weather, voltage, survive : str
        As `new`.

    Raises
    ------
    FacilityError
        ``NO_FEASIBLE`` (exit code 4) if one server does not fit; as `new`.

    Examples
    --------
    >>> import facility
    >>> facility.largest({"grid": "100 kW"})
    <Fit: 40 GPUs, limited by Grid connection>
    """
    if not isinstance(limits, Mapping):
        refuse_other(limits, "Mapping", "limits", 'Supply limits by name: {"grid": "20 MW"}.')
    for key in limits:
        if key not in LIMIT_KINDS:
            raise unknown(
                "OPTIONS", "limits", f"{key!r} is not a known limit.", str(key), LIMIT_KINDS
            )
    return fitted(answered("", answers), limits)


def balance(
    panel: Panel | Path | str,
    objective: Literal["current", "va"] = "current",
    *,
    exact: bool = False,
) -> BalanceResult:
    """Return a panel with balanced phases, and the improvement.

    Parameters
    ----------
    panel : Panel, Path or str
        A panel of a design (``design.panels.panels``), or the path of a table of circuits.
    objective : {"current", "va"}
        What is made small: the largest phasor line current over the states of the panel, or the
        largest VA of a phase.
    exact : bool
        Go on to a proven optimum.

    Raises
    ------
    FacilityError
        For a file that cannot be read, or a panel that cannot hold its circuits.
    """
    read = panel if isinstance(panel, Panel) else load_panel(path_of(panel, "panel"))
    return balance_panel(read, objective, exact=exact)


@equipped
def export(
    design: Design, out: Path | str, what: Export = "workbook", *, force: bool = False
) -> tuple[Path, ...]:
    """Write `design` as files, all or none; return their paths.

    Parameters
    ----------
    design : Design
        The design.
    out : Path or str
        File to write, or the folder for ``rooms`` and ``points``. The sheets of a one-line diagram
        that needs several are numbered.
    what : {"workbook", "rooms", "lists", "one-line", "points"}
        The workbook with live formulas; a workbook for each room and side; the lists for the site;
        the one-line diagram of the normal state as SVG; the points list with alert rules, dashboard
        and the alarms of simulated failures.
    force : bool
        Overwrite existing files.

    Raises
    ------
    FacilityError
        ``OPTIONS`` for another word; ``FILE_SUFFIX`` for a file that would be of another kind than
        its name says; ``FILE_EXISTS`` or ``FILE_NOT_WRITTEN`` (exit code 6).
    """
    path = path_of(out, "out")
    if what in _SUFFIX:
        refuse_suffix(path, _SUFFIX[what])
    if what == "workbook":
        return (write_workbook(design, path, force=force),)
    if what == "rooms":
        return write_split(design, path, force=force)
    if what == "lists":
        return (write_book(lists_workbook, design, path, force=force),)
    if what == "one-line":
        return write_one_line(design, path, force=force)
    if what == "points":
        return write_points(design_points(design), path, force=force)
    raise FacilityError(
        "OPTIONS",
        "what",
        f"{str(what)[:40]!r} is not an export.",
        "Choose workbook, rooms, lists, one-line or points.",
    )


@equipped
def issue(
    design: Design,
    out: Path | str,
    *,
    formats: Sequence[Format] = USUAL_FORMATS,
    system: System | None = None,
    appendix: bool = False,
    against: Path | str | None = None,
    force: bool = False,
) -> tuple[Path, ...]:
    """Write `design` as a set of sheets that can be filed; return the paths, the PDF first.

    Parameters
    ----------
    design : Design
        The design.
    out : Path or str
        Folder to write to; it is created.
    formats : sequence of {"pdf", "dxf", "svg"}
        One PDF of all sheets; a DXF of each drawing; an SVG of each sheet. The values of all sheets
        are always written as ``set.json``.
    system : {"si", "ip"}, optional
        Units displayed; default: IP under the NEC, else SI.
    appendix : bool
        Append all assumptions, all checks and the calculation trace.
    against : Path or str, optional
        Folder or ``set.json`` of an earlier issue, or a project file: a sheet lists what changed,
        clouds mark it.
    force : bool
        Overwrite existing files.

    Raises
    ------
    FacilityError
        ``NO_DOCUMENTS_EXTRA`` without the packages of the extra ``documents``; ``NOT_A_SET`` for
        another file to compare with; ``FILE_EXISTS`` or ``FILE_NOT_WRITTEN`` (exit code 6).
    """
    return write_set(
        design,
        path_of(out, "out"),
        system=system,
        formats=formats,
        appendix=appendix,
        against=None if against is None else path_of(against, "against"),
        force=force,
    )


@overload
def verify(workbook: None = None) -> list[CaseOutcome]: ...
@overload
def verify(workbook: Path | str) -> VerifyReport: ...
def verify(workbook: Path | str | None = None) -> list[CaseOutcome] | VerifyReport:
    """Return how a workbook compares with a fresh design, or the outcomes of the manual.

    Parameters
    ----------
    workbook : Path or str, optional
        A workbook that facility wrote, perhaps changed since. Without one the verification manual
        is computed: one outcome for each published case.

    Raises
    ------
    FacilityError
        With exit code 6 for a file that is refused or was not written by facility.
    """
    return run_cases() if workbook is None else verify_workbook(path_of(workbook, "workbook"))


def explain(design: Design, result: str, system: System = "si") -> Explanation:
    """Return how a result of `design` was calculated: formula, numbers, source, assumptions.

    Parameters
    ----------
    design : Design
        The design; a study that the result belongs to is run.
    result : str
        Key of a result (``"pue.design"``), of a calculation step, an assumption or a rule.
    system : {"si", "ip"}
        Units displayed.

    Returns
    -------
    Explanation
        ``str(...)`` and ``print`` give the derivation as text; ``to_dict()`` and ``to_frame()``
        give its steps as data; a notebook displays them as a table.

    Raises
    ------
    FacilityError
        ``UNKNOWN_RESULT`` with near matches.

    Examples
    --------
    >>> import facility
    >>> few = {"it": {"gpu_model": "H100 SXM5", "gpus": 64}}
    >>> print(facility.explain(facility.design(facility.project(few)), "load.gpu"))
    load.gpu = 44.8 kW  (summed)
      = load.device.dgx_h100.gpu
      ...
    """
    refuse_other(result, "str", "result", 'Supply the key of a result, e.g. "pue.design".')
    return explanation(design, result, system)


def sweep(
    project: Project,
    vary: Mapping[str, str | Sequence[object]] | None = None,
    *,
    samples: Path | str | Sequence[Mapping[str, object]] | None = None,
    sites: Sequence[str] = (),
    studies: Sequence[str] = USUAL,
    results: Sequence[str] = (),
    jobs: int = 1,
    scheduler: str = "",
) -> Sweep:
    """Return one row per combination of varied fields, with results and verdicts.

    A rejected project is a row with its error code. The command of the same name writes each row to
    a file when it is complete, and can resume.

    Parameters
    ----------
    project : Project
        Project with the fields that do not vary.
    vary : Mapping[str, str or sequence], optional
        Values by path: a sequence of values as for `Project.with_`, or text, e.g.
        ``"256..1024/256"`` and ``"N+1,2N"``.
    samples : Path, str or sequence of mappings, optional
        A CSV file with paths as column headings, or values by path; each is combined with every
        combination of `vary`.
    sites : sequence of str
        Catalogue stations, or EPW files in the folder of the project; each replaces the location
        of the project.
    studies : sequence of str
        ``sizing`` (always run), ``year``, ``distribution``, ``outages``, ``air``, ``hydraulics``,
        ``liquid``, ``plant``, ``ride-through``, or ``all``.
    results : sequence of str
        Keys of the results in a row; without them, the key results.
    jobs : int
        Processes on this machine; a script with more than one calls this function within
        ``if __name__ == "__main__":``.
    scheduler : str
        Address of a Dask scheduler instead; its workers must be trusted.

    Raises
    ------
    FacilityError
        For a path, study or result that does not exist, before anything runs; for more than a
        million designs; where workers cannot be used.

    Examples
    --------
    >>> import facility
    >>> few = facility.project({"it": {"gpu_model": "H100 SXM5", "gpus": 64}})
    >>> facility.sweep(few, {"it.gpus": [64, 128]}, studies=["sizing"])
    <Sweep of it.gpus: 2 designs>
    """
    if vary is not None and not isinstance(vary, Mapping):
        refuse_other(vary, "Mapping", "vary", 'Supply values by path: {"it.gpus": [64, 128]}.')
    axes = axes_of(vary or {})
    if isinstance(samples, Path | str):
        axes.append(read_samples(Path(samples)))
    elif samples is not None:
        axes.append(samples_axis(samples))
    if sites:
        axes.append(sites_axis(sites))
    plan = planned(project, axes, studies, results)
    return run_plan(plan, Engine(jobs, scheduler))


def optimise(  # noqa: PLR0913 - the options of the verb
    project: Project,
    free: Sequence[str],
    minimise: Sequence[str],
    *,
    subject_to: Sequence[str] = (VERDICT,),
    studies: Sequence[str] = USUAL,
    budget: int = USUAL_BUDGET,
    seed: int = 1,
    jobs: int = 1,
    scheduler: str = "",
) -> Optimum:
    """Return the designs that are best, with some fields free: the Pareto front.

    Parameters
    ----------
    project : Project
        What is not free.
    free : sequence of str
        ``"cooling.chilled_water.supply=14..22 degC"``, ``"it.gpus=256..1024/64"``,
        ``"power.redundancy=N+1,2N"``.
    minimise : sequence of str
        ``cost`` (of ownership), ``capital``, ``electricity``, ``energy``, ``water``, ``pue``,
        ``carbon``, or keys of results; one to four.
    subject_to : sequence of str
        ``verdict`` (no violations), a flag (``concurrently_maintainable``), or
        ``utility.demand_kva<=5 MVA``.
    studies : sequence of str
        As `sweep`. The designs on the front have all studies.
    budget, seed : int
        Most designs that are made, and what makes the search repeatable.
    jobs, scheduler : int, str
        As `sweep`; what is found is the same.

    Raises
    ------
    FacilityError
        For what does not exist, before anything runs; ``NO_FEASIBLE`` (exit code 4);
        ``NO_SWEEP_EXTRA`` where pymoo is not installed; where workers cannot be used.
    """
    for where, texts in (("free", free), ("minimise", minimise)):
        refuse_other(texts, "list or tuple", where, 'Supply a list of text: ["it.gpus=64..128"].')
    fields, limits = (
        [design_variable(text) for text in free],
        [stated_limit(text) for text in subject_to],
    )
    problem = optimisation_problem(project, fields, minimise, limits, studies)
    return search(problem, Terms(budget, seed, Engine(jobs, scheduler)))
