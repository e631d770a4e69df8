"""The balance of a cabinet with several panelboards on the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from facility.cli.output import write_file
from facility.cli.views.study import show_study
from facility.core.errors import FacilityError
from facility.files.circuit_table.read import MAX_BYTES, TableAnswers
from facility.files.incoming.text_table import decoded
from facility.files.io.read_text import read_bytes
from facility.files.panel_csv.cabinet import is_cabinet_csv, read_cabinet_csv, write_cabinet_csv
from facility.power.panels.balance.cabinet import Cabinet, balance_cabinet
from facility.power.panels.balance.effort import ProgressCall
from facility.report.studies.balance import CabinetBalanced


def cabinet_in(path: Path, answers: TableAnswers) -> Cabinet | None:
    """Return the cabinet that a CSV file describes, None where it describes one panel."""
    if path.suffix.lower().startswith(".xls"):
        return None
    text = decoded(read_bytes(path, MAX_BYTES), path.name)
    return read_cabinet_csv(text, path.name, answers) if is_cabinet_csv(text) else None


def show_cabinet(
    cabinet: Cabinet,
    objective: str,
    limits: dict[str, Any],
    *,
    exact: bool,
    progress: ProgressCall | None,
    out: Path | None,
    force: bool,
    json: bool,
) -> None:
    """Balance `cabinet` and write the result."""
    found = balance_cabinet(cabinet, objective, exact=exact, progress=progress, **limits)
    if out is not None:
        write_file(out, write_cabinet_csv(found.cabinet).encode(), force=force)
    show_study(CabinetBalanced(cabinet, found), "si", json=json)


def refuse_for_cabinet(**options: object) -> None:
    """Reject options that do not apply to a cabinet.

    Raises ``BALANCE_CABINET`` (exit code 2).
    """
    for name, value in options.items():
        if value:
            raise FacilityError(
                "BALANCE_CABINET",
                f"--{name}",
                f"--{name} does not apply to a cabinet of several panels.",
                "Omit it, or balance one panelboard.",
            )
