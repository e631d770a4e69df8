"""Every code that is raised is declared with meaning and remedy, and none is declared in vain."""

from __future__ import annotations

import ast
import re

from facility.core.errors import error_codes
from tests.cli.helpers import run
from tests.tools.source_tree import modules, report

CODE = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+|[A-Z]{5,}")
# What a refusal is made by: the error, and the short forms beside it.
RAISED_BY = re.compile(r"FacilityError|unknown|problem|_?refus(e|ed|al)")


def named_in(call: ast.Call) -> str:
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def raised() -> set[str]:
    found = set()
    for module in modules():
        for node in module.nodes:
            if isinstance(node, ast.Call) and node.args and RAISED_BY.fullmatch(named_in(node)):
                first = node.args[0]
                if isinstance(first, ast.Constant) and CODE.fullmatch(str(first.value)):
                    found.add(str(first.value))
    return found


def test_every_code_that_is_raised_is_declared() -> None:
    found = raised()
    assert len(found) > 200
    missing = sorted(found - set(error_codes()))
    assert not missing, report("codes without a row in core/error_codes.csv", missing)


def test_every_code_that_is_declared_is_raised() -> None:
    words = {
        node.value
        for module in modules()
        for node in module.nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    vain = sorted(set(error_codes()) - words)
    assert not vain, report("codes that nothing raises", vain)


def test_codes_say_what_they_mean_and_what_helps() -> None:
    for code, (meaning, remedy, exit_code) in error_codes().items():
        assert exit_code in (1, 2, 3, 4, 6), code
        assert meaning.endswith("."), code
        assert remedy.endswith("."), code
        assert CODE.fullmatch(code), code


def test_explain_says_what_a_code_means_without_a_design() -> None:
    assert run("explain", "OUT_OF_RANGE", "no-such-file.yaml").out.splitlines()[0] == (
        "OUT_OF_RANGE: A number is outside the range of its field, table or correlation."
    )


def test_explain_says_what_a_rule_found() -> None:
    lines = run("explain", "PSU-REDUNDANCY", "--quiet").out.splitlines()
    assert lines[0].startswith("PSU-REDUNDANCY of DGX H100")
    assert "(margin 29.4 %)" in lines[0]
    assert "source: nvidia-dgx-h100-user-guide" in lines[2]
