"""The folder tree is the table of contents: small folders, no prefix families, one way between."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from graphlib import CycleError, TopologicalSorter

from tests.tools.source_tree import PACKAGE, imports_of, modules, report

MAX_MODULES = 15
FAMILY = 3
"""So many siblings with one first word are a folder."""

# May fall, and never rise: statements set by hand because a table reads better so, and `Any`.
MAX_FMT_SKIP = 286
MAX_ANY = 320


def rooms() -> dict[str, list[str]]:
    """Return the modules of every folder by the folder's dotted name."""
    found: dict[str, list[str]] = defaultdict(list)
    for module in modules():
        if not module.path.endswith("__init__.py"):
            folder, _, stem = module.name.rpartition(".")
            found[folder].append(stem)
    return found


def room_of(name: str) -> str:
    """Return the folder that a module stands in; a package is its own folder."""
    is_package = (PACKAGE.parent / name.replace(".", "/")).is_dir()
    return name if is_package else name.rpartition(".")[0]


def branches(user: str, used: str) -> tuple[str, str] | None:
    """Return the two sibling folders where the paths part; none within one line of descent."""
    if f"{user}.".startswith(f"{used}.") or f"{used}.".startswith(f"{user}."):
        return None
    left, right = user.split("."), used.split(".")
    depth = next(i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b)
    return ".".join(left[: depth + 1]), ".".join(right[: depth + 1])


def test_no_folder_holds_more_than_a_page_of_modules() -> None:
    offenders = [f"{f}: {len(m)} modules" for f, m in rooms().items() if len(m) > MAX_MODULES]
    assert not offenders, report(f"folders of over {MAX_MODULES} modules", offenders)


# Folders of tests of the whole, of what tests share, and of data.
_OF_THE_WHOLE = ("checks", "formulas", "golden", "hand", "house", "library", "mutants", "oracles",
                 "results", "soak", "tools", "data")  # fmt: skip


def test_tests_stand_where_the_product_does() -> None:
    tests = PACKAGE.parent / "tests"
    folders = {path.parent.relative_to(tests) for path in tests.rglob("test_*.py")}
    offenders = [
        f"tests/{folder.as_posix()}"
        for folder in sorted(folders)
        if folder.parts and folder.parts[0] not in _OF_THE_WHOLE and not (PACKAGE / folder).is_dir()
    ]
    assert not offenders, report("tests of no folder of facility", offenders)


def test_a_family_of_prefixes_is_a_folder() -> None:
    offenders = []
    for folder, stems in rooms().items():
        families = Counter(stem.split("_")[0] for stem in stems)
        offenders += [f"{folder}: {word}_*" for word, n in families.items() if n >= FAMILY]
    assert not offenders, report(f"{FAMILY} siblings with one prefix", offenders)


def test_folders_import_one_way() -> None:
    arrows: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for module in modules():
        for found in imports_of(module):
            if found.target.startswith("facility."):
                parted = branches(room_of(module.name), room_of(found.target))
                if parted:
                    arrows[parted[0].rpartition(".")[0]][parted[0]].add(parted[1])
    circles = []
    for graph in arrows.values():
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            circles.append(" -> ".join(error.args[1]))
    assert not circles, report("folders that import each other", circles)


def test_settings_by_hand_and_any_do_not_grow() -> None:
    skips = sum(module.text.count("# fmt: " + "skip") for module in modules())
    anys = sum(len(re.findall(r"\bAny\b", module.text)) for module in modules())
    assert skips <= MAX_FMT_SKIP
    assert anys <= MAX_ANY


def test_no_class_name_stands_twice() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for module in modules():
        for node in module.nodes:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(f"{module.path}:{node.lineno}")
    offenders = [f"{name}: {', '.join(at)}" for name, at in places.items() if len(at) > 1]
    assert not offenders, report("class names that stand twice", offenders)
