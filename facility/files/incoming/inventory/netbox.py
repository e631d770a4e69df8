"""Tables of a NetBox export joined with its devices: types, power ports, power feeds, racks."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from facility.core.errors import FacilityError
from facility.core.parse import parse_quantity
from facility.files.incoming.columns import HEAD_ROWS, IGNORE, TableMap, TableQuestion, plain
from facility.files.incoming.grid import ReadCells
from facility.files.incoming.inventory.answers import Answers, value_option
from facility.files.incoming.inventory.listing import ListedRow, Listing
from facility.files.incoming.inventory.racks import ListedRack
from facility.model.inputs.change import Typed

TYPES, PORTS, FEEDS, RACKS = (
    "netbox-device-types",
    "netbox-power-ports",
    "netbox-power-feeds",
    "netbox-racks",
)
_WORD = re.compile(r"[A-Za-z0-9]+")
_LINE_TO_NEUTRAL_V = (120.0, 127.0, 220.0, 230.0, 277.0)
_LINE_TO_LINE_V = (200.0, 208.0, 400.0, 415.0, 480.0)


def netbox_table(grid: ReadCells) -> str:
    """Return the kind of NetBox table of a file; empty for an inventory."""
    for _, texts in grid.rows(HEAD_ROWS):
        headings = {plain(text.split("(")[0]) for text in texts.values()}
        devices = headings & {"model", "device type", "type"} and "rack" in headings
        if "maximum draw" in headings and "device" in headings:
            return PORTS
        if "power panel" in headings and "amperage" in headings:
            return FEEDS
        if {"model", "u height"} <= headings and "rack" not in headings:
            return TYPES
        if headings >= {"name", "height", "facility id"}:
            return RACKS
        if {"name", "u height"} <= headings and not devices and "model" not in headings:
            return RACKS
    return ""


@dataclass
class Joined:
    """Rack data from the tables of an export, and open questions."""

    fields: set[str] = field(default_factory=set)  # Fields of racks that the tables state
    questions: list[TableQuestion] = field(default_factory=list)
    problems: list[FacilityError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def join_devices(
    listing: Listing, tables: Mapping[str, Sequence[TableMap]], answers: Answers
) -> Joined:
    """Add height and mass of device types, and supplies and power of power ports, to the rows."""
    found = Joined()
    described = {
        cells["model"].casefold(): cells
        for table in tables.get(TYPES, ())
        for _, cells in table.rows()
        if "model" in cells
    }
    for row in listing.rows:
        for name, text in described.get(row.cells["model"].casefold(), {}).items():
            if name in ("device_units", "manufacturer"):
                row.cells.setdefault(name, text.removesuffix(".0"))
    ports = _ports(tables.get(PORTS, ()), found)
    if not ports:
        return found
    several = next((name for name, draws in ports.items() if len(draws) > 1 and any(draws)), "")
    if several and not answers.ports:
        text = (
            f"the maximum draw of {several[:40]} is stated for {len(ports[several])} power ports."
        )
        hint = (
            "Add --ports sum if they share the load, or --ports each if each carries the full load."
        )
        where = tables[PORTS][0].location(2, "max_draw")
        found.questions.append(TableQuestion(where, text, hint, "NETBOX_PORTS"))
        return found
    known = set()
    for row in listing.rows:
        name = row.cells.get("name", "")
        if name in ports:
            known.add(name)
            row.cells.setdefault("supplies", str(len(ports[name])))
            draws = [draw for draw in ports[name] if draw]
            if draws:
                total_w = sum(draws) if answers.ports == "sum" else max(draws)
                row.cells.setdefault("max_power", f"{total_w:g} W")
    if len(known) < len(ports):
        found.notes.append(
            f"power ports of {len(ports) - len(known)} devices that are not in the list are ignored"
        )
    return found


def join_racks(
    racks: Sequence[ListedRack],
    tables: Mapping[str, Sequence[TableMap]],
    feeds: Sequence[str],
    answers: Answers,
    listed: Collection[str],
) -> Joined:
    """Add circuits of power feeds and heights of racks to the racks of a list.

    listed: Columns of the list.
    """
    found = Joined()
    by_name: dict[str, list[ListedRack]] = {}
    for rack in racks:
        by_name.setdefault(rack.name, []).append(rack)
    columns = tuple(name for name in ("room", "site") if name in listed)
    located = _Located(by_name, columns, answers, found)
    for row in _rows(tables.get(RACKS, ()), ("rack",)):
        described = located.rack(row)
        if described is not None and "rack_units" in row.cells:
            described.values["rack_units"] = row.cells["rack_units"].removesuffix(".0")
            found.fields.add("rack_units")
    queried: set[str] = set()
    circuits: dict[int, list[Typed]] = {}
    for row in _rows(tables.get(FEEDS, ()), ("rack",)):
        circuit = _circuit(row, feeds or ("A", "B"), answers, queried, found)
        fed = None if circuit is None else located.rack(row)
        if circuit is not None and fed is not None:
            circuits.setdefault(id(fed), []).append(circuit)
    for rack in racks:
        own = circuits.get(id(rack))
        if own:
            sides = sorted({str(one["feed"]) for one in own if isinstance(one, dict)})
            rack.values |= {"feeds": list[Typed](sides), "circuits": own}
            found.fields |= {"feeds", "breaker"}
    return found


def _rows(tables: Sequence[TableMap], needed: Sequence[str]) -> Iterator[ListedRow]:
    for table in tables:
        for number, cells in table.rows():
            if all(name in cells for name in needed):
                yield ListedRow(table, number, cells)


@dataclass
class _Located:
    """Racks of a list by name; the row of another table names one of them."""

    by_name: Mapping[str, Sequence[ListedRack]]
    columns: tuple[str, ...]  # Columns of the list that state where a rack is: room, site
    answers: Answers
    found: Joined
    seen: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def rack(self, row: ListedRow) -> ListedRack | None:
        """Return the rack of a row; None for other racks, or if its room is ambiguous."""
        name = row.cells["rack"]
        racks = self.by_name.get(name, ())
        words = [row.cells[one] for one in self.columns if one in row.cells][:1]
        stated = self.answers.meaning(words[0]) if words else ""
        if not racks or stated == IGNORE:
            return None
        location = tuple(row.cells.get(one, "") for one in ("room", "site"))
        if not words:
            same_room = self.seen.setdefault(name, location) == location
            same = racks if len(racks) == 1 and same_room else ()
        else:
            form = re.compile(rf"(?<!\w){re.escape(stated)}(?!\w)", re.IGNORECASE)
            same = [rack for rack in racks if form.search(rack.hall)]
        if len(same) == 1:
            return same[0]
        if not any(one.code == "INVENTORY_ROOM" for one in self.found.questions):
            self.found.questions.append(self._question(row, words, [rack.hall for rack in racks]))
        return None

    def _question(
        self, row: ListedRow, words: Sequence[str], halls: Sequence[str]
    ) -> TableQuestion:
        name, listed = row.cells["rack"][:40], ", ".join(repr(hall[:40]) for hall in halls[:4])
        if words:
            text = f"rack {name} is in {words[0][:40]!r} here, and in {listed} in the list."
            hint = (
                f"Add {value_option(words[0], halls[0])} if this is the same room, or "
                f"{value_option(words[0], IGNORE)} to omit the rows of this room."
            )
        else:
            text = (
                f"rack {name} of this row can be in several rooms; in the list it is in {listed}."
            )
            hint = "Add the room or site to both tables (column Location or Site)."
        return TableQuestion(row.at("rack"), text, hint, "INVENTORY_ROOM")


def _ports(tables: Sequence[TableMap], found: Joined) -> dict[str, list[float]]:
    """Return the maximum draw of every power port [W] by device, 0 where it is not stated."""
    ports: dict[str, list[float]] = {}
    for row in _rows(tables, ("name",)):
        text = row.cells.get("max_draw", "")
        try:
            typed = row.table.quantity_text("max_draw", text)
            draw_w = parse_quantity(typed, "active_power").si if text else 0.0
        except FacilityError as error:
            where = row.at("max_draw")
            found.problems.append(FacilityError(error.code, where, error.message, error.hint))
            continue
        ports.setdefault(row.cells["name"], []).append(draw_w)
    return ports


def _circuit(
    row: ListedRow, feeds: Sequence[str], answers: Answers, queried: set[str], found: Joined
) -> dict[str, Typed] | None:
    """Return the circuit of a power feed; None where its side or its poles are a question."""
    panel, name = row.cells.get("panel", ""), row.cells.get("feed", "")
    side = next(
        (side for text in (name, panel) if (side := _side(answers.meaning(text), feeds))), ""
    )
    if not side and panel not in queried:
        queried.add(panel)
        text = f"neither power feed {name[:40]!r} nor power panel {panel[:40]!r} names a feed"
        hint = f"Add {value_option(panel, feeds[0])} (feeds: {', '.join(feeds)})."
        found.questions.append(TableQuestion(row.at("panel"), f"{text}.", hint, "UNKNOWN_FEED"))
    poles = _poles(row, answers)
    voltage = row.cells.get("voltage", "")
    if not poles and voltage not in queried:
        queried.add(voltage)
        text = (
            f"a single-phase feed at {voltage or 'an unknown voltage'} can have one or two poles."
        )
        hint = (
            f"Add --value '{voltage}=1' (line to neutral) or --value '{voltage}=2' (line to line)."
        )
        found.questions.append(TableQuestion(row.at("voltage"), text, hint, "NETBOX_POLES"))
    if not side or not poles:
        return None
    circuit: dict[str, Typed] = {"feed": side, "poles": poles}
    if "amperage" in row.cells:
        circuit["breaker"] = f"{row.cells['amperage'].removesuffix('.0')} A"
    return circuit


def _side(text: str, feeds: Sequence[str]) -> str:
    """Return the one feed that is a word of a text; empty without one."""
    words = set(_WORD.findall(text))
    sides = [feed for feed in feeds if feed in words]
    return sides[0] if len(sides) == 1 else ""


def _poles(row: ListedRow, answers: Answers) -> str:
    text = row.cells.get("voltage", "")
    if "three" in row.cells.get("phase", "").casefold():
        return "3"
    stated = answers.meaning(text)
    if stated in ("1", "2"):
        return stated
    try:
        voltage_v = float(text)
    except ValueError:
        return ""
    one, two = voltage_v in _LINE_TO_NEUTRAL_V, voltage_v in _LINE_TO_LINE_V
    return "1" if one else "2" if two else ""
