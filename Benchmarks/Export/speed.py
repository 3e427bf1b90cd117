# SPDX-License-Identifier: MIT
"""Compares exports with `cat` of the same bytes, with `tar` and pyarrow, and with img2dataset."""

import argparse
import pathlib

from Beside.group import environment
from Export import mirrors
from Harness.comparison import Program, Result, compare, table
from Transfer import servers

CLIENTS = pathlib.Path(__file__).parent / "clients.py"
COUNT, DOWNLOADED = 100_000, 5_000


def prepare(options: argparse.Namespace) -> None:
    """Installs img2dataset."""
    tools = environment(options, "dataset", "img2dataset")
    options.img2dataset, options.peer_python = tools / "img2dataset", tools / "python"


def run(options: argparse.Namespace) -> str:
    prepare(options)
    return "\n\n".join(part(options) for name, part in CASES.items() if options.case in (None, name))


def client(options: argparse.Namespace, mirror: pathlib.Path, name: str, kind: str, *words: object) -> Program:
    return Program(name, [options.peer_python, CLIENTS, kind, mirror, *words])


def export(options: argparse.Namespace, mirror: pathlib.Path, layout: str) -> Program:
    name = f"`sluice export --layout {layout}`"
    return client(options, mirror, name, "sluice", options.sluice, "--layout", layout)


def img2dataset(options: argparse.Namespace, mirror: pathlib.Path, port: int) -> Program:
    name = "img2dataset, from nginx on loopback"
    return client(options, mirror, name, "img2dataset", options.img2dataset, port)


def shards(options: argparse.Namespace) -> str:
    """All photos of a mirror, as shards of 10,000."""
    mirror = mirrors.mirror(options, COUNT)
    paths = mirrors.files(mirror)
    results = compare([
        client(options, mirror, "`cat`", "cat"), client(options, mirror, "`tar` and pyarrow", "tar"),
        client(options, mirror, "`sluice export`", "sluice", options.sluice),
        export(options, mirror, "img2dataset"),
    ], paths, options.rounds)
    size = sum((mirror / path).stat().st_size for path in paths)
    return "\n".join([
        f"**{COUNT:,} photos, {size / 1e9:.2f} GB, in shards of 10,000, flushed to disk**", "",
        table(results, COUNT, "`cat`"), "",
        f"- the rate of `sluice export` / that of `cat`: {results[2].ratio:.2f}, goal: at least 0.8"])


def downloads(options: argparse.Namespace) -> str:
    """img2dataset only writes what it downloads, so its cost has that of requests on loopback in it."""
    mirror = mirrors.mirror(options, DOWNLOADED)
    paths = mirrors.files(mirror)
    with servers.nginx(options.root, mirror) as port:
        results: list[Result] = compare([
            export(options, mirror, "img2dataset"),
            img2dataset(options, mirror, port),
        ], paths, options.rounds)
    return "\n".join([f"**{DOWNLOADED:,} photos, also downloaded by img2dataset**", "",
                      table(results, DOWNLOADED, "Sluice")])


CASES = {"shards": shards, "downloads": downloads}
