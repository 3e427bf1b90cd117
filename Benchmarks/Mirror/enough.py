# SPDX-License-Identifier: MIT
"""Compares runs with `--fetch enough` and `--fetch whole`: bytes received, and the thumbnails."""

import shutil
import statistics

import numpy
from PIL import Image

from Imaging.quality import decibels
from Mirror.observed_run import ObservedRun
from Transfer import servers

# Thumbnails for which a photograph of 1080 pixels is decoded at an eighth, a quarter and half of its size.
SIZES = [64, 128, 256]
FILES = 200
GOAL = 40


def mirror(options, port, corpus, size, fetch):
    """Mirrors the photographs without originals; returns the summary, and the folder of the thumbnails."""
    out, list_file = options.root / f"enough-{fetch}", options.root / "enough.txt"
    shutil.rmtree(out, ignore_errors=True)
    names = sorted(path.name for path in (options.root / corpus).iterdir())[:options.files or FILES]
    list_file.write_text("".join(f"http://127.0.0.1:{port}/{name}\n" for name in names))
    result = ObservedRun(
        [options.sluice, "mirror", list_file, "--out", out, "--sizes", str(size), "--format", "png", "--no-originals",
         "--fetch", fetch, "--allow-private", "--allow-port", port, "--no-robots", "--no-gallery", "--quiet", "--json"])
    assert result.summary["done"] == len(names), result.summary
    return result.summary, out / "thumbs" / str(size)


def compare(options, port, corpus, size):
    """Returns the shares of bytes that were not received, and the PSNR of each thumbnail."""
    whole, expected = mirror(options, port, corpus, size, "whole")
    enough, thumbs = mirror(options, port, corpus, size, "enough")
    received = whole["bytes_received"]
    saved = 100 - 100 * enough["bytes_received"] / received
    quality = [
        decibels(Image.open(thumbs / path.relative_to(expected)), numpy.asarray(Image.open(path), dtype=float))
        for path in sorted(expected.rglob("*.png"))]
    for fetch in ["whole", "enough"]:
        shutil.rmtree(options.root / f"enough-{fetch}")
    return received, saved, quality


def run(options):
    lines = ["| photographs | thumbnails | whole MB | not received | PSNR: median | least |", "|---|---|---|---|---|---|"]
    shares, is_same = [], True
    for corpus, name in [("progressive", "progressive"), ("small", "baseline")]:
        with servers.nginx(options.root, options.root / corpus) as port:
            for size in SIZES:
                received, saved, quality = compare(options, port, corpus, size)
                texts = ["equal" if value == 99 else f"{value:.1f} dB" for value in [statistics.median(quality), min(quality)]]
                lines.append(f"| {name} | {size} | {received / 1e6:.1f} | {saved:.0f} % | {texts[0]} | {texts[1]} |")
                if corpus == "progressive":
                    shares.append(saved)
                else:
                    is_same = is_same and saved == 0 and min(quality) == 99
    return "\n".join([
        f"Mirrors of {options.files or FILES} photographs of 1080 pixels with `--no-originals`: `--fetch enough` compared with `whole`.",
        "Bytes are those that Sluice read; a server on the same machine has sent more by then.", "", *lines, "",
        f"- least share of a progressive photograph's bytes that is not received: {min(shares):.0f} %, goal: at least {GOAL} %",
        f"- baseline photographs: bytes and thumbnails are {'the same' if is_same else 'NOT the same'}"])
