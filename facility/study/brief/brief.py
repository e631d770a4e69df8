"""Questions of a project brief, and the project from the answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import count as counter
from pathlib import Path
from typing import TypedDict

from facility.catalogue import match_gpu, table
from facility.catalogue.trade_names import GPUS, SERVERS, ambiguous, match_row
from facility.core.errors import FacilityError, unknown
from facility.core.parse import parse_number, parse_quantity
from facility.model.inputs.change import Typed, set_field
from facility.model.inputs.document import Project, read_document
from facility.model.inputs.power.section import rack_system
from facility.model.inputs.site import LOW_VOLTAGE_V
from facility.model.power.redundancy import SCHEMES, scheme_name
from facility.study.brief.fit import Fit, largest, stated_limits
from facility.study.brief.site import site_inputs
from facility.study.design.design import Design, design
from facility.study.resolve.it.short_form import offered_gpus

DEFAULT_SIZE, DEFAULT_MODEL = "256 GPUs", "H100 SXM5"
_SIZE = re.compile(r"(\S.*?)\s*(gpus?|servers?|nodes?|racks?)?", re.IGNORECASE)
_MAX_TEXT = 200
_NOTHING = ("nothing", "none")
_AVAILABILITY = {
    "maintenance": "concurrently_maintainable",
    "concurrently maintainable": "concurrently_maintainable",
    "tier iii": "concurrently_maintainable",
    "tier 3": "concurrently_maintainable",
    "any failure": "fault_tolerant",
    "any single failure": "fault_tolerant",
    "fault tolerant": "fault_tolerant",
    "tier iv": "fault_tolerant",
    "tier 4": "fault_tolerant",
}


@dataclass(frozen=True)
class Question:
    """A question of the brief."""

    field: str  # Field of `Brief`
    title: str  # Subject, as a label
    text: str
    answers: str  # Examples of answers


QUESTIONS = (
    Question("size", "Size", "What size?", "256 GPUs, 32 servers, 16 racks, or 5 MW of IT load"),
    Question("model", "Model", "Which model?", "H100 SXM5, GB200 NVL72, or a catalogue server"),
    Question("location", "Site", "Where?", "a city (Phoenix, AZ) or coordinates (39.04, -77.49)"),
    Question(
        "voltage",
        "Voltage",
        "Which voltage?",
        "racks 415Y/240, 400Y/230, 480Y/277, 208Y/120; utility 13.8 kV; or both: 415, 13.8 kV",
    ),
    Question(
        "survive",
        "Redundancy",
        "What must survive?",
        "N, N+1, N+2, 2N, 2(N+1), 3N/2, block-redundant; maintenance; any failure",
    ),
)
"""The questions, in their order."""


@dataclass(frozen=True)
class Brief:
    """Entries of a project brief as text; an empty entry takes the default."""

    size: str = ""  # ``256 GPUs``, ``32 servers``, ``16 racks``, ``5 MW`` (IT load)
    model: str = ""  # GPU or server of the catalogue
    location: str = ""  # City of the gazetteer, or coordinates
    weather: str = ""  # Station, weather file, or design dry and wet bulb
    voltage: str = ""  # Voltage system of the racks, utility voltage, or both
    survive: str = ""  # Redundancy scheme, or availability goal
    sets: tuple[str, ...] = ()  # Further fields of the project: ``path=value``


class BriefAnswers(TypedDict, total=False):
    """Answers to the questions other than the size, as keyword arguments."""

    model: str
    place: str  # City or coordinates
    weather: str
    voltage: str
    survive: str


def answered(size: str, answers: BriefAnswers) -> Brief:
    """Return the brief of keyword arguments.

    Raises ``OPTIONS`` for an unknown one.
    """
    strange = set(answers) - set(BriefAnswers.__annotations__)
    if strange:
        name = min(strange)
        known = BriefAnswers.__annotations__
        raise unknown("OPTIONS", "argument", f"{name!r} is not an argument.", name, known)
    return Brief(
        size,
        answers.get("model", ""),
        answers.get("place", ""),
        answers.get("weather", ""),
        answers.get("voltage", ""),
        answers.get("survive", ""),
    )


def begun(brief: Brief, folder: Path | None = None) -> Project:
    """Return the project from the answers; it states only the answers.

    folder: Folder of the project file, in which a weather file is; default: the working folder.

    Raises ``BRIEF_SIZE``, ``UNKNOWN_MODEL``, ``UNKNOWN_PLACE``, ``AMBIGUOUS_PLACE``,
    ``WEATHER_SITE``, ``UNKNOWN_SYSTEM``, ``BRIEF_SURVIVE``; ``NO_FEASIBLE`` and the errors of a
    design where the size follows from one (racks, MW).
    """
    count, unit = read_amount(brief.size or DEFAULT_SIZE)
    if unit == "power":
        return fitted(brief, {}, folder).project
    stated = _document(brief, {})
    if unit == "racks":
        one = design(_with_amount(stated, "servers", 1, folder, brief.sets))
        count, unit = count * one.trace.value("it.compute.per_rack"), "servers"
    return _with_amount(stated, unit, int(count), folder, brief.sets)


def fitted(
    brief: Brief,
    limits: Mapping[str, str],
    folder: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> Fit:
    """Return the largest cluster within limits, for the answers to the other questions.

    limits: By key of `LIMIT_KINDS`: ``{"grid": "20 MW"}``; an IT load of the brief is one more.
    progress: Receives the number of sizes evaluated, after each.

    Raises ``BRIEF_LIMIT``, ``NO_FEASIBLE``; ``BRIEF_SIZE`` for a stated number; as `begun`.
    """
    texts = {key: text for key, text in limits.items() if text}
    if brief.size:
        if read_amount(brief.size)[1] != "power":
            raise FacilityError(
                "BRIEF_SIZE",
                "size",
                f"both a size ({brief.size[:40]}) and limits ({', '.join(texts)}) are specified.",
                "Enter the size, or limits to find the largest cluster that fits.",
            )
        texts["power"] = brief.size
    stated = _document(brief, texts)
    sizes = counter(1)

    def with_servers(servers: int) -> Project:
        if progress is not None:
            progress(next(sizes))
        return _with_amount(stated, "servers", servers, folder, brief.sets)

    fit = largest(with_servers, stated_limits(texts))
    if "gpu_model" not in stated["it"]:
        return fit
    project = _with_amount(stated, "gpus", fit.gpus, folder, brief.sets)
    return replace(fit, project=project, design=design(project))


def _document(brief: Brief, limits: Mapping[str, str]) -> dict[str, dict[str, Typed]]:
    """Return the sections that the answers state, without the size."""
    for question in QUESTIONS:
        if len(getattr(brief, question.field)) > _MAX_TEXT:
            message = f"the answer has more than {_MAX_TEXT} characters."
            raise FacilityError(
                "TEXT_TOO_LONG", question.field, message, f"Enter {question.answers}."
            )
    site: dict[str, Typed] = {**site_inputs(brief.location.strip(), brief.weather.strip())}
    power: dict[str, Typed] = {}
    for part in filter(None, (part.strip() for part in brief.voltage.split(","))):
        try:
            medium = parse_quantity(part, "line_voltage", "voltage").si >= LOW_VOLTAGE_V
        except FacilityError:
            medium = False  # 415, or 415Y/240
        if medium:
            site["utility_voltage"] = part
        else:
            power = {"distribution": {"rack_system": rack_system(part)}}
    grid = limits.get("grid", "")
    if grid and not grid.strip().upper().endswith("VA"):
        site["utility_capacity"] = grid
    return {
        "site": site,
        "criteria": {**_goal(brief.survive)},
        "it": {**_model(brief.model or DEFAULT_MODEL)},
        "power": power,
        "cost": {"prices": "guides"} if "budget" in limits else {},
    }


def _with_amount(
    stated: Mapping[str, dict[str, Typed]],
    unit: str,
    count: int,
    folder: Path | None,
    sets: Sequence[str],
) -> Project:
    """Return the project with a number of ``gpus`` or ``servers``, and further fields."""
    sections = {name: deepcopy(section) for name, section in stated.items() if section}
    sections["it"][unit] = str(count)
    document: dict[str, Typed] = {"schema_version": "1", **sections}
    for text in sets:
        set_field(document, text)
    return read_document(document, folder)


def stated_amount(
    gpus: int | None = None, servers: int | None = None, racks: int | None = None, power: str = ""
) -> str:
    """Return the answer on the size from one of its forms; empty without any.

    Raises ``BRIEF_SIZE`` for several.
    """
    counts = {"GPUs": gpus, "servers": servers, "racks": racks}
    forms = [f"{count} {name}" for name, count in counts.items() if count is not None]
    forms += [power] if power else []
    if len(forms) > 1:
        raise FacilityError(
            "BRIEF_SIZE",
            "size",
            f"the size is stated more than once: {', '.join(forms)[:80]}.",
            "Enter only one: GPUs, servers, racks or IT load.",
        )
    return forms[0] if forms else ""


def read_amount(text: str) -> tuple[float, str]:
    """Return number and unit of a size: ``gpus``, ``servers``, ``racks``, or ``power`` [W].

    Raises ``BRIEF_SIZE``.
    """
    found = _SIZE.fullmatch(text.strip())
    unit = "" if found is None else (found[2] or "").casefold()
    try:
        if found is not None and unit:
            number = parse_number(found[1].replace(",", ""), "size")
            if number >= 1.0 and number == int(number):
                name = "servers" if unit.startswith("node") else f"{unit.removesuffix('s')}s"
                return int(number), name
        elif found is not None:
            return parse_quantity(text.strip(), "active_power", "size").si, "power"
    except FacilityError:
        pass
    raise FacilityError(
        "BRIEF_SIZE",
        "size",
        f"{text[:40]!r} is not a valid size.",
        "Enter a whole number of GPUs, servers or racks, or the IT load: '256 GPUs', '5 MW'.",
    )


def left_to_tool(brief: Brief, new_design: Design) -> list[tuple[str, str]]:
    """Return subject and default of each omitted entry."""
    used = defaults(new_design)
    return [
        (question.title, used[question.field])
        for question in QUESTIONS
        if not getattr(brief, question.field)
        and not (question.field == "location" and brief.weather)
    ]


def defaults(new_design: Design) -> dict[str, str]:
    """Return the values of a design for each question, by field."""
    project, facility = new_design.project, new_design.facility
    chain, site = facility.power, facility.site
    goal = facility.criteria.goal
    return {
        "size": f"{new_design.results['load.gpus'].shown()} GPUs",
        "model": project.it.gpu_model or project.it.server or "",
        "location": site.place,
        "weather": "" if site.record is None else site.record.name,
        "voltage": f"racks {chain.wiring.rack_system}, utility {site.utility_voltage_v:,.0f} V",
        "survive": f"UPS {chain.scheme.name}"
        + (f", {goal.availability.replace('_', ' ')}" if goal.availability else ""),
    }


def _model(text: str) -> dict[str, str]:
    """Return the field of the IT section for a GPU or server model, as typed.

    Raises ``AMBIGUOUS_MODEL`` for a name of several, ``UNKNOWN_MODEL``.
    """
    matches = {"server": match_row(text, SERVERS), "gpu_model": match_gpu(text)}
    if " ".join(text.split()).casefold() in (name.casefold() for name in offered_gpus()):
        return {"gpu_model": " ".join(text.split())}
    for field, match in matches.items():
        if match.row is not None:
            return {field: " ".join(text.split())}
    question = next((match for match in reversed(matches.values()) if match.is_question), None)
    if question is not None:
        raise ambiguous(question, "model")
    known = [row.text("model") for name in (GPUS, SERVERS) for row in table(name).rows]
    message = f"{text[:40]!r} is not a GPU or server in the catalogue."
    raise unknown("UNKNOWN_MODEL", "model", message, text, known)


def _goal(text: str) -> dict[str, str]:
    """Return the fields of the criteria for what must survive.

    Raises ``BRIEF_SURVIVE``.
    """
    folded = " ".join(text.replace("_", " ").split()).casefold()
    if not folded:
        return {}
    if folded in _AVAILABILITY:
        return {"availability_goal": _AVAILABILITY[folded]}
    try:
        return {"redundancy_goal": "N" if folded in _NOTHING else scheme_name(text, "survive")}
    except FacilityError as error:
        raise FacilityError(
            "BRIEF_SURVIVE",
            "survive",
            f"{text[:40]!r} is neither a redundancy scheme nor an availability goal.",
            f"{error.hint} Enter {', '.join(SCHEMES)}, maintenance, or any failure.",
        ) from None
