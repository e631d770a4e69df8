"""Writing of balanced or imported panels into their project file."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from facility.core.errors import FacilityError, unknown
from facility.files.circuit_table.read import TableAnswers
from facility.files.import_panel.merge import Difference
from facility.files.import_panel.read import PanelImport, import_panel
from facility.files.io.atomic import file_changed, replace_bytes
from facility.files.io.file_names import safe_file_name
from facility.files.io.read_text import read_bytes, text_of
from facility.files.project.file import parse_project
from facility.files.project.text import with_panels_text
from facility.model.inputs.document import Project, as_typed
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.design.halls import PanelSet
from facility.study.as_built_panels import as_built_with_texts, with_panels
from facility.study.design.design import Design, design

_APPLICABLE = ("position", "fixed", "description")
_APPLICABLE_OF_SPARES = ("position", "breaker_a", "poles")
_CLOSE = 1e-6


@dataclass(frozen=True)
class ApplicablePanels:
    """Imported panels as far as a project can represent them, and the rest."""

    panels: tuple[Panel, ...]  # Panels of the design that change
    left: tuple[Difference, ...]  # What follows from other sections
    notes: tuple[str, ...] = ()


def read_panels(
    content: bytes, name: str, against: Design, answers: TableAnswers | None = None
) -> tuple[PanelImport, ...]:
    """Return the panels that an uploaded workbook or table states, compared with a design.

    answers: What the user states in addition to the cells.

    Raises as `import_panel`.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{safe_file_name(Path(name).stem)}{Path(name).suffix.lower()}"
        path.write_bytes(content)
        return import_panel(path, against=against, answers=answers)


def with_applicable(project: Project, applicable: ApplicablePanels) -> Project:
    """Return a project with the panels that `applicable_panels` found for it."""
    return with_panels(project, as_built_with_texts(project, applicable.panels, {}))


def applicable_panels(found: Sequence[PanelImport], against: Design) -> ApplicablePanels:
    """Return the panels of a file that the project of a design can store, problems excluded.

    A project holds positions, fixed marks and descriptions of rack circuits, and spares. Loads,
    ratings and racks follow from its other sections. Circuits that the file has no more are left to
    be placed.

    Raises as `of_project`; ``PANEL_MISMATCH`` where a circuit feeds another rack in the file.
    """
    panels: list[Panel] = []
    ignored: list[Difference] = []
    notes: list[str] = []
    for one in found:
        panel, added = of_project(one.panel, against)
        base = next(other for other in against.panels.panels if other.tag == panel.tag)
        read = {c.id: c for c in one.panel.circuits}
        panels.append(panel)
        notes += added
        ignored += [
            d
            for d in one.differences
            if d.field == "description" or not _is_applicable(d, base, read)
        ]
    return ApplicablePanels(tuple(panels), tuple(ignored), tuple(notes))


def apply_panels(path: Path, before: Design, panels: Sequence[Panel]) -> list[str]:
    """Write the arrangement of `panels` to the project file at `path`; comments are kept.

    Returns a line for each panel, and for each of its circuits that changed.

    path: Project file, YAML or JSON, that `before` is the design of.
    before: Design of the project as it is.
    panels: Panels of that design with circuits moved or marked.

    Raises ``NOTHING_TO_APPLY`` if the project would not change, ``APPLY_FAILED`` if its design
    would place circuits differently, ``FILE_CHANGED`` if the file was edited since the design; and
    errors of reading and writing.
    """
    stated = as_built_with_texts(before.project, panels, {})
    project = with_panels(before.project, stated)
    if as_typed(project) == as_typed(before.project):
        raise FacilityError(
            "NOTHING_TO_APPLY",
            str(path),
            "the project already contains these values.",
            "Nothing was written.",
        )
    after = design(project)
    placed = {
        (p.tag, c.rack, c.ordinal): c.position for p in after.panels.panels for c in p.circuits
    }
    for panel in panels:
        for circuit in panel.circuits:
            position_now = placed.get((panel.tag, circuit.rack, circuit.ordinal))
            if circuit.rack and circuit.position not in (None, position_now):
                raise FacilityError(
                    "APPLY_FAILED",
                    panel.tag,
                    f"the design would move circuit"
                    f" {circuit.ordinal + 1} of {circuit.rack} at {circuit.position}.",
                    "Nothing was written. Please report this.",
                )
    replace_panels(path, before.project, project)
    return _changes(before.panels, panels)


def replace_panels(path: Path, before: Project, after: Project) -> None:
    """Write the panels of `after` into the project file at `path` if it is still `before`.

    Raises ``FILE_CHANGED`` if the file is no longer `before`: concurrent edits are preserved, and
    nothing is written. Also errors of reading and writing.
    """
    content = read_bytes(path)
    try:
        now = as_typed(parse_project(content, str(path)))
    except FacilityError:
        raise file_changed(path) from None
    if now != as_typed(before):
        raise file_changed(path)
    text = text_of(content, str(path))
    replace_bytes(path, content, with_panels_text(text, after).encode())


def _changes(before: PanelSet, panels: Sequence[Panel]) -> list[str]:
    """Return a line for each panel, and for each of its circuits that changed."""
    known = {panel.tag: panel for panel in before.panels}
    lines = []
    for panel in panels:
        was = {(c.rack, c.ordinal): c for c in known[panel.tag].circuits if c.rack}
        changed = []
        for circuit in (c for c in panel.circuits if c.rack):
            old = was[circuit.rack, circuit.ordinal]
            words = _words(panel, old, circuit)
            if words:
                changed.append(f"  {old.id} ({circuit.rack}): {', '.join(words)}")
        rest = f"{len(was) - len(changed)} of {len(was)} circuits fixed as placed"
        lines += [f"{panel.tag}: {rest}", *changed]
        lines += _spares(known[panel.tag], panel)
    return lines


def _words(panel: Panel, old: Circuit, new: Circuit) -> list[str]:
    words = []
    if new.position is None:
        words.append("position set by the design")
    elif old.position != new.position:
        shown = [panel.layout.label(n) for n in (old.position or 0, new.position)]
        words.append(
            f"moved from {shown[0]} ({panel.phases(old)}) to {shown[1]} ({panel.phases(new)})"
        )
    if old.fixed != new.fixed:
        words.append("fixed" if new.fixed else "free to move")
    return words


def _spares(old: Panel, new: Panel) -> list[str]:
    was, now = (Counter(_spare_words(panel)) for panel in (old, new))
    added = [f"  {words}: added" for words in (now - was).elements()]
    return [*added, *(f"  {words}: removed" for words in (was - now).elements())]


def _spare_words(panel: Panel) -> list[str]:
    return [
        f"spare of {c.poles} poles, {c.breaker_a or 0.0:g} A, at"
        f" {panel.layout.label(c.position or 0)}"
        for c in panel.circuits
        if c.class_code == "SPARE"
    ]


def of_project(read: Panel, found: Design) -> tuple[Panel, tuple[str, ...]]:
    """Return the design's panel of a panel CSV, with circuits placed as in the file.

    Circuits are matched by rack and side; several circuits of one rack by id.

    read: The panel as read, every circuit placed.
    found: Design of the project.

    Raises ``UNKNOWN_PANEL``; ``PANEL_MISMATCH`` if the circuits differ from the design.

    Returns
    -------
    Panel
        Panel of the design, with the positions, fixed marks and spares of `read`.
    tuple of str
        Notes: circuits whose VA differ between file and design.
    """
    known = {panel.tag: panel for panel in found.panels.panels}
    if read.tag not in known:
        raise unknown(
            "UNKNOWN_PANEL", "panel", f"the project has no panel {read.tag!r}.", read.tag, known
        )
    base = known[read.tag]
    if (read.poles, read.numbering) != (base.poles, base.numbering):
        raise _mismatch(
            read.tag,
            f"it has {read.poles} poles ({read.numbering}) in the file, {base.poles}"
            f" ({base.numbering}) in the project.",
        )
    spares = [c for c in read.circuits if c.class_code == "SPARE" and not c.rack]
    pairs = _pairs([c for c in read.circuits if c not in spares], base)
    heavier = [
        old.id
        for new, old in pairs
        if not math.isclose(abs(new.total_va()), abs(old.total_va()), rel_tol=_CLOSE)
    ]
    notes: tuple[str, ...] = ()
    if heavier:
        notes = (
            f"{len(heavier)} circuits have other VA in the file than in the project, first"
            f" {heavier[0]}; only positions were imported",
        )
    placed = {old.id: (new.position, new.fixed) for new, old in pairs}
    circuits = [
        replace(c, position=placed[c.id][0], fixed=placed[c.id][1]) for c in base.circuits if c.rack
    ]
    return replace(base, circuits=(*circuits, *spares)), notes


def _pairs(given: Sequence[Circuit], base: Panel) -> list[tuple[Circuit, Circuit]]:
    """Return each circuit of the file with its circuit of the design."""
    left = {c.id: c for c in base.circuits if c.rack}
    many = Counter(c.rack for c in left.values())
    pairs = []
    for circuit in given:
        if circuit.side and circuit.side != base.side:
            raise _mismatch(base.tag, f"circuit {circuit.id!r} has side {circuit.side}.")
        candidates = [c for c in left.values() if c.rack == circuit.rack]
        if not circuit.rack or many[circuit.rack] > 1:
            candidates = [c for c in left.values() if c.id == circuit.id]
            candidates = [c for c in candidates if circuit.rack in ("", c.rack)]
        candidates = [c for c in candidates if c.poles == circuit.poles]
        if not candidates:
            raise _mismatch(
                base.tag,
                f"circuit {circuit.id!r} of rack {circuit.rack or '(none)'!r} with"
                f" {circuit.poles} poles is not in the project, or is twice in the file.",
            )
        pairs.append((circuit, left.pop(candidates[0].id)))
    if left:
        first = next(iter(left.values()))
        raise _mismatch(
            base.tag,
            f"the file is missing {len(left)} of its circuits, first {first.id!r} of rack "
            f"{first.rack!r}.",
        )
    return pairs


def _mismatch(tag: str, message: str) -> FacilityError:
    return FacilityError(
        "PANEL_MISMATCH",
        tag,
        f"the file does not match panel {tag} of the project: {message}",
        "Balance the panel of the project itself (facility balance PROJECT --panel"
        f" {tag}), or correct the columns id, rack and side.",
    )


def _is_applicable(difference: Difference, base: Panel, read: Mapping[str, Circuit]) -> bool:
    was = next((c for c in base.circuits if c.id == difference.circuit), None)
    now = read.get(difference.circuit)
    if was is not None and was.rack:
        return difference.field in _APPLICABLE
    if now is None:
        return was is not None and was.class_code == "SPARE"
    stated = now.class_code == "SPARE" and now.breaker_a is not None
    return stated and difference.field in (*_APPLICABLE_OF_SPARES, "circuit")
