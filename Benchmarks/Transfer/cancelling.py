# SPDX-License-Identifier: MIT
"""Measures how soon a cancelled transfer ends while hundreds are in flight."""

import json
import statistics
import subprocess
import sys
import tempfile
import time

from Transfer import servers

CONCURRENT = 500
HOSTS = 5


def once(options):
    """Returns the milliseconds until one transfer and until all of a host have ended; all others must succeed."""
    with servers.HalfBodyServer(b"x" * 20_000) as server, tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [options.cancelling, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for number in range(CONCURRENT):
            print(f"http://127.0.0.{number % HOSTS + 1}:{server.port}/{number}.jpg", file=process.stdin)
        print(file=process.stdin, flush=True)
        while server.waiting < CONCURRENT:
            if process.poll() is not None:
                sys.exit("the transfers ended early")
            time.sleep(0.05)
        print("now", file=process.stdin, flush=True)
        times = json.loads(process.stdout.readline())
        server.release()
        process.stdin.close()
        remaining = CONCURRENT - 1 - times["count"]
        if times["early"] != 0 or json.loads(process.stdout.readline())["done"] != remaining or process.wait() != 0:
            sys.exit("other transfers were affected")
        return times


def run(options):
    rounds = [once(options) for _ in range(options.rounds)]
    lines = [
        f"{CONCURRENT} transfers from {HOSTS} hosts are halfway; after a cancellation all others succeed.", "",
        "| cancelled | ms, median | ms, maximum | goal |", "|---|---:|---:|---|"]
    for key, name in [("one", "one of them"), ("host", f"all {rounds[0]['count']} of a host")]:
        times = [one[key] for one in rounds]
        lines.append(f"| {name} | {statistics.median(times):.2f} | {max(times):.2f} | at most 100 |")
    return "\n".join(lines)
