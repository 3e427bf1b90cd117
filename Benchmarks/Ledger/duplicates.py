# SPDX-License-Identifier: MIT
"""Measures the search for copies in a mirror of a million photos."""

import json
import random
import shutil
import subprocess
import sys

from Harness import machine
from Harness.ledger import changing

COUNT, PLANTED = 1_000_000, 20_000
SEED = 300


def mirror(options, out):
    """Mirrors the demo, and repeats its photos in the ledger with other hashes; every fiftieth is a copy of another."""
    subprocess.run(
        [options.sluice, "mirror", "demo", "--out", out, "--sizes", "256", "--no-gallery", "--quiet"], check=True)
    with changing(out) as ledger:
        models = {}
        for table in ("items", "listings", "receipts"):
            columns = [row[1] for row in ledger.execute(f"PRAGMA table_info({table})")]
            models[table] = columns, [dict(zip(columns, row)) for row in ledger.execute(f"SELECT * FROM {table} ORDER BY seq")]
        for table, (columns, rows) in models.items():
            places = ", ".join("?" for _ in columns)
            ledger.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({places})", repeated(columns, rows))


def repeated(columns, rows):
    """Yields the rows of all photos; their hashes depend on their numbers only."""
    generator = random.Random(1)
    phash = 0
    for seq in range(1, COUNT + 1):
        # The copy has the pixels of the photo before it.
        is_copy = seq % (COUNT // PLANTED) == 0
        row = dict(rows[(seq - 2 if is_copy else seq - 1) % len(rows)])
        row["seq"] = seq
        if "phash" in row:
            phash = changed(phash, generator) if is_copy else balanced(generator)
            row["phash"], row["sha256"] = f"{phash:016x}", f"{seq:064x}"
        if "id" in row:
            row["id"] = str(seq)
        yield tuple(row[name] for name in columns)


def balanced(generator):
    """Returns a hash half of whose bits are set, like nearly all perceptual hashes."""
    return sum(1 << bit for bit in generator.sample(range(64), 32))


def changed(phash, generator):
    """Returns the hash of a copy, which differs in up to six bits."""
    for bit in generator.sample(range(64), generator.randint(0, 6)):
        phash ^= 1 << bit
    return phash


def run(options):
    out = options.root / "duplicates"
    shutil.rmtree(out, ignore_errors=True)
    mirror(options, out)
    script, events = machine.ROOT / "Benchmarks/Harness/cost.py", out / "events.jsonl"
    search = ["sh", "-c", 'exec "$0" duplicates "$1" --json >"$2"', options.sluice, out, events]
    printed = subprocess.run(
        [sys.executable, "-I", "-S", script, "1", *search], check=True, capture_output=True, text=True).stdout.split()
    if printed[3] != "0":
        sys.exit(f"the search ended with {printed[3]}")
    groups = events.read_text().splitlines()
    pairs = [sorted(file["item"] for file in json.loads(line)["files"]) for line in groups]
    found = sum(1 for pair in pairs if len(pair) == 2 and pair[1] - pair[0] == 1 and pair[1] % (COUNT // PLANTED) == 0)
    shutil.rmtree(out, ignore_errors=True)
    return "\n".join([
        f"A ledger of {COUNT:,} photos with random perceptual hashes, of which {PLANTED:,} are copies of another one with up to "
        "six other bits.", "",
        f"- the search with the pixels of all candidates: {float(printed[0]) / 1000:.0f} s, goal: minutes",
        f"- its peak memory: {float(printed[2]) / 1024:.0f} MB",
        f"- copies found: {found:,} of {PLANTED:,}; other groups: {len(pairs) - found:,}"])
