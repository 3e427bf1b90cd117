# SPDX-License-Identifier: MIT
"""Measures lines per second and peak memory of `--dry-run` over generated lists."""

import gzip
import subprocess
import sys

from Harness import machine


def address(number):
    return f"https://photos.example.org/albums/{number % 997}/image-{number:08d}.jpg?size=large"


FORMATS = {
    "URLs": ("txt", "", lambda n: address(n)),
    "CSV": ("csv", "id,image_url,caption,width,height,license\n",
                lambda n: f'p{n},{address(n)},"A lake, number {n}",{1000 + n % 3000},800,CC BY 4.0'),
    "JSON Lines": ("jsonl", "", lambda n: '{"id":"p%d","url":"%s","caption":"A lake, number %d","width":%d}'
                   % (n, address(n), n, 1000 + n % 3000)),
    "URLs, gzip": ("txt.gz", "", lambda n: address(n)),
}


def generated(options, form, count):
    """Returns a list of `count` lines, generated at the first call."""
    ending, header, line = FORMATS[form]
    path = options.root / f"lists/{count}.{ending}"
    if not path.exists():
        with (gzip.open(path, "wt", 1) if ending.endswith("gz") else open(path, "w")) as file:
            file.write(header)
            for number in range(count):
                file.write(line(number) + "\n")
    return path


def cost(options, *command):
    """Returns the median time in milliseconds, the peak memory in kilobytes, and the exit code."""
    script = machine.ROOT / "Benchmarks/Harness/cost.py"
    printed = subprocess.run(
        [sys.executable, "-I", "-S", script, f"{options.rounds}", *map(str, command)], check=True, capture_output=True,
        text=True)
    return [float(number) for number in printed.stdout.split()][1:]


def run(options):
    cases = [("URLs", 10_000_000)] + [(form, 1_000_000) for form in FORMATS]
    rows = []
    for form, count in cases:
        if options.case in (None, f"{form} {count}", form):
            path = generated(options, form, count)
            median, peak, code = cost(options, options.sluice, "mirror", path, "--dry-run")
            rows.append(f"| {count:,} lines of {form} | {median / 1000:.2f} | {count / median:,.0f} | {peak / 1024:.1f} | {code:.0f} |")
    return "\n".join([
        f"`sluice mirror LIST --dry-run` with its output discarded; the median of {options.rounds} runs in separate processes.",
        "Goal: ten million lines at more than 300,000 per second in less than 100 MB.", "",
        "| | s | thousand lines/s | MB | exit code |", "|---|---:|---:|---:|---:|", *rows])
