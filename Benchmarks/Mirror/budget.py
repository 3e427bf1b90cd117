# SPDX-License-Identifier: MIT
"""Measures the peak memory of a run with `--memory 128M` over pictures of 40 megapixels and small ones."""

import shutil

from PIL import Image

from Mirror.observed_run import ObservedRun
from Transfer import servers

BUDGET, GOAL = 128, 160
SIZE = (7304, 5476)
LARGE, SMALL = 4, 200


def pictures(options):
    """Generates pictures that need much decoder memory; their content does not matter."""
    folder = options.root / "large"
    folder.mkdir(exist_ok=True)
    progressive, interlaced = folder / "progressive.jpg", folder / "interlaced.png"
    if not interlaced.exists():
        ramp = Image.radial_gradient("L").resize(SIZE)
        picture = Image.merge("RGB", [ramp, ramp.transpose(0), ramp.transpose(1)])
        picture.save(progressive, progressive=True, quality=85)
        interlaced_png(picture, interlaced)
    return [progressive, interlaced]


def interlaced_png(picture, path):
    """Writes an interlaced PNG with libvips, because Pillow cannot."""
    import pyvips

    pyvips.Image.new_from_memory(picture.tobytes(), *picture.size, 3, "uchar").pngsave(str(path), interlace=True, compression=1)


def run(options):
    large = pictures(options)
    for photo in sorted((options.root / "small").iterdir())[:SMALL]:
        target = options.root / "large" / photo.name
        if not target.exists():
            shutil.copy(photo, target)
    small = [photo.name for photo in sorted((options.root / "small").iterdir())[:SMALL]]
    names = [f"{one.name}?{n}" for n in range(LARGE) for one in large]
    # Mix large and small pictures, so that they compete for memory.
    for number, name in enumerate(names):
        small.insert(number * len(small) // len(names), name)
    out, list_file = options.root / "budget", options.root / "budget.txt"
    shutil.rmtree(out, ignore_errors=True)
    with servers.nginx(options.root, options.root / "large") as port:
        list_file.write_text("".join(f"http://127.0.0.1:{port}/{name}\n" for name in small))
        result = ObservedRun(
            [options.sluice, "mirror", list_file, "--out", out, "--sizes", "256", "--memory", f"{BUDGET}M", "--allow-private",
             "--allow-port", port, "--no-robots", "--quiet", "--json", "--max-bytes", "1G"], watches_memory=True)
    shutil.rmtree(out, ignore_errors=True)
    return "\n".join([
        f"`--memory {BUDGET}M` over {len(names)} pictures of {SIZE[0] * SIZE[1] / 1e6:.0f} megapixels (progressive JPEGs and",
        f"interlaced PNGs) mixed with {SMALL} photographs of 130 KB; all succeed. One run.", "",
        f"- peak resident memory of all {result.memory_watch.processes} processes, with shared pages counted once:",
        f"  {result.memory_watch.peak:.1f} MB, goal: less than {GOAL} MB; {result.memory_watch.summed:.1f} MB with shared pages counted per process",
        f"- peak memory reported by the run: {result.summary['peak_memory'] / 1e6:.1f} MB",
        f"- {result.summary['done']} done in {result.seconds:.1f} s"])
