"""Complete design of a project, with results, checks and trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING

from facility.catalogue.weather import WeatherYear
from facility.cooling.chain.electrical_units import electrical_units
from facility.cooling.chain.sizing import size_cooling_unchecked, solve_cooling
from facility.core.check import Check, merged
from facility.core.choice import Selection
from facility.core.ledger import Ledger
from facility.core.reference import reference_sha256
from facility.core.table import Results
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.model.inputs.document import Project, project_sha256
from facility.model.power.mechanical import CoolingUnits
from facility.power.chain.sizing import size_chain_unchecked, solve_chain
from facility.power.it.load import ItLoad
from facility.power.panels.design.neutral_checks import harmonic_checks
from facility.power.panels.design.rack_pdu_checks import rack_pdu_checks
from facility.power.panels.design.shelf_checks import shelf_checks
from facility.power.train.results import ChainFlow
from facility.study.as_built import as_built
from facility.study.design.checks import study_checks, unused, waived
from facility.study.design.electrical import design_electrical
from facility.study.design.estimate import record_estimate
from facility.study.design.lineups import design_lineups
from facility.study.design.redundancy import redundancy_check
from facility.study.design.results import assemble
from facility.study.design.steps import record_loads, record_results
from facility.study.design.unused import unused_cooling
from facility.study.design.variants import Variants
from facility.study.equipped import equipment_note, equipped, equipped_property
from facility.study.loop import OperatingPoint, Sized, check_sized, heat_of, operate
from facility.study.overrides import reason_checks
from facility.study.plausible import refuse_impossible
from facility.study.resolve.facility import refuse_unknown_confirmations
from facility.study.resolve.site.checks import announcements, site_checks
from facility.study.resolve.site.weather import weather_year
from facility.study.resolve.standards import (
    evaluated_where_covered,
    uncovered_checks,
    uncovered_notices,
)
from facility.study.studies import (
    MULTI_STATE_STUDIES,
    PARTS,
    YEAR_FIRST,
    Studied,
    StudyContext,
    StudyOutcome,
    WithChecks,
    run_study,
)

if TYPE_CHECKING:
    from facility.cooling.hydraulics.study import Hydraulics
    from facility.cooling.liquid_path.study import LiquidPath
    from facility.cooling.room.study import RoomAir
    from facility.power.network.outages.states import StateSolver
    from facility.study.annual.components import LoadComponents
    from facility.study.annual.result import AnnualStudy
    from facility.study.distribution.study import Distribution
    from facility.study.failures.study import FailureStudy
    from facility.study.plant_options import Buffers, PlantOptions
    from facility.study.transient.load.result import LoadStudy
    from facility.study.transient.study import TransientStudy

_MAX_PASSES = 9
_TRACED = tuple(PARTS[name] for name in YEAR_FIRST if name not in MULTI_STATE_STUDIES)


@dataclass(frozen=True, eq=False)
class Design(StudyContext):
    """A complete design.

    Attributes
    ----------
    project : Project
        The project, as specified by the user.
    sha256 : str
        Hash of the project as typed.
    facility : Facility
        The complete facility, in SI.
    it, panels, chain, cooling : ItLoad, PanelSet, ChainDesign, CoolingDesign
        The designed systems.
    electrical : ElectricalDesign
        Batteries, conductors, faults and the other electrical studies.
    point : OperatingPoint
        Power and cooling in balance at the design hour.
    estimate : OperatingPoint or None
        Power and cooling at the stated mean weather of a site without a weather year, basis of the
        annual and monthly estimates; None if not stated, or with a weather year: `year` has the
        figures.
    results : Results
        Results of the sizing by dotted key; `all_results` adds those of the studies.
    sizing_checks : tuple[Check, ...]
        The checks of the sizing; `checks` adds those of all studies.
    choices : tuple[Selection, ...]
        Candidates of each subsystem chosen by result, the selected one first.
    trace : Trace
        Derivation of each number of the sizing; `full_trace` adds those of the studies.
    """

    project: Project
    sha256: str
    estimate: OperatingPoint | None
    sizing_checks: tuple[Check, ...]
    choices: tuple[Selection[object], ...]

    def __repr__(self) -> str:
        load, pue = (self.results[key].shown() for key in ("load.facility", "pue.design"))
        return f"<Design {self.facility.identity.name}: {load}, PUE {pue}>"

    def _repr_html_(self) -> str:
        """Return title and results of the sizing, for notebooks."""
        return f"<p>{escape(self.title)}</p>{self.results._repr_html_()}"

    @property
    def reference_sha256(self) -> str:
        """Hash of the reference data."""
        return reference_sha256()

    @equipped_property
    def distribution(self) -> Distribution:
        """Network, conductors and fault currents; calculated on first access.

        Raises
        ------
        FacilityError
            If no conductor or device fits.
        """
        from facility.power.ups.input_limit import module_input
        from facility.study.distribution.study import distribute
        from facility.study.distribution.wiring import Sizing

        ups_input = module_input(self.electrical.results)
        demand, flow = self.point.demand, self.point.flow
        sizing = Sizing(
            self.facility,
            self.chain,
            self.panels,
            demand,
            flow,
            ups_input,
            self.trace,
            self.electrical_units,
        )
        return distribute(sizing)

    @property
    def electrical_units(self) -> tuple[CoolingUnits, ...]:
        """The cooling equipment as electrical loads at the design hour."""
        largest_w = self.facility.electrical.conductors.largest_pump_w
        return electrical_units(self.cooling, self.point.cooling, self.trace, largest_w)

    @equipped_property
    def room_air(self) -> RoomAir:
        """The air path: racks, limits, moisture, units, sensors; calculated on first access.

        Raises
        ------
        FacilityError
            For an air class that is missing in the table.
        """
        from facility.cooling.room.study import room_air

        return room_air(
            self.facility, self.cooling, self.cooling_flow, self.point.heat, self.trace.draft()
        )

    @equipped_property
    def hydraulics(self) -> Hydraulics:
        """Pipes, heads and volumes of all loops; calculated on first access.

        Raises
        ------
        FacilityError
            With the loop name, if no pipe fits or its temperatures are invalid.
        """
        from facility.cooling.hydraulics.study import study_hydraulics

        site, trace = self.facility.site, self.trace.draft()
        return study_hydraulics(self.cooling, self.cooling_flow, site, trace)

    @equipped_property
    def liquid_path(self) -> LiquidPath:
        """Racks, CDUs and commissioning of the liquid path; calculated on first access."""
        from facility.cooling.liquid_path.study import study_liquid

        loop = self.hydraulics.loop("tcs")
        return study_liquid(self.cooling, self.cooling_flow, loop, self.trace.draft())

    @equipped_property
    def weather_year(self) -> WeatherYear | None:
        """The typical weather year of the site; None without one."""
        return weather_year(self.project.site, self.facility.site)

    @equipped_property
    def mean(self) -> OperatingPoint | None:
        """The balance at mean annual weather and mean IT load; None if not known.

        One typical hour of the plant, not an annual result: see `year`.
        """
        if self.estimate is not None:
            return self.estimate
        return _mean_point(self.facility, self.it, Sized(self.chain, self.cooling))

    @equipped_property
    def hours(self) -> StudyOutcome[AnnualStudy] | None:
        """Outcome of the annual study; None without a weather year for the site."""
        from facility.study.annual.study import annual

        return None if self.weather_year is None else run_study("the year", lambda: annual(self))

    @equipped_property
    def components(self) -> LoadComponents | None:
        """Mechanical load and electrical loss components; calculated on first access."""
        from facility.study.annual.components import load_components

        return load_components(self)

    @property
    def year(self) -> AnnualStudy | None:
        """The annual study; None without a weather year, or if it failed."""
        return None if self.hours is None else self.hours.study

    @property
    def year_refusal(self) -> str:
        """Why there is no annual study, and the input to specify; empty if there is one."""
        from facility.study.annual.study import no_weather

        return no_weather(self).explanation if self.hours is None else self.hours.refusal

    @equipped_property
    def plant_options(self) -> PlantOptions:
        """Economizer hours, staging, storage, heat reuse; calculated on first access."""
        from facility.study.plant_options import study_plant

        plan = self.facility.cooling
        needed = plan.economizer.kind != "none" or plan.heat_reuse is not None
        return study_plant(
            self.facility,
            self.cooling,
            self.cooling_flow,
            self.mean,
            self.year if needed else None,
            self.buffers,
            self.trace.draft(),
        )

    @property
    def buffers(self) -> Buffers:
        """Tanks of the plant: stated, or sized for ride-through."""
        from facility.study.transient.study import buffers_of

        return buffers_of(self, self.ride_through.study)

    @equipped_property
    def states(self) -> StateSolver:
        """Solver of any outage of the power network, with cached states."""
        from facility.power.network.outages.states import StateSolver
        from facility.study.failures.study import battery_autonomy

        return StateSolver(self.distribution.plan.compiled, battery_autonomy(self))

    @equipped_property
    def outages(self) -> StudyOutcome[FailureStudy]:
        """Outcome of the failure study: all single outages; solved on first access."""
        from facility.study.failures.study import failures

        return run_study("outages", lambda: failures(self))

    @equipped_property
    def ride_through(self) -> StudyOutcome[TransientStudy]:
        """Outcome of the ride-through study; simulated on first access."""
        from facility.study.transient.study import transient

        return run_study("ride-through", lambda: transient(self, storage=False))

    @equipped_property
    def moving_load(self) -> StudyOutcome[LoadStudy]:
        """Outcome of the dynamic-load study; simulated on first access."""
        from facility.study.transient.load.study import load_motion

        return run_study("dynamic load", lambda: load_motion(self))

    @equipped_property
    def checks(self) -> tuple[Check, ...]:
        """All checks of all studies, identical ones merged, passed ones with margin."""
        found: list[WithChecks | None] = [getattr(self, studied) for studied in PARTS.values()]
        of_studies = (check for one in found if one is not None for check in one.checks)
        return self.all_with_waivers((*self.sizing_checks, *of_studies))

    def with_waivers(self, checks: Iterable[Check]) -> tuple[Check, ...]:
        """Return checks of this design: by the editions covered, with waivers applied."""
        uncovered = self.facility.criteria.uncovered
        return waived(self.project, evaluated_where_covered(uncovered, checks))

    def all_with_waivers(self, checks: Iterable[Check]) -> tuple[Check, ...]:
        """Return the checks of all studies, identical ones merged, and unused waivers.

        Parameters
        ----------
        checks : iterable of Check
            All checks found, waived ones included or not.
        """
        found = merged(self.with_waivers(checks))
        return (*found, *unused(self.project, found))

    @property
    def studies(self) -> Iterator[Studied]:
        """The studies that continue the trace, each run when reached."""
        return (found for name in _TRACED if (found := _study(getattr(self, name))) is not None)

    @property
    def studied(self) -> Iterator[Studied]:
        """The completed `studies`."""
        done = vars(self)
        return (found for name in _TRACED if (found := _study(done.get(name))) is not None)

    @equipped_property
    def full_trace(self) -> Trace:
        """Trace of the sizing, followed by the traces of the studies."""
        return self.trace.joined(study.trace for study in self.studies)

    @property
    def all_results(self) -> Results:
        """The results of the design, of its distribution, its air path and its loops."""
        found = self.results.values_by_key.copy()
        for study in self.studies:
            found |= study.results
        return refuse_impossible(Results(found))

    @property
    def flow(self) -> ChainFlow:
        """The power chain at the design hour."""
        return self.point.flow

    @property
    def ledger(self) -> Ledger:
        """The assumption ledger."""
        return self.trace.ledger

    def as_built(self) -> Project:
        """Return the project with all choices of this design as inputs; it has the same design."""
        return as_built(
            self.project, self.chain.choices, self.electrical.batteries.choice, self.cooling.choices
        )

    @property
    def title(self) -> str:
        """One-line title of the design."""
        identity = self.facility.identity
        parts = [identity.name, identity.title, self.facility.site.place, identity.status]
        return " · ".join(part for part in dict.fromkeys(parts) if part)

    @property
    def project_identity(self) -> dict[str, str]:
        """The ``project`` object of the JSON contract."""
        return {"name": self.facility.identity.name, "sha256": self.sha256}

    @property
    def notes(self) -> list[str]:
        """Notes displayed before the figures: assumed site, uncovered standards, own equipment."""
        uncovered = uncovered_notices(self.facility.criteria.uncovered)
        own = equipment_note(self.project)
        return [*announcements(self.facility.site), *uncovered, *own]

    @property
    def warnings(self) -> list[str]:
        """Warnings for the reader in addition to the checks."""
        count = sum(1 for _ in self.open_assumptions)
        open_ones = [f"{count} assumptions are not confirmed"] if count else []
        return [*self.notes, *open_ones]


@equipped
def design(project: Project) -> Design:
    """Return the complete design of `project`.

    Parameters
    ----------
    project : Project
        The project; any field may be unspecified for sizing, or stated as built.

    Raises
    ------
    FacilityError
        For invalid or contradictory input (exit code 3), and if no feasible design exists or the
        loop does not converge (exit code 4).

    Examples
    --------
    >>> import facility
    >>> few = {"schema_version": 1, "it": {"gpu_model": "H100 SXM5", "gpus": 64}}
    >>> results = facility.design(facility.project(few)).results
    >>> results["load.servers"].si
    8
    >>> print(results["load.gpu"].shown())
    44.8 kW
    """
    variants = Variants(project)
    found = design_lineups(variants(""), variants)
    facility, it, panels = found.facility, found.it, found.panels
    sized, point, trace = _settled(facility, it, found.sized, found.trace)
    electrical = design_electrical(facility, panels, sized, point, trace)
    given = facility.power.transformer.it_harmonics
    neutrals = harmonic_checks(panels, given, facility.criteria, trace)
    shelves = shelf_checks(facility.it.racks, panels.basis, facility.criteria)
    hung = (*panels.checks, *neutrals, *rack_pdu_checks(panels), *shelves)
    refuse_unknown_confirmations(project, trace)
    record_loads(facility.house, point, trace)
    has_year = weather_year(project.site, facility.site) is not None
    estimate = None if has_year else _mean_point(facility, it, sized)
    if estimate is not None:
        record_estimate(facility, it, estimate, trace)
    record_results(facility, it, panels, sized, point, trace)
    return Design(
        project=project,
        sha256=project_sha256(project),
        facility=facility,
        it=it,
        panels=panels,
        chain=sized.chain,
        cooling=sized.cooling,
        electrical=electrical,
        point=point,
        estimate=estimate,
        results=assemble(facility, it, sized, point, electrical.results, trace),
        sizing_checks=(
            *it.checks,
            *hung,
            *sized.chain.checks,
            *electrical.checks,
            *sized.cooling.checks,
            *point.cooling.checks,
            *study_checks(facility, it, point, trace),
            redundancy_check(facility.criteria.goal, sized.chain, sized.cooling.counts),
            *site_checks(project, facility),
            *uncovered_checks(facility.criteria.uncovered),
            *unused_cooling(project, facility),
            *reason_checks(project, trace.ledger),
        ),
        trace=trace,
        choices=(*variants.choices, *found.choices),
    )


def _study(
    found: Studied | StudyOutcome[AnnualStudy] | StudyOutcome[LoadStudy] | None,
) -> Studied | None:
    """Return a study; None if it failed or does not exist."""
    return found.study if isinstance(found, StudyOutcome) else found


def _mean_point(facility: Facility, it: ItLoad, sized: Sized) -> OperatingPoint | None:
    """Return the balance at mean annual weather and mean IT load; None if not known."""
    mean = facility.site.mean
    return None if mean is None else operate(facility, it, sized, mean, facility.load.mean)


def _settled(
    facility: Facility, it: ItLoad, sized: Sized, trace: Trace
) -> tuple[Sized, OperatingPoint, Trace]:
    """Return sizing and balance iterated to a fixed point, and the trace.

    Pump heads depend on the balanced flows, and pump heat on the heads: after convergence of the
    loop they still change in the ninth digit, and a result must equal its derivation. The counts
    are the minimum of each pass.
    """
    point = operate(facility, it, sized, facility.site.design)
    for left in reversed(range(_MAX_PASSES)):
        steps = trace.draft()
        sized, traced = _sized_at(facility, it, sized, point, steps)
        balanced = operate(facility, it, sized, facility.site.design)
        if not left or (balanced.cooling == point.cooling and balanced.flow == point.flow):
            break
        point = balanced
    return check_sized(facility, sized, point.demand, traced.heat), traced, steps


def _sized_at(
    facility: Facility, it: ItLoad, sized: Sized, point: OperatingPoint, trace: Trace
) -> tuple[Sized, OperatingPoint]:
    chain = size_chain_unchecked(
        facility.power, facility.site, facility.criteria, point.demand, sized.chain.choices, trace
    )
    flow = solve_chain(chain, point.demand, trace)
    heat = heat_of(facility, it, flow, ventilation_w=point.heat.ventilation_w)
    cooling = size_cooling_unchecked(
        facility.cooling, facility.site, facility.criteria, heat, sized.cooling.counts, trace
    )
    at_work = solve_cooling(cooling, heat, facility.site.design, trace)
    return Sized(chain, cooling), replace(point, flow=flow, heat=heat, cooling=at_work)
