# SPDX-License-Identifier: MIT
"""Keeps RESULTS.md: one section for each part of each room, each with the machine that it was measured on."""

import re

from Harness import machine

FILE = machine.ROOT / "Benchmarks/RESULTS.md"
HEAD = "# Results\n\nWritten by `Benchmarks/run`; what the words mean is in its [README](README.md).\n"


def write(room, part, text):
    """Puts a section in the place of its older self, or at the end."""
    sections = dict(re.findall(r"^(## .*?\n)(.*?)(?=^## |\Z)", FILE.read_text() if FILE.exists() else "", re.M | re.S))
    sections[f"## {room}: {part}\n"] = f"Measured {machine.description()}.\n\n{text}"
    FILE.write_text(HEAD + "".join(f"\n{head}\n{body.strip()}\n" for head, body in sections.items()))
