# SPDX-License-Identifier: MIT
"""Benchmarks of transfers."""

import resource
import subprocess

from Harness import build, machine
from Transfer import cancelling, memory, speed


def prepare(options):
    """Builds the library's programs and the command, generates the photographs, and raises the limit of open files."""
    options.library = build.program("transfer")
    options.cancelling = build.program("cancelling")
    options.sluice = build.command()
    subprocess.run([options.python, machine.ROOT / "Benchmarks/corpus", options.root], check=True)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


PARTS = {"speed": speed.run, "memory": memory.run, "cancelling": cancelling.run}
