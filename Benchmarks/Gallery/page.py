# SPDX-License-Identifier: MIT
"""A gallery of a million photos in a browser, from `file://`: the first view, scrolling, finding."""

import subprocess

from Gallery import mirrors
from Gallery.browser import Browser
from Harness import machine

COUNT = 1_000_000
SCROLLED = 50_000

# Runs before the page's own script, and notes when every photo in view is there, and when the whole index is.
WATCH = """addEventListener('DOMContentLoaded', () => {
    const isInView = (tile) => tile.getBoundingClientRect().top < innerHeight;
    const isThere = (tile) => tile.querySelector('img')?.complete;
    window.noted = {};
    const look = () => {
        const tiles = [...document.querySelectorAll('#grid .tile')].filter(isInView);
        if (tiles.length && tiles.every(isThere)) noted.view ??= performance.now();
        if (document.body.dataset.ready !== undefined) noted.whole ??= performance.now();
        if (!noted.view || !noted.whole) requestAnimationFrame(look);
    };
    look();
});"""

# Milliseconds from the navigation until then.
NOTED = """new Promise((done) => {
    const look = () => window.noted?.view && noted.whole ? done(noted) : setTimeout(look, 20);
    look();
})"""

# Scrolls a screen with each frame until so many photos have passed; the longest time between two frames.
SCROLL = """(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const last = () => Math.max(...[...document.querySelectorAll('#grid .tile')].map((tile) => Number(tile.dataset.place)));
    let longest = 0;
    let seen = -1;
    for (let still = 0; last() < %d; still++) {
        if (last() !== seen) [seen, still] = [last(), 0];
        if (still > 300) throw new Error(`the grid stands still at photo ${seen}`);
        const start = performance.now();
        scrollBy(0, innerHeight);
        await frame();
        longest = Math.max(longest, performance.now() - start);
    }
    return longest;
})()"""
# One call of the browser scrolls so far.
LEG = 5_000

# Milliseconds from an address to all that it finds, and how many that are.
FIND = """(async () => {
    const start = performance.now();
    const result = document.getElementById('result');
    result.textContent = '';
    sluice.go(sluice.route.parse('%s'), true);
    const isDone = () => document.getElementById('progress').hidden && /\\d$/.test(result.textContent);
    do await new Promise((again) => setTimeout(again, 5)); while (!isDone());
    return [performance.now() - start, sluice.grid.length];
})()"""

SEARCHES = [
    ("#/?q=777777", "a search that one photo matches"), ("#/?q=lake", "a search that very many match"),
    ("#/?q=lake+number+99999", "a search for three words"), ("#/?color=blue", "a filter by colour"),
    ("#/?sort=newest", "newest first"), ("#/?shape=portrait&sort=largest", "portraits, the largest first"),
]


def run(options):
    folder = mirrors.mirror(options, COUNT)
    if not (folder / "gallery/text").exists():
        subprocess.run([str(options.sluice), "gallery", str(folder)], check=True, capture_output=True)
    rows = []
    with Browser() as browser:
        browser.before_each_page(WATCH)
        browser.open((folder / "index.html").as_uri())
        noted = browser.value(NOTED)
        rows.append(("first view: every photo in it", f"{noted['view'] / 1000:.2f} s", "1 s"))
        rows.append(("the whole index", f"{noted['whole'] / 1000:.2f} s", ""))
        heap, resident = browser.heap(), browser.resident()
        longest = max(browser.value(SCROLL % place) for place in range(LEG, SCROLLED + 1, LEG))
        rows.append(("page memory then", f"{heap:.1f} MB of objects, process {resident:.0f} MB", ""))
        rows.append((f"growth after scrolling through {SCROLLED:,}",
                     f"{browser.heap() - heap:.1f} MB of objects, process {browser.resident() - resident:.0f} MB", "60 MB"))
        rows.append(("the longest time for a screen of it", f"{longest:.0f} ms", ""))
        for address, words in SEARCHES:
            took, found = browser.value(FIND % address)
            rows.append((f"{words}: {found:,}", f"{took / 1000:.2f} s", ""))
    return "\n".join([
        f"A gallery of {COUNT:,} photos from `file://` in {machine.output('chromium', '--version')}, headless, one run.", "",
        "| | | wanted |", "|---|---:|---|", *(f"| {' | '.join(cells)} |" for cells in rows)])
