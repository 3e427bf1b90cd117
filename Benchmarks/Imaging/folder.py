# SPDX-License-Identifier: MIT
"""Thumbnails of a folder of mixed phone files, end to end: the whole command beside vipsthumbnail and Pillow."""

from Harness import build, machine
from Harness.comparison import Program, compare, table
from Imaging import speed

SIDE = "256"


def run(options):
    """Compares the commands over 1,000 files of seven formats; all write files, and only Sluice reads all of them."""
    command = options.command or build.command()
    files = sorted((options.root / "mixed").iterdir())[:options.files or 1000]
    programs = [
        Program("`sluice thumbs`", [options.python, speed.PEERS / "with_sluice.py", command, SIDE]),
        Program("vipsthumbnail", [options.python, speed.PEERS / "commands.py", "vipsthumbnail", SIDE, "some"]),
        Program("Pillow", [options.python, speed.PEERS / "with_pillow_files.py", SIDE]),
    ]
    results = compare(programs, files, options.rounds)
    heif = machine.output(options.python, "-c", "import pillow_heif; print(pillow_heif.__version__)")
    made = ", ".join(f"{one.name} {one.files:,}" for one in results)
    return "\n\n".join([
        f"**{len(files):,} mixed phone files, to {SIDE}**", table(results, len(files), results[0].name),
        f"Files that each could read: {made}. Rates count all files.",
        f"{speed.versions(options)}, pillow-heif {heif}, libheif1 {machine.package('libheif1')} (vipsthumbnail)."])
