"""Bad projects through the command line: one clear coded error each, and nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.helpers import SHORT, one_error, program, run

HEAD = "schema_version: 1\n"
IT = HEAD + "it: {gpu_model: H100 SXM5, gpus: 64"
BOMB = "a: &a [x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join(['*' + old] * 9)}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)

CORPUS: dict[str, tuple[str | bytes, str, int]] = {
    "unknown field": (HEAD + "it: {gpuz: 64}", "UNKNOWN_FIELD", 3),
    "unknown section": (HEAD + "itt: {}", "UNKNOWN_FIELD", 3),
    "kW for kVA": (IT + "}\npower: {transformer: {rating: 1000 kW}}", "UNIT_WRONG", 3),
    "kVA for kW": (IT + ", rack_power: 45 kVA}", "UNIT_WRONG", 3),
    "132 W for a rack": (IT + ", rack_power: 132 W}", "IMPLAUSIBLE", 3),
    "missing unit": (IT + ", rack_power: 45}", "UNIT_MISSING", 3),
    "a ton": (IT + "}\ncooling: {plant: {chiller: {capacity: 100 ton}}}", "UNIT_WRONG", 3),
    "negative count": (HEAD + "it: {gpu_model: H100 SXM5, gpus: -8}", "NOT_A_COUNT", 3),
    "4:1": (HEAD + "it: {gpu_model: H100 SXM5, gpus: 4:1}", "NOT_A_COUNT", 3),
    "NO": (HEAD + "it: {gpu_model: NO, gpus: 8}", "UNKNOWN_MODEL", 3),
    "010": (HEAD + "it: {gpu_model: H100 SXM5, gpus: 010}", "NOT_A_COUNT", 3),
    "1e3": (HEAD + "it: {gpu_model: H100 SXM5, gpus: 1e3}", "NOT_A_COUNT", 3),
    "a ratio as 4:1": (IT + ", network: {oversubscription: 4:1}}", "NOT_A_NUMBER", 3),
    "unknown GPU": (HEAD + "it: {gpu_model: H100 SMX5, gpus: 8}", "UNKNOWN_MODEL", 3),
    "unknown server": (IT + ", server: DGX H1000}", "UNKNOWN_MODEL", 3),
    "unknown UPS": (IT + "}\npower: {ups: {model: 9395}}", "UNKNOWN_MODEL", 3),
    "unknown station": (IT + "}\nsite: {station: ashburm}", "UNKNOWN_MODEL", 3),
    "unknown redundancy": (IT + "}\npower: {redundancy: 7N/9}", "UNKNOWN_REDUNDANCY", 3),
    "contradictory redundancy": (
        IT + "}\npower: {redundancy: 2N, feeds: [A, B, C]}",
        "REDUNDANCY_CONTRADICTION",
        3,
    ),
    "blocks without their scheme": (
        IT + "}\npower: {redundancy: 2N, blocks: 3}",
        "REDUNDANCY_CONTRADICTION",
        3,
    ),
    "missing feed": (
        HEAD + "it: {halls: [{name: A, racks: [{name: R, devices: [{model: DGX H100}],"
        " feeds: [A, Q]}]}]}\npower: {redundancy: 3N/2}",
        "UNKNOWN_FEED",
        3,
    ),
    "missing weather file": (IT + "}\nsite: {weather_file: none.epw}", "WEATHER_FILE", 6),
    "weather file outside": (IT + "}\nsite: {weather_file: ../x.epw}", "WEATHER_PATH", 3),
    "device that is not defined": (
        HEAD + "it: {halls: [{name: A, racks: [{name: R, devices: [{model: Nope}]}]}]}",
        "UNKNOWN_MODEL",
        3,
    ),
    "device defined twice": (
        IT + ", devices: [{model: A, maximum_power: 1 kW}, {model: A, maximum_power: 2 kW}]}",
        "DUPLICATE",
        3,
    ),
    "CDUs in air": (IT + "}\ncooling: {method: air, cdu: {count: 2}}", "COOLING_CONTRADICTION", 3),
    "duplicate key": (HEAD + "it: {gpus: 8, gpus: 9}", "DUPLICATE_KEY", 3),
    "duplicate section": (SHORT + "it: {gpus: 8}\n", "DUPLICATE_KEY", 3),
    "alias": (HEAD + "it: &a {gpus: 8}\npower: *a", "YAML_ALIAS", 3),
    "alias bomb": (BOMB, "YAML_ALIAS", 3),
    "cyclic alias": (HEAD + "it: &a [*a]", "YAML_ALIAS", 3),
    "tag": (HEAD + "it: !!python/object/apply:os.system ['true']", "YAML_TAG", 3),
    "truncated YAML": (SHORT[: SHORT.index("64}")], "YAML_SYNTAX", 6),
    "two documents": (SHORT + "---\n" + SHORT, "YAML_DOCUMENTS", 3),
    "tab": (HEAD + "it:\n\tgpus: 8", "YAML_SYNTAX", 6),
    "empty": ("", "FILE_EMPTY", 6),
    "list": ("- a\n", "NOT_A_PROJECT", 3),
    "binary": (bytes(range(256)) * 8, "FILE_NOT_TEXT", 6),
    "zip": (b"PK\x03\x04" + bytes(200), "FILE_NOT_TEXT", 6),
    "ten megabytes": (HEAD.encode() + b"#" * 10_000_000, "FILE_TOO_LARGE", 6),
    "deep": ("a: " + "[" * 10_000, "FILE_TOO_DEEP", 6),
    "no version": ("it: {gpus: 8}", "MISSING_FIELD", 3),
    "JSON with NaN": ('{"schema_version": 1, "it": {"gpus": NaN}}', "JSON_NUMBER", 3),
}


@pytest.fixture
def bad(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str, int]:
    content, code, exit_code = CORPUS[request.param]
    file = tmp_path / "project.yaml"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file, code, exit_code


@pytest.mark.parametrize("bad", CORPUS, indirect=True)
def test_one_coded_error(bad: tuple[Path, str, int]) -> None:
    file, code, exit_code = bad
    ran = run("design", file)
    one_error(ran, code, exit_code)
    assert ran.out == ""
    refused = run("design", file, "--json")
    assert refused.code == exit_code
    body = refused.json
    assert set(body) == {"schema", "ok", "errors"}
    assert body["ok"] is False
    (error,) = body["errors"]
    assert set(error) == {"code", "where", "message", "hint"}
    assert error["code"] == code


@pytest.mark.parametrize("bad", CORPUS, indirect=True)
def test_nothing_is_written(bad: tuple[Path, str, int], tmp_path: Path) -> None:
    file, code, exit_code = bad
    kept = tmp_path / "kept.xlsx"
    kept.write_bytes(b"mine")
    one_error(run("export", "xlsx", file, "--out", tmp_path / "new.xlsx"), code, exit_code)
    one_error(run("export", "xlsx", file, "--out", kept, "--force"), code, exit_code)
    assert kept.read_bytes() == b"mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.xlsx", "project.yaml"]


@pytest.mark.parametrize("name", ["unknown GPU", "alias bomb", "binary", "truncated YAML"])
def test_the_program_says_the_same(name: str, tmp_path: Path) -> None:
    content, code, exit_code = CORPUS[name]
    file = tmp_path / "project.yaml"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    one_error(program("design", file), code, exit_code)


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("unknown GPU", "'H100 SXM5'"),
        ("unknown server", "'DGX H100'"),
        ("unknown station", "'ashburn'"),
        ("unknown field", "'gpus'"),
        ("kW for kVA", "kVA"),
        ("132 W for a rack", "132 kW"),
        ("a ton", "ton_refrigeration"),
        ("missing unit", "45 kW"),
        ("unknown redundancy", "N"),
    ],
)
def test_the_error_says_how_to_mend_it(name: str, near: str, tmp_path: Path) -> None:
    content = CORPUS[name][0]
    assert isinstance(content, str)
    file = tmp_path / "project.yaml"
    file.write_text(content)
    assert near in run("design", file).err


def test_what_was_typed_is_never_interpreted(tmp_path: Path) -> None:
    """Markup and escape sequences of a terminal in the user's text come out as text, or not."""
    file = tmp_path / "p.yaml"
    file.write_text(SHORT + "project: {name: '[red]x[/red]', title: '[bold'}\n")
    out = run("design", file).out
    assert "[red]x[/red] · [bold" in out
    file.write_text(SHORT.replace("H100 SXM5", '"[red]H100[/red]"'))
    assert "'[red]H100[/red]'" in run("design", file).err
    file.write_bytes(SHORT.encode() + b"project: {name: '\x1b[31mred'}\n")
    ran = run("design", file)
    one_error(ran, "FILE_NOT_TEXT", 6)
    assert "\x1b" not in ran.err
