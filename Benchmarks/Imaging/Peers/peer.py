# SPDX-License-Identifier: MIT
"""Shared by the peers in Python: two worker processes, and the line of JSON that the harness reads."""

import json
import multiprocessing
import resource
import sys
import time


def run(thumbnail):
    """Calls `thumbnail(file, side)`, which returns the encoded bytes, for each file listed on standard input.

    No bytes stand for a file that the peer cannot read.
    """
    side = int(sys.argv[1])
    files = sys.stdin.read().split("\n")[:-1]
    global work

    def work(file):
        return len(thumbnail(file, side))

    with multiprocessing.get_context("fork").Pool(2) as pool:
        start = time.monotonic()
        written = list(pool.imap_unordered(work, files, chunksize=max(1, len(files) // 60)))
        wall = time.monotonic() - start
        pool.close()
        pool.join()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = usage.ru_utime + usage.ru_stime
    print(json.dumps({"seconds": wall, "cpu": cpu, "files": sum(map(bool, written)), "bytes": sum(written)}))
