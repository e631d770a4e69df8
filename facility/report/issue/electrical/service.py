"""Service load calculation in the form of the code: NEC article 220, or IEC with diversity."""

from __future__ import annotations

from facility.core.views import show
from facility.power.service_load import ServiceLine, ServiceLoad, service_load
from facility.report.book.panels.supply import conductors_text
from facility.report.issue.content import Facts, LabelledValue, Paragraph, SheetContent, TableBlock
from facility.report.issue.electrical.facts import ElectricalFacts
from facility.report.issue.electrical.printed import NOT_STATED
from facility.report.sheet.grid import TextTable

_SERIES = 300
_NEC_NOTE = (
    "NEC article 220, part III: loads at 100 % after the demand factors, continuous loads at "
    "125 % (215.2, 230.42), motors and compressors at their rated input with 25 % of the largest "
    "motor added (430.24). Standby units do not count (220.60). The demand factor of the IT "
    "equipment is that of the project. Cooling on the UPS and "
    "battery recharge count as continuous."
)
_IEC_NOTE = (
    "Installed power of the units on duty at their ratings; demand at the design hour, with the "
    "demand factor as the ratio of both. Without recharge the sum of the demands is the utility "
    "demand of the design. Battery recharge follows every discharge."
)
_IT_NOTE = (
    " IT equipment: its power at the power factor of the UPS input. The panel schedules have the "
    "power factor of the IT equipment and include the losses of the rack PDUs, here in the line "
    "of losses."
)
_SERVICES = (
    "Circuits from the utility as selected. Their devices and conductors carry the worst "
    "designed state, so each may exceed its share of the calculated load."
)


def calculated(facts: ElectricalFacts) -> ServiceLoad:
    """Return the service load of a design by the rules of its code."""
    design = facts.design
    point = design.point
    return service_load(
        design.chain,
        point.flow,
        point.demand,
        design.electrical_units,
        it_connected_w=sum(load.count * load.input_w for load in design.it.devices),
        rated_motors=facts.nec,
        factor=design.facility.criteria.continuous_factor,
    )


def service_calculation(facts: ElectricalFacts) -> SheetContent:
    """Return the service load calculation."""
    load = calculated(facts)
    form = _nec_form(load) if facts.nec else _iec_form(load)
    title = "NEC 220 service load calculation" if facts.nec else "Maximum demand calculation"
    note = _NEC_NOTE if facts.nec else _IEC_NOTE
    growth = facts.design.facility.criteria.growth
    reserve = f"{100 * growth:.0f} % of IT and cooling" if growth else "none stated"
    volts = f"{show(load.voltage_v, 'line_voltage')}, 3-phase"
    panels = facts.design.panels.panels
    schedules_va = sum(sum(c.pole_va()) for panel in panels for c in panel.circuits)
    ups = f"{next(one.power_factor for one in load.lines):.3f}"
    totals = (
        LabelledValue(
            "IT in the panel schedules, connected",
            f"{schedules_va / 1e3:,.1f} kVA",
            "service:panels_kva",
        ),
        LabelledValue("Power factor of the IT load at the UPS input", ups, "service:ups_factor"),
        LabelledValue("Calculated load", f"{load.total_va / 1e3:,.1f} kVA", "service:total_kva"),
        LabelledValue("Service", volts, "service:voltage"),
        LabelledValue("Current, all services", f"{load.current_a:,.1f} A", "service:current"),
        LabelledValue("Growth, not included", reserve, "service:growth"),
    )
    note += _IT_NOTE
    blocks = (form, Facts(totals, 2), Paragraph(note, "note"), _services(facts))
    return SheetContent("E", _SERIES, title, blocks)


def _nec_form(load: ServiceLoad) -> TableBlock:
    def row(one: ServiceLine) -> tuple[str, ...]:
        times = "motor" if one.motor else f"{load.factor:g}" if one.continuous else "1"
        return (
            one.name,
            one.article,
            f"{one.connected_va:,.0f}",
            f"{one.demand_factor:.2f}",
            *_split(one),
            times,
            f"{one.sized_va(load.factor):,.0f}",
        )

    def _split(one: ServiceLine) -> tuple[str, str]:
        va = f"{one.demand_va:,.0f}"
        return (va, "") if one.continuous else ("", va)

    lines = [row(one) for one in load.lines]
    lines.append(
        (
            f"25 % of the largest motor: {load.largest_motor or NOT_STATED}",
            "430.24",
            f"{load.largest_motor_va:,.0f}",
            "0.25",
            "",
            "",
            "",
            f"{load.motor_addition_va:,.0f}",
        )
    )
    lines.append(("Total", "", "", "", "", "", "", f"{load.total_va:,.0f}"))
    heads = (
        "Load",
        "NEC article",
        "Connected VA",
        "Demand factor",
        "Continuous VA",
        "Noncontinuous VA",
        "Factor",
        "Calculated VA",
    )
    keys = [
        *(f"service:{one.name}" for one in load.lines),
        "service:largest motor",
        "service:total",
    ]
    return TableBlock(
        TextTable("Service load", heads, lines, keys=keys), (74, 34, 26, 20, 26, 28, 16, 28)
    )


def _iec_form(load: ServiceLoad) -> TableBlock:
    lines = [
        (
            one.name,
            f"{one.connected_w / 1e3:,.1f}",
            f"{one.demand_factor:.2f}",
            f"{one.demand_w / 1e3:,.1f}",
            f"{one.power_factor:.2f}",
            f"{one.demand_va / 1e3:,.1f}",
        )
        for one in load.lines
    ]
    demand_w = sum(one.demand_w for one in load.lines)
    connected_w = sum(one.connected_w for one in load.lines)
    lines.append(
        (
            "Total",
            f"{connected_w / 1e3:,.1f}",
            f"{demand_w / connected_w:.2f}",
            f"{demand_w / 1e3:,.1f}",
            "",
            f"{load.total_va / 1e3:,.1f}",
        )
    )
    heads = (
        "Load",
        "Installed (kW)",
        "Demand factor",
        "Demand (kW)",
        "Power factor",
        "Demand (kVA)",
    )
    keys = [*(f"service:{one.name}" for one in load.lines), "service:total"]
    return TableBlock(
        TextTable("Maximum demand", heads, lines, keys=keys), (90, 30, 28, 30, 28, 30)
    )


def _services(facts: ElectricalFacts) -> TableBlock:
    network = facts.design.distribution.plan.network
    rows, keys = [], []
    for feeder in facts.feeders:
        circuit, choice = feeder.circuit, feeder.choice
        if network[circuit.source].kind != "utility":
            continue
        device = "not sized" if choice is None else f"{choice.ocpd_a:,.0f} A"
        if circuit.stage == "mv":
            device += " relay pickup"
        words = "" if choice is None else conductors_text(choice, facts.code, circuit.poles)
        ampacity = "" if choice is None else f"{choice.ampacity_a:,.0f} A"
        rows.append(
            (
                circuit.tag,
                str(circuit.runs),
                device,
                words,
                ampacity,
                f"{feeder.worst_a:,.1f} A",
                feeder.sized_by,
            )
        )
        keys.append(circuit.tag)
    heads = (
        "Service circuit",
        "Quantity",
        "Device",
        "Conductors",
        "Ampacity",
        "Worst case",
        "Sized by",
    )
    return TableBlock(TextTable("Service circuits", heads, rows, (_SERVICES,), keys))
