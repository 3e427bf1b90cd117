# SPDX-License-Identifier: MIT
"""Measures the peak memory of exports of mirrors of different lengths."""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

from Export import mirrors
from Harness import machine


def cost(options: argparse.Namespace, mirror: pathlib.Path) -> tuple[float, float]:
    """Returns the elapsed seconds and the peak memory in megabytes."""
    script = machine.ROOT / "Benchmarks/Harness/cost.py"
    folder = tempfile.mkdtemp()
    command = [options.sluice, "export", mirror, "--out", folder, "--layout", "img2dataset", "--quiet"]
    try:
        printed = subprocess.run(
            [sys.executable, "-I", "-S", str(script), "1", *map(str, command)], check=True, capture_output=True,
            text=True).stdout.split()
    finally:
        shutil.rmtree(folder)
    if printed[3] != "0":
        sys.exit(f"sluice export {mirror} ended with {printed[3]}")
    return float(printed[0]) / 1000, float(printed[2]) / 1024


def run(options: argparse.Namespace) -> str:
    rows: list[str] = []
    for count in [10_000, 100_000]:
        seconds, memory = cost(options, mirrors.mirror(options, count))
        rows.append(f"| {count:,} photos | {seconds:.1f} | {memory:.0f} |")
    for count in [100_000, 1_000_000, 10_000_000]:
        seconds, memory = cost(options, mirrors.failures(options, count))
        rows.append(f"| {count:,} failed photos, rows only | {seconds:.1f} | {memory:.0f} |")
    return "\n".join([
        "`sluice export --layout img2dataset`, one run each; the goal is flat memory.", "",
        "| | s | MB |", "|---|---:|---:|", *rows])
