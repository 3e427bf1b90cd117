# SPDX-License-Identifier: MIT
"""Benchmarks of whole mirrors."""

import subprocess

from Harness import build, machine
from Mirror import budget, enough, growth, idle, speed


def prepare(options):
    """Builds the command unless `--sluice` names one, and generates the photographs."""
    options.sluice = options.sluice or build.command()
    subprocess.run([options.python, machine.ROOT / "Benchmarks/corpus", options.root], check=True)


PARTS = {"speed": speed.run, "growth": growth.run, "budget": budget.run, "idle": idle.run, "enough": enough.run}
