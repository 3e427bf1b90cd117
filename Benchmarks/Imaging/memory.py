# SPDX-License-Identifier: MIT
"""Peak memory of the command, how soon it refuses, and how soon it starts."""

import struct
import subprocess
import sys
import tempfile
import zlib

from Harness import machine
from PIL import Image

RUNS = 11


def cost(*command):
    """Least and median milliseconds, peak kilobytes, and how the command ended."""
    script = machine.ROOT / "Benchmarks/Harness/cost.py"
    printed = subprocess.run(
        [sys.executable, "-I", "-S", script, f"{RUNS}", *map(str, command)], check=True, capture_output=True, text=True)
    return [float(number) for number in printed.stdout.split()]


def enormous_png():
    """A PNG that claims 60000x60000 pixels and has none."""
    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", 60000, 60000, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IEND", b"")


def run(options):
    sluice = subprocess.run(
        [machine.ROOT / "Scripts/build"], check=True, capture_output=True, text=True).stdout.splitlines()[-1]
    with tempfile.TemporaryDirectory(dir=options.root) as folder:
        camera = Image.open(sorted((options.root / "camera").iterdir())[0])
        inputs = {"12": f"{folder}/12.jpg", "100": f"{folder}/100.jpg", "enormous": f"{folder}/enormous.png"}
        camera.save(inputs["12"], quality=92)
        camera.resize((11540, 8655)).save(inputs["100"], quality=90)
        with open(inputs["enormous"], "wb") as file:
            file.write(enormous_png())
        out = f"{folder}/out"

        def thumbs(key):
            # A new folder each time, else the second run would find nothing to do.
            return cost("sh", "-c", f'rm -rf "{out}"; exec "{sluice}" thumbs "{inputs[key]}" --out "{out}" --quiet')

        rows = [
            ("`sluice --version`", *cost(sluice, "--version"), "15 ms, 16 MB"),
            ("library, a header of 60000x60000", *library(options, inputs["enormous"]), "10 ms, 20 MB"),
            ("`sluice thumbs`, a header of 60000x60000", *thumbs("enormous"), "refused"),
            ("library, 12 megapixels", *library(options, inputs["12"]), "32 MB"),
            ("`sluice thumbs`, 12 megapixels", *thumbs("12"), "32 MB"),
            ("library, 100 megapixels, baseline", *library(options, inputs["100"]), "48 MB"),
            ("`sluice thumbs`, 100 megapixels, baseline", *thumbs("100"), "48 MB"),
        ]
    lines = [f"Of {RUNS} runs, a process each; peak of the resident memory, libraries and all.", "",
             "| | least ms | median ms | MB | exit code | wanted |", "|---|---:|---:|---:|---:|---|"]
    lines += [f"| {name} | {least:.1f} | {median:.1f} | {peak / 1024:.1f} | {code:.0f} | {wanted} |"
              for name, least, median, peak, code, wanted in rows]
    return "\n".join(lines)


def library(options, file):
    return cost("sh", "-c", f'echo "{file}" | exec "{options.sluice}" 256')
