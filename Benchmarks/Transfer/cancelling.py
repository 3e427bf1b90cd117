# SPDX-License-Identifier: MIT
"""How soon a transfer ends that is called off while hundreds are under way."""

import json
import statistics
import subprocess
import sys
import tempfile
import time

from Transfer import servers

AT_ONCE = 500
HOSTS = 5


def once(options):
    """Milliseconds until one has ended, and until all of a host have; the others must come to their end."""
    with servers.Holder(b"x" * 20_000) as server, tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [options.cancelling, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for number in range(AT_ONCE):
            print(f"http://127.0.0.{number % HOSTS + 1}:{server.port}/{number}.jpg", file=process.stdin)
        print(file=process.stdin, flush=True)
        while server.waiting < AT_ONCE:
            if process.poll() is not None:
                sys.exit("the transfers ended early")
            time.sleep(0.05)
        print("now", file=process.stdin, flush=True)
        times = json.loads(process.stdout.readline())
        server.release()
        process.stdin.close()
        left = AT_ONCE - 1 - times["count"]
        if times["early"] != 0 or json.loads(process.stdout.readline())["done"] != left or process.wait() != 0:
            sys.exit("others were disturbed")
        return times


def run(options):
    rounds = [once(options) for _ in range(options.rounds)]
    lines = [
        f"{AT_ONCE} transfers of {HOSTS} hosts stand half way; after what is called off the others come to their end.", "",
        "| called off | ms, median | ms, most | wanted |", "|---|---:|---:|---|"]
    for key, name in [("one", "one of them"), ("host", f"a host's {rounds[0]['count']}")]:
        times = [one[key] for one in rounds]
        lines.append(f"| {name} | {statistics.median(times):.2f} | {max(times):.2f} | 100 or less |")
    return "\n".join(lines)
