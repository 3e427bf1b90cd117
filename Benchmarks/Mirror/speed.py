# SPDX-License-Identifier: MIT
"""Compares a whole mirror with img2dataset on the same list, and with `sluice thumbs` on the same files."""

import os
import pathlib
import subprocess
import sys

from Harness.comparison import Program, compare, table
from Transfer import servers

CLIENTS = pathlib.Path(__file__).parent / "clients.py"


def img2dataset(options):
    """Returns img2dataset, installed at the first call into its own environment because it needs older packages."""
    folder = options.root / "img2dataset"
    if not (folder / "bin/img2dataset").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin/pip", "install", "--quiet", "img2dataset"], check=True)
    return folder / "bin/img2dataset"


def run(options):
    photos = sorted((options.root / "small").iterdir())[:1200]
    peer = img2dataset(options)
    rounds = min(options.rounds, 3)
    with servers.nginx(options.root, options.root / "small") as port:
        def client(name, kind, binary, *words):
            return Program(name, [options.python, CLIENTS, kind, binary, *words])

        private = ["--allow-port", port, "--per-host", 64, "--concurrency", 64]
        results = compare([
            client("`sluice mirror`", "mirror", options.sluice, *private),
            client("img2dataset", "img2dataset", peer),
            client("`sluice thumbs` alone", "thumbs", options.sluice, options.root / "small"),
        ], [f"http://127.0.0.1:{port}/{photo.name}" for photo in photos], rounds)
    mirror, dataset, alone = results
    size = sum(photo.stat().st_size for photo in photos) / len(photos)
    return "\n".join([
        f"{len(photos)} photographs of {size / 1000:.0f} KB from nginx on loopback: originals, 256 px thumbnails, gallery and",
        "manifest. img2dataset has 2 processes of 64 threads and stores only the thumbnails (`files`, `keep_ratio_largest`);",
        "`sluice thumbs` reads the same files from disk.", "",
        table(results, len(photos), mirror.name), "",
        f"- the mirror's rate / img2dataset's rate: {1 / dataset.ratio:.2f}, goal: at least 3",
        f"- the same by CPU time: {1 / dataset.cpu_ratio:.2f}",
        f"- the mirror's rate / the rate of `sluice thumbs` alone: {1 / alone.ratio:.2f}, goal: at least 0.75",
        f"- the same by CPU time: {1 / alone.cpu_ratio:.2f}"])
