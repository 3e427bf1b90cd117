# SPDX-License-Identifier: MIT
"""Sluice against the floor, and against what people use."""

import json
import pathlib
import subprocess
import sys

from Harness import machine
from Harness.contest import Contestant, contest, table

PEERS = pathlib.Path(__file__).parent / "Peers"


def sluice(options, mode="good", sides="256", name=None):
    return Contestant(name or f"Sluice, {mode}", [options.sluice, sides, mode])


def floor(options, sides="256", name="floor"):
    return Contestant(name, [options.floor, sides])


def python(options, module, name):
    return Contestant(name, [options.python, PEERS / f"with_{module}.py", "256"])


def command(options, name):
    return Contestant(name, [options.python, PEERS / "commands.py", name, "256"])


def peers(options):
    return [
        python(options, "pillow", "Pillow"), python(options, "pyvips", "pyvips"), command(options, "vipsthumbnail"),
        python(options, "opencv", "OpenCV"),
    ]


def against_all(options):
    return [floor(options), sluice(options), sluice(options, "fast"), *peers(options)]


def against_slow(options):
    # What is ten times slower than the others is asked where there are few files.
    return [*against_all(options), command(options, "imagemagick")]


def against_floor(options, sides="256"):
    return [floor(options, sides), sluice(options, sides=sides), sluice(options, "fast", sides)]


def of_means(options):
    # An eighth of the size is enough, where scans of what is finer than a block have no say.
    return against_floor(options, "64")


def sizes(options):
    four = "1024,512,256,128"
    return [
        sluice(options, name="Sluice, 256"), sluice(options, sides=four, name=f"Sluice, {four}"),
        sluice(options, sides="1024", name="Sluice, 1024"), floor(options, name="floor, 256"),
        floor(options, four, f"floor, {four}"), floor(options, "1024", "floor, 1024"),
    ]


CONTESTS = [
    # name, corpus, what it says, how many of its files, contestants
    ("small", "small", "JPEGs of 1080 pixels and about 130 KB, to 256", 1200, against_all),
    ("progressive", "progressive", "the same, progressive", 1200, against_floor),
    ("means", "progressive", "the same, to 64", 1200, of_means),
    ("camera", "camera", "camera-like JPEGs of 4000x3000, to 256", 60, against_slow),
    ("png", "png", "PNGs of 1200 pixels, to 256; the floor only runs through libpng's rows", 80, against_slow),
    ("webp", "webp", "WebPs of 1200 pixels, to 256", 120, lambda options: [sluice(options), *peers(options)]),
    ("sizes", "small", "four sizes from one decode of the small JPEGs", 300, sizes),
]


def versions(options):
    code = """
import json, PIL, pyvips, cv2
from PIL import features
print(json.dumps({
    "Pillow": f"{PIL.__version__} (libjpeg-turbo {features.version('libjpeg_turbo')})",
    "pyvips": f"{pyvips.__version__} (libvips {'.'.join(str(pyvips.version(n)) for n in range(3))})",
    "OpenCV": cv2.__version__}))
"""
    found = json.loads(subprocess.run([options.python, "-c", code], capture_output=True, text=True, check=True).stdout)
    found["vipsthumbnail"] = machine.output("vipsthumbnail", "--version")
    found["ImageMagick"] = machine.output("mogrify", "-version").removeprefix("Version: ").split(" http")[0]
    for library in ["libjpeg62-turbo", "libpng16-16", "libwebp7"]:
        found[f"{library} (floor, Sluice, libvips)"] = machine.package(library)
    return ", ".join(f"{name} {version}" for name, version in found.items())


def run(options):
    parts = [versions(options) + "."]
    for name, corpus, words, most, contestants in CONTESTS:
        if options.contest not in (None, name):
            continue
        files = sorted((options.root / corpus).iterdir())[:min(most, options.files or most)]
        print(f"{name}: {len(files)} {words}", file=sys.stderr)
        standings = contest(contestants(options), files, options.rounds)
        parts.append(f"**{len(files)} {words}**\n\n{table(standings, len(files), standings[0].name)}")
    return "\n\n".join(parts)
