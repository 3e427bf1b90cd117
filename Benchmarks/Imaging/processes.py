# SPDX-License-Identifier: MIT
"""What a program costs as a process of its own."""

import subprocess
import sys

from Harness import machine

RUNS = 11
WORDS = f"Of {RUNS} runs, a process each; peak of the resident memory, libraries and all."


def cost(*command):
    """Least and median milliseconds, peak kilobytes, and how the command ended."""
    script = machine.ROOT / "Benchmarks/Harness/cost.py"
    printed = subprocess.run(
        [sys.executable, "-I", "-S", script, f"{RUNS}", *map(str, command)], check=True, capture_output=True, text=True)
    return [float(number) for number in printed.stdout.split()]


def library(options, file):
    """What one thumbnail costs with the library."""
    return cost("sh", "-c", f'echo "{file}" | exec "{options.sluice}" 256')


def table(rows, last):
    """A Markdown table of names, costs and a last column."""
    lines = [WORDS, "", f"| | least ms | median ms | MB | exit code | {last} |", "|---|---:|---:|---:|---:|---|"]
    lines += [f"| {name} | {least:.1f} | {median:.1f} | {peak / 1024:.1f} | {code:.0f} | {word} |"
              for name, least, median, peak, code, word in rows]
    return "\n".join(lines)
