# SPDX-License-Identifier: MIT
"""Benchmarks of imaging."""

import subprocess

from Harness import build, machine
from Imaging import command, folder, memory, quality, refusals, speed

HERE = machine.ROOT / "Benchmarks"


def prepare(options, *only):
    """Builds Sluice's programs and the floor, and generates all corpora or only the given kind."""
    # The parts `command` and `folder` measure the command, the others the library.
    options.command = options.sluice
    options.sluice = build.program("imaging")
    options.floor = options.root / "floor"
    libraries = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "libjpeg", "libpng"], check=True, capture_output=True, text=True)
    subprocess.run(
        ["cc", "-O3", "-o", options.floor, HERE / "Imaging/floor.c", *libraries.stdout.split(), "-lpthread"], check=True)
    kind = ["--only", *only] if only else []
    subprocess.run([options.python, HERE / "corpus", options.root, *kind], check=True)


PARTS = {
    "speed": speed.run, "command": command.run, "quality": quality.run, "memory": memory.run, "refusals": refusals.run,
    "folder": folder.run,
}
