"""Write a store of an earlier version with data in every table, and what that version read of it.

Run in a checkout of the last commit of a version, which is then the program that writes:

    PYTHONPATH=. python earlier.py FOLDER VERSION

0001 and 0002 were written by 44617dbc, 0003 by a2cac673, 0004 by 06f20ecb, 0005 by 70fad593.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from sqlalchemy import select

from facility.core.reference import reference_path
from facility.files.store import versions
from facility.files.store.opening import open_store
from facility.files.store.panels import panel_in
from facility.files.store.records import Role, SavedPanel
from facility.files.store.tables import panels

HALL = """\
schema_version: 1  # from the tender, rev. B
project: {name: Halle Süd, title: Erweiterung, number: P-117, company: Müller & Söhne}
it: {gpu_model: H100 SXM5, gpus: 64}
"""
PANEL = """\
# panel: RPP-1A; system: 208Y/120; poles: 42; bus: 400 A
description,poles,va,pf,breaker_a,position,fixed
Rack 1,2,4800,0.98,30,1,no
"""
FACTS = {"load.it": 1.25e6, "pue.annual": 1.234, "verdict": "No: 4 things", "verdict.count": 4}


def main() -> None:
    folder, version = Path(sys.argv[1]), sys.argv[2]
    file = folder / "work.sqlite"
    later = [step for step in versions.steps(None, "") if step.revision > version]
    if later:  # The program that wrote 0002 wrote 0001 too, before it had links
        every = versions.steps
        versions.steps = lambda current, where: [
            step for step in every(current, where) if step.revision <= version
        ]
    with open_store(file) as store:
        kept = written(store, version)
        kept |= {"projects": read(store, version)}
        store.backup(folder / f"{version}.jsonl", force=True)
    text = json.dumps(kept, indent=1, ensure_ascii=False, sort_keys=True)
    (folder / f"{version}.json").write_text(text + "\n", encoding="utf-8")
    for left in folder.glob("work.sqlite*"):
        left.unlink()


def written(store: object, version: str) -> dict[str, object]:
    ann, bob = store.library("ann@example.org"), store.library("bob@example.org")
    made = ann.create(HALL, "from the example", FACTS).id
    example = reference_path("projects", "mixed-hall.yaml").read_text(encoding="utf-8")
    texts = [HALL.replace("64", "128"), example, HALL.replace("64", "256") + "# Ω checked\n"]
    for number, text in enumerate(texts, 1):
        ann.save(made, text, based_on=number, label=f"change {number}: Ä")
    ann.name_revision(made, 2, "für die Prüfung")
    ann.sharing.give(made, "bob@example.org", Role.EDITOR)
    ann.sharing.give(made, "1A at id.example.org", Role.READER)
    bob.save(made, HALL.replace("64", "512"), based_on=4, label="it.gpus", facts={"it.gpus": 512})
    for number, text in enumerate((PANEL, PANEL.replace("30", "40"))):
        bob.panels.save(made, "RPP-1A", text, based_on=number)
    ann.panels.save(made, "RPP-2", PANEL, based_on=0)
    ann.panels.save(made, "RPP-2", None, based_on=1)
    ann.archive(ann.branch(made, 3).id)
    bob.create(example, "imported from mixed-hall.yaml")
    found = {"of": made, "open": "", "revoked": ""}
    if version >= "0002":
        found["open"] = ann.links.make(made, "for the client")
        found["revoked"] = ann.links.make(made, "for review")
        (gone,) = (one.id for one in ann.links.all(made) if one.label == "for review")
        ann.links.revoke(made, gone)
    if version >= "0003":
        from facility.files.store.records import Draft

        ann.drafts.save(made, Draft.WAITING, '{"it.gpus": "many"}')
        bob.drafts.save(made, Draft.SCENARIOS, "what if: Ω\n")
    if version >= "0004":
        from facility.files.project.companions import content_name

        content = b"hour,load_kw\r\n1,5\r\n\xff"
        ann.files.save(made, content_name("load.csv", content), content)
    return found


def read(store: object, version: str) -> list[object]:
    """Return what this version reads of its store, as JSON."""
    all_of = store.library("x", unrestricted=True)
    people = [store.library(who) for who in ("ann@example.org", "bob@example.org")]
    found = []
    for entry in all_of.entries() + all_of.entries(archived=True):
        one = {"entry": entry, "revisions": all_of.revisions(entry.id)}
        one["texts"] = {r.number: all_of.text(entry.id, r.number) for r in one["revisions"]}
        one["roles"] = all_of.sharing.roles(entry.id)
        names = ("RPP-1A", "RPP-2")
        one["panels"] = {name: panel_states(store, entry.id, name) for name in names}
        if version >= "0002":
            one["links"] = all_of.links.all(entry.id)
        if version >= "0003":
            one["drafts"] = [
                who.drafts.all(entry.id) if entry.id in {e.id for e in who.entries()} else {}
                for who in people
            ]
        if version >= "0004":
            names = all_of.files.names(entry.id)
            one["files"] = {n: all_of.files.content(entry.id, n).hex() for n in names}
        found.append(one)
    return json.loads(json.dumps(found, default=plain))


def panel_states(store: object, project: str, name: str) -> list[SavedPanel]:
    """Return the states of a panel beside a project, the last first."""
    at = (panels.c.project == project) & (panels.c.name == name)
    query = select(panels).where(at).order_by(panels.c.number.desc())
    with store.database.reading() as connection:
        return [panel_in(row) for row in connection.execute(query)]


def plain(value: object) -> object:
    return vars(value) if hasattr(value, "__dataclass_fields__") else str(value)


if __name__ == "__main__":
    main()
