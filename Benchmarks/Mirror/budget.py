# SPDX-License-Identifier: MIT
"""Peak memory of a run with `--memory 128M` over pictures of 40 megapixels among small ones."""

import shutil

from PIL import Image

from Mirror.watched import Watched
from Transfer import servers

BUDGET, WANTED = 128, 160
SIZE = (7304, 5476)
LARGE, SMALL = 4, 200


def pictures(options):
    """Generated ones: what counts is how much a decoder must keep, not what they show."""
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
    """Pillow writes no interlaced PNG; libvips does."""
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
    # Spread among the small ones, so that large ones and small ones wait for each other.
    for number, name in enumerate(names):
        small.insert(number * len(small) // len(names), name)
    out, list_file = options.root / "budget", options.root / "budget.txt"
    shutil.rmtree(out, ignore_errors=True)
    with servers.nginx(options.root, options.root / "large") as port:
        list_file.write_text("".join(f"http://127.0.0.1:{port}/{name}\n" for name in small))
        result = Watched(
            [options.sluice, "mirror", list_file, "--out", out, "--sizes", "256", "--memory", f"{BUDGET}M", "--allow-private",
             "--allow-port", port, "--no-robots", "--quiet", "--json", "--max-bytes", "1G"], is_summed=True)
    shutil.rmtree(out, ignore_errors=True)
    return "\n".join([
        f"`--memory {BUDGET}M` over {len(names)} pictures of {SIZE[0] * SIZE[1] / 1e6:.0f} megapixels (progressive JPEGs and",
        f"interlaced PNGs) among {SMALL} photographs of 130 KB; all are done. One run.", "",
        f"- peak of resident memory of all {result.together.most} processes, pages that they share counted once:",
        f"  {result.together.peak:.1f} MB, wanted less than {WANTED} MB; {result.together.summed:.1f} MB with such pages counted for each",
        f"- the run's own word: {result.summary['peak_memory'] / 1e6:.1f} MB",
        f"- {result.summary['done']} done in {result.seconds:.1f} s"])
