# SPDX-License-Identifier: MIT
"""Measures a run that finds a million photos already done, and the export of their manifest."""

import pathlib
import shutil
import statistics
import subprocess
import sys

from Harness import machine
from Harness.ledger import changing
from Transfer import servers
from Transfer.memory import tiny_png
from Transfer.speed import MEMORY

COUNT, SEED, SIZE = 1_000_000, 1000, 4096
# The number of files in each folder.
FOLDER = 1000


def mirror(options, port, out, list_file):
    """Makes a mirror of the list: downloads its first photos, and repeats them in the ledger under other URLs."""
    list_file.write_text("".join(f"http://127.0.0.1:{port}/{n % SEED}.png?{n}\n" for n in range(COUNT)))
    subprocess.run([*command(options, out, list_file), "--allow-port", str(port), "--max-items", str(SEED)], check=True)
    with changing(out) as ledger:
        extend(ledger)
    for seq in range(SEED + 1, COUNT + 1):
        path = out / file_of(seq)
        if seq % FOLDER == 0 or seq == SEED + 1:
            path.parent.mkdir(exist_ok=True)
        with open(path, "wb") as file:
            file.truncate(SIZE)


def file_of(seq):
    return f"originals/{seq // FOLDER}/{seq}.png"


def extend(ledger):
    """Adds photos with their receipts to the ledger until it has `COUNT`."""
    ledger.execute(
        "CREATE TEMP TABLE places AS WITH RECURSIVE places (seq) AS "
        "(SELECT ? + 1 UNION ALL SELECT seq + 1 FROM places WHERE seq < ?) "
        "SELECT seq, (seq - 1) % ? + 1 AS model FROM places", (SEED, COUNT, SEED))

    def address(column):
        return f"replace(model.{column}, '?' || (model.seq - 1), '?' || (places.seq - 1))"

    other = {
        "items": {"id": address("id"), "variants": address("variants")},
        "listings": {"page": f"(places.seq - 1) / {SEED} + 1"},
        "receipts": {
            "url": address("url"), "file": f"'originals/' || (places.seq / {FOLDER}) || '/' || places.seq || '.png'"},
        "names": {"name": "places.seq", "folded": "places.seq"},
    }
    for table, changed in other.items():
        columns = [row[1] for row in ledger.execute(f"PRAGMA table_info({table})")]
        values = {name: f"model.{name}" for name in columns} | changed | {"seq": "places.seq"}
        ledger.execute(
            f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values.values())} "
            f"FROM places JOIN {table} AS model ON model.seq = places.model")


def command(options, out, list_file):
    return [str(word) for word in [
        options.sluice, "mirror", list_file, "--out", out, "--sizes", "none", "--allow-private", "--no-robots", "--no-gallery",
        "--quiet"]]


def cost(options, out, list_file):
    """Returns the elapsed seconds and the peak memory in megabytes."""
    script = machine.ROOT / "Benchmarks/Harness/cost.py"
    printed = subprocess.run(
        [sys.executable, "-I", "-S", script, "1", *command(options, out, list_file)], check=True, capture_output=True,
        text=True).stdout.split()
    if printed[3] != "0":
        sys.exit(f"the run ended with {printed[3]}")
    return float(printed[0]) / 1000, float(printed[2]) / 1024


def run(options):
    folder = options.root / "receipts"
    folder.mkdir(exist_ok=True)
    for number in range(SEED):
        # Decoders ignore bytes after a PNG's end; the padding gives all files, and so their receipts, the same size.
        (folder / f"{number}.png").write_bytes(tiny_png(number).ljust(SIZE, b"\0"))
    out, list_file = MEMORY / "sluice-receipts", pathlib.Path(options.root) / "receipts.txt"
    shutil.rmtree(out, ignore_errors=True)
    with servers.nginx(options.root, folder) as port:
        mirror(options, port, out, list_file)
    # The first run updates the inserted rows; later runs compare each photo's listing by its hash.
    cost(options, out, list_file)
    again = [cost(options, out, list_file) for _ in range(min(options.rounds, 3))]
    (out / "manifest.jsonl").unlink()
    exporting, _ = cost(options, out, list_file)
    shutil.rmtree(out, ignore_errors=True)
    seconds = statistics.median(run[0] for run in again)
    return "\n".join([
        f"A list of {COUNT:,} URLs whose photos all exist, in memory, without a gallery.", "",
        f"- a run with nothing to do: {seconds:.1f} s, goal: less than 5 s",
        f"- its peak memory: {max(run[1] for run in again):.0f} MB, goal: less than 150 MB",
        f"- `manifest.jsonl` and `manifest.csv` from the ledger: {exporting - seconds:.1f} s, goal: less than 10 s"])
