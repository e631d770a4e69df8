"""The verb that begins a project: new."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facility.cli.guard import verb
from facility.cli.options import Force, Sets, check_choice
from facility.core.errors import FacilityError

_EXAMPLE = (
    "Start from an example, without its title data: dgx-su-32, h100-10k, mixed-hall, nvl72-hall."
)


@verb("new")
def new(
    out: Annotated[
        Path, typer.Argument(metavar="FILE", help="Project file to write; - for standard output.")
    ],
    gpus: Annotated[int | None, typer.Option("--gpus", metavar="N", help="Number of GPUs.")] = None,
    servers: Annotated[
        int | None, typer.Option("--servers", metavar="N", help="Number of servers.")
    ] = None,
    racks: Annotated[
        int | None, typer.Option("--racks", metavar="N", help="Number of full racks.")
    ] = None,
    power: Annotated[
        str, typer.Option("--power", metavar="POWER", help='IT load, e.g. "5 MW".')
    ] = "",
    model: Annotated[
        str, typer.Option("--model", metavar="NAME", help="GPU or server; default: H100 SXM5.")
    ] = "",
    location: Annotated[
        str, typer.Option("--place", metavar="CITY", help='City, or "latitude, longitude".')
    ] = "",
    weather: Annotated[
        str,
        typer.Option(
            "--weather",
            metavar="RECORD",
            help='Station, EPW file, or design dry and wet bulb "36 degC, 24 degC".',
        ),
    ] = "",
    voltage: Annotated[
        str,
        typer.Option(
            "--voltage", metavar="V", help='Rack or utility voltage, or both: "415, 13.8 kV".'
        ),
    ] = "",
    survive: Annotated[
        str,
        typer.Option(
            "--survive", metavar="GOAL", help="Redundancy (N+1, 2N), maintenance or any failure."
        ),
    ] = "",
    grid: Annotated[
        str,
        typer.Option("--grid", metavar="POWER", help='Find the largest cluster for e.g. "20 MW".'),
    ] = "",
    water: Annotated[
        str, typer.Option("--water", metavar="VOLUME", help='Annual water limit, e.g. "50000 m3".')
    ] = "",
    area: Annotated[
        str, typer.Option("--area", metavar="AREA", help='Hall floor area limit, e.g. "2000 m2".')
    ] = "",
    budget: Annotated[
        str, typer.Option("--budget", metavar="COST", help='Capital cost limit, e.g. "50000 kUSD".')
    ] = "",
    template: Annotated[
        str, typer.Option("--from", "--template", metavar="NAME", help=_EXAMPLE)
    ] = "",
    sets: Sets = None,
    force: Force = False,
) -> None:
    """Create a project from key data or a grid connection.

    Without options, the command prompts on a terminal. Omitted entries take defaults,
    which the output lists.
    """
    from facility.cli.output import console, is_stream, message, write_file
    from facility.cli.views import brief as view
    from facility.study.brief.brief import Brief, stated_amount

    size, further = stated_amount(gpus, servers, racks, power), tuple(sets or ())
    answers = Brief(size, model, location, weather, voltage, survive, further)
    limits = {"grid": grid, "water": water, "area": area, "budget": budget}
    stated = answers != Brief(sets=answers.sets) or any(limits.values())
    text, lines = "", list[str]()
    if template:
        check_choice(None, **{"from": True, "the answers": stated})
        text = view.from_example(template, sets)
    else:
        if not stated and not console.quiet and view.on_terminal():
            answers = view.interview(answers)
        try:
            text, lines = view.begun_text(answers, limits, out)
        except FacilityError as error:
            raise view.as_options(error) from None
    write_file(out, text.encode(), force=force)
    for line in lines:
        message(line)
    if not is_stream(out):
        message(f"wrote {out}; next: facility design {out}")
