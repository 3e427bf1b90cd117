# SPDX-License-Identifier: MIT
"""Sluice beside its peers over one corpus, in turn: thumbnails of files, downloads, and both in one."""

import subprocess

from Harness import build, machine
from Harness.contest import Contestant, contest, table
from Imaging import room as imaging, speed as thumbnailing
from Transfer import servers, speed as transfer

CORPUS = "small"


def environment(options, name, *packages):
    """A Python with some packages in it, which may want other versions than the harness's; made at the first call."""
    place = options.root / name
    if not (place / "bin/python").exists():
        subprocess.run([options.python, "-m", "venv", place], check=True)
        subprocess.run([place / "bin/python", "-m", "pip", "install", "--quiet", *packages], check=True)
    return place / "bin"


def prepare(options):
    """Builds the command, the thumbnails' programs and the floor, makes the corpus, and sets the Python peers up."""
    imaging.prepare(options, CORPUS)
    options.imaging = options.sluice
    options.library = build.program("transfer")
    options.sluice = build.command()
    options.img2dataset = environment(options, "dataset", "img2dataset") / "img2dataset"
    options.gallery_dl = environment(options, "gallery", "gallery-dl") / "gallery-dl"


def corpus(options):
    return sorted((options.root / CORPUS).iterdir())[:options.files or 600]


def thumbnails(options):
    """Files on disk to JPEGs of 256 pixels and quality 80."""
    files = corpus(options)
    standings = contest([
        Contestant("floor", [options.floor, "256"]), Contestant("Sluice, good", [options.imaging, "256", "good"]),
        *thumbnailing.peers(options), thumbnailing.command(options, "graphicsmagick"),
    ], files, options.rounds)
    return report(options, f"{len(files)} JPEGs of 1080 pixels and about 130 KB, to 256", standings, len(files), 1)


def downloads(options):
    """Addresses on loopback to files in memory, 64 at a time where a client can."""
    return over_http(options, "to files", lambda client: [
        client("sluice", "`sluice mirror`", options.sluice), client("library", "library", options.library),
        client("curl", "curl --parallel"), client("aria2", "aria2c -j64", "", "-x", 1), client("wget2", "wget2"),
        client("gallery_dl", "gallery-dl, one at a time", options.gallery_dl),
    ])


def both(options):
    """Addresses on loopback to pictures of 256 pixels."""
    return over_http(options, "to files and thumbnails of 256 pixels", lambda client: [
        client("thumbs", "`sluice mirror --sizes 256`", options.sluice),
        client("img2dataset", "img2dataset, the small pictures alone", options.img2dataset),
    ])


def over_http(options, words, contestants):
    photos = corpus(options)
    with servers.nginx(options.root, options.root / CORPUS) as port:
        urls = [f"http://127.0.0.1:{port}/{photo.name}" for photo in photos]

        def client(kind, name, binary="", *more):
            extra = ["--allow-port", port, "--no-gallery"] if kind in ("sluice", "thumbs") else []
            return Contestant(
                name, [options.python, transfer.CLIENTS, kind, 64, 64, transfer.MEMORY, binary, *extra, *more])

        standings = contest(contestants(client), urls, options.rounds)
    return report(options, f"{len(photos)} photographs from nginx on loopback {words}, 64 at a time", standings, len(photos), 0)


def report(options, words, standings, count, own):
    """The table, and in words where a peer is ahead."""
    ahead = [
        f"{one.name} ({one.ratio / standings[own].ratio:.2f} times)" for place, one in enumerate(standings)
        if place != own and one.name not in ("floor", "library") and one.ratio > standings[own].ratio * 1.02
    ]
    falls_short = f"Faster than {standings[own].name} here: {', '.join(ahead) if ahead else 'none'}."
    reference = standings[0].name
    return "\n\n".join([f"**{words}**", table(standings, count, reference), falls_short, f"{versions(options)}."])


def versions(options):
    found = {name: machine.package(name) for name in [
        "curl", "aria2", "wget2", "graphicsmagick", "nginx-light", "libcurl4"]}
    found["gallery-dl"] = machine.output(options.gallery_dl, "--version")
    python = options.img2dataset.parent / "python"
    found["img2dataset"] = machine.output(
        python, "-c", "import importlib.metadata as m; print(m.version('img2dataset'))")
    return thumbnailing.versions(options) + ", " + ", ".join(f"{name} {version}" for name, version in found.items())


PARTS = {"thumbnails": thumbnails, "downloads": downloads, "both": both}
