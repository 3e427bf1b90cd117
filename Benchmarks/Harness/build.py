# SPDX-License-Identifier: MIT
"""Builds what is measured."""

import subprocess

from Harness import machine

# As Scripts/build builds the command.
FLAGS = ["-c", "release", "--static-swift-stdlib", "-Xswiftc", "-use-ld=lld"]


def program(name):
    """A program of this package, and where it is."""
    package = machine.ROOT / "Benchmarks"
    subprocess.run(["swift", "build", *FLAGS, "--package-path", package, "--product", name], check=True)
    return package / ".build/release" / name


def command():
    """The command itself, and where it is."""
    built = subprocess.run([machine.ROOT / "Scripts/build"], check=True, stdout=subprocess.PIPE, text=True)
    return built.stdout.splitlines()[-1]
