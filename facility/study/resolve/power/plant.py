"""From the power section to its plant: MV/LV transformers and generator sets."""

from __future__ import annotations

from facility.core.parse import Measured
from facility.core.sources import PROJECT, Source
from facility.core.trace import Trace
from facility.model.inputs.power.plant import (
    SPARES,
    GeneratorSection,
    HarmonicSection,
    TransformerSection,
)
from facility.model.power.chain import (
    GeneratorBasis,
    GeneratorOperation,
    Spectrum,
    TransformerBasis,
)
from facility.model.power.redundancy import Scheme
from facility.power.backup.sets import NAMEPLATE_POWER_FACTOR
from facility.study.resolve.criteria import given_or_assumed

_RULE = Source("planning-rule", "default of this program", verified="computed")
_MEMORY = Source("planning-value", "recalled, not read", verified="memory")
_ISO = Source("iso-8528-5", "performance classes", "2005")
_LARGEST_TRANSFORMER_VA = 2.5e6
_EDDY_LOSS = 0.10
_CLASS = "G3"
_REACTANCE = 0.20
_STARTS = {"drive": 1.0, "soft": 3.0, "direct": 6.0}
_STARTS_BASIS = {
    "drive": "a drive ramps frequency and voltage together: no more than the running current",
    "soft": "a soft starter holds about three times the running current",
    "direct": "locked rotor of a standard motor, about six times the running current",
}
_MINIMUM_LOAD = 0.30
_FUEL_S = 24.0 * 3600.0
_USABLE = 0.90
_START_S = 10.0
_LEADING = 0.20


def resolve_transformer(
    section: TransformerSection, scheme: Scheme, trace: Trace
) -> TransformerBasis:
    """Return what is given of the MV/LV transformers, and the defaults of the rest."""
    spare = _spare_transformers(section, scheme, trace)
    largest = _LARGEST_TRANSFORMER_VA
    if section.rating is None:
        largest = trace.assume(
            "power.transformer.largest", _LARGEST_TRANSFORMER_VA, "apparent_power",
            "one to a lineup, behind 5.75 % about 52 kA at 480 V and 61 kA at 415 V: boards rated"
            " 65 or 85 kA carry it", _MEMORY,
        )  # fmt: skip
    return TransformerBasis(
        rating_va=_si(section.rating),
        count=section.count,
        spare=spare,
        max_loading=given_or_assumed(
            trace, "power.transformer.max_loading", section.max_loading, 0.95, "fraction",
            "to 95 % of the nameplate after the designed failure: cables take reactive power and"
            " lower the voltage, which the sizing does not know and the power flow adds", _RULE,
        ),
        largest_va=largest,
        no_load_w=_si(section.no_load_loss),
        load_loss_w=_si(section.load_loss),
        impedance=_si(section.impedance),
        harmonics=_spectrum(section.harmonics),
        it_harmonics=_spectrum(section.it_harmonics),
        eddy_loss=given_or_assumed(
            trace, "power.transformer.eddy_loss", section.eddy_loss, _EDDY_LOSS, "fraction",
            "eddy over resistive loss of the windings at rated current; ask the maker", _MEMORY,
        ),
        vector_group=section.vector_group or trace.ledger.add_text(
            "power.transformer.vector_group", "Dyn11",
            "delta-wye keeps the zero sequence of the LV side off the MV side; of its clock number"
            " no figure depends", _RULE,
        ),
    )  # fmt: skip


def _spare_transformers(section: TransformerSection, scheme: Scheme, trace: Trace) -> int:
    if section.redundancy is not None:
        return _spare(section.redundancy)
    spare = scheme.spare_units
    words = (
        "as the UPS modules"
        if scheme.one_system
        else "none beside the systems: the loss of a transformer is the loss of its system"
    )
    trace.ledger.add_text(
        "power.transformer.redundancy", f"N+{spare}" if spare else "N", words, _RULE
    )
    return spare


def resolve_generator(section: GeneratorSection, trace: Trace) -> GeneratorBasis:
    """Return what is given of the generator plant, and the defaults of the rest."""
    if section.redundancy is None:
        trace.ledger.add_text(
            "power.generator.redundancy",
            "N+1",
            "one paralleled plant for the site, one spare set",
            _RULE,
        )
        spare = SPARES["N+1"]
    else:
        spare = _spare(section.redundancy)
    set_w, set_va = _si(section.rating), _si(section.rating_kva)
    if (set_w is None) != (set_va is None):
        factor = trace.assume(
            "power.generator.power_factor",
            NAMEPLATE_POWER_FACTOR,
            "ratio",
            "nameplate power factor of generator sets",
            _MEMORY,
        )
        set_w = set_va * factor if set_va is not None else set_w
        set_va = set_va if set_va is not None or set_w is None else set_w / factor
    limit = _si(section.max_loading)
    if limit is not None:
        trace.given("power.generator.max_loading", limit, "fraction", PROJECT)
    return GeneratorBasis(
        model=section.model or "",
        set_w=set_w,
        set_va=set_va,
        count=section.count,
        spare=spare,
        max_loading=limit,
        derate=_si(section.derate),
        connection=section.connection or "",
        operation=_operation(section, trace),
        voltage_v=_si(section.voltage),
    )


def _operation(section: GeneratorSection, trace: Trace) -> GeneratorOperation:
    name = section.performance_class or trace.ledger.add_text(
        "power.generator.performance_class", _CLASS, "usual for data centers", _ISO
    )
    how = section.motor_start or trace.ledger.add_text(
        "power.generator.motor_start", "drive", "large motors of the cooling run on drives", _MEMORY
    )
    if section.steps is None:
        trace.ledger.add_text(
            "power.generator.steps",
            "by block",
            "house, board losses and the first UPS system, then each other UPS system with its"
            " recharge, then the cooling in as many blocks as there are systems; the walk-in of"
            " the rectifiers is not counted on",
            _RULE,
        )
    if section.running_sets is None:
        trace.ledger.add_text(
            "power.generator.running_sets",
            "all that are not spare",
            "the sets are in parallel on the bus before the first load step",
            _RULE,
        )
    return GeneratorOperation(
        performance_class=name,
        running_sets=section.running_sets,
        first_step=_si(section.first_step),
        steps=tuple(step.si for step in section.steps or ()),
        largest_motor_w=_si(section.largest_motor),
        motor_start=how,
        tank_m3=_si(section.tank),
        filter_var=_si(section.filter_capacitive),
        **_figures(section, how, trace),
    )


def _figures(section: GeneratorSection, how: str, trace: Trace) -> dict[str, float]:
    """Return the figures of the operation that have a default."""
    at = "power.generator"
    rows = (
        ("transient_reactance", "transient_reactance", _REACTANCE, "fraction", "of the set on its"
         " rating; alternators of this size have 15 to 25 %", _MEMORY),
        ("starting_current", "starting_current", _STARTS[how], "ratio", _STARTS_BASIS[how],
         _MEMORY),
        ("minimum_load", "minimum_load", _MINIMUM_LOAD, "fraction", "below it unburnt fuel"
         " collects in the exhaust of a diesel engine", _MEMORY),
        ("fuel_s", "fuel_hours", _FUEL_S, "time", "a day until the first refill; standards ask"
         " for 12 to 96 h", _RULE),
        ("tank_usable", "tank_usable", _USABLE, "fraction", "the rest lies below the outlet or"
         " must stay free", _MEMORY),
        ("start_s", "start_time", _START_S, "time", "type 10 of NFPA 110", _MEMORY),
        ("leading_limit", "leading_limit", _LEADING, "fraction", "leading reactive power over"
         " the kVA of a set; its capability curve decides", _MEMORY),
    )  # fmt: skip
    return {
        name: given_or_assumed(trace, f"{at}.{field}", getattr(section, field), value, kind,
                               words, source)
        for name, field, value, kind, words, source in rows
    }  # fmt: skip


def _spectrum(given: tuple[HarmonicSection, ...] | None) -> Spectrum:
    return tuple((harmonic.order, harmonic.current.si) for harmonic in given or ())


def _si(given: Measured | None) -> float | None:
    return None if given is None else given.si


def _spare(text: str) -> int:
    return SPARES["".join(text.split()).upper()]
