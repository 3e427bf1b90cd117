# SPDX-License-Identifier: MIT
"""The whole `sluice thumbs`: with ledger, manifest and gallery, flushed to disk, in its usual number of threads.

Usage: with_sluice.py SLUICE SIDE[,SIDE ...] [OPTION ...] <LIST
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

command, sides, *options = sys.argv[1:]
with tempfile.TemporaryDirectory() as out:
    start = time.monotonic()
    subprocess.run(
        [command, "thumbs", "-", "--out", f"{out}/mirror", "--sizes", sides, "--format", "jpeg", "--config", "none",
         "--quiet", *options], stdin=sys.stdin, stdout=subprocess.DEVNULL)
    wall = time.monotonic() - start
    made = sum(len(names) for _, _, names in os.walk(pathlib.Path(out) / "mirror" / sides.split(",")[0]))
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"seconds": wall, "cpu": usage.ru_utime + usage.ru_stime, "files": made}))
