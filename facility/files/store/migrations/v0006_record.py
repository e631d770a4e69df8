"""The record of who read, saved, shared and signed in; rows can only be appended."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_ABORT = "the access record is append-only"


def upgrade() -> None:
    """Create the table, and the triggers that protect its rows."""
    op.create_table(
        "store_record",
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.String(27), nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("action", sa.String(24), nullable=False),
        sa.Column("project", sa.String(32)),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("mac", sa.String(64), nullable=False),
    )
    if op.get_bind().dialect.name == "sqlite":
        for event in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER store_record_no_{event.lower()} BEFORE {event} ON store_record "
                f"BEGIN SELECT RAISE(ABORT, '{_ABORT}'); END"
            )
        op.execute(  # REPLACE would delete without a trigger
            "CREATE TRIGGER store_record_no_replace BEFORE INSERT ON store_record "
            "WHEN EXISTS (SELECT 1 FROM store_record WHERE seq = NEW.seq) "
            f"BEGIN SELECT RAISE(ABORT, '{_ABORT}'); END"
        )
        return
    op.execute(
        "CREATE FUNCTION store_record_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{_ABORT}'; END $$"
    )
    for name, event, each in (
        ("store_record_no_change", "UPDATE OR DELETE", "ROW"),
        ("store_record_no_truncate", "TRUNCATE", "STATEMENT"),
    ):
        op.execute(
            f"CREATE TRIGGER {name} BEFORE {event} ON store_record "
            f"FOR EACH {each} EXECUTE FUNCTION store_record_refuse()"
        )
