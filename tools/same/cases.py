"""The projects and panels that both trees are asked about, written once as files."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.soak.projects import project_text

_GPUS = (64, 500, 2_000, 6_000)


@dataclass(frozen=True)
class Case:
    """One case: its name, its kind, and its file (None for questions about the tool alone)."""

    name: str
    kind: str
    file: Path | None


def gather(root: Path, folder: Path, published: Path | None, *, quick: bool) -> list[Case]:
    """Return the cases; every file is a copy in `folder`, the same for both trees.

    Parameters
    ----------
    root : Path
        The present tree: its reference projects, its generator of random projects.
    folder : Path
        Where the files are written.
    published : Path or None
        Folder with ``projects/*.yaml`` and ``panels/*.csv``.
    quick : bool
        The reference projects and six random ones alone.
    """
    folder.mkdir(parents=True, exist_ok=True)
    cases = [Case("tool", "tool", None)]
    for path in sorted((root / "reference" / "projects").glob("*.yaml")):
        cases.append(Case(path.stem, "reference", _copy(path, folder)))
    if published is not None and not quick:
        for path in sorted(published.glob("projects/*.yaml")):
            cases.append(Case(path.stem, "published", _copy(path, folder)))
    if published is not None:
        for path in sorted(published.glob("panels/*.csv")):
            cases.append(Case(path.stem, "panel", _copy(path, folder)))
    for seed in range(6 if quick else 40):
        most = 500 if quick else _GPUS[seed % len(_GPUS)]
        file = folder / f"seed-{seed}.yaml"
        file.write_text(project_text(seed, most), encoding="utf-8")
        cases.append(Case(file.stem, "random", file))
    return cases


def _copy(path: Path, folder: Path) -> Path:
    return Path(shutil.copy(path, folder / path.name))
