"""YAML written so that any reader takes it for what was typed."""

from __future__ import annotations

import re
from typing import Any

import yaml

_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?", re.ASCII)


def yaml_text(data: Any, *, flow: bool = False) -> str:
    """Return nested mappings and lists of text as YAML, keys in their order.

    data: What to write.
    flow: Write it in one line, in braces and brackets.
    """
    text: str = yaml.dump(
        data,
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=10**6,
        default_flow_style=flow,
    )
    return text


class _Dumper(yaml.SafeDumper):
    """Writes text plain where any YAML reader takes it for the same, and quotes it elsewhere."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    if _PLAIN_NUMBER.fullmatch(text):
        kind = "float" if "." in text else "int"
        return dumper.represent_scalar(f"tag:yaml.org,2002:{kind}", text)
    return dumper.represent_scalar("tag:yaml.org,2002:str", text)


_Dumper.add_representer(str, _represent_text)
