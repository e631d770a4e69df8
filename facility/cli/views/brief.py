"""Questions of a new project on a terminal, and the answer below them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import typer

from facility.cli.output import is_stream, message
from facility.core.errors import FacilityError
from facility.files.project.file import apply_sets, begun_example, dump_project, parse_project
from facility.report.tables.verdict import NOT_KNOWN, headline, key_figures, verdict_of
from facility.study.brief.brief import (
    QUESTIONS,
    Brief,
    begun,
    defaults,
    fitted,
    left_to_tool,
    read_amount,
)
from facility.study.brief.fit import Fit
from facility.study.brief.site import distance_warning
from facility.study.design.design import Design, design

_LEFT = "Default in use"
_ANSWER = r'\(weather="([^"]+)"\)'
_WEATHER = "Weather? (station, EPW file, or design dry and wet bulb: 36 degC, 24 degC)"


def as_options(error: FacilityError) -> FacilityError:
    """Return an error whose remedy names the options of the command line."""
    hint = re.sub(r'weather="([^" ]+)"', r"--weather \1", error.hint)
    hint = re.sub(r'weather="([^"]+)"', r'--weather "\1"', hint)
    if error.code == "SITE_FREQUENCY":
        hint = 'Add --set "site.frequency=50 Hz" or --set "site.frequency=60 Hz".'
    return FacilityError(error.code, error.where, error.message, hint)


def on_terminal() -> bool:
    """Return whether a person can answer questions."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def interview(brief: Brief) -> Brief:
    """Ask every question with its default, again while an answer is rejected."""
    for question in QUESTIONS:
        default = defaults(design(begun(replace(brief, size=""))))[question.field]
        while True:
            text = f"{question.text} ({question.answers})\n  [{default}]"
            answer = typer.prompt(text, default="", show_default=False, err=True).strip()
            try:
                brief = _answered(brief, question.field, answer)
                break
            except FacilityError as error:
                message(f"  {error.explanation}")
    return brief


def _answered(brief: Brief, field: str, answer: str) -> Brief:
    """Return the brief with an answer, and the weather of a place without a station.

    Raises as `begun`.
    """
    changed = Brief(**vars(brief) | {field: answer})
    if field == "size":
        read_amount(answer) if answer else None
        return changed
    try:
        design(begun(replace(changed, size="")))
    except FacilityError as error:
        if field != "location" or error.code != "WEATHER_SITE" or changed.weather:
            raise
        hint = re.sub(_ANSWER, r"(\1)", error.hint)
        message(f"  {error.message} {hint}")
        weather = typer.prompt(_WEATHER, err=True).strip()
        changed = replace(changed, weather=weather)
        design(begun(replace(changed, size="")))
    return changed


def answer_lines(brief: Brief, new_design: Design, fit: Fit | None) -> Iterator[str]:
    """Yield the output: limits, defaults in use, key results, verdict on a stated goal."""
    if fit is not None:
        for use in fit.uses:
            yield f"{use.title}: {use.use} of {use.limit} ({100.0 * use.share:.1f} %)"
        yield fit.words
        if fit.unpriced:
            yield f"Not included in the capital cost: {fit.unpriced}"
    for subject, value in left_to_tool(brief, new_design):
        if fit is None or subject != QUESTIONS[0].title:
            yield f"{_LEFT}: {subject.lower()} {value}"
    if warning := distance_warning(new_design.facility.site.record):
        yield warning
    known = [pair for pair in key_figures(new_design.results, "si") if pair[1] != NOT_KNOWN]
    figures = [("GPUs", new_design.results["load.gpus"].shown()), *known]
    width = max(len(name) for name, _ in figures)
    yield from (f"{name:<{width}}  {value}" for name, value in figures)
    if brief.survive:
        yield f"Verdict: {headline(new_design.checks)}."
        for line in verdict_of(new_design.checks):
            if line.required and line.outcome != "met":
                yield f"{line.title}, {line.outcome}: {line.because}"


def begun_text(brief: Brief, limits: Mapping[str, str], out: Path) -> tuple[str, list[str]]:
    """Return the project file of the answers, and the lines that describe the answer.

    Raises as `begun` and `fitted`, and the errors of the design.
    """
    folder = Path.cwd() if is_stream(out) else out.parent
    fit = fitted(brief, limits, folder) if any(limits.values()) else None
    project = begun(brief, folder) if fit is None else fit.project
    new_design = design(project) if fit is None else fit.design
    lines = list(answer_lines(brief, new_design, fit))
    left = [f"# {line}\n" for line in lines if line.startswith((_LEFT, "Warning"))]
    return dump_project(project) + "".join(left), lines


def from_example(name: str, sets: Sequence[str] | None) -> str:
    """Return the project file of an example without its identity.

    Raises ``UNKNOWN_EXAMPLE``, the errors of the changes.
    """
    text = begun_example(name)
    return dump_project(apply_sets(parse_project(text), sets)) if sets else text
