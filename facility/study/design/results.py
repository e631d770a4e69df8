"""Results of a design by dotted key: the rows of `figures.csv` with a step in the design."""

from __future__ import annotations

from collections.abc import Mapping

from facility.core.table import Results, Value
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.power.it.load import ItLoad
from facility.study.design.steps import parts_of
from facility.study.figures import FIGURES, each
from facility.study.loop import OperatingPoint, Sized
from facility.study.plausible import refuse_impossible

_DESIGN = tuple(figure for figure in FIGURES if figure.study == "design")


def assemble(
    facility: Facility,
    it: ItLoad,
    sized: Sized,
    point: OperatingPoint,
    electrical: dict[str, Value],
    trace: Trace,
) -> Results:
    """Return all results of the design; figures without a step are omitted."""
    members = {
        "hall": {str(number): hall.name for number, hall in enumerate(facility.it.halls, 1)},
        "loss": {part.id: "" for part in point.flow.parts},
        "cooling": dict.fromkeys(point.cooling.power.parts, ""),
        "part": dict.fromkeys(("it", *parts_of(point), "house"), ""),
    }
    texts, words = _texts(it, sized), _basis_words(facility, it, sized)
    values = {
        key: Value(texts[key])
        if key in texts
        else _number(trace, key, figure.basis.format(name=name, **words))
        for key, name, figure in each(_DESIGN, members)
        if key in texts or (key in trace and _installed(key, sized))
    }
    return refuse_impossible(Results(values | electrical))


def _installed(key: str, sized: Sized) -> bool:
    """Return whether a result is of installed equipment; the generator count always is."""
    sets = sized.chain.generators.count
    return bool(sets) or key == "generator.count" or not key.startswith("generator.")


def _number(trace: Trace, key: str, basis: str) -> Value:
    step = trace[key]
    return Value(int(step.value) if step.kind == "count" else step.value, step.kind, basis)


def _texts(it: ItLoad, sized: Sized) -> Mapping[str, str]:
    """Return the text results."""
    chain = sized.chain
    sets = {"generator.model": chain.generators.model} if chain.generators.count else {}
    return {
        "load.basis": it.basis,
        "ups.scheme": chain.chain.scheme.name,
        "ups.model": chain.ups.module.model,
        **sets,
    }


def _basis_words(facility: Facility, it: ItLoad, sized: Sized) -> Mapping[str, str]:
    """Return the values of this design for the basis texts."""
    known = (d.device.model for d in it.devices if d.supply_loss_w is not None)
    plan = facility.cooling
    off = ["economizer"] if plan.economizer.kind != "none" else []
    off += ["heat reuse"] if plan.heat_reuse is not None else []
    return {
        "basis": it.basis.replace("_", " "),
        "racks_basis": facility.it.basis.replace("_", " "),
        "supplies": ", ".join(dict.fromkeys(known)),
        "failure": sized.chain.chain.scheme.failure,
        "rating": sized.chain.generators.rating_basis,
        "off": f"; {' and '.join(off)} off by rule" if off else "",
        "year": f"estimate at IT load factor {facility.load.mean:.2f} and stated mean weather: no "
        "weather year for the site; hot hours are averaged out",
    }
