# SPDX-License-Identifier: MIT
"""Compares reading lists and writing datasets with the Python libraries that people use for it."""

import argparse
import pathlib
import subprocess

from Beside.group import environment
from Export import mirrors, speed
from Harness.comparison import Program, compare, table
from Transfer import servers

CLIENTS = pathlib.Path(__file__).parent / "library_clients.py"
ROWS, PHOTOS = 1_000_000, 10_000


def run(options: argparse.Namespace) -> str:
    options.library_python = environment(options, "libraries", "datasets", "webdataset", "pyarrow", "pillow") / "python"
    speed.prepare(options)
    return "\n\n".join(part(options) for name, part in CASES.items() if options.case in (None, name))


def client(options: argparse.Namespace, name: str, kind: str, *words: object) -> Program:
    return Program(name, [options.library_python, CLIENTS, kind, *words])


def reading(options: argparse.Namespace) -> str:
    """Every row of a Parquet list, with all its columns."""
    path = options.root / f"lists/{ROWS}.parquet"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([options.library_python, CLIENTS, "list", path, str(ROWS)], check=True)
    results = compare([
        client(options, "`sluice mirror --dry-run`", "dry-run", path, options.sluice),
        client(options, "pyarrow, rows as dictionaries", "pyarrow-rows", path),
        client(options, "`datasets`, streaming", "datasets-rows", path),
    ], [], options.rounds)
    lines = table(results, ROWS // 1000, "Sluice").replace("photos/s", "1,000 rows/s").replace("/photo", "/1,000 rows")
    return f"**A Parquet list of {ROWS:,} rows with six columns, zstd**\n\n{lines}"


def writing(options: argparse.Namespace) -> str:
    """Photos and captions of a mirror, as datasets; img2dataset only writes what it downloads."""
    mirror = mirrors.mirror(options, PHOTOS)
    paths = mirrors.files(mirror)
    size = sum((mirror / path).stat().st_size for path in paths)
    with servers.nginx(options.root, mirror) as port:
        results = compare([
            speed.export(options, mirror, "webdataset"),
            client(options, "webdataset's `TarWriter`", "webdataset", mirror),
            speed.export(options, mirror, "parquet"),
            client(options, "pyarrow, `{bytes, path}`", "pyarrow-table", mirror),
            client(options, "`datasets`, `to_parquet`", "datasets-table", mirror),
            speed.export(options, mirror, "img2dataset"),
            speed.img2dataset(options, mirror, port),
        ], paths, options.rounds)
    lines = table(results, PHOTOS, "the first")
    return f"**{PHOTOS:,} photos and captions of a mirror, {size / 1e9:.2f} GB, flushed to disk**\n\n{lines}"


CASES = {"reading": reading, "writing": writing}
