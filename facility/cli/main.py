"""Entry point of the command line: the verbs, and what ``--version`` says."""

from __future__ import annotations

import gc
import sys
from typing import Annotated

import typer

from facility.cli.verbs import annual as annual_command
from facility.cli.verbs import app as app_command
from facility.cli.verbs import balance as balance_commands
from facility.cli.verbs import compare as compare_commands
from facility.cli.verbs import design as design_commands
from facility.cli.verbs import failures as failure_commands
from facility.cli.verbs import files as file_commands
from facility.cli.verbs import import_ as import_commands
from facility.cli.verbs import library as library_commands
from facility.cli.verbs import optimise as optimise_command
from facility.cli.verbs import ranges as ranges_command
from facility.cli.verbs import reference as reference_commands
from facility.cli.verbs import sweep as sweep_command
from facility.cli.verbs import transient as transient_commands
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
    design_commands,
    failure_commands,
    balance_commands,
    file_commands,
    import_commands,
    reference_commands,
    transient_commands,
    annual_command,
    ranges_command,
    compare_commands,
    sweep_command,
    optimise_command,
    library_commands,
    app_command,
)
for _module in _MODULES:
    _module.register(cli)


def main() -> None:
    """Run the command line."""
    # A design is a million small objects, none in a circle: with the usual threshold the collector
    # looks through them so often that it takes a fifth of the time of a large plant.
    gc.set_threshold(50_000, 20, 20)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    cli()
