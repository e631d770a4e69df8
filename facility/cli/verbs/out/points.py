"""The verb that writes the points list, with alert rules and dashboard."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facility.cli.guard import verb
from facility.cli.options import (
    AsJson,
    Force,
    Full,
    ProjectFile,
    Sets,
    UnitsOption,
    UnitSystem,
    designed,
)


@verb("export points")
def export_points(
    file: ProjectFile = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FOLDER",
            help="Folder for all files, or one file: points (.csv), alert rules (.yml), "
            "dashboard (.json); - writes the points to standard output.",
        ),
    ] = None,
    sets: Sets = None,
    force: Force = False,
    full: Full = False,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
) -> None:
    """Write the points list, alert rules and a dashboard.

    Meters and sensors by equipment with expected ranges and alarm limits; Prometheus rules and a
    Grafana dashboard with the same limits; the alarms that each simulated failure crosses. With
    --json, files are written only where --out names them.
    """
    from facility.cli.output import is_stream, message, output_file
    from facility.cli.views import summary
    from facility.cli.views.screen import run_long_studies
    from facility.cli.views.study import show_study
    from facility.files.monitoring.folder import write_points
    from facility.report.points.alarms import PointsShown
    from facility.study.points.crossings import alarm_coverage
    from facility.study.points.points import design_points

    design = designed(file, sets)
    run_long_studies(design)
    points = design_points(design)
    target = Path("facility-points") if out is None and not json else out
    if target is not None and is_stream(target):
        with output_file(target, ".csv") as stream:
            write_points(points, stream, force=force)
        return
    written = () if target is None else write_points(points, target, force=force)
    shown = PointsShown(design, points, alarm_coverage(points))
    brief = None if full else summary.points
    show_study(shown, units.value, json=json, checks=False, summary=brief)
    for path in written:
        message(f"wrote {path}")
