# SPDX-License-Identifier: MIT
"""Measures the peak memory of a run over a list of a million photos, each of which is recorded in the ledger."""

import shutil

from Feeds import lists

COUNT = 1_000_000


def run(options):
    path = options.root / "lists/refused.txt"
    if not path.exists():
        with open(path, "w") as file:
            # The address guard refuses these URLs, so only the feed and the ledger are measured.
            file.writelines(f"http://0.0.0.0/{number}\n" for number in range(COUNT))
    out = options.root / "lists/out"
    shutil.rmtree(out, ignore_errors=True)
    options.rounds = 1
    median, peak, code = lists.cost(
        options, options.sluice, "mirror", path, "--out", out, "--no-robots", "--quiet", "-j", "256", "--per-host", "256")
    shutil.rmtree(out, ignore_errors=True)
    return "\n".join([
        f"`sluice mirror LIST -j 256` over {COUNT:,} URLs that are refused, including manifest and gallery; one run.",
        "Goal: less than 300 MiB.", "",
        "| s | items/s | MB | exit code |", "|---:|---:|---:|---:|",
        f"| {median / 1000:.1f} | {COUNT / median * 1000:,.0f} | {peak / 1024:.1f} | {code:.0f} |"])
