# SPDX-License-Identifier: MIT
"""Describes the machine and the versions that were measured."""

import datetime
import os
import pathlib
import platform
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def output(*command):
    """Returns the first line that a command prints; empty if the command does not exist."""
    try:
        printed = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    except FileNotFoundError:
        return ""
    lines = (printed.stdout or printed.stderr).splitlines()
    return lines[0].strip() if lines else ""


def package(name):
    """Returns the version of a Debian package; empty if it is not installed."""
    return output("dpkg-query", "-W", "-f", "${Version}", name)


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


def description():
    commit = output("git", "describe", "--always", "--abbrev=12")
    # Every measurement changes the results file itself.
    if output("git", "status", "--porcelain", "--untracked-files=no", "--", ":/", ":!/Benchmarks/RESULTS.md"):
        commit += "-dirty"
    return (
        f"{datetime.date.today()}, commit {commit}, {os.cpu_count()} cores of {processor()}, "
        f"{platform.system()} {platform.release()}, {output('swift', '--version')}")
