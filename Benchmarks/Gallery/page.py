# SPDX-License-Identifier: MIT
"""Measures a gallery of a million photos in a browser from `file://`: first view, scrolling and searching."""

import subprocess

from Gallery import mirrors
from Gallery.browser import Browser
from Harness import machine

COUNT = 1_000_000
SCROLLED = 50_000

# Runs before the page's own script, and records when all photos in view and when the whole index are loaded.
WATCH = """addEventListener('DOMContentLoaded', () => {
    const isInView = (tile) => tile.getBoundingClientRect().top < innerHeight;
    const isLoaded = (tile) => tile.querySelector('img')?.complete;
    window.recorded = {};
    const check = () => {
        const tiles = [...document.querySelectorAll('#grid .tile')].filter(isInView);
        if (tiles.length && tiles.every(isLoaded)) recorded.view ??= performance.now();
        if (document.body.dataset.ready !== undefined) recorded.whole ??= performance.now();
        if (!recorded.view || !recorded.whole) requestAnimationFrame(check);
    };
    check();
});"""

# Waits for these times, in milliseconds since the navigation.
RECORDED = """new Promise((done) => {
    const check = () => window.recorded?.view && recorded.whole ? done(recorded) : setTimeout(check, 20);
    check();
})"""

# Scrolls one screen per frame past the given number of photos; returns the longest time between two frames.
SCROLL = """(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const last = () => Math.max(...[...document.querySelectorAll('#grid .tile')].map((tile) => Number(tile.dataset.place)));
    let longest = 0;
    let seen = -1;
    for (let still = 0; last() < %d; still++) {
        if (last() !== seen) [seen, still] = [last(), 0];
        if (still > 300) throw new Error(`the grid does not move beyond photo ${seen}`);
        const start = performance.now();
        scrollBy(0, innerHeight);
        await frame();
        longest = Math.max(longest, performance.now() - start);
    }
    return longest;
})()"""
# The number of photos that one script call scrolls past.
STEP = 5_000

# Scrolls 3,000 pixels per second for five seconds; returns the frames per second and the longest time between two.
GLIDE = """(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    scrollTo(0, 0);
    for (let i = 0; i < 60; i++) await frame();
    const start = await frame();
    let [last, shown, longest] = [start, 0, 0];
    while (last - start < 5000) {
        const now = await frame();
        scrollTo(0, 3 * (now - start));
        [shown, longest, last] = [shown + 1, Math.max(longest, now - last), now];
    }
    return [1000 * shown / (last - start), longest];
})()"""

# Opens a route; returns the milliseconds until all results are found, and their number.
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
    ("#/?q=777777", "search with one match"), ("#/?q=lake", "search with very many matches"),
    ("#/?q=lake+number+99999", "search for three words"), ("#/?color=blue", "filter by colour"),
    ("#/?sort=newest", "newest first"), ("#/?sort=name", "by name"),
    ("#/?shape=portrait&sort=largest", "portraits, largest first"),
]


def run(options):
    folder = mirrors.mirror(options, COUNT)
    if not (folder / "gallery/text").exists():
        subprocess.run([str(options.sluice), "gallery", str(folder)], check=True, capture_output=True)
    rows = []
    with Browser() as browser:
        browser.before_each_page(WATCH)
        browser.open((folder / "index.html").as_uri())
        recorded = browser.value(RECORDED)
        rows.append(("first view: all photos loaded", f"{recorded['view'] / 1000:.2f} s", "1 s"))
        rows.append(("whole index loaded", f"{recorded['whole'] / 1000:.2f} s", ""))
        heap, resident = browser.heap(), browser.resident()
        longest = max(browser.value(SCROLL % target) for target in range(STEP, SCROLLED + 1, STEP))
        rows.append(("page memory after loading", f"{heap:.1f} MB heap, process {resident:.0f} MB", ""))
        rows.append((f"growth after scrolling through {SCROLLED:,}",
                     f"{browser.heap() - heap:.1f} MB heap, process {browser.resident() - resident:.0f} MB", "60 MB"))
        rows.append(("longest time for one screen", f"{longest:.0f} ms", ""))
        for slowdown, words in [(1, "frames per second while scrolling"), (4, "the same on a CPU slowed down four times")]:
            browser.command("Emulation.setCPUThrottlingRate", rate=slowdown)
            rate, gap = browser.value(GLIDE)
            rows.append((words, f"{rate:.1f}, longest gap {gap:.0f} ms", "60"))
        browser.command("Emulation.setCPUThrottlingRate", rate=1)
        for address, words in SEARCHES:
            took, found = browser.value(FIND % address)
            rows.append((f"{words}: {found:,}", f"{took / 1000:.2f} s", ""))
    return "\n".join([
        f"A gallery of {COUNT:,} photos from `file://` in {machine.output('chromium', '--version')}, headless, one run.", "",
        "| | | goal |", "|---|---:|---|", *(f"| {' | '.join(cells)} |" for cells in rows)])
