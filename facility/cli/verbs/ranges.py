"""The verb that runs the year of a design over the ranges of its inputs: ranges."""

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
    """How samples are drawn."""

    lhs = "lhs"
    mc = "mc"
    sobol = "sobol"


@verb("ranges")
def ranges(
    file: ProjectFile = None,
    sets: Sets = None,
    spread: Annotated[
        list[str] | None,
        typer.Option(
            "--range",
            help="Spread one input beside those of the project: path=range, e.g. "
            "--range 'site.tariff=0.04 .. 0.06 USD/kWh'.",
        ),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option("--samples", help="Samples: 1000 where not given; base points of sobol 256."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="What the draws start from.")] = 1,
    method: Annotated[
        Drawn,
        typer.Option("--method", help="Latin hypercube, Monte Carlo, or points of Sobol indices."),
    ] = Drawn.lhs,
    resize: Annotated[
        bool, typer.Option("--resize", help="Design each sample anew; takes much longer.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="CSV to write every sample to, or SVG of what matters."),
    ] = None,
    force: Force = False,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
    fail_on: FailOnOption = None,
) -> None:
    """Run the year over the ranges of the inputs: p5, p50, p95, and what matters most."""
    from facility.cli.views.study import show_study
    from facility.report.studies.ranges import Ranges
    from facility.study.design.design import design
    from facility.study.ranges.study import ranges as study_ranges

    result = design(_spread(read_project(file, sets), spread))
    study = study_ranges(
        result, samples, seed, method.value, resize=resize, progress=on_terminal(_done)
    )
    if out is not None:
        _write(study, f"{result.facility.identity.name}: {study.title}", out, units, force)
    show_study(Ranges(result, study), units.value, json=json)
    fail_if(study.checks, fail_on)


def _spread(project: Project, texts: list[str] | None) -> Project:
    """Return the project with the ranges of the command line after its own."""
    from facility.core.errors import FacilityError

    first, changes = len(project.ranges or ()), {}
    for index, text in enumerate(texts or ()):
        path, equals, words = text.partition("=")
        if not equals:
            raise FacilityError(
                "RANGE_TEXT",
                "--range",
                f"{text[:80]!r} is no range of an input.",
                "Write path=range, e.g. 'site.tariff=0.04 .. 0.06 USD/kWh'.",
            )
        changes[f"ranges.{first + index}"] = {"field": path.strip(), "range": words.strip()}
    return project.with_(changes) if changes else project


def _done(done: int, whole: int) -> str:
    return f"{done:,} of {whole:,} years" + ("\n" if done == whole else "")


def _write(study: RangesStudy, title: str, out: Path, system: UnitsOption, force: bool) -> None:
    """Write the samples, or with the ending .svg what matters most."""
    from facility.files.io.atomic import write_bytes

    if out.suffix.lower() == ".svg":
        from facility.files.svg.line_chart import tornado_svg
        from facility.report.drawings.charts.tornado import tornadoes

        content = tornado_svg(tornadoes(study), title, system.value).encode()
    else:
        from facility.report.tables.ranges import samples_csv

        content = samples_csv(study)
    write_bytes(out, content, force=force)
