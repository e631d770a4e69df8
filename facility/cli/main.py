"""Entry point of the command line: verbs in groups, help and version."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from facility.cli.guard import VERBS
from facility.cli.verbs import (
    annual,
    app,
    compare,
    design,
    failures,
    import_,
    library,
    measured,
    new,
    optimise,
    panels,
    ranges,
    reference,
    sweep,
    transient,
)
from facility.cli.verbs.out import commissioning, export, isolation, issue, points
from facility.core import __version__

if TYPE_CHECKING:
    from typer._click.core import Context

_MODULES = (
    *(annual, app, commissioning, compare, design, export, failures, import_, isolation, issue),
    *(library, measured, new, optimise, panels, points, ranges, reference, sweep, transient),
)
"""Modules that declare the verbs when they are imported."""
_GROUPS = {
    "export": "Write workbook, CSV, diagram, points or isolation.",
    "import": "Read inventories, panel schedules and meter logs.",
    "library": "Store projects with revisions, roles and links.",
}
_SECTIONS = {
    "Start": ("new", "app", "catalogue"),
    "Design": ("design", "check", "explain", "balance"),
    "Studies": ("failures", "transient", "annual", "ranges", "compare"),
    "Many designs": ("sweep", "optimise", "diff"),
    "Files": ("export", "import", "issue", "verify", "library"),
}
_SETTINGS = {"help_option_names": ["-h", "--help"]}


class Verbs(TyperGroup):
    """Commands whose help lines are wrapped, not cut."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands by section."""
        names = self.list_commands(ctx)
        sections = {title: of for title, of in _SECTIONS.items() if set(of) <= set(names)}
        widest = max(map(len, names))
        for title, of in (sections or {"Commands": tuple(names)}).items():
            found = [(name, self.get_command(ctx, name)) for name in of]
            rows = [
                (f"{name:<{widest}}", one.get_short_help_str(_UNCUT).removesuffix("."))
                for name, one in found
                if one
            ]
            with formatter.section(title):
                formatter.write_dl(rows)


_UNCUT = 1000


class Verb(TyperCommand):
    """Command that rejects an option given twice, unless its values are a list."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Reject a second value of an option that has one."""
        if args and not ctx.resilient_parsing:
            _, _, order = self.make_parser(ctx).parse_args(args=list(args))
            for n, one in enumerate(order):
                one_value = isinstance(one, TyperOption) and not (one.multiple or one.is_flag)
                if one_value and one in order[:n]:
                    ctx.fail(f"{one.opts[0]} is specified twice; specify it once.")
        return super().parse_args(ctx, args)


cli = typer.Typer(
    name="facility",
    help="Design power and cooling of AI data centers.\n\n"
    "FILE is a project file; without one, a verb uses the embedded example. - is standard input "
    "or output. facility VERB -h lists the options of a verb.",
    epilog="Exit codes: 0 ok, 1 internal error, 2 usage, 3 invalid input, 4 no feasible "
    "solution, 5 a check failed (--fail-on), 6 file refused or I/O, 130 interrupted.",
    cls=Verbs,
    context_settings=_SETTINGS,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(requested: bool) -> None:
    if requested:
        sys.stdout.write(f"facility {__version__}\n")
        raise typer.Exit


@cli.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print version."),
    ] = False,
) -> None:
    pass


def _add_verbs() -> None:
    groups = {
        name: typer.Typer(
            help=about,
            cls=Verbs,
            context_settings=_SETTINGS,
            no_args_is_help=True,
            rich_markup_mode=None,
        )
        for name, about in _GROUPS.items()
    }
    order = [name for section in _SECTIONS.values() for name in section]
    for name, command in sorted(VERBS.items(), key=lambda one: order.index(one[0].split()[0])):
        group, _, last = name.rpartition(" ")
        (groups[group] if group else cli).command(last, cls=Verb)(command)
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
    try:
        cli()
    finally:
        # The process ends: without this, the collector looks through every object once more.
        gc.freeze()
