"""Models of an inventory: rows of the catalogue by their trade names, or own devices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from facility.catalogue import match_device, match_gpu
from facility.core.errors import FacilityError
from facility.core.parse import parse_quantity
from facility.core.trace import Trace
from facility.files.incoming.columns import IGNORE, TableQuestion
from facility.files.incoming.inventory.answers import POWERS, RACK_POWER, Answers, value_option
from facility.files.incoming.inventory.listing import PATHS, ListedRow
from facility.files.incoming.inventory.roles import is_passive
from facility.model.inputs.change import Typed
from facility.model.inputs.document import Project, as_typed
from facility.model.inputs.entries import fields, text_of, value_at
from facility.model.inputs.it import ItSection
from facility.model.it import Device
from facility.study.resolve.it.devices import device_book

_SECTION = "it.devices[]."
DEVICE_FIELDS = tuple(
    name for name, path in PATHS.items() if path.startswith(_SECTION) and path != f"{_SECTION}model"
)
"""Columns that describe a model, not one device: power, supplies, height, mass, GPUs."""
_CATEGORIES = {"compute": "server", "network": "switch"}
_KNOWN = {
    "maximum_power": "maximum_w",
    "typical_power": "typical_w",
    "idle_power": "idle_w",
    "peak_power": "peak_w",
    "mass": "mass_kg",
    "rack_units": "rack_units",
    "gpus": "gpus",
}
_SAME = 0.005
"""Relative difference up to which a stated value is the catalogue's, rounded."""


@dataclass
class Models:
    """Model key of each written model, and the devices that the project must describe."""

    keys: dict[tuple[str, str], str] = field(default_factory=dict)  # By manufacturer and model
    devices: dict[str, dict[str, Typed]] = field(default_factory=dict)  # Listed fields by key
    questions: list[TableQuestion] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    open: dict[str, str] = field(default_factory=dict)  # What is missing of a model, by its key

    def key(self, row: ListedRow) -> str:
        """Return the model key of a row."""
        return self.keys[row.cells.get("manufacturer", ""), row.cells["model"]]


def match_models(
    rows: Sequence[ListedRow], answers: Answers, project: Project, purposes: Mapping[str, str]
) -> Models:
    """Return the models of rows, matched with the catalogue first.

    purposes: Rack purpose by the text of a role.
    """
    found = Models()
    own = {str(one.get("model")) for one in project_devices(project)}
    stated: dict[str, dict[str, dict[str, ListedRow]]] = {}
    roles: dict[str, set[str]] = {}
    first: dict[str, ListedRow] = {}
    drawn: dict[str, list[str]] = {}  # Input power of each device as stated
    for row in rows:
        cells = row.cells
        pair = cells.get("manufacturer", ""), cells["model"]
        key = found.keys.get(pair)
        if key is None:
            key = found.keys[pair] = _key(pair, row, answers, own, found)
        first.setdefault(key, row)
        values = stated.setdefault(key, {})
        for name in DEVICE_FIELDS:
            if name in cells:
                values.setdefault(name, {}).setdefault(cells[name], row)
        drawn.setdefault(key, []).append(cells.get("input_power", ""))
        if "purpose" in cells:
            roles.setdefault(key, set()).add(purposes.get(cells["purpose"], ""))
    for key, row in first.items():
        values = stated[key]
        differing = [name for name, texts in values.items() if len(texts) > 1]
        found.questions += [_differing(key, name, values[name]) for name in differing]
        if not differing and key not in found.open:
            described = _described({name: next(iter(texts)) for name, texts in values.items()})
            unknown = match_device(key).key == key and _catalogue_device(key) is None
            needs_power = unknown or row.stated
            if all(drawn[key]) and "maximum_power" not in described and needs_power:
                largest = max(drawn[key], key=lambda text: parse_quantity(text, "active_power").si)
                described["maximum_power"] = largest
            _describe(key, row, described, roles.get(key, set()), project, found, answers)
    return found


def project_devices(project: Project) -> list[dict[str, Typed]]:
    """Return the devices that a project describes, as typed."""
    found = value_at(as_typed(project), "it.devices")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def described_devices(devices: Mapping[str, Mapping[str, Typed]], project: Project) -> list[Typed]:
    """Return the described devices of a project with the fields of the list over theirs."""
    before = project_devices(project)
    known = {str(one.get("model")) for one in before}
    updated: list[Typed] = []
    for one in before:
        listed = devices.get(str(one.get("model")), {})
        both: dict[str, Typed] = {**one, **listed}
        supplies, stated = one.get("supplies"), listed.get("supplies")
        if isinstance(supplies, dict) and isinstance(stated, dict):
            both["supplies"] = {**supplies, **stated}
        updated.append(both)
    return updated + [
        {"model": key, **listed} for key, listed in devices.items() if key not in known and listed
    ]


def _key(
    pair: tuple[str, str], row: ListedRow, answers: Answers, own: set[str], found: Models
) -> str:
    """Return the key of a model: an own device, a row of the catalogue, or the text as written."""
    manufacturer, written = pair
    if row.stated:
        return written
    text = answers.meaning(written)
    if text in own:
        return text
    texts = [text]
    if manufacturer and manufacturer.casefold() not in text.casefold():
        texts.insert(0, f"{manufacturer} {text}")
    unclear = None
    for one in texts:
        match = match_device(one)
        if match.key:
            if match.key.casefold() != written.casefold():
                found.notes.append(f"{written[:60]!r} is read as {match.key} of the catalogue")
            return match.key
        unclear = unclear or (match if match.is_question else None)
    if unclear is not None:
        listed = " or ".join(
            value_option(written, str(one["model"])) for one in unclear.candidates[:6]
        )
        if any(map(row.cells.get, POWERS)):
            listed += f" or {value_option(written, RACK_POWER)} for the power of the row"
        listed += f", another model ({value_option(written, '<catalogue model>')})"
        message = f"{written[:60]!r} matches several models."
        found.questions.append(
            TableQuestion(row.at("model"), message, f"Add {listed}.", "AMBIGUOUS_MODEL")
        )
        found.open[text] = "Matches several models"
    return text


def _differing(key: str, name: str, texts: Mapping[str, ListedRow]) -> TableQuestion:
    values = " and ".join(list(texts)[:2])
    row = list(texts.values())[1]
    heading = row.table.heading(name)
    if not heading:
        text = f"{key[:60]!r} has {name} {values}."
        return TableQuestion(
            row.at("model"), text, "Correct the power ports with different values."
        )
    instead = f"Add --map '{heading}=ignore'"
    if name.endswith("_power"):
        instead = f"Add --map '{heading}=input_power' if this is the power of each device, or"
        instead += f" --map '{heading}=ignore'"
    return TableQuestion(row.at(name), f"{key[:60]!r} has {name} {values}.", f"{instead}.")


def _described(cells: Mapping[str, str]) -> dict[str, Typed]:
    """Return cells as fields of a described device."""
    found: dict[str, Typed] = {}
    supplies: dict[str, Typed] = {}
    for name, text in cells.items():
        path = PATHS[name].removeprefix(_SECTION)
        if path.startswith("supplies."):
            supplies[path.removeprefix("supplies.")] = text
        else:
            found[path] = text
    if "count" in supplies:
        found["supplies"] = supplies
    return found


def _describe(
    key: str,
    row: ListedRow,
    described: dict[str, Typed],
    roles: set[str],
    project: Project,
    found: Models,
    answers: Answers,
) -> None:
    """Add the device `key` to the devices that the project must describe, or a question."""
    gpu = described.get("gpu_model")
    if isinstance(gpu, str):
        match = match_gpu(answers.meaning(gpu))
        if match.is_question:
            options = " or ".join(
                value_option(gpu, str(one["model"])) for one in match.candidates[:6]
            )
            text = f"{gpu[:60]!r} matches several GPUs."
            found.questions.append(
                TableQuestion(row.at("gpu_model"), text, f"Add {options}.", "AMBIGUOUS_MODEL")
            )
        described["gpu_model"] = match.key or answers.meaning(gpu)
    device = _catalogue_device(key)
    if device is not None:
        listed = {name: value for name, value in described.items() if _differs(name, value, device)}
        if listed:
            found.devices[key] = listed
            shown = ", ".join(f"{name} {text_of(value)}" for name, value in listed.items())
            found.notes.append(f"{key}: {shown} from the list replaces the catalogue value")
        return
    before = next((one for one in project_devices(project) if one.get("model") == key), {})
    in_catalogue = match_device(key).key == key
    needed = ("maximum_power",) if in_catalogue else ("maximum_power", "rack_units")
    missing = [name for name in needed if name not in before | described]
    if missing:
        if roles != {""} or not is_passive(row.cells.get("purpose", "")):  # Role asked first
            found.questions.append(_missing(key, row, missing, found, in_catalogue))
        return
    if in_catalogue:
        found.devices[key] = described
        power = text_of((before | described)["maximum_power"])
        found.notes.append(
            f"{key}: the catalogue has no maximum power; {power} from the list is used"
        )
        return
    categories = {_CATEGORIES.get(role, role) for role in roles} - {""}
    if "category" not in before and len(categories) == 1:
        described["category"] = categories.pop()
    found.devices[key] = described
    if not before and not row.stated:
        near = "" if is_passive(key) else match_device(key).near
        kind = described.get("category", "server")
        found.notes.append(
            f"{key!r} is not in the catalogue; it is added as a {kind} with the data of its columns"
            + (f" ({near.rstrip('.')})" if near else "")
        )


def _missing(
    key: str, row: ListedRow, missing: Sequence[str], found: Models, in_catalogue: bool
) -> TableQuestion:
    words = {"maximum_power": "maximum power", "rack_units": "height in rack units"}
    columns = {"maximum_power": "'Device max power (W)'", "rack_units": "'Device height (U)'"}
    written = dict.fromkeys(text for (_, text), same in found.keys.items() if same == key)
    ignored, stated = (
        " ".join(value_option(text, word) for text in written) for word in (IGNORE, RACK_POWER)
    )
    column = f"add a column {' and '.join(columns[name] for name in missing)}"
    absent = " and no ".join(words[name] for name in missing)
    found.open[key] = f"Not in the catalogue, no {absent}"
    if in_catalogue:
        text = f"the catalogue has no {absent} for {key!r}, and the list has none either."
        hint = f"Enter the data sheet power ({column}), or omit the model ({ignored})."
    elif is_passive(key):
        text = f"{key[:60]!r} is not in the catalogue and has no {absent}."
        hint = f"Add {ignored} if it draws no power, or {column}."
    else:
        text = f"{key[:60]!r} is not in the catalogue and has no {absent}."
        near = match_device(key).near
        model = value_option(row.cells["model"], "<catalogue model>")
        power = f", use the rack power ({stated})" if any(map(row.cells.get, POWERS)) else ""
        hint = f"A{column[1:]}, map it ({model}){power}, or omit it ({ignored})." + (
            f" {near}" if near else ""
        )
    return TableQuestion(row.at("model"), text, hint, "UNKNOWN_MODEL")


def _catalogue_device(key: str) -> Device | None:
    if match_device(key).key != key:
        return None
    try:
        return device_book(ItSection.unstated(), Trace()).get(key, "")
    except FacilityError:
        return None


def _differs(name: str, value: Typed, device: Device) -> bool:
    """Return whether a stated value differs from the catalogue's, or is not known there."""
    if name == "supplies" and isinstance(value, dict):
        count = None if device.psu is None or device.psu.assumed else str(device.psu.count)
        return value.get("count") != count
    if name == "gpu_model":
        return bool(value != device.gpu_model)
    attribute = _KNOWN.get(name)
    known = getattr(device, attribute) if attribute else None
    if known is None:
        return True
    kind = fields()[_SECTION + name].kind
    stated = float(str(value)) if kind == "count" else parse_quantity(str(value), kind).si
    return abs(stated - float(known)) > _SAME * abs(float(known))
