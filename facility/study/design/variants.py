"""Project variants by voltage system, with the selected cooling."""

from __future__ import annotations

from facility.core.choice import Selection
from facility.core.sources import RULE
from facility.core.trace import Trace
from facility.model.inputs.document import Project
from facility.power.it.supplies import refuse_air_only
from facility.study.annual.hours import hours_of
from facility.study.design.cooling_choice import choose_cooling
from facility.study.design.lineups import VoltageVariant, sampled_hours
from facility.study.design.plants import LARGEST, Entries, with_choice
from facility.study.overrides import ledger_of
from facility.study.resolve.facility import resolve
from facility.study.resolve.site.weather import weather_year


class Variants:
    """The project on each voltage system, resolved at its first comparison.

    Facility water, cooling plant, CDUs and chillers are chosen with the first system, for all.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._found: dict[str, VoltageVariant] = {}
        self._chosen: list[Selection[Entries]] | None = None

    def __call__(self, system: str) -> VoltageVariant:
        """Return the project on a voltage system, the usual one for an empty name."""
        if system not in self._found:
            found = self._resolved(system)
            if self._chosen is None:
                found = self._with_cooling(found)
            for choice in self._chosen or ():
                for path, name in choice.chosen.item.items():
                    if path == LARGEST:
                        found.trace.assume(
                            path, found.trace.value(path), "heat_flow", choice.because, RULE
                        )
                    else:
                        usual = next((one.text for one in found.trace.ledger if one.id == path), "")
                        found.trace.ledger.add_text(path, name or usual, choice.because, RULE)
            self._found[system] = found
            self._found[found.facility.power.wiring.rack_system] = found
        return self._found[system]

    @property
    def choices(self) -> tuple[Selection[Entries], ...]:
        """Choices of the cooling."""
        return tuple(self._chosen or ())

    def _resolved(self, system: str) -> VoltageVariant:
        trace = Trace(ledger_of(self._project))
        facility, it = resolve(self._project, trace, system)
        refuse_air_only(facility.it.racks, facility.cooling.method)
        year = weather_year(self._project.site, facility.site)
        hours = None if year is None else sampled_hours(hours_of(year).weather)
        several = bool(system) or len(facility.power.wiring.systems) > 1
        return VoltageVariant(facility, it, trace, hours, several)

    def _with_cooling(self, usual: VoltageVariant) -> VoltageVariant:
        """Return the project with its selected cooling."""
        self._chosen = choose_cooling(self._project, usual.facility, usual.it, usual.hours)
        entries = {path: name for one in self._chosen for path, name in one.chosen.item.items()}
        resolved = {one.id: one.text for one in usual.trace.ledger}
        if all(not name or resolved.get(path) == name for path, name in entries.items()):
            return usual
        cooling = with_choice(self._project.cooling, entries)
        self._project = self._project.model_copy(update={"cooling": cooling})
        return self._resolved("")
