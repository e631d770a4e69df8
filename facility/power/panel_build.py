"""Groups of panels with tags, racks and partners: equal groups share one worked-out pattern."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from facility.model.it import Hall, ItPlan
from facility.model.power_chain_panels import PanelBasis
from facility.power.panel_currents import ComplexArray, class_power, currents
from facility.power.panel_fill import Filling, Group, Hung
from facility.power.panel_layout import LAYOUTS
from facility.power.panel_model import Circuit, Panel
from facility.power.panel_pattern import panel_pattern, turned
from facility.power.panel_racks import feed_states


@dataclass(frozen=True, eq=False)
class Built:
    """Panels with their phasors, before totals and checks.

    Attributes
    ----------
    panels : tuple[Panel, ...]
        Panels, group by group.
    phasors : ndarray, shape (panels, states, 4)
        Phasor currents of A, B, C, N [A].
    class_power : tuple of ndarray, shape (states, 6) each
        Power on AN, BN, CN, AB, BC, CA of each panel [VA].
    power : ndarray, shape (panels, states)
        Complex power of each panel [VA].
    alike : tuple[tuple[int, ...], ...]
        Indices of the panels that are filled alike, by sort.
    """

    panels: tuple[Panel, ...]
    phasors: ComplexArray
    class_power: tuple[ComplexArray, ...]
    power: ComplexArray
    alike: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class _Sheet:
    """A panel worked out, with what hangs on it and what follows from it."""

    hung: tuple[Hung, ...]
    circuits: tuple[Circuit, ...]
    class_power: ComplexArray
    phasors: ComplexArray


def build_all(
    groups: Sequence[tuple[Hall, Group]], plan: ItPlan, basis: PanelBasis, filling: Filling
) -> Built:
    """Return all panels of `groups`, in order.

    Groups filled alike are turned by one phase after the other, so that what is left uneven in
    each panel evens out upstream.
    """
    sheets: dict[tuple[Group, int], dict[str, _Sheet]] = {}
    names = _RackNames(plan)
    panels: list[Panel] = []
    made: list[_Sheet] = []
    alike: dict[tuple[Group, str], list[int]] = {}
    width = max(2, len(str(len(groups))))
    for number, (hall, group) in enumerate(groups, start=1):
        turn = (number - 1) % 3
        if (group, 0) not in sheets:
            sheets[group, 0] = _sheets(group, basis, filling)
        if (group, turn) not in sheets:
            sheets[group, turn] = {
                feed: _turned(sheet, turn, basis) for feed, sheet in sheets[group, 0].items()
            }
        found = sheets[group, turn]
        for feed, panel in _group(found, f"{number:0{width}d}", hall, names, basis):
            alike.setdefault((group, feed), []).append(len(panels))
            panels.append(panel)
            made.append(found[feed])
    states = len(feed_states(basis.feeds))
    power = np.array([s.class_power for s in made]).reshape(len(made), states, 6)
    return Built(
        panels=tuple(panels),
        phasors=np.array([s.phasors for s in made]).reshape(len(made), states, 4),
        class_power=tuple(s.class_power for s in made),
        power=power.sum(axis=2),
        alike=tuple(tuple(rows) for rows in alike.values()),
    )


def _sheets(group: Group, basis: PanelBasis, filling: Filling) -> dict[str, _Sheet]:
    sheets = {}
    for feed in basis.feeds:
        hung = tuple(h for unit, count in group for _ in range(count) for h in unit.on(feed))
        if hung:
            sheets[feed] = _sheet(hung, panel_pattern(hung, filling, basis), basis)
    return sheets


def _turned(sheet: _Sheet, steps: int, basis: PanelBasis) -> _Sheet:
    if steps == 0 or not all(hung.whip.turns for hung in sheet.hung):
        return sheet
    return _sheet(sheet.hung, turned(sheet.circuits, steps), basis)


def _sheet(hung: tuple[Hung, ...], circuits: tuple[Circuit, ...], basis: PanelBasis) -> _Sheet:
    layout = LAYOUTS[basis.numbering]
    states = len(feed_states(basis.feeds))
    total = np.zeros((states, 6), dtype=np.complex128)
    for circuit in circuits:
        total += class_power(circuit, layout.phase(circuit.position or 1), states)
    return _Sheet(hung, circuits, total, currents(total, basis.v_ll))


class _RackNames:
    """Names racks by kind and serial number, each circuit of a rack by the same name."""

    def __init__(self, plan: ItPlan) -> None:
        self._names = [rack.name for rack in plan.racks]
        total: Counter[str] = Counter()
        self._offset = []
        for rack in plan.racks:
            self._offset.append(total[rack.name])
            total[rack.name] += rack.count
        self._width = {name: max(2, len(str(count))) for name, count in total.items()}
        self._single = {name for name, count in total.items() if count == 1}
        self._used: Counter[tuple[int, str, int]] = Counter()

    def next(self, hung: Hung) -> str:
        key = (hung.kind, hung.whip.feed, hung.whip.ordinal)
        self._used[key] += 1
        return self.of(hung.kind, self._used[key])

    def of(self, kind: int, serial: int) -> str:
        """Return the name of the rack `serial`, from 1, of a kind."""
        name = self._names[kind]
        if name in self._single:
            return name
        return f"{name} {self._offset[kind] + serial:0{self._width[name]}d}"


def rack_names(plan: ItPlan) -> Iterator[tuple[str, int]]:
    """Yield the name of every rack with the index of its kind, as the circuits name them."""
    names = _RackNames(plan)
    for kind, rack in enumerate(plan.racks):
        for serial in range(1, rack.count + 1):
            yield names.of(kind, serial), kind


def _group(
    sheets: dict[str, _Sheet], number: str, hall: Hall, names: _RackNames, basis: PanelBasis
) -> list[tuple[str, Panel]]:
    tags = {feed: f"{basis.tag_prefix}-{feed}{number}" for feed in sheets}
    racks = {feed: [names.next(hung) for hung in sheet.hung] for feed, sheet in sheets.items()}
    partners = _partners(sheets, tags, racks, basis)
    panels = []
    for feed, sheet in sheets.items():
        circuits = tuple(
            _tagged(circuit, hung, rack, tags, partners[rack], hall, basis)
            for circuit, hung, rack in zip(sheet.circuits, sheet.hung, racks[feed], strict=True)
        )
        panels.append((feed, Panel(
            tag=tags[feed], side=feed, hall=hall.name, system=basis.system, v_ll=basis.v_ll,
            poles=basis.poles, bus_a=basis.bus_a, main_a=basis.main_a,
            listed_100=basis.listed_100, fed_from=basis.fed_from[basis.feeds.index(feed)],
            paired=tuple(tag for other, tag in tags.items() if other != feed),
            numbering=basis.numbering, states=feed_states(basis.feeds), circuits=circuits,
        )))  # fmt: skip
    return panels


def _id(tag: str, circuit: Circuit, basis: PanelBasis) -> str:
    return f"{tag}-{LAYOUTS[basis.numbering].label(circuit.position or 0)}"


def _partners(
    sheets: dict[str, _Sheet], tags: dict[str, str], racks: dict[str, list[str]], basis: PanelBasis
) -> dict[str, list[tuple[str, int, str]]]:
    found: dict[str, list[tuple[str, int, str]]] = {}
    for feed, sheet in sheets.items():
        for circuit, hung, rack in zip(sheet.circuits, sheet.hung, racks[feed], strict=True):
            found.setdefault(rack, []).append(
                (feed, hung.whip.ordinal, _id(tags[feed], circuit, basis))
            )
    return found


def _tagged(
    circuit: Circuit, hung: Hung, rack: str, tags: dict[str, str],
    partners: list[tuple[str, int, str]], hall: Hall, basis: PanelBasis,
) -> Circuit:  # fmt: skip
    feed, ordinal = hung.whip.feed, hung.whip.ordinal
    return replace(
        circuit,
        id=_id(tags[feed], circuit, basis),
        description=f"{rack}: {circuit.description}",
        rack=rack,
        partner=" / ".join(id for other, n, id in partners if other != feed and n == ordinal),
        length_m=hall.route_max_m,
    )
