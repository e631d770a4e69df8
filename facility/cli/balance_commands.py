"""The verb balance: phases and positions of circuits."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from facility.cli.guard import guarded
from facility.cli.options import AsJson, Force

if TYPE_CHECKING:
    from facility.power.panel_exact_effort import Progress, ProgressCall
    from facility.power.panel_model import Panel


class Objective(StrEnum):
    """What the balancing minimises."""

    current = "current"
    va = "va"


def register(cli: typer.Typer) -> None:
    """Add the verb of this module to the command line."""
    cli.command("balance")(balance)


@guarded("balance")
def balance(
    panel: Annotated[Path, typer.Argument(help="Panel CSV (see the manual for its columns).")],
    objective: Annotated[
        Objective, typer.Option("--objective", help="Largest phasor current, or VA per pole.")
    ] = Objective.current,
    exact: Annotated[
        bool, typer.Option("--exact", help="Go on to a proven optimum, within the limits below.")
    ] = False,
    gap: Annotated[
        float | None,
        typer.Option("--gap", help="End this close to the bound, as a fraction (0.0001)."),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", help="Most nodes of the search tree (20000).")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", help="End by the clock; such an answer is not reproducible."),
    ] = None,
    moves: Annotated[
        bool, typer.Option("--moves", help="List the fewest moves against imbalance instead.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the balanced panel as CSV.")
    ] = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Balance the phases of one panel."""
    from facility.cli import output
    from facility.cli.findings import print_balance
    from facility.files.atomic import write_bytes
    from facility.files.panel_csv import load_panel_csv, write_panel_csv
    from facility.power.balance import balance as balance_panel

    limits = _limits(exact, gap=gap, nodes=nodes, seconds=seconds)
    read = load_panel_csv(panel)
    if moves:
        _list_moves(read, objective, exact=exact or out is not None, json=json)
        return
    report = _progress() if exact else None
    found = balance_panel(read, objective.value, exact=exact, progress=report, **limits)
    if out is not None:
        write_bytes(out, write_panel_csv(found.panel).encode(), force=force)
    if json:
        body = output.envelope(
            "balance",
            results=found.results().as_json(),
            moves=found.moves_json(),
            placement=found.placement_json(),
        )
        output.print_json(body)
        return
    print_balance(read, found)


def _list_moves(panel: Panel, objective: Objective, *, exact: bool, json: bool) -> None:
    """Write the list of moves; it has no use for what belongs to a balance of the whole panel."""
    from facility.cli.moves_view import show_moves
    from facility.core.errors import FacilityError

    if exact:
        raise FacilityError(
            "BALANCE_MOVES", "--moves", "the list of moves goes with neither --exact nor --out.",
            "Leave one of them out.", exit_code=2,
        )  # fmt: skip
    show_moves(panel, objective.value, json=json)


def _limits(exact: bool, **limits: float | None) -> dict[str, Any]:
    """Return the limits given; without ``--exact`` they would do nothing, and are refused."""
    given = {name: value for name, value in limits.items() if value is not None}
    if given and not exact:
        from facility.core.errors import FacilityError

        raise FacilityError(
            "BALANCE_LIMIT", f"--{next(iter(given))}", "only an exact balance has this limit.",
            "Add --exact, or leave the limit out.", exit_code=2,
        )  # fmt: skip
    return given


def _progress() -> ProgressCall | None:
    """Return what writes the nodes looked at to a terminal, None without one."""
    if not sys.stderr.isatty():
        return None

    def report(now: Progress) -> None:
        above = now.reached / now.bound - 1.0 if now.bound > 0.0 else 0.0
        sys.stderr.write(f"\r{now.nodes:,} of {now.node_limit:,} nodes, {above:.4%} above bound \r")
        sys.stderr.flush()

    return report
