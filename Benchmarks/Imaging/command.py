# SPDX-License-Identifier: MIT
"""The whole `sluice thumbs`, without a gallery, beside the floor and libvips, on two corpora."""

import subprocess
import sys

from Harness import build, machine
from Harness.comparison import Program, compare, table
from Imaging import speed

FOUR = "1024,512,256,128"
SEED = "8"
CASES = [
    # name, corpus, description, number of files, sizes
    ("small", "small", "JPEGs of 1080 pixels, to 256", 1200, "256"),
    ("progressive", "progressive", "progressive JPEGs of 1080 pixels, to 256", 400, "256"),
    ("camera", "camera", "camera-like JPEGs of 4000x3000, to 256", 40, "256"),
    ("png", "png", "PNGs of 1200 pixels, to 256", 80, "256"),
    ("webp", "webp", "WebPs of 1200 pixels, to 256", 120, "256"),
    ("sizes", "small", f"JPEGs of 1080 pixels, to {FOUR}", 300, FOUR),
]


def programs(options, name, sides):
    """Returns the command and its peers; the floor reads no WebP, and pyvips makes one size."""
    peer = [Program("libvips (pyvips)", [options.python, speed.PEERS / "with_pyvips.py", sides])]
    return [
        Program("`sluice thumbs`", [
            options.python, speed.PEERS / "with_sluice.py", options.command, sides, "--no-gallery", "--durability",
            "none",
        ]),
        *([] if name == "webp" else [Program("floor", [options.floor, sides])]),
        *([] if "," in sides else peer),
    ]


def run(options):
    """Compares the command with both peers on the usual corpus and on one of another seed."""
    options.command = options.command or build.command()
    other = options.root / f"seed-{SEED}"
    parts = []
    for name, corpus, words, most, sides in CASES:
        if options.case not in (None, name):
            continue
        kind = "small" if corpus == "progressive" else corpus
        subprocess.run(
            [options.python, machine.ROOT / "Benchmarks/corpus", other, "--seed", SEED, "--only", kind], check=True)
        for root, seed in [(options.root, ""), (other, f", seed {SEED}")]:
            files = sorted((root / corpus).iterdir())[:min(most, options.files or most)]
            print(f"{name}{seed}: {len(files)} {words}", file=sys.stderr)
            results = compare(programs(options, name, sides), files, options.rounds)
            parts.append(f"**{len(files)} {words}{seed}**\n\n{table(results, len(files), results[0].name)}")
    return "\n\n".join([*parts, speed.versions(options) + "."])
