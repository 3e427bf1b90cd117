# SPDX-License-Identifier: MIT
"""Lines a second and peak memory of `--dry-run` over generated lists."""

import gzip
import subprocess
import sys

from Harness import machine


def address(number):
    return f"https://photos.example.org/albums/{number % 997}/image-{number:08d}.jpg?size=large"


FORMS = {
    "addresses": ("txt", "", lambda n: address(n)),
    "a table": ("csv", "id,image_url,caption,width,height,license\n",
                lambda n: f'p{n},{address(n)},"A lake, number {n}",{1000 + n % 3000},800,CC BY 4.0'),
    "JSON Lines": ("jsonl", "", lambda n: '{"id":"p%d","url":"%s","caption":"A lake, number %d","width":%d}'
                   % (n, address(n), n, 1000 + n % 3000)),
    "addresses, gzip": ("txt.gz", "", lambda n: address(n)),
}


def generated(options, form, count):
    """The file of so many lines, made at the first call."""
    ending, header, line = FORMS[form]
    path = options.root / f"lists/{count}.{ending}"
    if not path.exists():
        with (gzip.open(path, "wt", 1) if ending.endswith("gz") else open(path, "w")) as file:
            file.write(header)
            for number in range(count):
                file.write(line(number) + "\n")
    return path


def cost(options, *command):
    """Median milliseconds, peak kilobytes, and how the command ended."""
    script = machine.ROOT / "Benchmarks/Harness/cost.py"
    printed = subprocess.run(
        [sys.executable, "-I", "-S", script, f"{options.rounds}", *map(str, command)], check=True, capture_output=True,
        text=True)
    return [float(number) for number in printed.stdout.split()][1:]


def run(options):
    contests = [("addresses", 10_000_000)] + [(form, 1_000_000) for form in FORMS]
    rows = []
    for form, count in contests:
        if options.contest in (None, f"{form} {count}", form):
            path = generated(options, form, count)
            median, peak, code = cost(options, options.sluice, "mirror", path, "--dry-run")
            rows.append(f"| {count:,} lines of {form} | {median / 1000:.2f} | {count / median:,.0f} | {peak / 1024:.1f} | {code:.0f} |")
    return "\n".join([
        f"`sluice mirror LIST --dry-run`, its lines thrown away; the median of {options.rounds} runs, a process each.",
        "Wanted: ten million lines at more than 300,000 a second in less than 100 MB.", "",
        "| | s | thousand lines a second | MB | exit code |", "|---|---:|---:|---:|---:|", *rows])
