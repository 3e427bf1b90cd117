# SPDX-License-Identifier: MIT
"""A long run of small items: its pace, and whether its memory grows with its length."""

import shutil

from Mirror.watched import Watched
from Transfer import servers
from Transfer.memory import tiny_png
from Transfer.speed import MEMORY

COUNT, EARLY, FILES, SIZE = 100_000, 10_000, 1000, 4096


def run(options):
    folder = options.root / "four"
    folder.mkdir(exist_ok=True)
    for number in range(FILES):
        file = folder / f"{number}.png"
        if not file.exists():
            # What stands behind a PNG's end is passed over, and makes it as long as is wanted.
            file.write_bytes(tiny_png(number).ljust(SIZE, b"\0"))
    out, list_file = MEMORY / "sluice-growth", options.root / "growth.txt"
    shutil.rmtree(out, ignore_errors=True)
    with servers.nginx(options.root, folder) as port:
        list_file.write_text("".join(f"http://127.0.0.1:{port}/{n % FILES}.png?{n}\n" for n in range(COUNT)))
        result = Watched(
            [options.sluice, "mirror", list_file, "--out", out, "--sizes", "none", "--allow-private", "--allow-port", port,
             "--no-robots", "--quiet", "--json", "--concurrency", 64, "--per-host", 64], marks={EARLY, COUNT})
    shutil.rmtree(out, ignore_errors=True)
    early, late = result.memory[EARLY], result.memory[COUNT]
    return "\n".join([
        f"{COUNT:,} items of {SIZE // 1024} KB from nginx on loopback, without thumbnails, into memory; gallery and manifest are",
        "written. One run.", "",
        f"- items a second: {COUNT / result.seconds:,.0f}, wanted 1,500 or more",
        f"- the processors' time for an item: {result.cpu / COUNT * 1000:.2f} ms",
        f"- resident after {EARLY:,} items {early:.1f} MiB, after {COUNT:,} {late:.1f} MiB: {late / early - 1:+.0%}, wanted +20% at most"])
