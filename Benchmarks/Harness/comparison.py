# SPDX-License-Identifier: MIT
"""Compares programs on the same work, in interleaved rounds so that other load on the machine affects all alike."""

import dataclasses
import json
import os
import statistics
import subprocess
import sys
import tempfile

# The programs' files on disk are not deleted until all measurements are done: ext4 processes deleted files for minutes,
# which would slow the next program down.
SCRATCH = tempfile.TemporaryDirectory()


@dataclasses.dataclass
class Program:
    """A program that reads a list of files from standard input and prints its cost as a line of JSON: elapsed `seconds`
    and `cpu` seconds of all its threads and processes, from the first file to the last, and the number of `files`."""

    name: str
    command: list
    version: str = ""


@dataclasses.dataclass
class Result:
    """The result of one program: medians over the rounds."""

    name: str
    seconds: float
    cpu: float
    # The minimum and maximum of the elapsed seconds.
    spread: tuple
    # The median of the reference's seconds divided by this program's in the same round; above 1 is faster.
    ratio: float
    cpu_ratio: float
    # The files that the program could read.
    files: int = 0


def measure(program, files):
    """Runs a program once and returns its elapsed seconds, its CPU seconds and the number of files."""
    result = subprocess.run(
        [str(word) for word in program.command], input="".join(f"{file}\n" for file in files), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, TMPDIR=SCRATCH.name))
    if result.returncode != 0:
        sys.exit(f"{program.name} failed: {result.stderr}")
    cost = json.loads(result.stdout.splitlines()[-1])
    return cost["seconds"], cost["cpu"], cost.get("files", 0)


def compare(programs, files, rounds, reference=0):
    """Runs all programs over all files `rounds` times after a warm-up round, each round in another order."""
    runs = [[] for _ in programs]
    for number in range(rounds + 1):
        for step in range(len(programs)):
            index = (number + step) % len(programs)
            cost = measure(programs[index], files)
            if number > 0:
                runs[index].append(cost)
            print(f"  {number} {programs[index].name}: {cost[0]:.2f} s, {cost[1]:.2f} s CPU", file=sys.stderr)
    return [result(program, runs[index], runs[reference]) for index, program in enumerate(programs)]


def result(program, runs, reference):
    def ratio(kind):
        return statistics.median(theirs[kind] / ours[kind] for ours, theirs in zip(runs, reference))

    seconds = [run[0] for run in runs]
    return Result(
        program.name, statistics.median(seconds), statistics.median(run[1] for run in runs),
        (min(seconds), max(seconds)), ratio(0), ratio(1), runs[0][2])


def table(results, count, reference):
    """Returns a Markdown table; ratios are rates divided by the reference's rate."""
    lines = [
        f"| | photos/s | s (min to max) | × {reference} | CPU ms/photo | × {reference}, CPU |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for one in results:
        lines.append(
            f"| {one.name} | {count / one.seconds:.0f} | {one.seconds:.2f} ({one.spread[0]:.2f} to {one.spread[1]:.2f})"
            f" | {one.ratio:.2f} | {one.cpu / count * 1000:.2f} | {one.cpu_ratio:.2f} |")
    return "\n".join(lines)
