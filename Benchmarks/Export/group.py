# SPDX-License-Identifier: MIT
"""Benchmarks of dataset exports."""

from Export import growth, libraries, speed
from Feeds import group


def prepare(options):
    """Builds the command unless `--sluice` names one."""
    group.prepare(options)


PARTS = {"speed": speed.run, "libraries": libraries.run, "growth": growth.run}
