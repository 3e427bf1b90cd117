# SPDX-License-Identifier: MIT
"""Measures the PSNR of thumbnails against the ideal: a full decode resampled with Lanczos3 in floating point."""

import math
import pathlib
import statistics
import subprocess
import tempfile

import numpy
from PIL import Image

SIDE = 256


def lanczos3(length, target):
    """Returns the matrix that resamples `length` pixels to `target`."""
    scale = length / target
    centres = (numpy.arange(target) + 0.5) * scale
    distances = (numpy.arange(length) + 0.5 - centres[:, None]) / max(scale, 1)
    weights = numpy.where(abs(distances) < 3, numpy.sinc(distances) * numpy.sinc(distances / 3), 0)
    return weights / weights.sum(axis=1, keepdims=True)


def ideal(file, size):
    picture = numpy.asarray(Image.open(file).convert("RGB"), dtype=float)
    mixed = numpy.einsum("th,hwc->twc", lanczos3(picture.shape[0], size[1]), picture, optimize=True)
    narrowed = numpy.einsum("sw,twc->tsc", lanczos3(picture.shape[1], size[0]), mixed, optimize=True)
    return numpy.clip(numpy.rint(narrowed), 0, 255)


def decibels(made, wanted):
    error = numpy.mean((numpy.asarray(made, dtype=float) - wanted) ** 2)
    return 99.0 if error == 0 else 10 * math.log10(255**2 / error)


def of_sluice(options, files, mode):
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([options.sluice, f"{SIDE}", mode, "png", out], input="".join(f"{file}\n" for file in files),
                       text=True, check=True, stdout=subprocess.DEVNULL)
        for number in range(len(files)):
            yield Image.open(pathlib.Path(out) / f"{number}.png").convert("RGB")


def of_vipsthumbnail(options, files):
    with tempfile.TemporaryDirectory() as out:
        subprocess.run(["vipsthumbnail", "--size", f"{SIDE}", "-o", f"{out}/%s.png", *files], check=True)
        for file in files:
            yield Image.open(pathlib.Path(out) / f"{file.stem}.png").convert("RGB")


def of_pillow(options, files):
    for file in files:
        with Image.open(file) as picture:
            picture.thumbnail((SIDE, SIDE), Image.Resampling.LANCZOS)
            yield picture.convert("RGB")


CORPORA = [("photographs", "whole photographs", None), ("small", "small JPEGs", 100),
           ("progressive", "small JPEGs, progressive", 100), ("camera", "camera-like JPEGs", 12), ("png", "PNGs", 40)]


def run(options):
    makers = {
        "Sluice, good": lambda files: of_sluice(options, files, "good"),
        "Sluice, fast": lambda files: of_sluice(options, files, "fast"),
        "Sluice, exact": lambda files: of_sluice(options, files, "exact"),
        "Pillow": lambda files: of_pillow(options, files),
        "vipsthumbnail": lambda files: of_vipsthumbnail(options, files),
    }
    lines = ["PSNR against the ideal in dB, mean / worst; to 256 pixels, written as PNG.", "",
             "| | " + " | ".join(makers) + " |", "|---" * (len(makers) + 1) + "|"]
    for corpus, words, most in CORPORA:
        if options.case not in (None, corpus):
            continue
        files = sorted((options.root / corpus).iterdir())[:most]
        ideals = {}
        cells = []
        for maker in makers.values():
            values = []
            for file, made in zip(files, maker(files)):
                if (file, made.size) not in ideals:
                    ideals[file, made.size] = ideal(file, made.size)
                values.append(decibels(made, ideals[file, made.size]))
            cells.append(f"{statistics.mean(values):.1f} / {min(values):.1f}")
        lines.append(f"| {len(files)} {words} | " + " | ".join(cells) + " |")
    return "\n".join(lines)
