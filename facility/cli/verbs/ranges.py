"""The verb ranges: uncertainty of the annual results."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facility.cli.guard import fail_if, verb
from facility.cli.options import (
    AsJson,
    FailOnOption,
    Force,
    Full,
    ProjectFile,
    Sets,
    UnitsOption,
    UnitSystem,
    on_terminal,
    read_project,
)

if TYPE_CHECKING:
    from facility.model.inputs.document import Project
    from facility.study.ranges.result import RangesStudy


class Drawn(StrEnum):
    """Sampling method."""

    lhs = "lhs"
    mc = "mc"
    sobol = "sobol"


@verb("ranges")
def ranges(
    file: ProjectFile = None,
    sets: Sets = None,
    varied: Annotated[
        list[str] | None,
        typer.Option(
            "--range",
            metavar="PATH=RANGE",
            help="Vary an input not in the ranges of the project, e.g. "
            "'site.tariff=0.04 .. 0.06 USD/kWh'; repeatable.",
        ),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(
            "--samples", metavar="N", help="Number of samples: 1000; base points of sobol: 256."
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option("--seed", metavar="N", help="Random seed; equal seeds give equal results."),
    ] = 1,
    method: Annotated[
        Drawn,
        typer.Option("--method", help="Latin hypercube, Monte Carlo, or points of Sobol indices."),
    ] = Drawn.lhs,
    resize: Annotated[
        bool, typer.Option("--resize", help="Resize the equipment for each sample; takes longer.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="Write the samples (CSV) or sensitivities (.svg)."
        ),
    ] = None,
    force: Force = False,
    full: Full = False,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
    fail_on: FailOnOption = None,
) -> None:
    """Quantify annual uncertainty: P5, P50, P95, sensitivity."""
    from facility.cli.views import summary
    from facility.cli.views.study import show_study
    from facility.report.studies.ranges import Ranges
    from facility.study.design.design import design
    from facility.study.ranges.study import ranges as study_ranges

    result = design(_varied(read_project(file, sets), varied))
    study = study_ranges(
        result, samples, seed, method.value, resize=resize, progress=on_terminal(_done)
    )
    if out is not None:
        _write(study, f"{result.facility.identity.name}: {study.title}", out, units, force)
    brief = None if full else summary.ranges
    show_study(Ranges(result, study), units.value, json=json, summary=brief)
    fail_if(study.checks, fail_on)


def _varied(project: Project, texts: list[str] | None) -> Project:
    """Return the project with the ranges of the command line after its own."""
    from facility.core.errors import FacilityError

    first, changes = len(project.ranges or ()), {}
    for index, text in enumerate(texts or ()):
        path, equals, words = text.partition("=")
        if not equals:
            raise FacilityError(
                "RANGE_TEXT",
                "--range",
                f"{text[:80]!r} is not a range of an input.",
                "Write PATH=RANGE, e.g. 'site.tariff=0.04 .. 0.06 USD/kWh'.",
                exit_code=2,
            )
        changes[f"ranges.{first + index}"] = {"field": path.strip(), "range": words.strip()}
    return project.with_(changes) if changes else project


def _done(done: int, whole: int) -> str:
    return f"{done:,} of {whole:,} years" + ("\n" if done == whole else "")


def _write(study: RangesStudy, title: str, out: Path, system: UnitsOption, force: bool) -> None:
    """Write the samples as CSV, or with the ending .svg a chart of the sensitivities."""
    from facility.cli.output import write_file

    if out.suffix.lower() == ".svg":
        from facility.files.svg.chart import chart_svg
        from facility.report.drawings.charts.ranges import tornado_chart, tornadoes

        charts = [tornado_chart(one, system.value) for one in tornadoes(study)]
        content = chart_svg(charts, title).encode()
    else:
        from facility.report.tables.ranges import samples_csv

        content = samples_csv(study)
    write_file(out, content, force=force)
