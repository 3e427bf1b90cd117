# SPDX-License-Identifier: MIT
"""Measures the peak memory of the command, and the time to start and to reject a file."""

import subprocess
import tempfile

from Harness import build, machine
from Imaging.bombs import png
from Imaging.processes import cost, library, table
from PIL import Image

# The command's libraries by their pkg-config names.
LIBRARIES = ["libcurl", "libjpeg", "libpng", "libwebpmux", "sqlite3", "lcms2", "libmicrohttpd", "libxml-2.0", "zlib",
             "libzstd", "libcrypto"]


def bare(folder):
    """Builds a C program that loads all libraries and does nothing."""
    flags = subprocess.run(["pkg-config", "--libs", *LIBRARIES], check=True, capture_output=True, text=True)
    program = f"{folder}/bare"
    subprocess.run(["cc", "-xc", "-", "-o", program, "-Wl,--no-as-needed", *flags.stdout.split()], check=True, text=True,
                   input="int main(void) { return 0; }")
    return program


def run(options):
    sluice = build.command()
    with tempfile.TemporaryDirectory(dir=options.root) as folder:
        camera = Image.open(sorted((options.root / "camera").iterdir())[0])
        inputs = {"12": f"{folder}/12.jpg", "100": f"{folder}/100.jpg", "enormous": f"{folder}/enormous.png"}
        camera.save(inputs["12"], quality=92)
        camera.resize((11540, 8655)).save(inputs["100"], quality=90)
        with open(inputs["enormous"], "wb") as file:
            file.write(png(60000, 60000))
        out = f"{folder}/out"

        def thumbs(key):
            # Use a new folder each time; otherwise a second run has nothing to do.
            return cost("sh", "-c", f'rm -rf "{out}"; exec "{sluice}" thumbs "{inputs[key]}" --out "{out}" --quiet')

        rows = [
            ("a C program that only loads the libraries", *cost(bare(folder)), ""),
            ("`sluice --version`", *cost(sluice, "--version"), "15 ms, 16 MB"),
            ("library, a header of 60000x60000", *library(options, inputs["enormous"]), "10 ms, 20 MB"),
            ("`sluice thumbs`, a header of 60000x60000", *thumbs("enormous"), "refused"),
            ("library, 12 megapixels", *library(options, inputs["12"]), "32 MB"),
            ("`sluice thumbs`, 12 megapixels", *thumbs("12"), "32 MB"),
            ("library, 100 megapixels, baseline", *library(options, inputs["100"]), "48 MB"),
            ("`sluice thumbs`, 100 megapixels, baseline", *thumbs("100"), "48 MB"),
        ]
    return table(rows, "goal")
