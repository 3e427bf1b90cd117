# SPDX-License-Identifier: MIT
"""Builds mirrors of any length by repeating the demo's 300 photos in the ledger under new names."""

import shutil
import subprocess

from Harness.ledger import changing

SEED = 300


def seed(options):
    """Returns a mirror of the demo, made at the first call."""
    folder = options.root / "galleries/seed"
    if not (folder / "index.html").exists():
        command = [options.sluice, "mirror", "demo", "--pages", "10", "--variant", "thumb", "--out", folder, "--quiet"]
        subprocess.run([str(word) for word in command], check=True)
    return folder


def mirror(options, count):
    """Returns a mirror of `count` photos, made at the first call, without its gallery."""
    folder = options.root / f"galleries/{count}"
    if not folder.exists():
        shutil.copytree(seed(options), folder)
        shutil.rmtree(folder / "gallery")
        extend(folder, count)
    return folder


def extend(folder, count):
    """Adds photos to the ledger until it has `count`."""
    with changing(folder) as ledger:
        ledger.execute(
            "CREATE TEMP TABLE places AS WITH RECURSIVE places (seq) AS "
            "(SELECT max(seq) + 1 FROM items UNION ALL SELECT seq + 1 FROM places WHERE seq < ?) "
            "SELECT seq, (seq - 1) % ? + 1 AS model FROM places", (count, SEED))
        for table in ["items", "listings", "receipts"]:
            columns = [row[1] for row in ledger.execute(f"PRAGMA table_info({table})")]
            values = {name: f"model.{name}" for name in columns} | {"seq": "places.seq"}
            if table == "items":
                values["id"] = "model.id || '-' || places.seq"
                values["caption"] = "coalesce(model.caption, 'Untitled') || ', number ' || places.seq"
            ledger.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values.values())} "
                f"FROM places JOIN {table} AS model ON model.seq = places.model")
