"""Row checksums, so that edited rows are detected; expiry of links.

Existing rows have no original checksum, but each revision has always had the SHA-256 of its project
as typed and the size of its text. A revision whose text does not match gets no checksum: it is
listed, but rejected when its text is read. A text that the present model cannot read, so that only
its size can be compared, gets its checksum.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op

from facility.core.errors import FacilityError
from facility.files.project.file import parse_project
from facility.model.inputs.document import project_sha256

revision = "0007"
down_revision = "0006"

DAYS = 30
KEYS = {
    "store_projects": ("id",),
    "store_revisions": ("project", "number"),
    "store_panels": ("project", "name", "number"),
    "store_files": ("project", "name"),
    "store_drafts": ("project", "who", "name"),
    "store_roles": ("project", "who"),
    "store_links": ("token",),
}
COLUMNS = {
    "store_projects": (
        *("id", "head", "name", "title", "search", "created_at", "created_by", "archived_at"),
        *("origin", "origin_number"),
    ),
    "store_revisions": (
        *("project", "number", "saved_at", "who", "label", "name", "sha256", "size", "facts"),
        "text_sha256",
    ),
    "store_panels": ("project", "name", "number", "saved_at", "who", "text"),
    "store_files": ("project", "name", "saved_at", "who", "size"),
    "store_drafts": ("project", "who", "name", "saved_at", "text"),
    "store_roles": ("project", "who", "role"),
    "store_links": (
        *("project", "token", "label", "made_at", "made_by", "revoked_at", "expires_at"),
    ),
}


def upgrade() -> None:
    """Add the columns, and fill them project by project."""
    op.add_column("store_links", sa.Column("expires_at", sa.String(27)))
    op.add_column("store_revisions", sa.Column("text_sha256", sa.String(64)))
    for table in COLUMNS:
        op.add_column(table, sa.Column("row_sha256", sa.String(64)))
    connection = op.get_bind()
    until = datetime.now(UTC) + timedelta(days=DAYS)
    end = {"end": until.strftime("%Y-%m-%dT%H:%M:%S.%fZ")}
    connection.execute(sa.text("UPDATE store_links SET expires_at = :end"), end)
    ids = connection.execute(sa.text("SELECT id FROM store_projects")).scalars().all()
    for project in ids:
        for table in COLUMNS:
            _fill(connection, table, project)


def _fill(connection: sa.Connection, name: str, project: str) -> None:
    """Set the checksums of the rows of one project."""
    columns = {*COLUMNS[name], "row_sha256", *(("text",) if name == "store_revisions" else ())}
    table = sa.table(name, *map(sa.column, sorted(columns)))
    of_project = table.c["id" if name == "store_projects" else "project"] == project
    query = sa.select(table).where(of_project).execution_options(yield_per=100)
    rows = connection.execute(query).mappings()
    found = [_sums(name, dict(row)) for row in rows]
    if found:
        at = [table.c[key] == sa.bindparam(f"at_{key}") for key in KEYS[name]]
        connection.execute(sa.update(table).where(*at), found)


def _sums(name: str, row: dict[str, object]) -> dict[str, object]:
    """Return the checksums of a row, and its key."""
    sums: dict[str, object] = {}
    if name == "store_revisions":
        is_as_saved = _is_as_saved(row)
        sums["text_sha256"] = _sha256(str(row["text"])) if is_as_saved else None
    values = [(row | sums)[column] for column in COLUMNS[name]]
    sums["row_sha256"] = _sha256(json.dumps(values, default=repr))
    return {**{f"at_{key}": row[key] for key in KEYS[name]}, **sums}


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _is_as_saved(row: dict[str, object]) -> bool:
    """Return whether the text of a revision matches the values recorded when it was saved."""
    text = row["text"]
    if not isinstance(text, str) or row["size"] != len(text.encode()):
        return False
    try:
        return project_sha256(parse_project(text)) == row["sha256"]
    except FacilityError:
        return True
