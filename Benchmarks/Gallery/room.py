# SPDX-License-Identifier: MIT
"""What is measured of galleries."""

from Gallery import page, writing
from Harness import build


def prepare(options):
    """Builds the command; `--sluice` names one that is built."""
    options.sluice = options.sluice or build.command()


PARTS = {"writing": writing.run, "page": page.run}
