# SPDX-License-Identifier: MIT
"""What is measured of single pieces of the rooms, with the program in Swift beside this."""

import subprocess

from Harness import machine


def prepare(options):
    """Nothing: the program is built when it is run."""


def pieces(options):
    """A table with a line for each piece; the contest is a word that its name must have."""
    words = [options.contest] if options.contest else []
    return subprocess.run(
        [machine.ROOT / "Benchmarks/micro", *words], check=True, stdout=subprocess.PIPE, text=True).stdout


PARTS = {"pieces": pieces}
