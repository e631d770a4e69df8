"""The balance of a cabinet with several panelboards, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from facility.cli import output
from facility.cli.views.findings import SEARCH_ENDED, harmonic_rows
from facility.core.errors import FacilityError
from facility.files.io.atomic import write_bytes
from facility.files.panel_csv.cabinet import is_cabinet_csv, read_cabinet_csv, write_cabinet_csv
from facility.files.panel_csv.document import text_of_file
from facility.power.panels.balance.cabinet import Cabinet, CabinetBalance, balance_cabinet
from facility.power.panels.board.constraints import Broken, broken_groups
from facility.power.panels.board.model import Panel
from facility.power.panels.exact.effort import ProgressCall


def cabinet_in(path: Path) -> Cabinet | None:
    """Return the cabinet that a CSV file describes, None where it describes one panel."""
    text = text_of_file(path)
    return read_cabinet_csv(text, path.name) if is_cabinet_csv(text) else None


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
    """Balance `cabinet` and write what was found."""
    found = balance_cabinet(cabinet, objective, exact=exact, progress=progress, **limits)
    if out is not None:
        write_bytes(out, write_cabinet_csv(found.cabinet).encode(), force=force)
    if json:
        output.print_json(
            output.envelope(
                "balance",
                results=found.results().as_json(),
                moves=found.moves_json(),
                placement=found.placement_json(),
                warnings=group_warnings(found.broken),
            )
        )
        return
    _print(cabinet, found)


def refuse_for_cabinet(**options: object) -> None:
    """Refuse options that say nothing of a cabinet.

    Raises
    ------
    FacilityError
        ``BALANCE_CABINET`` (exit code 2).
    """
    for name, value in options.items():
        if value:
            raise FacilityError(
                "BALANCE_CABINET",
                f"--{name}",
                "it does not go with a cabinet of several panels.",
                "Leave it out, or balance one panelboard by itself.",
                exit_code=2,
            )


def group_warnings(broken: Iterable[Broken]) -> list[str]:
    """Return what is to be said of groups that did not hold as given."""
    return [f"as given, {b.kind} {b.group!r} does not hold: {b.text}" for b in broken]


def panel_warnings(panel: Panel) -> list[str]:
    """Return what is to be said of the groups of one panel that do not hold as given."""
    return group_warnings(broken_groups(panel))


def _print(given: Cabinet, found: CabinetBalance) -> None:
    results = found.results()

    def shown(*keys: str) -> str:
        return " / ".join(results[key].shown() if key in results else "" for key in keys)

    goal = "largest line current" if found.objective == "current" else "largest VA of a pole"
    rows = [
        ("Imbalance of all line currents", shown("imbalance.before"), shown("imbalance.after")),
        ("Imbalance of all VA per pole", shown("imbalance_va.before"), shown("imbalance_va.after")),
        ("Lines A / B / C of the cabinet", "", shown("current.a", "current.b", "current.c")),
        ("Neutral of the cabinet", "", shown("current.n")),
        *harmonic_rows(results),
        ("Largest line current of a panelboard", "", shown("current.max")),
        ("Largest line current of the cabinet", "", shown("cabinet.current.max")),
        *([("Loading of the cabinet", "", shown("cabinet.loading"))]
          if "cabinet.loading" in results else []),
        (f"Bound on the {goal}" + ", over its bus" * found.by_bus, "", shown("bound")),
        ("Above the bound", "", shown("gap")),
        ("Search", "", SEARCH_ENDED[found.status]),
    ]  # fmt: skip
    for panel in given.panels:
        head = f"panel.{panel.tag}."
        rows += [
            (f"{panel.tag}: imbalance", shown(f"{head}imbalance.before"),
             shown(f"{head}imbalance.after")),
            (f"{panel.tag}: largest line current / of its bus", "",
             shown(f"{head}current.max", f"{head}loading")),
        ]  # fmt: skip
    output.print_table(
        f"Balance of {given.tag}, {len(given.panels)} panelboards", ("Quantity", "Before", "After"),
        rows,
    )  # fmt: skip
    output.print_lines([
        "Imbalance: maximum deviation from the mean / mean, normal state. Currents: any state.",
        *group_warnings(found.broken), "",
    ])  # fmt: skip
    steps = [f"    {n}. {step}" for n, step in enumerate(found.steps, start=1)]
    output.print_lines([f"{len(found.moves)} moves:", *steps] if steps else ["No circuit moves."])
