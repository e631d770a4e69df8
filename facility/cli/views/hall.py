"""The balance of a whole hall of a project: run, written, applied and printed."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from facility.cli import output
from facility.core.errors import FacilityError
from facility.power.panels.hall.result import DEFINITION, HallBalance

if TYPE_CHECKING:
    from facility.power.panels.hall.balance import HallProgressCall
    from facility.study.design.design import Design

_ENDED = {
    "settled": "no step gains more",
    "effort": "stopped: effort",
    "time": "stopped: time (not reproducible)",
    "cancelled": "stopped: cancelled",
}


def show_halls(
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

    Parameters
    ----------
    file : Path
        Project file.
    hall : str or None
        Name of the hall; None with `all_halls`.
    all_halls : bool
        Whether all halls are balanced.
    keep : collection of {"racks", "cords"}
        What stays: racks on their panels, cords on their outlet banks.
    split_feeds : bool
        Whether the feeds of a rack may go to panels of different groups.
    seconds : float or None
        Time by the clock.
    apply : bool
        Whether the project file is given the boards and cords found.
    out : Path or None
        CSV of the circuits.
    force, json : bool
        Whether `out` may be overwritten; whether the JSON contract is printed.
    unfit : mapping of str to object
        Options that mean nothing to a hall, refused where they are given.

    Raises
    ------
    FacilityError
        As `balance_hall`; ``BALANCE_OPTION`` for unfit options, or a file that is no project.
    """
    from facility.cli.options import designed
    from facility.files.io.atomic import write_bytes
    from facility.files.panel_csv.hall import write_hall_csv
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
        progress=_progress(),
    )
    if out is not None:
        write_bytes(out, write_hall_csv(found).encode(), force=force)
    if apply:
        _apply(file, project, found)
    if not json:
        _print(found)
        return
    output.print_json(
        output.envelope(
            "balance",
            project=project.project_identity,
            results=found.results().as_json(),
            moves=found.moves_json(),
            placement=found.placement_json(),
            cords=found.cords_json(),
        )
    )


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
    return FacilityError("BALANCE_OPTION", where, message, hint, exit_code=2)


def _apply(file: Path, project: Design, found: HallBalance) -> None:
    """Write boards and cords into the project file; comments stay."""
    from facility.files.panel_apply import replace_panels
    from facility.study.stated_panels import with_panels

    if not found.boards:
        sys.stderr.write("nothing to apply: the hall stands as it should\n")
        return
    changed = with_panels(project.project, found.boards, found.cords)
    replace_panels(file, project.project, changed)
    sys.stderr.write(f"wrote {file}\n")


def _progress() -> HallProgressCall | None:
    """Return what writes the panels worked out to a terminal, None without one."""
    if not sys.stderr.isatty():
        return None

    def report(step: str, made: int, most: int) -> None:
        sys.stderr.write(f"\r{step}: {made:,} of at most {most:,} panels worked out \r")
        sys.stderr.flush()

    return report


def _print(found: HallBalance) -> None:
    results = found.results()
    rows = [
        (name, *(_shown(results, f"{key}.{when}") for when in ("wired_alike", "before", last)))
        for name, key, last in (
            ("Largest line current, any state", "current", "max"),
            ("Largest neutral current, any state", "neutral", "max"),
            ("Largest imbalance of a panel", "imbalance", "after"),
        )
    ]
    prefixes = [
        k.removesuffix(".imbalance.after")
        for k in results
        if k.startswith("feed.") and k.endswith(".after")
    ]
    rows += [
        (
            f"Imbalance of the total of {prefix.replace('.', ' ')}",
            "",
            _shown(results, f"{prefix}.imbalance.before"),
            _shown(results, f"{prefix}.imbalance.after"),
        )
        for prefix in prefixes
    ]
    rows += [
        ("Bound on the largest line current", "", "", _shown(results, "bound")),
        ("Above the bound", "", "", _shown(results, "gap")),
        ("Search", "", "", _ENDED[found.status]),
    ]
    names = ", ".join(found.halls)
    output.print_table(
        f"Balance of {names}: {len(found.panels)} panels",
        ("Quantity", "All wired alike", "Before", "After"),
        rows,
    )
    output.print_lines([f"Imbalance: {DEFINITION}, normal state.", ""])
    _print_cords(found)
    _print_moves(found)


def _shown(results: Any, key: str) -> str:
    return results[key].shown() if key in results else ""


def _print_cords(found: HallBalance) -> None:
    if found.replugged:
        rows = [
            (
                cords.rack,
                cords.feed,
                str(cords.number + 1),
                " ".join(str(bank + 1) if bank >= 0 else "-" for bank in cords.banks),
            )
            for cords in found.replugged
        ]
        heads = ("Every rack of the kind", "Feed", "Circuit", "Outlet bank of each cord")
        output.print_table(f"Cords of {len(rows)} circuits plugged anew", heads, rows)


def _print_moves(found: HallBalance) -> None:
    if not found.moves:
        output.print_lines(["No circuit moves."])
        return
    rows = [
        (
            m.rack,
            m.feed,
            str(m.circuit),
            _place(m.before.panel, m.before.label, m.before.phases),
            _place(m.after.panel, m.after.label, m.after.phases),
            " ".join(map(str, m.before.banks)),
            " ".join(map(str, m.after.banks)),
        )
        for m in found.moves
    ]
    heads = ("Rack", "Feed", "Circuit", "From", "To", "Banks from", "Banks to")
    output.print_table(f"{len(rows)} moves", heads, rows)


def _place(panel: str, label: str, phases: str) -> str:
    return f"{panel} {label} ({phases})"
