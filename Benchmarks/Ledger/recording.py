# SPDX-License-Identifier: MIT
"""What it costs a mirror to have its files and receipts made safe."""

import pathlib

from Harness.contest import Contestant, contest, table
from Mirror.speed import CLIENTS
from Transfer import servers

# The second list is as long as to outlast what a run's begin and end cost, whatever is flushed. It has each photograph
# five times, and shares none: each is a file that must be safe.
COUNTS = [1_200, 6_000]


def run(options):
    photos = sorted((options.root / "small").iterdir())[:1200]
    texts = []
    with servers.nginx(options.root, options.root / "small") as port:
        def client(durability):
            return Contestant(f"`--durability {durability}`", [
                options.python, CLIENTS, "mirror", options.sluice, "--allow-port", port, "--per-host", 64, "--concurrency", 64,
                "--sizes", "none", "--durability", durability, "--no-share"])

        for count in COUNTS:
            addresses = [
                f"http://127.0.0.1:{port}/{photos[n % len(photos)].name}?{n // len(photos)}" for n in range(count)]
            standings = contest([client("none"), client("batch"), client("each")], addresses, options.rounds)
            batch = standings[1]
            texts += [
                f"{count:,} photographs of 130 KB from nginx on loopback onto the disk, without thumbnails.", "",
                table(standings, count, standings[0].name), "",
                f"- recording in batches takes {1 - batch.ratio:.0%} of the rate, wanted 5% at most", ""]
    return "\n".join(texts)
