# SPDX-License-Identifier: MIT
"""Benchmarks of galleries."""

from Gallery import page, writing
from Harness import build


def prepare(options):
    """Builds the command unless `--sluice` names one."""
    options.sluice = options.sluice or build.command()


PARTS = {"writing": writing.run, "page": page.run}
