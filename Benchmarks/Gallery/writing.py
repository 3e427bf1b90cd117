# SPDX-License-Identifier: MIT
"""Measures the time and memory of `sluice gallery`, and how many files it rewrites after a small change."""

import shutil
import subprocess
import sys

from Gallery import mirrors
from Harness import machine


def cost(options, folder):
    """Returns the elapsed seconds and the peak memory in megabytes."""
    script = machine.ROOT / "Benchmarks/Harness/cost.py"
    printed = subprocess.run(
        [sys.executable, "-I", "-S", script, "1", options.sluice, "gallery", folder], check=True, capture_output=True,
        text=True).stdout.split()
    if printed[3] != "0":
        sys.exit(f"sluice gallery {folder} ended with {printed[3]}")
    return float(printed[0]) / 1000, float(printed[2]) / 1024


def stamps(folder):
    return {path: path.stat().st_mtime_ns for path in folder.glob("gallery/*/*")}


def row(words, result, goal):
    return f"| {words} | {result[0]:.2f} | {result[1]:.0f} | {goal} |"


def run(options):
    rows = []
    for count, goal in [(100_000, "5 s"), (1_000_000, "flat memory")]:
        folder = mirrors.mirror(options, count)
        shutil.rmtree(folder / "gallery", ignore_errors=True)
        rows.append(row(f"{count:,} photos, new gallery", cost(options, folder), goal))
        rows.append(row(f"{count:,} photos, unchanged", cost(options, folder), goal))
    shorter = options.root / "galleries/lengthened"
    shutil.rmtree(shorter, ignore_errors=True)
    shutil.copytree(mirrors.mirror(options, 100_000), shorter)
    before = stamps(shorter)
    mirrors.extend(shorter, 100_100)
    result = cost(options, shorter)
    after = stamps(shorter)
    changed = [path.relative_to(shorter) for path, stamp in after.items() if before.get(path) != stamp]
    rows.append(row(f"100 photos added, {len(changed)} of {len(after):,} files written", result, "only what changed"))
    shutil.rmtree(shorter)
    return "\n".join([
        "`sluice gallery`, including the manifest, from a ledger of the given number of photos; one run each.", "",
        "| | s | MB | goal |", "|---|---:|---:|---|", *rows])
