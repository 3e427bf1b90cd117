# SPDX-License-Identifier: MIT
"""Compares Sluice with the floor and with other tools."""

import json
import pathlib
import subprocess
import sys

from Harness import machine
from Harness.comparison import Program, compare, table

PEERS = pathlib.Path(__file__).parent / "Peers"


def sluice(options, mode="good", sides="256", name=None):
    return Program(name or f"Sluice, {mode}", [options.sluice, sides, mode])


def floor(options, sides="256", name="floor"):
    return Program(name, [options.floor, sides])


def python(options, module, name):
    return Program(name, [options.python, PEERS / f"with_{module}.py", "256"])


def command(options, name):
    return Program(name, [options.python, PEERS / "commands.py", name, "256"])


def peers(options):
    return [
        python(options, "pillow", "Pillow"), python(options, "pyvips", "pyvips"), command(options, "vipsthumbnail"),
        python(options, "opencv", "OpenCV"),
    ]


def against_all(options):
    return [floor(options), sluice(options), sluice(options, "fast"), *peers(options)]


def against_slow(options):
    # ImageMagick is ten times slower than the others, so it runs only on corpora with few files.
    return [*against_all(options), command(options, "imagemagick")]


def against_readers_of_avif(options):
    return [sluice(options), python(options, "pillow", "Pillow"), command(options, "vipsthumbnail")]


def against_floor(options, sides="256"):
    return [floor(options, sides), sluice(options, sides=sides), sluice(options, "fast", sides)]


def of_means(options):
    # An eighth of the size suffices for 64 pixels, so scans with finer detail do not matter.
    return against_floor(options, "64")


def sizes(options):
    four = "1024,512,256,128"
    return [
        sluice(options, name="Sluice, 256"), sluice(options, sides=four, name=f"Sluice, {four}"),
        sluice(options, sides="1024", name="Sluice, 1024"), floor(options, name="floor, 256"),
        floor(options, four, f"floor, {four}"), floor(options, "1024", "floor, 1024"),
    ]


CASES = [
    # name, corpus, description, number of files, programs
    ("small", "small", "JPEGs of 1080 pixels and about 130 KB, to 256", 1200, against_all),
    ("progressive", "progressive", "progressive JPEGs, otherwise the same", 1200, against_floor),
    ("means", "progressive", "progressive JPEGs, to 64", 1200, of_means),
    ("camera", "camera", "camera-like JPEGs of 4000x3000, to 256", 60, against_slow),
    ("png", "png", "PNGs of 1200 pixels, to 256; the floor only decodes the rows", 80, against_slow),
    ("webp", "webp", "WebPs of 1200 pixels, to 256", 120, lambda options: [sluice(options), *peers(options)]),
    ("avif", "avif", "AVIFs of 4000x3000, to 256", 24, against_readers_of_avif),
    ("raw", "raw", "raw files of 20 MB with a preview of 4000x3000, to 256", 24, lambda options: [sluice(options)]),
    ("previews", "previews", "previews of these raw files as JPEGs, to 256", 24, lambda options: [sluice(options)]),
    ("sizes", "small", "small JPEGs, four sizes from one decode", 300, sizes),
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
        found[f"{library} (floor, Sluice, vipsthumbnail)"] = machine.package(library)
    return ", ".join(f"{name} {version}" for name, version in found.items() if version)


def run(options):
    parts = [versions(options) + "."]
    for name, corpus, words, most, programs in CASES:
        if options.case not in (None, name):
            continue
        files = sorted((options.root / corpus).iterdir())[:min(most, options.files or most)]
        print(f"{name}: {len(files)} {words}", file=sys.stderr)
        results = compare(programs(options), files, options.rounds)
        parts.append(f"**{len(files)} {words}**\n\n{table(results, len(files), results[0].name)}")
    return "\n\n".join(parts)
