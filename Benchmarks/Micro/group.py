# SPDX-License-Identifier: MIT
"""Microbenchmarks of each module, measured by the Swift program in this folder."""

import subprocess

from Harness import machine


def prepare(options):
    """Does nothing: `Benchmarks/micro` builds the program."""


def pieces(options):
    """Returns a table with one line per benchmark; the case is a word that the name must contain."""
    words = [options.case] if options.case else []
    return subprocess.run(
        [machine.ROOT / "Benchmarks/micro", *words], check=True, stdout=subprocess.PIPE, text=True).stdout


PARTS = {"pieces": pieces}
