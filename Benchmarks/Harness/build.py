# SPDX-License-Identifier: MIT
"""Builds the measured programs."""

import re
import subprocess

from Harness import machine

# The libraries that Sluice loads when they are needed, so that programs are not linked with them.
LOADED = sorted(set(re.findall(r'"lib([a-z0-9]+)\.so', (machine.ROOT / "Sources/CLibraries/libraries.c").read_text())))
# The flags that Scripts/build uses for the command.
FLAGS = ["-c", "release", "--static-swift-stdlib", "-Xswiftc", "-use-ld=lld"]
FLAGS += [word for name in LOADED for word in ("-Xlinker", f"--remap-inputs=*/lib{name}.so=/dev/null")]


def program(name):
    """Builds a program of this package and returns its path."""
    package = machine.ROOT / "Benchmarks"
    subprocess.run(["swift", "build", *FLAGS, "--package-path", package, "--product", name], check=True)
    return package / ".build/release" / name


def command():
    """Builds the command and returns its path."""
    built = subprocess.run([machine.ROOT / "Scripts/build"], check=True, stdout=subprocess.PIPE, text=True)
    return built.stdout.splitlines()[-1]
