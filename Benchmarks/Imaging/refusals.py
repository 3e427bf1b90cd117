# SPDX-License-Identifier: MIT
"""How soon, and in how little memory, the library is done with what was made to cost much."""

import subprocess
import sys
import tempfile

from Imaging.bombs import bombs
from Imaging.processes import library, table

MOST_MILLISECONDS, MOST_KILOBYTES = 50, 64 << 10


def verdict(options, file):
    """The cause that a file is refused with; none if it is taken."""
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
            if found != cause or costs[0] > MOST_MILLISECONDS or costs[2] > MOST_KILOBYTES:
                wrong.append(f"{row} {words}: {found}, {costs[0]:.1f} ms, {costs[2]:.0f} kB")
            rows.append((f"{row}: {words}, {len(file)} bytes", *costs, found or "taken"))
    if wrong:
        sys.exit("not as wanted:\n" + "\n".join(wrong))
    return "Each wanted in 50 ms (the least of its runs) and 64 MB, with its own cause.\n\n" + table(rows, "verdict")
