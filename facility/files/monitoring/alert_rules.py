"""Prometheus alert rules of the alarm limits: one rule per class of equal limits."""

from __future__ import annotations

from collections.abc import Iterator

from facility.core.views import show
from facility.files.project.safe_yaml import yaml_text
from facility.study.points.limits import AlarmLimit, LimitSet
from facility.study.points.points import PointsList
from facility.study.points.schedule import QUANTITIES, is_contact, metric_of

SEVERITIES = {"low-low": "critical", "low": "warning", "high": "warning", "high-high": "critical"}
"""Severity label by level."""
SEVERE_CONTACTS = ("supply_lost", "leak")
"""Contacts with severity critical; the others warn."""
DELAYS_S = {"liquid_flow": 15, "air_flow": 15, "pressure": 15, "temperature": 60, "volume": 60}
"""Default on-delay of a limit without a stated delay, by kind [s]: ISA-18.2 [unverified]."""
OTHER_DELAY_S = 5
"""Default on-delay of other measured values [s]: ISA-18.2 [unverified]; contacts have none."""
_HEAD = (
    "# Alert rules of a points list. Series carry the labels of points.csv: site, hall, row,\n"
    "# rack, equipment, equipment_class, quantity, limit_class; values are in base units.\n"
)


def alert_rules(points: PointsList) -> str:
    """Return the rule file: a group per class of equipment, a rule per level and class of limits.

    The values of a rule are in the base unit of its metric. A limit without a stated delay has the
    default of its kind, and says so; a contact fires at once.
    """
    groups: dict[str, list[dict[str, object]]] = {}
    for one in points.used_sets:
        groups.setdefault(f"facility-{one.equipment}", []).extend(_rules(points, one))
    content = {"groups": [{"name": name, "rules": rules} for name, rules in groups.items()]}
    return _HEAD + yaml_text(content)


def _rules(points: PointsList, limits: LimitSet) -> Iterator[dict[str, object]]:
    name, about = points.sets.name(limits), QUANTITIES[limits.quantity]
    contact = is_contact(limits.quantity)
    for limit in limits.limits:
        rule: dict[str, object] = {
            "alert": alert_name(limits, limit),
            "expr": expression(limits.quantity, name, limit),
        }
        if limit.delay_s:
            whole = float(limit.delay_s).is_integer()
            rule["for"] = f"{limit.delay_s:.0f}s" if whole else f"{limit.delay_s * 1e3:.0f}ms"
        elif not contact:
            rule["for"] = f"{DELAYS_S.get(about.kind, OTHER_DELAY_S)}s"
        severe = limits.quantity in SEVERE_CONTACTS
        severity = "critical" if severe else SEVERITIES[limit.level]
        labels = {"severity": severity, "level": limit.level, "limit_class": name}
        if limit.rule:
            labels["limit_rule"] = limit.rule
        rule["labels"] = labels
        side = "above" if limit.is_upper else "below"
        compared = "" if contact else f" {side} {show(limit.value, about.kind)}"
        # Braces in the name of a source would be read as a template.
        source = limit.source.replace("{", "(").replace("}", ")")
        rule["annotations"] = {
            "summary": f"{{{{ $labels.equipment }}}}: {about.words.lower()}{compared}",
            "description": f"Value {{{{ $value }}}}. Limit: {source}."
            + ("" if contact or limit.delay_s else " Delay: default, not stated in the design."),
        }
        yield rule


def alert_name(limits: LimitSet, limit: AlarmLimit) -> str:
    """Return the name of an alert: class, quantity and level, in camel case."""
    level = "" if is_contact(limits.quantity) and limit.level == "high" else limit.level
    words = f"{limits.equipment}-{limits.quantity}-{level}".replace("_", "-").split("-")
    return "".join(word.capitalize() for word in words)


def expression(quantity: str, limit_class: str, limit: AlarmLimit) -> str:
    """Return the PromQL expression of a limit."""
    series = f'{metric_of(quantity)}{{limit_class="{limit_class}"}}'
    if is_contact(quantity):
        return f"{series} == 1"
    compared = f"{series} {'>' if limit.is_upper else '<'} {limit.value:.12g}"
    return f"{compared} and {series} > 0" if limit.while_running else compared
