# SPDX-License-Identifier: MIT
"""How long `sluice gallery` takes, how much memory, and how little it writes where little has changed."""

import shutil
import subprocess
import sys

from Gallery import mirrors
from Harness import machine


def cost(options, folder):
    """Seconds on the clock, and the peak of the memory in megabytes."""
    script = machine.ROOT / "Benchmarks/Harness/cost.py"
    printed = subprocess.run(
        [sys.executable, "-I", "-S", script, "1", options.sluice, "gallery", folder], check=True, capture_output=True,
        text=True).stdout.split()
    if printed[3] != "0":
        sys.exit(f"sluice gallery {folder} ended with {printed[3]}")
    return float(printed[0]) / 1000, float(printed[2]) / 1024


def stamps(folder):
    return {path: path.stat().st_mtime_ns for path in folder.glob("gallery/*/*")}


def row(words, took, wanted):
    return f"| {words} | {took[0]:.2f} | {took[1]:.0f} | {wanted} |"


def run(options):
    rows = []
    for count, wanted in [(100_000, "5 s"), (1_000_000, "flat memory")]:
        folder = mirrors.mirror(options, count)
        shutil.rmtree(folder / "gallery", ignore_errors=True)
        rows.append(row(f"{count:,} photos, nothing there before", cost(options, folder), wanted))
        rows.append(row(f"{count:,} photos, nothing has changed", cost(options, folder), wanted))
    shorter = options.root / "galleries/lengthened"
    shutil.rmtree(shorter, ignore_errors=True)
    shutil.copytree(mirrors.mirror(options, 100_000), shorter)
    before = stamps(shorter)
    mirrors.lengthen(shorter, 100_100)
    took = cost(options, shorter)
    after = stamps(shorter)
    changed = [path.relative_to(shorter) for path, stamp in after.items() if before.get(path) != stamp]
    rows.append(row(f"100 photos more, {len(changed)} of {len(after):,} files written", took, "only what changed"))
    shutil.rmtree(shorter)
    return "\n".join([
        "`sluice gallery`, which writes the manifest too, from a ledger of so many photos; one run each.", "",
        "| | s | MB | wanted |", "|---|---:|---:|---|", *rows])
