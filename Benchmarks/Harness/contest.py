# SPDX-License-Identifier: MIT
"""Runs programs against each other over the same work, in turn, so that a busy machine is busy for all of them."""

import dataclasses
import json
import os
import statistics
import subprocess
import sys
import tempfile

# Where contestants leave what they write on the disk until all is measured: for minutes ext4 looks at each file that was
# deleted before it gives its place to a new one, so that whoever writes next would pay for another's removal.
LEFT = tempfile.TemporaryDirectory()


@dataclasses.dataclass
class Contestant:
    """A program that takes a list of files on its standard input, and prints what they cost it as a line of JSON:
    `seconds` on the clock and `cpu` seconds of all its threads and processes, from the first file to the last."""

    name: str
    command: list
    version: str = ""


@dataclasses.dataclass
class Standing:
    """What came of one contestant: medians over the rounds."""

    name: str
    seconds: float
    cpu: float
    # Least and most of the clock's seconds.
    spread: tuple
    # The reference's seconds divided by its own, round by round, so above 1 is faster than the reference.
    ratio: float
    cpu_ratio: float


def measure(contestant, files):
    """One run: its seconds on the clock, and of the processors."""
    result = subprocess.run(
        [str(word) for word in contestant.command], input="".join(f"{file}\n" for file in files), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, TMPDIR=LEFT.name))
    if result.returncode != 0:
        sys.exit(f"{contestant.name} failed: {result.stderr}")
    cost = json.loads(result.stdout.splitlines()[-1])
    return cost["seconds"], cost["cpu"]


def contest(contestants, files, rounds, reference=0):
    """Lets all run over all files `rounds` times, each round in another order; the first round only warms up."""
    runs = [[] for _ in contestants]
    for number in range(rounds + 1):
        for step in range(len(contestants)):
            index = (number + step) % len(contestants)
            cost = measure(contestants[index], files)
            if number > 0:
                runs[index].append(cost)
            print(f"  {number} {contestants[index].name}: {cost[0]:.2f} s, {cost[1]:.2f} s CPU", file=sys.stderr)
    return [standing(contestant, runs[index], runs[reference]) for index, contestant in enumerate(contestants)]


def standing(contestant, runs, reference):
    def ratio(kind):
        return statistics.median(theirs[kind] / ours[kind] for ours, theirs in zip(runs, reference))

    seconds = [run[0] for run in runs]
    return Standing(
        contestant.name, statistics.median(seconds), statistics.median(run[1] for run in runs),
        (min(seconds), max(seconds)), ratio(0), ratio(1))


def table(standings, count, reference):
    """A Markdown table; ratios say how many times the reference's rate each one's is."""
    lines = [
        f"| | photos/s | s (least to most) | × {reference} | CPU ms a photo | × {reference}, CPU |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for one in standings:
        lines.append(
            f"| {one.name} | {count / one.seconds:.0f} | {one.seconds:.2f} ({one.spread[0]:.2f} to {one.spread[1]:.2f})"
            f" | {one.ratio:.2f} | {one.cpu / count * 1000:.2f} | {one.cpu_ratio:.2f} |")
    return "\n".join(lines)
