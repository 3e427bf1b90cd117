# SPDX-License-Identifier: MIT
"""Benchmarks of the ledger."""

import subprocess

from Harness import build, machine
from Ledger import duplicates, receipts, recording


def prepare(options):
    """Builds the command unless `--sluice` names one, and generates the photographs."""
    options.sluice = options.sluice or build.command()
    subprocess.run([options.python, machine.ROOT / "Benchmarks/corpus", options.root], check=True)


PARTS = {"receipts": receipts.run, "recording": recording.run, "duplicates": duplicates.run}
