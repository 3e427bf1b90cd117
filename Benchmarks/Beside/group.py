# SPDX-License-Identifier: MIT
"""Compares Sluice with its peers over one corpus: thumbnails of files, downloads, and both combined."""

import functools
import subprocess

from Beside import faults
from Harness import build, machine
from Harness.comparison import Program, compare, table
from Imaging import group as imaging, speed as thumbnailing
from Transfer import servers, speed as transfer

CORPUS = "small"


def environment(options, name, *packages):
    """Returns the programs of a virtual environment with its own package versions, created at the first call."""
    folder = options.root / name
    if not (folder / "bin/python").exists():
        subprocess.run([options.python, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin/python", "-m", "pip", "install", "--quiet", *packages], check=True)
    return folder / "bin"


def prepare(options):
    """Builds the command, the thumbnail programs and the floor, generates the corpus, and installs the Python peers."""
    imaging.prepare(options, CORPUS)
    options.imaging = options.sluice
    options.library = build.program("transfer")
    options.sluice = build.command()
    options.img2dataset = environment(options, "dataset", "img2dataset") / "img2dataset"
    options.gallery_dl = environment(options, "gallery", "gallery-dl") / "gallery-dl"


def corpus(options):
    return sorted((options.root / CORPUS).iterdir())[:options.files or 600]


def thumbnails(options):
    """Makes JPEG thumbnails of 256 pixels and quality 80 from files on disk."""
    files = corpus(options)
    results = compare([
        Program("floor", [options.floor, "256"]), Program("Sluice, good", [options.imaging, "256", "good"]),
        *thumbnailing.peers(options), thumbnailing.command(options, "graphicsmagick"),
    ], files, options.rounds)
    return report(options, f"{len(files)} JPEGs of 1080 pixels and about 130 KB, to 256", results, len(files), 1)


def downloads(options):
    """Downloads URLs on loopback into memory, 64 at a time if the client supports it."""
    return over_http(options, "to files", lambda client: [
        client("sluice", "`sluice mirror`", options.sluice), client("library", "library", options.library),
        client("curl", "curl --parallel"), client("aria2", "aria2c -j64", "", "-x", 1), client("wget2", "wget2"),
        client("gallery_dl", "gallery-dl, one at a time", options.gallery_dl),
    ])


def both(options):
    """Downloads URLs on loopback and makes thumbnails of 256 pixels."""
    return over_http(options, "to files and thumbnails of 256 pixels", lambda client: [
        client("thumbs", "`sluice mirror --sizes 256`", options.sluice),
        client("img2dataset", "img2dataset, thumbnails only", options.img2dataset),
    ])


def failures(options):
    """Downloads 300 addresses on loopback of which ten are broken, each in another way."""
    photos = corpus(options)[:300 - len(faults.BROKEN)]
    clients = [
        ("`sluice mirror`", faults.sluice, options.sluice), ("aria2c", faults.aria2, "aria2c"),
        ("wget2", faults.wget2, "wget2"), ("gallery-dl", faults.gallery_dl, options.gallery_dl),
        ("img2dataset", faults.img2dataset, options.img2dataset),
    ]
    table = faults.compare([(name, functools.partial(run, binary)) for name, run, binary in clients], photos, 1)
    return f"**300 addresses, of which ten are broken, 16 at a time, two attempts of {faults.SECONDS} s**\n\n{table}"


def over_http(options, words, programs):
    photos = corpus(options)
    with servers.nginx(options.root, options.root / CORPUS) as port:
        urls = [f"http://127.0.0.1:{port}/{photo.name}" for photo in photos]

        def client(kind, name, binary="", *more):
            extra = ["--allow-port", port, "--no-gallery"] if kind in ("sluice", "thumbs") else []
            return Program(
                name, [options.python, transfer.CLIENTS, kind, 64, 64, transfer.MEMORY, binary, *extra, *more])

        results = compare(programs(client), urls, options.rounds)
    return report(options, f"{len(photos)} photographs from nginx on loopback {words}, 64 at a time", results, len(photos), 0)


def report(options, title, results, count, own):
    """Returns the table and a line that lists faster peers."""
    faster_peers = [
        f"{one.name} ({one.ratio / results[own].ratio:.2f} times)" for index, one in enumerate(results)
        if index != own and one.name not in ("floor", "library") and one.ratio > results[own].ratio * 1.02
    ]
    faster = f"Faster than {results[own].name}: {', '.join(faster_peers) if faster_peers else 'none'}."
    reference = results[0].name
    return "\n\n".join([f"**{title}**", table(results, count, reference), faster, f"{versions(options)}."])


def versions(options):
    found = {name: machine.package(name) for name in [
        "curl", "aria2", "wget2", "graphicsmagick", "nginx-light", "libcurl4"]}
    found["gallery-dl"] = machine.output(options.gallery_dl, "--version")
    python = options.img2dataset.parent / "python"
    found["img2dataset"] = machine.output(
        python, "-c", "import importlib.metadata as m; print(m.version('img2dataset'))")
    return thumbnailing.versions(options) + ", " + ", ".join(f"{name} {version}" for name, version in found.items())


PARTS = {"thumbnails": thumbnails, "downloads": downloads, "both": both, "failures": failures}
