"""As-built panels as project inputs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from facility.model.inputs.document import Project, as_typed, read_document
from facility.model.power.hall_distribution import AsBuiltCircuit, AsBuiltCords, AsBuiltPanel
from facility.power.panels.board.model import Panel
from facility.power.panels.design.as_built import as_built_of


def with_panels(
    project: Project, stated: Iterable[AsBuiltPanel], cords: Iterable[AsBuiltCords] = ()
) -> Project:
    """Return `project` with these boards and cords in its ``panels`` section.

    Boards replace boards of the same tag, cords replace cords of the same circuit and rack type;
    new ones are appended.

    project: The project to start from; it is not changed.
    stated: Boards with circuits numbered from 0, positions in pole numbers, trip ratings in A.
    cords: Outlet banks of cords, from 0.

    Raises the errors of the section: more boards or circuits than it allows.
    """
    typed = as_typed(project).get("panels", {})
    boards = {board["tag"]: board for board in typed.get("boards", ())}
    boards |= {panel.tag: _board(panel) for panel in stated}
    banks = {_cord_key(cord): cord for cord in typed.get("cords", ())}
    banks |= {_cord_key(cord): cord for cord in map(_cords, cords)}
    lists = {"cords": list(banks.values()), "boards": list(boards.values())}
    panels = {name: entries for name, entries in lists.items() if entries}
    section = read_document({"schema_version": "1", "panels": panels}).panels
    return project.model_copy(update={"panels": section})


def as_built_with_texts(
    project: Project, panels: Iterable[Panel], texts: Mapping[tuple[str, str, int], str]
) -> tuple[AsBuiltPanel, ...]:
    """Return `panels` of a design of `project` as built, with the descriptions of the project.

    project: The project; its circuit descriptions are retained.
    panels: Panels of its design, circuits moved or not.
    texts: Replacement descriptions, (tag, rack, number from 0) to str.
    """
    given: dict[tuple[str, int], set[str]] = defaultdict(set)
    for board in project.panels.boards or ():
        for one in board.circuits or ():
            given[one.rack, (one.circuit or 1) - 1].add(one.description or "")
    listed = tuple(panels)
    known = {
        (panel.tag, circuit.rack, circuit.ordinal): circuit.description
        for panel in listed
        for circuit in panel.circuits
        if circuit.description in given.get((circuit.rack, circuit.ordinal), ())
    }
    known |= texts
    return tuple(
        replace(
            panel,
            circuits=tuple(
                replace(one, description=known.get((panel.tag, one.rack, one.number), ""))
                for one in panel.circuits
            ),
        )
        for panel in as_built_of(listed)
    )


def _board(panel: AsBuiltPanel) -> dict[str, Any]:
    entry: dict[str, Any] = {"tag": panel.tag}
    if panel.circuits:
        entry["circuits"] = [_circuit(circuit) for circuit in panel.circuits]
    if panel.spares:
        entry["spares"] = [
            {
                "poles": str(spare.poles),
                "breaker": f"{spare.breaker_a:g} A",
                "position": str(spare.position),
            }
            for spare in panel.spares
        ]
    return entry


def _circuit(circuit: AsBuiltCircuit) -> dict[str, Any]:
    entry: dict[str, Any] = {"rack": circuit.rack}
    if circuit.number:
        entry["circuit"] = str(circuit.number + 1)
    if circuit.position is not None:
        entry["position"] = str(circuit.position)
    if circuit.fixed:
        entry["fixed"] = "true"
    if circuit.banks is not None:
        entry["banks"] = [str(bank + 1) for bank in circuit.banks]
    texts = {
        "description": circuit.description,
        "together": circuit.together,
        "apart": circuit.apart,
    }
    return entry | {name: text for name, text in texts.items() if text}


def _cords(cords: AsBuiltCords) -> dict[str, Any]:
    return {
        "rack": cords.rack,
        "feed": cords.feed,
        "circuit": str(cords.number + 1),
        "banks": [str(bank + 1) for bank in cords.banks],
    }


def _cord_key(entry: dict[str, Any]) -> tuple[str, str, int]:
    return entry["rack"], entry["feed"], int(entry.get("circuit", 1))
