"""The balance of a whole hall of a project: run, written, applied and printed."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from facility.cli.views.study import show_study
from facility.core.errors import FacilityError
from facility.power.panels.hall.result import HallBalance
from facility.report.studies.balance import HallBalanced

if TYPE_CHECKING:
    from facility.study.design.design import Design


def show_halls(  # noqa: PLR0913 - the options of the verb
    file: Path,
    hall: str | None,
    *,
    all_halls: bool,
    keep: Collection[str],
    split_feeds: bool,
    seconds: float | None,
    apply: bool,
    out: Path | None,
    force: bool,
    json: bool,
    unfit: Mapping[str, object],
) -> None:
    """Balance a hall of the project of `file`, or all of them, and write what was gained.

    file: Project file.
    hall: Name of the hall; None with `all_halls`.
    all_halls: Whether all halls are balanced.
    keep: What stays: racks on their panels, cords on their outlet banks.
    split_feeds: Whether the feeds of a rack may go to panels of different groups.
    seconds: Time by the clock.
    apply: Whether the project file is given the boards and cords found.
    out: CSV of the circuits.
    force, json: Whether `out` may be overwritten; whether the JSON contract is printed.
    unfit: Options that mean nothing to a hall, refused where they are given.

    Raises as `balance_hall`; ``BALANCE_OPTION`` for unfit options, or a file that is no project.
    """
    from facility.cli.options import designed, on_terminal
    from facility.files.io.atomic import write_bytes
    from facility.files.panel_csv.cabinet import write_hall_csv
    from facility.power.panels.hall.balance import balance_hall

    _refuse(file, hall, all_halls, unfit)
    project = designed(file, None)
    found = balance_hall(
        project.facility.it,
        project.panels,
        project.facility.criteria,
        hall,
        racks_stay="racks" in keep,
        recable="cords" not in keep,
        keep_pairs=not split_feeds,
        seconds=seconds,
        progress=on_terminal(_panels),
    )
    if out is not None:
        write_bytes(out, write_hall_csv(found).encode(), force=force)
    if apply:
        _apply(file, project, found)
    show_study(HallBalanced(found, project), "si", json=json, checks=False)


def _refuse(file: Path, hall: str | None, all_halls: bool, unfit: Mapping[str, object]) -> None:
    for name, given in unfit.items():
        if given is not None and given is not False:
            raise _usage(name, "it does not go with the balance of a hall.", "Leave it out.")
    if all_halls == (hall is not None):
        raise _usage(
            "--hall",
            "either one hall is named, or all are balanced.",
            "Give --hall NAME or --all-halls.",
        )
    if file.suffix.lower() == ".csv":
        raise _usage("--hall", "a panel CSV holds one panel, no hall.", "Give a project file.")


def _usage(where: str, message: str, hint: str) -> FacilityError:
    return FacilityError("BALANCE_OPTION", where, message, hint)


def _apply(file: Path, project: Design, found: HallBalance) -> None:
    """Write boards and cords into the project file; comments stay."""
    from facility.files.panel_apply import replace_panels
    from facility.study.as_built_panels import with_panels

    if not found.boards:
        sys.stderr.write("nothing to apply: the hall stands as it should\n")
        return
    changed = with_panels(project.project, found.boards, found.cords)
    replace_panels(file, project.project, changed)
    sys.stderr.write(f"wrote {file}\n")


def _panels(step: str, made: int, most: int) -> str:
    return f"{step}: {made:,} of at most {most:,} panels worked out "
