"""The basis of the IT load, its factors, and the input of a device on that basis."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.errors import FacilityError
from facility.core.sources import RULE
from facility.core.trace import Trace
from facility.model.inputs.it import ItSection
from facility.model.it import Basis, Device, Placed
from facility.power.it.reconcile import component_sum_w
from facility.study.resolve.it.network import switch_power_w
from facility.study.resolve.reader import Reader


@dataclass(frozen=True)
class Inputs:
    """How the input of a device follows from the basis.

    `measured_w` is the measured input of a GPU server, `optics` what the switches carry,
    `max_air_m3_s` the most air that the cooling may ask a rack to draw, `max_heat_w` the most
    heat that it takes from a rack in air.
    """

    basis: Basis
    measured_w: float | None
    optics: str
    trace: Trace
    max_air_m3_s: float = float("inf")
    max_heat_w: float = float("inf")

    def placed(
        self, device: Device, count: int, where: str, given_w: float | None = None
    ) -> Placed:
        """Return `count` devices with input and short-time peak.

        A peak that nobody published is taken as the data-sheet maximum.

        Raises ``UNKNOWN_VALUE`` when the device has no figure on the basis.
        """
        input_w = given_w if given_w is not None else self._input_w(device, where)
        if device.peak_w is None:
            self.trace.ledger.add_text(
                "it.peak",
                "data-sheet maximum",
                "short-time peak (EDPp) where none is published",
                RULE,
            )
        peak_w = max(input_w, device.maximum_w if device.peak_w is None else device.peak_w)
        return Placed(device, count, input_w, peak_w)

    def _input_w(self, device: Device, where: str) -> float:
        if self.basis == "nameplate":
            return self._nameplate_w(device, where)
        if self.basis == "typical":
            if device.typical_w is None:
                raise FacilityError(
                    "UNKNOWN_VALUE",
                    where,
                    f"no typical power of {device.model} is published; unknown is not zero.",
                    f"Give it.devices: [{{model: {device.model}, typical_power: ... kW}}], or use "
                    "it.basis: measured with it.measured_power.",
                )
            return device.typical_w
        if self.basis == "measured":
            return self._measured_w(device, where)
        if self.basis == "component_sum" and device.category == "server":
            return component_sum_w(device, where)
        if device.category == "switch":
            return switch_power_w(device, self.optics)
        return device.maximum_w

    def _nameplate_w(self, device: Device, where: str) -> float:
        psu = device.psu
        if (psu is None or psu.assumed) and device.category == "switch":
            self.trace.ledger.add_text(
                "it.nameplate_others",
                "maximum",
                f"the supplies of {device.model} are not published: its maximum stands for them",
                RULE,
            )
            return device.maximum_w
        if psu is None or psu.assumed:
            raise FacilityError(
                "UNKNOWN_VALUE",
                where,
                f"the supplies of {device.model} are not known, so it has no nameplate here.",
                "Give it.devices supplies, or use another it.basis.",
            )
        return psu.needed * psu.rating_w

    def _measured_w(self, device: Device, where: str) -> float:
        if device.category == "server":
            if self.measured_w is None:
                raise FacilityError(
                    "MISSING_FIELD",
                    "it.measured_power",
                    f"the basis is measured; the measured input of {device.model} is needed.",
                    "Give it.measured_power (one server), or power where it is placed.",
                )
            return self.measured_w
        self.trace.ledger.add_text(
            "it.measured_others",
            "typical, else maximum",
            "network, storage and management have no measured figure",
            RULE,
        )
        return device.maximum_w if device.typical_w is None else device.typical_w


def resolve_basis(section: ItSection, trace: Trace) -> Basis:
    """Return the basis: as given, measured where a measured power is given, else data sheet.

    Raises ``CONTRADICTION`` for a measured power on another basis.
    """
    basis, read = section.basis, Reader(section, "it", trace)
    if section.measured_power is not None:
        if basis not in (None, "measured"):
            raise FacilityError(
                "CONTRADICTION",
                "it.measured_power",
                f"a measured power is given, but the basis is {basis}; it would change nothing.",
                "Use it.basis: measured, or remove it.measured_power.",
            )
        read.given("measured_power")
        return "measured"
    return read.word("basis", basis)
