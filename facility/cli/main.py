"""Entry point of the command line: the verbs, and what ``--version`` says."""

from __future__ import annotations

import gc
import sys
from typing import Annotated

import typer

from facility.cli.guard import VERBS
from facility.cli.verbs import (
    annual,
    app,
    balance,
    compare,
    design,
    failures,
    files,
    import_,
    library,
    optimise,
    ranges,
    reference,
    sweep,
    transient,
)
from facility.core.version import __version__

cli = typer.Typer(
    name="facility",
    help="Power and cooling design of AI data centers. Exit codes: 0 ok, 1 internal error, "
    "2 usage, 3 invalid input, 4 no feasible solution, 5 a check failed (--fail-on), "
    "6 file refused or I/O, 130 interrupted.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"facility {__version__}\n")
        raise typer.Exit


@cli.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print version."),
    ] = False,
) -> None:
    """Power and cooling design of AI data centers."""


_MODULES = (
    *(design, failures, balance, files, import_, reference, transient, annual, ranges),
    *(compare, sweep, optimise, library, app),
)
"""In the order of the help."""
_GROUPS = {
    "export": "Export a design.",
    "import": "Read files back into the model.",
    "library": "Projects in a database, with their revisions.",
}


def _add_verbs() -> None:
    groups = {
        name: typer.Typer(help=about, no_args_is_help=True, rich_markup_mode=None)
        for name, about in _GROUPS.items()
    }
    order = [module.__name__ for module in _MODULES]
    for name, command in sorted(VERBS.items(), key=lambda one: order.index(one[1].__module__)):
        group, _, last = name.rpartition(" ")
        (groups[group] if group else cli).command(last)(command)
    for name, group_of_verbs in groups.items():
        cli.add_typer(group_of_verbs, name=name)


_add_verbs()


def main() -> None:
    """Run the command line."""
    # A design is a million small objects, none in a circle: with the usual threshold the collector
    # looks through them so often that it takes a fifth of the time of a large plant.
    gc.set_threshold(50_000, 20, 20)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    cli()
