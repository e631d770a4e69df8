"""Small modules, small functions, docstrings, and words that have no place in the product.

Parameters are counted without `self`; more than eight are an equation's, a verb's, or have their
reason beside the name.

How a function body is counted: from the first line of the first statement after the docstring to
the last line of the last statement, comments and blank lines between them included. The signature,
decorators and docstring do not count; nor does a body that declares a table and does nothing else.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import facility
from tests.tools.source_tree import ROOT, SHORT, Module, called_once, lines_of, modules, report

MAX_LINES = 500
MAX_BODY_LINES = 60
MAX_SHORT_CALLED_ONCE = 836
"""So many private functions of under ten lines have one caller; may fall, and never rise."""
MAX_PARAMETERS = 8
# What takes a parameter for each quantity of a formula, and for each option of a verb.
MAY_TAKE_MORE = ("equation", "verb")

BANNED = {
    r"\byaml\.(unsafe_|full_)?load\(": "yaml.load: use a safe loader",
    r"\bpickle\b": "pickle",
    r"\beval\(": "eval",
    r"\bexec\(": "exec",
    r"\bunsafe_allow_html\b": "unsafe_allow_html",
    r"\bunsafe_allow_javascript\b": "unsafe_allow_javascript",
    r"\bparse_expression\b": "parse_expression: text never reaches the unit parser",
    r"\b(TODO|FIXME|XXX|HACK)\b": "unfinished work",
}
PRIVATE = {
    r"/work/|/home/\w+|/root/|/tmp/\w": "a path of some machine",
    r"\.\./shared": "a path outside the project",
    r"(?i)\bissues? #?\d+": "an issue number",
}
# Speaks with processes that the server started itself, over pipes that nobody else holds.
MAY_PICKLE = "facility/ui/work/frames.py"
# Catches all exceptions on purpose: the last line of defence of a face.
MAY_CATCH_ALL = ("facility/cli/guard.py",)

# What the library hands out: `help` shows their fields, elsewhere a field is described beside it,
# and a parameter, whose type the signature has, in a line `name: meaning`.
HANDED_OUT = (
    "AnnualStudy",
    "Assumption",
    "Balance",
    "BalanceResult",
    "CaseOutcome",
    "Check",
    "Circuit",
    "CoolingComparison",
    "Design",
    "Explanation",
    "FailureStudy",
    "Fit",
    "Isolation",
    "LoadStudy",
    "Optimum",
    "Panel",
    "RangesStudy",
    "SvgDrawing",
    "Sweep",
    "TransientStudy",
    "Value",
    "VerifyReport",
)


def functions(module: Module) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, int]]:
    """Yield every function with the lines of its body."""
    for node in module.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            lines = (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
            yield node, lines


def declares(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function is one statement: a table or a list of fields, however long."""
    return len(node.body) - (ast.get_docstring(node) is not None) == 1 and isinstance(
        node.body[-1], ast.Return
    )


def test_modules_are_short() -> None:
    lengths = {module.path: len(module.text.splitlines()) for module in modules()}
    offenders = [f"{path}: {n} lines" for path, n in lengths.items() if n > MAX_LINES]
    assert not offenders, report(f"modules over {MAX_LINES} lines", offenders)


def test_function_bodies_are_short() -> None:
    offenders = [
        f"{module.path}:{node.lineno} {node.name}: {lines} lines"
        for module in modules()
        for node, lines in functions(module)
        if lines > MAX_BODY_LINES and not declares(node)
    ]
    assert not offenders, report(f"function bodies over {MAX_BODY_LINES} lines", offenders)


def test_few_short_functions_have_one_caller() -> None:
    short = [
        f"{module.path}:{node.lineno} {node.name}"
        for module in modules()
        for node in called_once(module)
        if lines_of(node) < SHORT
    ]
    assert len(short) <= MAX_SHORT_CALLED_ONCE, report("short functions with one caller", short)


def _takes_too_much(module: Module) -> Iterator[str]:
    """Yield the functions with more parameters than may be, without a reason beside the name."""
    lines = module.text.splitlines()
    for node, _ in functions(module):
        given = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        number = sum(argument.arg not in ("self", "cls") for argument in given)
        made = {ast.unparse(one).partition("(")[0] for one in node.decorator_list}
        if number <= MAX_PARAMETERS or made.intersection(MAY_TAKE_MORE):
            continue
        if not re.search(r"# noqa: PLR0913 - \w+", lines[node.lineno - 1]):
            yield f"{module.path}:{node.lineno} {node.name}: {number} parameters"


def test_functions_take_few_parameters() -> None:
    offenders = [text for module in modules() for text in _takes_too_much(module)]
    assert not offenders, report(f"over {MAX_PARAMETERS} parameters, no reason", offenders)


def test_every_module_has_a_docstring() -> None:
    offenders = [m.path for m in modules() if not (ast.get_docstring(m.tree) or "").strip()]
    assert not offenders, report("modules without a docstring", offenders)


def test_fields_are_described_beside_them() -> None:
    offenders = [
        f"{module.path}:{node.lineno} {node.name}"
        for module in modules()
        for node in module.nodes
        if isinstance(node, ast.ClassDef)
        and node.name not in HANDED_OUT
        and any(isinstance(line, ast.AnnAssign) for line in node.body)
        and "\nAttributes\n---" in (ast.get_docstring(node) or "")
    ]
    assert not offenders, report("fields described away from the field", offenders)


def _typed_twice(module: Module) -> Iterator[str]:
    """Yield what types its parameters in signature and docstring, and the library hands out not."""
    handed = {*HANDED_OUT, "Project", *facility.__all__}
    waiting: list[ast.AST] = [] if module.path == "facility/frames.py" else [module.tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            if node.name in handed:
                continue
            if "\nParameters\n---" in (ast.get_docstring(node) or ""):
                yield f"{module.path}:{node.lineno} {node.name}"
        waiting += ast.iter_child_nodes(node)


def test_parameters_are_typed_once() -> None:
    offenders = [text for module in modules() for text in _typed_twice(module)]
    assert not offenders, report("parameters typed in signature and docstring", offenders)


def _lines_with(patterns: dict[str, str], texts: dict[str, str]) -> list[str]:
    return [
        f"{path}:{number}: {meaning}"
        for path, text in texts.items()
        for number, line in enumerate(text.splitlines(), 1)
        for pattern, meaning in patterns.items()
        if re.search(pattern, line)
    ]


def test_no_banned_words() -> None:
    texts = {module.path: module.text for module in modules()}
    own = _lines_with(BANNED, {MAY_PICKLE: texts.pop(MAY_PICKLE)})
    assert {line.rpartition(": ")[2] for line in own} == {"pickle"}
    offenders = _lines_with(BANNED, texts)
    assert not offenders, report("banned words", offenders)


def test_product_and_papers_speak_of_the_project_alone() -> None:
    texts = {module.path: module.text for module in modules()}
    papers = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*")]
    for path in papers:
        if path.is_file():
            texts[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8")
    offenders = _lines_with(PRIVATE, texts)
    assert not offenders, report("words from outside the project", offenders)


def test_no_exception_is_swallowed() -> None:
    offenders = []
    for module in modules():
        for node in module.nodes:
            if not isinstance(node, ast.ExceptHandler) or module.path in MAY_CATCH_ALL:
                continue
            caught = ast.unparse(node.type) if node.type else "everything"
            if re.search(r"\b(Exception|BaseException|everything)\b", caught):
                offenders.append(f"{module.path}:{node.lineno} catches {caught}")
    assert not offenders, report("handlers that catch everything", offenders)


def test_the_rules_catch_what_they_should() -> None:
    text = "import pickle\nx = eval('1')\nretrieval(1)\nyaml.safe_load(s)\n# TODO later\n"
    assert _lines_with(BANNED, {"m": text}) == ["m:1: pickle", "m:2: eval", "m:5: unfinished work"]
    body = 'def f(\n    a,\n):\n    """Doc\n\n    long.\n    """\n    x = 1\n\n    return x\n'
    (found,) = functions(Module("m", "m", body, ast.parse(body)))
    assert found[1] == 3
    assert not declares(found[0])
    many = ", ".join("abcdefghi")
    for made, reason, offends in (
        ("", "", True),
        ("", "  # noqa: PLR0913", True),
        ("", "  # noqa: PLR0913 - columns of a row", False),
        ("@equation('x')\n", "", False),
    ):
        text = f"{made}def f({many}):{reason}\n    return a\n"
        assert bool(list(_takes_too_much(Module("m", "m", text, ast.parse(text))))) == offends
