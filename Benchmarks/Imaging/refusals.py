# SPDX-License-Identifier: MIT
"""Measures the time and memory that the library needs to reject hostile files."""

import subprocess
import sys
import tempfile

from Imaging.bombs import bombs
from Imaging.processes import library, table

MAXIMUM_MILLISECONDS, MAXIMUM_KILOBYTES = 50, 64 << 10


def verdict(options, file):
    """Returns the cause of failure of a file; `None` if it is accepted."""
    ended = subprocess.run([options.sluice, "256"], input=f"{file}\n", capture_output=True, text=True)
    return ended.stdout.split(":")[0].strip() if ended.returncode == 3 else None


def run(options):
    rows, wrong = [], []
    with tempfile.TemporaryDirectory(dir=options.root) as folder:
        for number, (row, words, file, cause) in enumerate(bombs()):
            path = f"{folder}/{number}"
            with open(path, "wb") as out:
                out.write(file)
            found = verdict(options, path)
            costs = library(options, path)
            if found != cause or costs[0] > MAXIMUM_MILLISECONDS or costs[2] > MAXIMUM_KILOBYTES:
                wrong.append(f"{row} {words}: {found}, {costs[0]:.1f} ms, {costs[2]:.0f} kB")
            rows.append((f"{row}: {words}, {len(file)} bytes", *costs, found or "accepted"))
    if wrong:
        sys.exit("unexpected results:\n" + "\n".join(wrong))
    return "The goal for each file is the expected cause within 50 ms (the fastest run) and 64 MB.\n\n" + table(rows, "verdict")
