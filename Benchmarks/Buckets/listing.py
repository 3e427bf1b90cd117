# SPDX-License-Identifier: MIT
"""Measures the time and the peak memory of commands that list a bucket with up to a million objects."""

import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

from Buckets import listing_server, server
from Harness import machine

COUNTS = [100_000, 1_000_000]
BUCKET = "s3://bench"
LOCATION = f"{BUCKET}/photos"
OBJECTS = f"{BUCKET}/{listing_server.PREFIX}".rstrip("/")


@contextlib.contextmanager
def service():
    """Runs the server of generated listings, and yields its address."""
    script = pathlib.Path(__file__).parent / "listing_server.py"
    process = subprocess.Popen([sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.kill()
        process.wait()


def cost(environment, *command):
    """Returns the time in seconds, the peak memory in MiB, and the exit code of one run."""
    script = machine.ROOT / "Benchmarks/Harness/cost.py"
    printed = subprocess.run(
        [sys.executable, "-I", "-S", script, "1", *map(str, command)], check=True, stdout=subprocess.PIPE, text=True,
        env=environment)
    _, milliseconds, kilobytes, code = map(float, printed.stdout.split())
    return milliseconds / 1000, kilobytes / 1024, int(code)


def run(options):
    rows = []
    with service() as endpoint, tempfile.TemporaryDirectory() as folder:
        environment = dict(
            os.environ, AWS_ACCESS_KEY_ID=server.KEY, AWS_SECRET_ACCESS_KEY=server.SECRET, AWS_REGION="us-east-1",
            AWS_ENDPOINT_URL_S3=endpoint)
        mirror = [options.sluice, "mirror", "demo", "--pages", "1", "--sizes", "none", "--out", LOCATION, "--state",
                  f"{folder}/state", "--config", "none", "--quiet"]
        subprocess.run(mirror, check=True, env=environment)
        cases = {
            "`mirror s3://… --dry-run`": lambda: [options.sluice, "mirror", OBJECTS, "--dry-run", "--config", "none"],
            "`mirror … --out s3://…`, again": lambda: mirror,
            "`verify s3://…`": lambda: [options.sluice, "verify", LOCATION, "--state", f"{folder}/state"],
        }
        for name, command in cases.items():
            costs = []
            for count in COUNTS:
                urllib.request.urlopen(
                    urllib.request.Request(f"{endpoint}/generate/{count}", method="PUT", data=b"")).close()
                costs.append(cost(environment, *command()))
                print(f"  {name} {count}: {costs[-1]}", file=sys.stderr)
            (_, less, _), (seconds, more, code) = costs
            rows.append(f"| {name} | {seconds:.1f} | {COUNTS[-1] / seconds / 1000:,.0f} | {less:.0f} | {more:.0f} | {code} |")
    return "\n".join([
        f"The bucket lists {COUNTS[0]:,} and {COUNTS[1]:,} objects in pages of 1,000; one run each. The service is not a real",
        "store: it generates the listing, and ignores signatures. Its own time is part of the time.",
        "The last two commands have a mirror of a few photos beside these objects; `verify` reports each of them as extra.", "",
        f"| | s, {COUNTS[1]:,} | thousand objects/s | MB, {COUNTS[0]:,} | MB, {COUNTS[1]:,} | exit code |",
        "|---|---:|---:|---:|---:|---:|", *rows])
