"""Monitoring files of a design: a folder of all, or one by its suffix."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from facility.core.errors import FacilityError
from facility.files.io.atomic import written_apart
from facility.files.monitoring.alert_rules import alert_rules
from facility.files.monitoring.dashboard import dashboard_json
from facility.files.monitoring.points_csv import write_csv, write_failures
from facility.study.points.crossings import alarm_coverage
from facility.study.points.points import PointsList

POINTS, ALERTS, DASHBOARD, FAILURES = "points.csv", "alerts.yml", "dashboard.json", "failures.csv"
_Write = Callable[[PointsList, Path], object]


def _text(make: Callable[[PointsList], str]) -> _Write:
    """Return a writer of the text that `make` returns."""
    return lambda points, path: path.write_text(make(points), encoding="utf-8", newline="\n")


_FILES: Mapping[str, _Write] = {
    POINTS: write_csv,
    ALERTS: _text(alert_rules),
    DASHBOARD: _text(dashboard_json),
    FAILURES: lambda points, path: write_failures(alarm_coverage(points), path),
}
_SUFFIXES = {".csv": POINTS, ".yml": ALERTS, ".yaml": ALERTS, ".json": DASHBOARD}


def write_points(points: PointsList, out: Path, *, force: bool = False) -> tuple[Path, ...]:
    """Write points list, alert rules, dashboard and failures; return the files.

    out: Folder for all of them; or one file: the points list (.csv), the alert rules (.yml, .yaml)
        or the dashboard (.json).

    Raises ``FILE_SUFFIX`` for a file of another suffix; ``FILE_EXISTS`` or ``FILE_NOT_WRITTEN``
    (exit code 6).
    """
    if not out.suffix or out.is_dir():
        out.mkdir(parents=True, exist_ok=True)
        return tuple(_write(write, points, out / name, force) for name, write in _FILES.items())
    if out.suffix not in _SUFFIXES:
        raise FacilityError(
            "FILE_SUFFIX",
            str(out),
            f"the suffix {out.suffix!r} is not one of a monitoring file.",
            f"Enter a folder, or a file with {', '.join(_SUFFIXES)}.",
        )
    return (_write(_FILES[_SUFFIXES[out.suffix]], points, out, force),)


def _write(write: _Write, points: PointsList, path: Path, force: bool) -> Path:
    with written_apart(path, force=force) as file:
        write(points, file)
    return path
