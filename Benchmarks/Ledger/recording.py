# SPDX-License-Identifier: MIT
"""Measures the cost of flushing a mirror's files and receipts to disk."""

import pathlib

from Harness.comparison import Program, compare, table
from Mirror.speed import CLIENTS
from Transfer import servers

# The second list is long enough that the start and the end of a run do not matter. It has each photograph five times;
# with --no-share each is a separate file.
COUNTS = [1_200, 6_000]


def run(options):
    photos = sorted((options.root / "small").iterdir())[:1200]
    texts = []
    with servers.nginx(options.root, options.root / "small") as port:
        def client(durability):
            return Program(f"`--durability {durability}`", [
                options.python, CLIENTS, "mirror", options.sluice, "--allow-port", port, "--per-host", 64, "--concurrency", 64,
                "--sizes", "none", "--durability", durability, "--no-share"])

        for count in COUNTS:
            addresses = [
                f"http://127.0.0.1:{port}/{photos[n % len(photos)].name}?{n // len(photos)}" for n in range(count)]
            results = compare([client("none"), client("batch"), client("each")], addresses, options.rounds)
            batch = results[1]
            texts += [
                f"{count:,} photographs of 130 KB from nginx on loopback to disk, without thumbnails.", "",
                table(results, count, results[0].name), "",
                f"- `batch` reduces the rate by {1 - batch.ratio:.0%}, goal: at most 5%", ""]
    return "\n".join(texts)
