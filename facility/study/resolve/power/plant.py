"""Plant of the power section, resolved: MV/LV transformers and generator sets."""

from __future__ import annotations

from facility.catalogue.altitude import rating_at
from facility.core.errors import FacilityError
from facility.core.rounding import within
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
from facility.study.resolve.reader import Reader

_STARTS = {"drive": 1.0, "soft": 3.0, "direct": 6.0}
_STARTS_BASIS = {
    "drive": "a drive ramps frequency and voltage together: at most the running current",
    "soft": "a soft starter limits the current to about three times the running current",
    "direct": "locked rotor of a standard motor, about six times the running current",
}


def resolve_transformer(
    section: TransformerSection, scheme: Scheme, tolerance: float, elevation_m: float, trace: Trace
) -> TransformerBasis:
    """Return the data of the MV/LV transformers, with defaults.

    tolerance: Tolerance of their impedance relative to the nameplate, from the fault study.
    """
    read = Reader(section, "power.transformer", trace)
    usual = f"N+{scheme.spare_units}" if scheme.spare_units else "N"
    words = (
        "as the UPS modules"
        if scheme.one_system
        else "none in addition to the systems: the loss of a transformer is the loss of its system"
    )
    spare = _spare(read.word("redundancy", section.redundancy, usual, words))
    return TransformerBasis(
        rating_va=read.si("rating"),
        count=section.count,
        spare=spare,
        max_loading=read.at_altitude("max_loading", "liquid-immersed transformer", elevation_m),
        largest_va=read("largest") if section.rating is None else section.rating.si,
        no_load_w=read.si("no_load_loss"),
        load_loss_w=read.si("load_loss"),
        impedance=read.si("impedance"),
        harmonics=_spectrum(section.harmonics),
        it_harmonics=_spectrum(section.it_harmonics),
        distortion=read.si("distortion"),
        factors=read.factors(),
        tolerance=tolerance,
        vector_group=read.word("vector_group", section.vector_group),
        grounding_a=(
            None
            if read.word("grounding", section.grounding) == "solid"
            else read("grounding_current")
        ),
        rating_left=rating_at("liquid-immersed transformer", elevation_m)[0],
    )


def refuse_above_unity(
    code: str, where: str, rating_w: float | None, rating_va: float | None
) -> None:
    """Reject a unit with more active than apparent power.

    Raises the given code, with both ratings.
    """
    if rating_w is None or rating_va is None or within(rating_w, rating_va):
        return
    raise FacilityError(
        code,
        where,
        f"{rating_w / 1e3:g} kW of {rating_va / 1e3:g} kVA: the power factor would be"
        f" {rating_w / rating_va:.2f}, above 1.",
        f"Enter at most as many kW as {where}_kva has kVA, or only one of the two.",
    )


def resolve_generator(section: GeneratorSection, trace: Trace) -> GeneratorBasis:
    """Return the data of the generator plant, with defaults."""
    read = Reader(section, "power.generator", trace)
    words = ("N", "one set is specified: no spare") if section.count == 1 else (None, "")
    spare = _spare(read.word("redundancy", section.redundancy, *words))
    set_w, set_va = read.si("rating"), read.si("rating_kva")
    if (set_w is None) != (set_va is None):
        factor = read("power_factor")
        set_w = set_va * factor if set_va is not None else set_w
        set_va = set_va if set_va is not None or set_w is None else set_w / factor
    if section.breaker is None:
        read.word("breaker", None, "by plant")
    refuse_above_unity("GENERATOR_CONTRADICTION", "power.generator.rating", set_w, set_va)
    return GeneratorBasis(
        model=section.model or "",
        set_w=set_w,
        set_va=set_va,
        count=section.count,
        spare=spare,
        max_loading=read.given("max_loading"),
        derate=read.si("derate"),
        connection=section.connection or "",
        operation=_operation(section, read),
        voltage_v=read.si("voltage"),
        breaker=section.breaker or "",
        breaker_a=read.si("breaker_rating"),
        overload_prevented=read.flag("overload_prevented"),
    )


def _operation(section: GeneratorSection, read: Reader) -> GeneratorOperation:
    name = read.word("performance_class", section.performance_class)
    how = read.word("motor_start", section.motor_start)
    if section.steps is None:
        read.word("steps", None)
    if section.running_sets is None:
        read.word("running_sets", None)
    return GeneratorOperation(
        performance_class=name,
        running_sets=section.running_sets,
        first_step=read.si("first_step"),
        steps=tuple(step.si for step in section.steps or ()),
        largest_motor_w=read.si("largest_motor"),
        motor_start=how,
        tank_m3=read.si("tank"),
        filter_var=read.si("filter_capacitive"),
        transient_reactance=read("transient_reactance"),
        starting_current=read("starting_current", _STARTS[how], _STARTS_BASIS[how]),
        minimum_load=read("minimum_load"),
        test_s=read("test_time"),
        test_load=read("test_load"),
        fuel_s=read("fuel_hours"),
        tank_usable=read("tank_usable"),
        start_s=read("start_time"),
        factors=read.factors(),
    )


def _spectrum(given: tuple[HarmonicSection, ...] | None) -> Spectrum:
    return tuple((harmonic.order, harmonic.current.si) for harmonic in given or ())


def _spare(text: str) -> int:
    return SPARES["".join(text.split()).upper()]
