# SPDX-License-Identifier: MIT
"""Measures the cost of a program as a separate process."""

import subprocess
import sys

from Harness import machine

RUNS = 11
WORDS = f"{RUNS} runs in separate processes; peak resident memory including libraries."


def cost(*command):
    """Returns the minimum and median milliseconds, the peak memory in kilobytes, and the exit code."""
    script = machine.ROOT / "Benchmarks/Harness/cost.py"
    printed = subprocess.run(
        [sys.executable, "-I", "-S", script, f"{RUNS}", *map(str, command)], check=True, capture_output=True, text=True)
    return [float(number) for number in printed.stdout.split()]


def library(options, file):
    """Returns the cost of one thumbnail with the library."""
    return cost("sh", "-c", f'echo "{file}" | exec "{options.sluice}" 256')


def table(rows, last):
    """Returns a Markdown table of names, costs and a last column."""
    lines = [WORDS, "", f"| | min ms | median ms | MB | exit code | {last} |", "|---|---:|---:|---:|---:|---|"]
    lines += [f"| {name} | {least:.1f} | {median:.1f} | {peak / 1024:.1f} | {code:.0f} | {word} |"
              for name, least, median, peak, code, word in rows]
    return "\n".join(lines)
