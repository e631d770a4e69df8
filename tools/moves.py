"""Move modules to where a table says, and rewrite every mention of them.

The table is a CSV with the columns ``old``, ``new`` and, optionally, ``doc``: dotted paths of
modules or of whole packages (``facility.wing.pump_size,facility.wing.pump.size``). A row with an
empty ``old`` names a package to be made, and ``doc`` is its docstring.

    python -m tools.moves map.csv           move, rewrite, sort imports, format
    python -m tools.moves map.csv --dry     say what is wrong with the table, and move nothing

Files move with ``git mv``. In every tracked text file dotted paths (``facility.wing.pump_size``,
also inside strings and before ``:`` or an attribute) and paths (``facility/wing/pump_size.py`` or
``wing/pump_size.py``) are replaced as whole tokens, all at once, so that names may be swapped.
``from facility.wing import pump_size`` becomes an import of the new module under the old name.
Attributes of a variable that is called like a package (``facility.wing``) stay. Names of equations
(``wing.pump_size.shaft_power``) follow their modules, in tables of cases too.
Packages are made where the tree needs them, and those left without a module are removed. What a
machine cannot decide is printed to be looked at: paths computed from ``__file__``, dotted paths
put together at run time, file names without their folder.

Exit code 0 when all is moved, 2 when the table is wrong.
"""

from __future__ import annotations

import argparse
import ast
import csv
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COLUMNS = ("old", "new")
# History speaks of what was.
_LEFT_ALONE = ("CHANGELOG.md", "docs/results-record.md")
_TOKEN = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_PATH = re.compile(r"(?<![\w./-])[\w-]+(?:/[\w-]+)+(?:/|\.\w+\b)?")
_PLACE = r"__file__|importlib\.resources|__package__|__name__"


@dataclass(frozen=True)
class Plan:
    """What moves: modules by dotted path, files by path, folders by path, packages to be made."""

    modules: dict[str, str]
    files: dict[str, str]
    folders: dict[str, str]
    packages: dict[str, str]
    equations: dict[str, str]


def path_of(root: Path, dotted: str) -> Path:
    """Return the file of a module, or the folder of a package."""
    base = root.joinpath(*dotted.split("."))
    return (
        base if base.is_dir() and not base.with_suffix(".py").is_file() else base.with_suffix(".py")
    )


def read_plan(root: Path, table: Path) -> Plan:
    """Return the plan of the table; a package stands for all in it that has no row of its own."""
    with table.open(newline="", encoding="utf-8") as file:
        rows = [{k: (v or "").strip() for k, v in row.items() if k} for row in csv.DictReader(file)]
    plan = Plan(
        {row["old"]: row["new"] for row in rows if row["old"]},
        {},
        {},
        {row["new"]: row.get("doc", "") for row in rows if not row["old"]},
        {},
    )
    packages = []
    for old, new in plan.modules.items():
        path = path_of(root, old)
        if path.is_dir():
            packages.append((old, new))
        else:
            plan.files[path.relative_to(root).as_posix()] = new.replace(".", "/") + ".py"
    for old, new in sorted(packages, key=lambda pair: -pair[0].count(".")):
        folder, target = old.replace(".", "/"), new.replace(".", "/")
        plan.folders[folder] = target
        for name in _tracked(root, root / folder):
            if name in plan.files:
                continue
            plan.files[name] = target + name.removeprefix(folder)
            if name.endswith(".py"):
                dotted = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
                plan.modules.setdefault(dotted, new + dotted.removeprefix(old))
    for old, new in plan.modules.items():
        path = path_of(root, old)
        for name in _equations(path) if path.is_file() else ():
            short, target = old.partition(".")[2], new.partition(".")[2]
            plan.equations[f"{short}.{name}"] = f"{target}.{name}"
    return plan


def _equations(path: Path) -> Iterator[str]:
    """Yield the functions of a module that are declared as equations."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and any(
            ast.unparse(one).startswith("equation(") for one in node.decorator_list
        ):
            yield node.name


def complaints(root: Path, table: Path) -> list[str]:
    """Return what is wrong with the table."""
    with table.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if not rows or not set(COLUMNS) <= set(rows[0]):
        return [f"the table has no columns {', '.join(COLUMNS)}, or no rows"]
    found: list[str] = []
    seen: dict[str, set[str]] = {"old": set(), "new": set()}
    for row in rows:
        for column in COLUMNS:
            name = (row[column] or "").strip()
            if name and name in seen[column]:
                found.append(f"{name} stands twice in the column {column}")
            seen[column].add(name)
            if name and not all(part.isidentifier() for part in name.split(".")):
                found.append(f"{name!r} is not a dotted path")
        old = (row["old"] or "").strip()
        if old and not path_of(root, old).exists():
            found.append(f"there is no {old}")
    return found or _collisions(root, read_plan(root, table))


def _collisions(root: Path, plan: Plan) -> list[str]:
    found = []
    kept = set(_tracked(root, root)) - set(plan.files)
    after = kept | set(plan.files.values())
    folders = {parent.as_posix() for name in after for parent in Path(name).parents}
    for old, new in plan.files.items():
        if old == new:
            found.append(f"{old} would move to itself")
        elif new in kept:
            found.append(f"{old} would move onto {new}")
        if new.endswith(".py") and new.removesuffix(".py") in folders:
            found.append(f"{new} would be next to a folder of the same name")
        found += [
            f"{new} would be in a folder next to {parent}.py"
            for parent in map(Path.as_posix, Path(new).parents)
            if f"{parent}.py" in kept
        ]
    if len(set(plan.files.values())) != len(plan.files):
        found.append("two files would move to the same place")
    return found


def _tracked(root: Path, below: Path) -> list[str]:
    key = (root, below)
    if key not in _KNOWN:
        done = _run(root, "git", "ls-files", "-z", "--", str(below))
        _KNOWN[key] = [name for name in done.split("\0") if name and (root / name).is_file()]
    return _KNOWN[key]


_KNOWN: dict[tuple[Path, Path], list[str]] = {}


def _run(root: Path, *words: str) -> str:
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(words[:4])}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def renamed(token: str, plan: Plan) -> str:
    """Return a dotted path with the longest moved module at its beginning replaced."""
    parts = token.split(".")
    for n in range(len(parts), 2, -1):
        if (new := plan.equations.get(".".join(parts[:n]))) is not None:
            return ".".join([new, *parts[n:]])
    for n in range(len(parts), 1, -1):
        new = plan.modules.get(".".join(parts[:n]))
        if new is not None:
            return ".".join([new, *parts[n:]])
    return token


def repathed(token: str, plan: Plan) -> str:
    """Return the path of a moved file or folder replaced, written from the root or the package."""
    for prefix in ("", "facility/"):
        full = prefix + token.rstrip("/")
        new = plan.files.get(full) or plan.folders.get(full)
        if new is not None and new.startswith(prefix):
            return new.removeprefix(prefix) + "/" * token.endswith("/")
    return token


def rewritten(text: str, plan: Plan) -> str:
    """Return any text with the dotted paths and file paths of what moves replaced."""
    text = _TOKEN.sub(lambda found: renamed(found[0], plan), text)
    return _PATH.sub(lambda found: repathed(found[0], plan), text)


def rewritten_python(text: str, plan: Plan) -> str:
    """Return a module's text with its imports and all other mentions of what moves replaced."""
    data, done, out = text.encode(), 0, []
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node, words in _apart(ast.parse(text), plan):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        if start < done:
            continue
        out.append(rewritten(data[done:start].decode(), plan))
        if words:
            indent = data[starts[node.lineno - 1] : start].decode()
            if indent.strip() or b"#" in data[start:end]:
                seen = data[start:end].decode()
                raise SystemExit(f"an import that shares its line, or holds a comment: {seen}")
            out.append(f"\n{indent}".join(words))
        else:
            out.append(data[start:end].decode())
        done = end
    return "".join([*out, rewritten(data[done:].decode(), plan)])


Apart = ast.ImportFrom | ast.Attribute | ast.JoinedStr


def _apart(tree: ast.Module, plan: Plan) -> list[tuple[Apart, list[str]]]:
    """Return the code references: imports with their new words, and what stays as it is."""
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    roots = {old.partition(".")[0] for old in plan.modules}
    found: list[tuple[Apart, list[str]]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (words := _split_import(node, plan)):
            found.append((node, words))
        elif isinstance(node, ast.Attribute | ast.JoinedStr) and any(
            isinstance(inner, ast.Attribute) and _of_variable(inner, roots, imported)
            for inner in ([node] if isinstance(node, ast.Attribute) else ast.walk(node))
        ):
            found.append((node, []))
    return sorted(
        found,
        key=lambda one: (
            one[0].lineno,
            one[0].col_offset,
            -(one[0].end_lineno or 0),
            -(one[0].end_col_offset or 0),
        ),
    )


def _of_variable(node: ast.Attribute, roots: set[str], imported: set[str]) -> bool:
    """Return whether `node` is ``facility.a.b`` of a variable, not of an imported package."""
    inner: ast.expr = node
    while isinstance(inner, ast.Attribute):
        inner = inner.value
    if not isinstance(inner, ast.Name) or inner.id not in roots:
        return False
    chain = ast.unparse(node)
    return not any("." in name and f"{chain}.".startswith(f"{name}.") for name in imported)


def _split_import(node: ast.ImportFrom, plan: Plan) -> list[str]:
    """Return the statements for ``from package import module`` where such a module moves."""
    base = node.module or ""
    moved = [alias for alias in node.names if f"{base}.{alias.name}" in plan.modules]
    if node.level or not moved:
        return []
    statements = []
    kept = [alias for alias in node.names if alias not in moved]
    if kept:
        names = ", ".join(ast.unparse(alias) for alias in kept)
        statements.append(f"from {renamed(base, plan)} import ({names})")
    for alias in moved:
        package, _, name = plan.modules[f"{base}.{alias.name}"].rpartition(".")
        known_as = alias.asname or alias.name
        shown = name if known_as == name else f"{name} as {known_as}"
        statements.append(f"from {package} import {shown}" if package else f"import {shown}")
    return statements


def texts(root: Path) -> Iterator[tuple[str, str]]:
    """Yield every tracked text file that may mention a module."""
    for name in _tracked(root, root):
        if name in _LEFT_ALONE:
            continue
        data = (root / name).read_bytes()
        if b"\0" not in data:
            try:
                yield name, data.decode("utf-8")
            except UnicodeDecodeError:
                continue


def rewrite(root: Path, plan: Plan) -> list[str]:
    """Rewrite the files in place, before the move; return those that changed."""
    changed = []
    for name, text in texts(root):
        new = rewritten_python(text, plan) if name.endswith(".py") else rewritten(text, plan)
        if new != text:
            (root / name).write_text(new, encoding="utf-8", newline="")
            changed.append(plan.files.get(name, name))
    return changed


def move(root: Path, plan: Plan) -> None:
    """Move the files, through a temporary folder so that names may be swapped, and fix packages."""
    apart = root / ".moving"
    for n, old in enumerate(plan.files):
        (apart / str(n)).parent.mkdir(parents=True, exist_ok=True)
        _run(root, "git", "mv", old, f".moving/{n}")
    for n, new in enumerate(plan.files.values()):
        (root / new).parent.mkdir(parents=True, exist_ok=True)
        _run(root, "git", "mv", f".moving/{n}", new)
    shutil.rmtree(apart, ignore_errors=True)
    _KNOWN.clear()
    _remove_left(root, plan)
    _make_packages(root, plan)


def _make_packages(root: Path, plan: Plan) -> None:
    """Give every folder between a moved module and its top an ``__init__.py``, where tops have."""
    wanted = dict(plan.packages)
    for new in plan.modules.values():
        parts = new.split(".")
        for n in range(1, len(parts)):
            wanted.setdefault(".".join(parts[:n]), "")
    for dotted, doc in wanted.items():
        path = root.joinpath(*dotted.split("."), "__init__.py")
        top = root / dotted.split(".")[0] / "__init__.py"
        if path.exists() or not top.exists():
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'"""{doc or "Modules of " + dotted + "."}"""\n', encoding="utf-8")
        _run(root, "git", "add", str(path))


def _remove_left(root: Path, plan: Plan) -> None:
    """Remove packages that hold no module any more, and folders that hold nothing."""
    folders = {parent for old in plan.files for parent in (root / old).parents if parent != root}
    for folder in sorted(folders, key=lambda one: -len(one.parts)):
        if not folder.is_dir() or root not in folder.parents:
            continue
        left = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
        if left == [folder / "__init__.py"] and _says_nothing(left[0]):
            _run(root, "git", "rm", "-q", "-f", str(left[0]))
            left = []
        if not left:
            shutil.rmtree(folder, ignore_errors=True)


def _says_nothing(path: Path) -> bool:
    return all(
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for node in ast.parse(path.read_text(encoding="utf-8")).body
    )


def by_hand(root: Path, plan: Plan) -> Iterator[str]:
    """Yield the places that a person must look at, after the move."""
    moved = set(plan.files.values())
    gone = {Path(old).name for old in plan.files if old.endswith(".py")} - {"__init__.py"}
    packages = {parent for old in plan.modules for parent in _parents(old)}
    for name, text in texts(root):
        for number, line in enumerate(text.splitlines(), 1):
            for words in by_hand_in(root, line, name in moved, gone, packages):
                yield f"{name}:{number}: {words}: {line.strip()[:100]}"


def _parents(dotted: str) -> Iterator[str]:
    parts = dotted.split(".")
    for n in range(1, len(parts)):
        yield ".".join(parts[:n])


def by_hand_in(
    root: Path, line: str, moved: bool, gone: set[str], packages: set[str]
) -> Iterator[str]:
    """Yield what in `line` a machine cannot decide."""
    if moved and re.search(_PLACE, line):
        yield "a path that depends on where the module stands"
    for found in re.finditer(r"[\w./-]+\.py\b", line):
        path = found[0]
        there = (root / path).is_file() or (root / "facility" / path).is_file()
        if Path(path).name in gone and not there:
            yield f"{path} is not a file below the root"
    for found in re.finditer(r"[\"'`]((?:\w+\.)+)[{%\"'*`]", line):
        if found[1].rstrip(".") in packages:
            yield "a dotted path put together"
    for found in re.finditer(r"[\"'](\w+_\w+)[\"']", line):
        if f"{found[1]}.py" in gone:
            yield f"{found[1]} is the name of a module, or of something else"
    if re.search(r"\bfacility/[\w/]*\*", line):
        yield "a pattern of paths"


def tidy(root: Path, changed: list[str]) -> None:
    """Sort the imports of the changed modules and format them."""
    modules = [name for name in changed if name.endswith(".py")]
    for start in range(0, len(modules), 200):
        some = modules[start : start + 200]
        ruff = (sys.executable, "-m", "ruff")
        _run(root, *ruff, "check", "-q", "--select", "I", "--fix", *some)
        _run(root, *ruff, "format", "-q", *some)


def main(words: list[str] | None = None) -> int:
    """Move as the table says; see the module's text."""
    parser = argparse.ArgumentParser(prog="moves", description="Move modules.")
    parser.add_argument("table", type=Path)
    parser.add_argument("--root", type=Path, default=Path.cwd())
    parser.add_argument("--dry", action="store_true", help="look at the table alone")
    asked = parser.parse_args(words)
    root = asked.root.resolve()
    _KNOWN.clear()
    wrong = complaints(root, asked.table)
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 2
    plan = read_plan(root, asked.table)
    print(f"{len(plan.files)} files move")
    if asked.dry:
        return 0
    changed = rewrite(root, plan)
    move(root, plan)
    tidy(root, sorted({*changed, *plan.files.values()}))
    print(f"{len(changed)} files mention them and are rewritten")
    for line in by_hand(root, plan):
        print(f"look at {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
