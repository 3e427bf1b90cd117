# SPDX-License-Identifier: MIT
"""Updates RESULTS.md, which has one section per part of each group, with the machine that it was measured on."""

import re

from Harness import machine

FILE = machine.ROOT / "Benchmarks/RESULTS.md"
HEAD = "# Results\n\nWritten by `Benchmarks/run`; the [README](README.md) explains the benchmarks.\n"


def write(group, part, text):
    """Replaces a section or appends a new one."""
    sections = dict(re.findall(r"^(## .*?\n)(.*?)(?=^## |\Z)", FILE.read_text() if FILE.exists() else "", re.M | re.S))
    sections[f"## {group}: {part}\n"] = f"Measured {machine.description()}.\n\n{text}"
    FILE.write_text(HEAD + "".join(f"\n{head}\n{body.strip()}\n" for head, body in sections.items()))
