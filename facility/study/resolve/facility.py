"""Resolution of user input to a complete facility, with every default in the ledger."""

from __future__ import annotations

from dataclasses import replace

from facility.catalogue.places import country
from facility.core.errors import FacilityError, unknown
from facility.core.parse import parse_quantity
from facility.core.sources import RULE
from facility.core.trace import Trace
from facility.model.facility import Criteria, Facility, Site
from facility.model.inputs.criteria import code_of_edition
from facility.model.inputs.document import Project
from facility.model.inputs.panels import PanelCircuitSection, PanelsSection
from facility.model.inputs.power.section import RACK_SYSTEMS, DistributionSection, PowerSection
from facility.model.it import Device, PsuSet
from facility.model.power.hall_distribution import (
    AsBuiltCircuit,
    AsBuiltCords,
    AsBuiltPanel,
    AsBuiltSpare,
    PanelBasis,
)
from facility.model.power.redundancy import ONE_SYSTEM, system_scheme
from facility.power.it.load import ItLoad, roll_up
from facility.power.it.supplies import (
    draw_with,
    energized_after_feed_loss,
    split_supplies,
    takes_voltage,
)
from facility.power.substation.interrupting_ratings import assembly_ratings
from facility.study.resolve.cooling.chain import resolve_cooling
from facility.study.resolve.cooling.room import max_rack_air, max_rack_heat
from facility.study.resolve.cooling.thermal import resolve_thermal
from facility.study.resolve.cost import resolve_cost
from facility.study.resolve.criteria import resolve_criteria, resolve_house
from facility.study.resolve.it.load_profile import resolve_load_profile
from facility.study.resolve.it.plan import resolve_it
from facility.study.resolve.load_motion import resolve_load_motion
from facility.study.resolve.power.chain import resolve_power
from facility.study.resolve.power.electrical import resolve_electrical
from facility.study.resolve.power.wiring import USUAL_RACK_SYSTEMS
from facility.study.resolve.reader import Reader
from facility.study.resolve.site.site import default_code, resolve_identity, resolve_site
from facility.study.resolve.site.tariff import on_the_days_of
from facility.study.resolve.site.weather import weather_year

_SIDES = "ABCDEF"
_MAX_SIDES = 8
_PRACTICAL_SIDES = 4
_MIN_SUPPLY_V = 200.0


def resolve(project: Project, trace: Trace, system: str = "") -> tuple[Facility, ItLoad]:
    """Return the complete facility of `project`, and its IT load.

    Every omitted value is filled with a named, sourced default recorded
    in ``trace.ledger``.

    system: Voltage system of the racks selected by the design, if the project specifies none.

    Raises for a missing reference, or contradicting values.
    """
    code = project.criteria.code or code_of_edition(project.criteria.edition or "") or None
    site = resolve_site(project.site, trace, code)
    usual = default_code(site, project.criteria.edition)
    criteria = resolve_criteria(project.criteria, trace, usual, site.elevation_m)
    _refuse_transmission(site, criteria)
    section = _of_the_country(_at_the_service(project.power, site), site, criteria, trace)
    powered = project.model_copy(update={"power": section})
    section = _with_scheme_of_the_goals(powered, criteria, trace)
    powered = project.model_copy(update={"power": section})
    section = _with_enough_feeds(powered, criteria, trace)
    section, systems = _with_fitting_voltage(project, section, criteria, system, trace)
    power = resolve_power(section, criteria, trace, site.elevation_m)
    power = replace(power, wiring=replace(power.wiring, systems=systems))
    if site.lv_service:
        power = replace(power, transformer=replace(power.transformer, spare=0))
    power = replace(power, panels=with_panels_stated(power.panels, project.panels, trace))
    air = max_rack_air(project.cooling, site.pressure_pa), max_rack_heat(project.cooling)
    it = resolve_it(project.it, power.feeds, trace, air)
    load = roll_up(it, trace)
    weather = None if project.it.load_profile is None else weather_year(project.site, site)
    motion = resolve_load_motion(project, load, trace)
    folder = project.site.folder
    profile = resolve_load_profile(project.it, load, folder, weather, motion.job, trace)
    site = replace(site, tariff=on_the_days_of(site.tariff, project.site, profile, trace))
    cooling = resolve_cooling(project.cooling, it, site, criteria, trace)
    house = resolve_house(project.house, load.it_w, it, trace)
    facility = Facility(
        identity=resolve_identity(project.project, trace),
        site=site,
        criteria=criteria,
        it=it,
        load=profile,
        power=power,
        electrical=resolve_electrical(section, power, criteria, site, trace),
        cooling=cooling,
        house=house,
        thermal=resolve_thermal(project.cooling.thermal, it, cooling, trace),
        motion=motion,
        cost=resolve_cost(project.cost, site, load, trace),
    )
    return facility, load


def _refuse_transmission(site: Site, criteria: Criteria) -> None:
    """Reject an intake above the voltage range of MV switchgear and MV/LV transformers.

    Raises ``INTAKE_VOLTAGE``.
    """
    volts = site.utility_voltage_v
    if site.lv_service or assembly_ratings("mv-switchgear", criteria.code, volts):
        return
    raise FacilityError(
        "INTAKE_VOLTAGE",
        "site.utility_voltage",
        f"{volts / 1e3:g} kV exceeds the maximum voltage of medium-voltage switchgear"
        " (electrical/switchgear_ratings): no transformer to the LV boards is rated for it, and the"
        " main substation is not modeled.",
        "Enter the medium voltage downstream of the main substation, e.g. 34.5 kV, and with"
        " site.fault_level the fault level there.",
    )


def _at_the_service(section: PowerSection, site: Site) -> PowerSection:
    """Return the power section at the voltage of a low-voltage service.

    Raises ``CONTRADICTION`` for inputs requiring transformers between utility and LV boards.
    """
    if not site.lv_service:
        return section
    given = section.distribution or DistributionSection.unstated()
    stated = f"site.utility_voltage is {site.utility_voltage_v:.0f} V, a service at low voltage"
    generator, transformer = section.generator, section.transformer
    wrong = None
    if given.voltage is not None and given.voltage.si != site.utility_voltage_v:
        wrong = "power.distribution.voltage", f"the board voltage is {given.voltage.text}"
    elif transformer is not None and (transformer.count or transformer.rating):
        wrong = "power.transformer", "MV/LV transformers are specified"
    elif transformer is not None and transformer.grounding == "high-resistance":
        wrong = "power.transformer.grounding", "the utility grounds its neutral"
    elif generator is not None and generator.connection == "MV":
        wrong = "power.generator.connection", "the generators are on the MV side"
    elif section.mv_cables is not None:
        wrong = "power.mv_cables", "medium-voltage cables are specified"
    if wrong is not None:
        raise FacilityError(
            "CONTRADICTION",
            wrong[0],
            f"{stated}, but {wrong[1]}.",
            "Omit it, or enter the medium voltage of the service.",
        )
    text = f"{site.utility_voltage_v:.0f} V"
    return _with_distribution(section, voltage=parse_quantity(text, "line_voltage"))


def _with_distribution(section: PowerSection, **given: object) -> PowerSection:
    distribution = section.distribution or DistributionSection.unstated()
    return section.model_copy(update={"distribution": distribution.model_copy(update=given)})


def _of_the_country(
    section: PowerSection, site: Site, criteria: Criteria, trace: Trace
) -> PowerSection:
    """Return the power section with the low voltage of the country, if not the default."""
    given = section.distribution or DistributionSection.unstated()
    if given.rack_system is not None or given.voltage is not None or not site.country:
        return section
    row = country(site.country, "site.country")
    usual, *others = USUAL_RACK_SYSTEMS[criteria.code]
    own = [name for name in others if RACK_SYSTEMS[name][0] == row["lv_v"]]
    if criteria.code != "IEC" or not own:
        return section
    words = f"low voltage of services in {row.text('name')}, instead of {usual}"
    trace.ledger.add_text("power.rack_system", own[0], words, row.cite("lv_v"))
    return _with_distribution(section, rack_system=own[0])


def _with_fitting_voltage(
    project: Project, section: PowerSection, criteria: Criteria, chosen: str, trace: Trace
) -> tuple[PowerSection, tuple[str, ...]]:
    """Return the power section on a voltage system, and the systems accepted by all racks.

    The system selected by the design; before selection, the usual system of the code if it fits,
    else the first other that fits. If none fits, the usual one remains and SUPPLY-VOLTAGE reports
    it. The public low voltage under IEC 60038 is not a design variable.
    """
    given = section.distribution or DistributionSection.unstated()
    if given.rack_system is not None or given.voltage is not None:
        return section, ()
    usual, *others = USUAL_RACK_SYSTEMS[criteria.code]
    if chosen:
        return _with_distribution(section, rack_system=chosen), ()
    power = resolve_power(section, criteria, Trace())
    it = resolve_it(project.it, power.feeds, Trace())
    placed = {p.device.model: p.device for rack in it.racks for p in rack.placed}
    sets = [device.psu for device in placed.values() if device.psu is not None]
    fitting = [s for s in (usual, *others) if all(takes_voltage(p, _at(s, p)) for p in sets)]
    if given.pdu_transformer is not None or given.pdus is not None or criteria.code != "NEC":
        fitting = fitting[:1]
    if not fitting or fitting[0] == usual:
        return section, tuple(fitting)
    words = f"accepted by the rack power supplies, which do not accept {usual}"
    trace.ledger.add_text("power.rack_system", fitting[0], words, RULE)
    return _with_distribution(section, rack_system=fitting[0]), tuple(fitting)


def _at(system: str, psu: PsuSet) -> float:
    """Return the supply voltage: line-to-line for three phases."""
    line_v, phase_v = RACK_SYSTEMS[system]
    return line_v if psu.phases == 3 or phase_v < _MIN_SUPPLY_V else phase_v


def _with_scheme_of_the_goals(project: Project, criteria: Criteria, trace: Trace) -> PowerSection:
    """Return the power section with the minimum scheme that meets the goals, if not specified.

    An availability goal requires systems such that all device power supplies tolerate the loss of
    one.
    """
    goal, section = criteria.goal, project.power
    if section.redundancy is not None or not (goal.redundancy or goal.maintainable):
        return section
    name, words = goal.redundancy, "from criteria.redundancy_goal"
    if goal.maintainable and name in ("", *ONE_SYSTEM):
        systems = len(_outliving(project, tuple(_SIDES[:2])))
        name = "2(N+1)" if name == "N+2" and systems == 2 else system_scheme(systems)
        words = (
            f"criteria.availability_goal is {goal.availability}: power supplies tolerate the "
            f"loss of one of {systems} systems"
        )
    trace.ledger.add_text("power.redundancy", name, words, RULE)
    return section.model_copy(update={"redundancy": name})


def _with_enough_feeds(project: Project, criteria: Criteria, trace: Trace) -> PowerSection:
    """Return the power section with the feeds of the racks, if not specified.

    One UPS system, or primary systems with transfer switches, can supply any number of
    distribution sides: the feeds named by the racks, or as many as the power supplies require to
        lose one (a server of 4+2 supplies requires three). Schemes with a system per feed are
        unchanged and checked.
    """
    section = project.power
    if section.feeds is not None:
        return section
    power = resolve_power(section, criteria, Trace())
    if not (power.scheme.one_system or power.scheme.reserve):
        return section
    mentioned = list(project.it.feeds or ())
    for rack in (rack for hall in project.it.halls or () for rack in hall.racks or ()):
        mentioned += rack.feeds or ()
        mentioned += (circuit.feed for circuit in rack.circuits or ())
        mentioned += (feed for placed in rack.devices for feed in placed.supplies or ())
    named = tuple(dict.fromkeys(mentioned))
    if set(named) - set(power.feeds) and len(named) <= _MAX_SIDES:
        return _with_feeds(section, named, "feeds named by the racks", trace)
    if project.it.feeds is not None:
        return section
    feeds = _outliving(project, power.feeds)
    because = f"power supplies tolerate the loss of one of {len(feeds)} sides"
    return section if feeds == power.feeds else _with_feeds(section, feeds, because, trace)


def _outliving(project: Project, default: tuple[str, ...]) -> tuple[str, ...]:
    """Return the minimum sides for which all devices tolerate the loss of one, or `default`.

    Up to four sides the device must run at full power, or in its capped mode; a set
    such as 5+1 without a capped mode has a supply on each of six sides. `draw_with` decides.
    """
    racks = resolve_it(project.it, default, Trace()).racks
    devices = list({p.device.model: p.device for rack in racks for p in rack.placed}.values())
    choices = [default, *(tuple(_SIDES[:n]) for n in range(3, len(_SIDES) + 1))]
    practical = [feeds for feeds in choices if len(feeds) <= _PRACTICAL_SIDES]
    for sides, capped in ((practical, False), (practical, True), (choices, False)):
        for feeds in sides:
            if all(_outlives(device, feeds, capped) for device in devices):
                return feeds
    return default


def _outlives(device: Device, feeds: tuple[str, ...], capped: bool) -> bool:
    if device.psu is None or device.psu.assumed:
        return True
    split = split_supplies(device.psu.count, feeds)
    draw = draw_with(device, energized_after_feed_loss(device, split), device.maximum_w)
    return draw.mode == "full" or (capped and draw.mode == "capped" and not draw.conflict)


def _with_feeds(
    section: PowerSection, feeds: tuple[str, ...], because: str, trace: Trace
) -> PowerSection:
    trace.ledger.add_text("power.feeds", ", ".join(feeds), because, RULE)
    return section.model_copy(update={"feeds": feeds})


def refuse_unknown_confirmations(project: Project, trace: Trace) -> None:
    """Reject confirmation of an unknown assumption.

    Raises ``UNKNOWN_ASSUMPTION`` with near matches.
    """
    known = {assumption.id for assumption in trace.ledger}
    for index, id in enumerate(project.confirmed or ()):
        if id not in known:
            raise unknown(
                "UNKNOWN_ASSUMPTION",
                f"confirmed[{index}]",
                f"this project has no assumption {id!r}.",
                id,
                known,
            )


def with_panels_stated(basis: PanelBasis, section: PanelsSection, trace: Trace) -> PanelBasis:
    """Return `basis` with the boards and cords of `section`, and the inputs of every panel.

    The existence of these boards and cords is not checked here.
    """
    read = Reader(section, "panels", trace)
    cords = tuple(
        AsBuiltCords(
            cord.rack, cord.feed, (cord.circuit or 1) - 1, tuple(bank - 1 for bank in cord.banks)
        )
        for cord in section.cords or ()
    )
    return replace(
        basis,
        stated=tuple(
            AsBuiltPanel(
                board.tag,
                tuple(_circuit(circuit) for circuit in board.circuits or ()),
                tuple(
                    AsBuiltSpare(spare.poles, spare.breaker.si, spare.position)
                    for spare in board.spares or ()
                ),
                None if board.sccr is None else board.sccr.si,
            )
            for board in section.boards or ()
        ),
        cords=cords,
        imbalance_limit=read("imbalance_limit"),
        neutral_a=read.si("neutral_rating"),
    )


def _circuit(circuit: PanelCircuitSection) -> AsBuiltCircuit:
    banks = None
    if circuit.banks is not None:
        first, second, third = circuit.banks
        banks = (first - 1, second - 1, third - 1)
    return AsBuiltCircuit(
        rack=circuit.rack,
        number=(circuit.circuit or 1) - 1,
        position=circuit.position,
        fixed=bool(circuit.fixed),
        banks=banks,
        description=circuit.description or "",
        together=circuit.together or "",
        apart=circuit.apart or "",
    )
