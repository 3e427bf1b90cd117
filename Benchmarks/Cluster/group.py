# SPDX-License-Identifier: MIT
"""Benchmarks of plans, shards and merges."""

from Cluster import overhead, rates
from Feeds import group


def prepare(options):
    """Builds the command unless `--sluice` names one."""
    group.prepare(options)


PARTS = {"overhead": overhead.run, "rates": rates.run}
