# SPDX-License-Identifier: MIT
"""Runs a peer that is a command: two processes with half of the files each, into a temporary folder.

Usage: commands.py vipsthumbnail|imagemagick|graphicsmagick SIDE [some] <LIST

With `some`, files that the command cannot read are only missing from the count.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time

name, side = sys.argv[1], int(sys.argv[2])
files = sys.stdin.read().split("\n")[:-1]
os.environ.update(VIPS_CONCURRENCY="1", MAGICK_THREAD_LIMIT="1", OMP_NUM_THREADS="1")

errors = subprocess.DEVNULL if "some" in sys.argv else None

with tempfile.TemporaryDirectory() as out:
    command = {
        "vipsthumbnail": ["vipsthumbnail", "--size", f"{side}", "-o", f"{out}/%s.jpg[Q=80,strip]"],
        "imagemagick": ["mogrify", "-path", out, "-format", "jpg", "-define", f"jpeg:size={2 * side}x{2 * side}",
                        "-thumbnail", f"{side}x{side}", "-quality", "80"],
        "graphicsmagick": ["gm", "mogrify", "-output-directory", out, "-create-directories", "-format", "jpg",
                           "-size", f"{2 * side}x{2 * side}", "-thumbnail", f"{side}x{side}", "-quality", "80"],
    }[name]
    start = time.monotonic()
    halves = [subprocess.Popen(command + files[half::2], stderr=errors) for half in (0, 1)]
    failed = any([half.wait() != 0 for half in halves])
    wall = time.monotonic() - start
    # GraphicsMagick recreates the files' folders below this one.
    made = sum(len(names) for _, _, names in os.walk(out))
    if (failed or made != len(files)) and "some" not in sys.argv:
        sys.exit(f"{name} made {made} of {len(files)}")
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"seconds": wall, "cpu": usage.ru_utime + usage.ru_stime, "files": made}))
