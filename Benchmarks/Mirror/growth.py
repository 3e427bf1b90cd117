# SPDX-License-Identifier: MIT
"""Measures the rate of a long run of small items, and whether its memory grows."""

import shutil

from Mirror.observed_run import ObservedRun
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
            # Decoders ignore bytes after a PNG's end; they pad the file to the wanted size.
            file.write_bytes(tiny_png(number).ljust(SIZE, b"\0"))
    out, list_file = MEMORY / "sluice-growth", options.root / "growth.txt"
    shutil.rmtree(out, ignore_errors=True)
    with servers.nginx(options.root, folder) as port:
        list_file.write_text("".join(f"http://127.0.0.1:{port}/{n % FILES}.png?{n}\n" for n in range(COUNT)))
        result = ObservedRun(
            [options.sluice, "mirror", list_file, "--out", out, "--sizes", "none", "--allow-private", "--allow-port", port,
             "--no-robots", "--quiet", "--json", "--concurrency", 64, "--per-host", 64], marks={EARLY, COUNT})
    shutil.rmtree(out, ignore_errors=True)
    early, late = result.memory[EARLY], result.memory[COUNT]
    return "\n".join([
        f"{COUNT:,} items of {SIZE // 1024} KB from nginx on loopback into memory, without thumbnails, including gallery and",
        "manifest. One run.", "",
        f"- items per second: {COUNT / result.seconds:,.0f}, goal: at least 1,500",
        f"- CPU time per item: {result.cpu / COUNT * 1000:.2f} ms",
        f"- resident after {EARLY:,} items {early:.1f} MiB, after {COUNT:,} {late:.1f} MiB: {late / early - 1:+.0%}, goal: at most +20%"])
