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
    """Basis of device input power.

    `measured_w` is the measured input of a GPU server, `optics` the switch port media,
    `max_air_m3_s` the maximum rack air flow for the cooling, `max_heat_w` the maximum rack
    heat in air.
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

        An unpublished peak is assumed equal to the data-sheet maximum.

        Raises ``UNKNOWN_VALUE`` if the device has no value for the basis.
        """
        input_w = given_w if given_w is not None else self._input_w(device, where)
        if device.peak_w is None:
            self.trace.ledger.add_text(
                "it.peak", "data-sheet maximum", "short-time peak (EDPp), if not published", RULE
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
                    f"the typical power of {device.model} is not published.",
                    f"Enter it.devices: [{{model: {device.model}, typical_power: ... kW}}], or use "
                    "it.basis: measured with it.measured_power.",
                )
            return device.typical_w
        if self.basis == "measured":
            return self._measured_w(device)
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
                f"power supplies of {device.model} not published: maximum power used",
                RULE,
            )
            return device.maximum_w
        if psu is None or psu.assumed:
            raise FacilityError(
                "UNKNOWN_VALUE",
                where,
                f"the power supplies of {device.model} are unknown, so its nameplate power is "
                f"unknown.",
                "Enter it.devices supplies, or use another it.basis.",
            )
        return psu.needed * psu.rating_w

    def _measured_w(self, device: Device) -> float:
        if device.category == "server":
            if self.measured_w is None:
                raise FacilityError(
                    "MISSING_FIELD",
                    "it.measured_power",
                    f"the basis is measured, but the measured input of {device.model} is missing.",
                    "Enter it.measured_power (one server), or power of the device in its rack.",
                )
            return self.measured_w
        self.trace.ledger.add_text(
            "it.measured_others",
            "typical, else maximum",
            "no measured value for network, storage and management",
            RULE,
        )
        return device.maximum_w if device.typical_w is None else device.typical_w


def resolve_basis(section: ItSection, trace: Trace) -> Basis:
    """Return the basis: as specified, measured with a measured power, else data sheet.

    Raises ``CONTRADICTION`` for a measured power on another basis.
    """
    basis, read = section.basis, Reader(section, "it", trace)
    if section.measured_power is not None:
        if basis not in (None, "measured"):
            raise FacilityError(
                "CONTRADICTION",
                "it.measured_power",
                f"a measured power is specified, but has no effect on the basis {basis}.",
                "Use it.basis: measured, or remove it.measured_power.",
            )
        read.given("measured_power")
        return "measured"
    return read.word("basis", basis)
