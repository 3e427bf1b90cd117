# SPDX-License-Identifier: MIT
"""Benchmarks of feeds and lists."""

import subprocess

from Feeds import lists, mirror
from Harness import machine


def prepare(options):
    """Builds the command unless `--sluice` names one."""
    if not options.sluice:
        built = subprocess.run([machine.ROOT / "Scripts/build"], check=True, stdout=subprocess.PIPE, text=True)
        options.sluice = built.stdout.splitlines()[-1]
    (options.root / "lists").mkdir(exist_ok=True)


PARTS = {"lists": lists.run, "mirror": mirror.run}
