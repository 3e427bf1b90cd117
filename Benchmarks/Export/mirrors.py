# SPDX-License-Identifier: MIT
"""Builds mirrors of any length for exports, by repeating photos of the demo under new names."""

import argparse
import pathlib
import shutil
import sqlite3
import subprocess
from collections.abc import Callable

from Gallery import mirrors
from Harness.ledger import changing


def seed(options: argparse.Namespace) -> pathlib.Path:
    """Returns a mirror of 300 photos of 400 pixels, made at the first call."""
    folder = options.root / "exports/seed"
    if not (folder / "index.html").exists():
        command = [options.sluice, "mirror", "demo", "--pages", "10", "--variant", "small", "--out", folder, "--quiet"]
        subprocess.run([str(word) for word in command], check=True)
    return folder


def mirror(options: argparse.Namespace, count: int) -> pathlib.Path:
    """Returns a mirror of `count` photos, each with a file of its own, made at the first call."""

    def complete(folder: pathlib.Path) -> None:
        mirrors.extend(folder, count)
        copy_files(folder)

    return copied(options, f"{count}", ["gallery", "thumbs"], complete)


def failures(options: argparse.Namespace, count: int) -> pathlib.Path:
    """Returns a mirror of `count` photos that all failed, made at the first call."""

    def complete(folder: pathlib.Path) -> None:
        with changing(folder) as ledger:
            ledger.execute(
                "UPDATE receipts SET state = 'failed', cause = 'http-4xx(404)', failure_status = 404, file = NULL, "
                "bytes = NULL, sha256 = NULL, thumbs = '[]'")
        mirrors.extend(folder, count)

    return copied(options, f"failed-{count}", ["gallery", "thumbs", "originals"], complete)


def copied(
        options: argparse.Namespace, name: str, omitted: list[str],
        complete: Callable[[pathlib.Path], None]) -> pathlib.Path:
    """Returns a copy of the seed without some folders, completed by a function at the first call."""
    folder = options.root / "exports" / name
    if not folder.exists():
        partial = options.root / "exports/partial"
        shutil.rmtree(partial, ignore_errors=True)
        shutil.copytree(seed(options), partial, ignore=shutil.ignore_patterns(*omitted))
        complete(partial)
        partial.rename(folder)
    return folder


def files(folder: pathlib.Path) -> list[str]:
    """The paths of the originals in the mirror's order, relative to the mirror."""
    with sqlite3.connect(folder / ".sluice/ledger.sqlite") as ledger:
        return [row[0] for row in ledger.execute("SELECT file FROM receipts WHERE file IS NOT NULL ORDER BY seq")]


def copy_files(folder: pathlib.Path) -> None:
    """Gives each added photo a copy of its model's file."""
    with changing(folder) as ledger:
        added = ledger.execute("SELECT seq, file FROM receipts WHERE seq > ?", (mirrors.SEED,)).fetchall()
        copies = [(f"originals/{seq:08}{pathlib.Path(file).suffix}", seq, file) for seq, file in added]
        for name, _, file in copies:
            shutil.copyfile(folder / file, folder / name)
        ledger.executemany("UPDATE receipts SET file = ? WHERE seq = ?", [(name, seq) for name, seq, _ in copies])
