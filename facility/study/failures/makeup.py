"""Loss of make-up water at the design hour: remaining heat rejection of towers and dry coolers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facility.cooling.plant.makeup import DrySink, without_makeup
from facility.cooling.plant.rejection import Rejection
from facility.cooling.plant.sinks import Sink
from facility.core.table import Value
from facility.core.views import show
from facility.study.studies import StudyContext


@dataclass(frozen=True)
class LostSink:
    """Heat rejection of one plant that uses make-up water at the design hour.

    `required_c` is the leaving water temperature required by the plant.
    """

    plant: str  # "chillers" or "facility water"
    heat_w: float
    required_c: float
    dry: DrySink

    @property
    def words(self) -> str:
        """Effect of the loss, as text."""
        heat = show(self.heat_w, "heat_flow")
        if self.dry.tower:
            return f"the towers of the {self.plant} stop rejecting {heat}"
        water, needed, dry, wet = (
            show(value, "temperature")
            for value in (self.dry.water_c, self.required_c, self.dry.dry_c, self.dry.wet_c)
        )
        return (
            f"the dry coolers of the {self.plant} ({heat}) supply water at {water}, {needed} "
            f"required (coil air {dry} with dry pads, {wet} with wet pads)"
        )


@dataclass(frozen=True)
class MakeupLoss:
    """Loss of make-up water; `stored_s` is None if storage is not stated."""

    sinks: tuple[LostSink, ...]
    stored_s: float | None

    @property
    def words(self) -> str:
        """Effect of the loss and the storage, as text."""
        then = "; ".join(sink.words for sink in self.sinks)
        if self.stored_s is None:
            stored = "storage not specified"
        else:
            stored = f"{self.stored_s / 3600.0:g} h of storage"
        return f"Loss of make-up water: {stored}; without water {then}."

    def results(self) -> Iterator[tuple[str, Value]]:
        """Yield the results by dotted key."""
        heat_w = sum(sink.heat_w for sink in self.sinks)
        words = "rejected with make-up water at the design hour"
        yield "makeup.heat", Value(heat_w, "heat_flow", words)
        if self.stored_s is not None:
            yield "makeup.storage", Value(self.stored_s, "time", "stated")
        for sink in self.sinks:
            at = f"makeup.{sink.plant.replace(' ', '_')}"
            yield f"{at}.required", Value(sink.required_c, "temperature", "required leaving water")
            if not sink.dry.tower:
                yield (
                    f"{at}.without",
                    Value(sink.dry.water_c, "temperature", "leaving water with dry pads"),
                )


def makeup_loss(design: StudyContext) -> MakeupLoss | None:
    """Return the loss of make-up water; None if none is used at the design hour."""
    cooling, flow = design.cooling, design.cooling_flow
    water = cooling.water
    found: list[tuple[str, Sink | None, Rejection | None]] = [
        ("chillers", cooling.chilled.sink, flow.rejection),
        ("facility water", water.sink if water is not None else None, flow.fws_rejection),
    ]
    weather, recirculation_k = design.facility.site.design, cooling.chain.recirculation_k
    lost = []
    for plant, sink, at_work in found:
        dry = without_makeup(sink, weather, recirculation_k)
        if dry is not None and at_work is not None:
            lost.append(LostSink(plant, at_work.heat_w, at_work.water.leaving_c, dry))
    return MakeupLoss(tuple(lost), cooling.chain.makeup_storage_s) if lost else None
