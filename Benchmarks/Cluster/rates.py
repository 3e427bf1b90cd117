# SPDX-License-Identifier: MIT
"""Measures how fast a long list is planned, and a million results are merged."""

import pathlib
import shutil
import subprocess

from Feeds import lists

PLANNED, MERGED, SHARDS = 10_000_000, 1_000_000, 16


def planned(options, folder):
    """Plans photos on 997 hosts."""
    path = options.root / f"lists/hosts-{PLANNED}.txt"
    if not path.exists():
        with open(path, "w") as file:
            file.writelines(f"https://h{n % 997}.example{n % 89}.org/image-{n:08d}.jpg\n" for n in range(PLANNED))
    return lists.cost(options, options.sluice, "plan", path, "--shards", "64", "--out", folder / "plan")


def merged(options, folder):
    """Merges results of URLs that the address guard refuses, so that no photo is downloaded."""
    path = options.root / f"lists/refused-{MERGED}.txt"
    if not path.exists():
        with open(path, "w") as file:
            file.writelines(f"http://0.0.0.{n % 250}/{n}\n" for n in range(MERGED))
    plan, out = folder / "refused", folder / "out"
    subprocess.run([options.sluice, "plan", path, "--shards", str(SHARDS), "--out", plan, "--no-robots", "--quiet"], check=True)
    for shard in range(SHARDS):
        words = ["--shard", str(shard), "--out", out, "-j", "256", "--no-robots", "--quiet"]
        subprocess.run([options.sluice, "work", plan, *words], check=True)
    return lists.cost(options, options.sluice, "merge", plan, "--out", out, "--no-robots")


def single_round(options):
    """Returns the options with one round, because a merge can be measured only once."""
    copy = type(options)(**vars(options))
    copy.rounds = 1
    return copy


def run(options):
    folder = pathlib.Path(options.root) / "cluster"
    rows = []
    for name, count, measure in (("planned", PLANNED, planned), ("merged", MERGED, merged)):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        milliseconds, peak, code = measure(single_round(options), folder)
        rows.append(
            f"| {count:,} photos {name} | {milliseconds / 1000:.1f} | {count / milliseconds:,.0f} | {peak / 1024:.0f} | {code:.0f} |")
    shutil.rmtree(folder, ignore_errors=True)
    return "\n".join([
        "One run each. Goal: ten million photos are planned in less than 60 s and 300 MB.", "",
        "| | s | thousand photos/s | MB | exit code |", "|---|---:|---:|---:|---:|", *rows])
