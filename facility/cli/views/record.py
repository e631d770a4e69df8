"""The access record of a store, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from facility.files.store.record.chain import Action, RecordEntry
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Statement

_WORDS = {
    Action.BEGUN: "record begun",
    Action.HEAD_STORED: "newest length stored on another computer from here on",
    Action.BACKED_UP: "backup written",
    Action.RESTORED: "backup restored",
    Action.CREATED: "project created",
    Action.READ: "opened",
    Action.SAVED: "saved",
    Action.NAMED: "revision named",
    Action.ARCHIVED: "archived",
    Action.UNARCHIVED: "restored from the archive",
    Action.DELETED: "deleted",
    Action.SHARED: "role changed",
    Action.LINK_MADE: "link created",
    Action.LINK_RENEWED: "link renewed",
    Action.LINK_REVOKED: "link revoked",
    Action.SIGN_IN: "signed in",
    Action.SIGN_OUT: "signed out",
    Action.SIGN_IN_FAILED: "sign-in failed",
    Action.LINK_REFUSED: "unknown, expired or revoked link used",
    Action.REFUSED: "access denied",
    Action.NOT_RECORDED: "further failures, not recorded individually",
}
_HASHES = ("sha256", "text_sha256")
_HASH_CHARACTERS = 12


def record_statement(entries: Sequence[RecordEntry], count: int, sealed: int) -> Statement:
    """Return entries of a verified record.

    count: Entries of the whole record.
    sealed: Number of first entries, before the record was begun again.
    """
    facts = [f"verified: {count:,} entries"]
    if sealed:
        facts.append(
            f"entries 1 to {sealed:,} are older than --begin-again: unchanged since then, "
            "but not verified with the current key"
        )
    rows = [
        (
            str(entry.seq),
            f"{entry.moment:%Y-%m-%d %H:%M:%S}",
            entry.who,
            _WORDS[Action(entry.action)] if entry.action in list(Action) else entry.action,
            entry.project or "",
            ", ".join(f"{key} {_short(key, value)}" for key, value in entry.details.items()),
        )
        for entry in entries
    ]
    heads = ("entry", "time (UTC)", "who", "action", "project", "detail")
    return Statement(
        "library",
        {"record.count": count, "record.sealed": sealed},
        {"record": [_json(entry) for entry in entries]},
        title="Access record",
        facts=facts,
        table=TextTable("Entries", heads, rows) if rows else None,
        lines=() if rows else ("no entries",),
    )


def _short(key: str, value: object) -> str:
    if isinstance(value, list):
        return "; ".join(map(str, value))
    return str(value)[:_HASH_CHARACTERS] if key in _HASHES else str(value)


def _json(entry: RecordEntry) -> dict[str, object]:
    return {**entry._asdict(), "at": entry.moment.isoformat(), "detail": entry.details}
