#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Judges which pictures of saved web pages Sluice finds, beside rules of its own with Beautiful Soup.

Usage: pages.py SLUICE FOLDER [-v]

FOLDER has pages named `*/source.html` (as in mozilla/readability's test pages) or `*.html`. If `expected.html` is beside
a page, its pictures are the content; otherwise the pictures of figures, articles and galleries are. Needs beautifulsoup4.
At the end, it prints how many pictures each weight decides about: without it, they would be taken or left out.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from bs4 import BeautifulSoup, Tag

BASE = "http://page.example/folder/"
FILE = re.compile(r"\.(jpe?g|png|gif|webp|avif)$", re.IGNORECASE)
ORNAMENT = re.compile(
    r"(?:^|[^a-z])(?:logo|icon|sprite|spacer|avatar|gravatar|pixel|badge|button|btn|emoji|smil(?:ey|ies)|loader|spinner)"
    r"s?(?:[^a-z]|$)",
    re.IGNORECASE,
)
TRACKERS = re.compile(r"scorecardresearch|quantserve|google-analytics|facebook\.com/tr|pixel\.wp\.com")


def text_of(tag: Tag, name: str) -> str:
    value = tag.get(name)
    return value.strip() if isinstance(value, str) else ""


def addresses(tag: Tag, base: str) -> set[str]:
    """Every address that an image element names, also in the elements around it."""
    found: set[str] = set()
    tags = [tag]
    if isinstance(tag.parent, Tag) and tag.parent.name == "picture":
        tags += [source for source in tag.parent.find_all("source") if isinstance(source, Tag)]
    for each in tags:
        for name, value in each.attrs.items():
            if not isinstance(value, str) or not (name == "src" or name.startswith("data-") or "srcset" in name):
                continue
            words = value.replace(",", " , ").split() if "srcset" in name else []
            parts = re.split(r",\s+|\s+\d+(?:\.\d+)?[wx]\s*,?\s*", value) if words else [value]
            found |= {part.strip() for part in parts if "/" in part or FILE.search(part.split("?")[0])}
    link = tag.find_parent("a")
    if isinstance(link, Tag) and FILE.search(text_of(link, "href").split("?")[0]):
        found.add(text_of(link, "href"))
    return {normal(urljoin(base, address)) for address in found if not address.startswith(("data:", "{", "["))}


def normal(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.netloc.lower()}{unquote(parts.path)}?{unquote(parts.query)}".rstrip("?")


def side(tag: Tag, name: str) -> int | None:
    match = re.match(r"\d+", text_of(tag, name))
    return int(match.group()) if match and not text_of(tag, name).endswith("%") else None


def is_small(tag: Tag, limit: int) -> bool:
    return any(value is not None and value < limit for value in (side(tag, "width"), side(tag, "height")))


def is_ornament(tag: Tag, urls: set[str]) -> bool:
    """Whether an image is decoration: tiny, a drawing, a tracker, or named as an icon, a logo or an avatar."""
    if is_small(tag, 48) or any(TRACKERS.search(url) for url in urls):
        return True
    if urls and all(url.split("?")[0].lower().endswith((".svg", ".ico")) for url in urls):
        return True
    classes = tag.get("class")
    names = " ".join(classes if isinstance(classes, list) else []) + " " + text_of(tag, "id")
    files = [url.split("?")[0].rsplit("/", 1)[-1] for url in urls]
    return bool(ORNAMENT.search(names)) or any(ORNAMENT.search(name) for name in files)


def images(soup: BeautifulSoup) -> list[Tag]:
    return [tag for tag in soup.find_all(["img", "amp-img"]) if isinstance(tag, Tag)]


def content_of(page: Path, soup: BeautifulSoup, base: str) -> list[set[str]]:
    """The content pictures of a page, each as the addresses of its renditions."""
    every = [(tag, addresses(tag, base)) for tag in images(soup)]
    expected = page.with_name("expected.html")
    if expected.exists():
        wanted = BeautifulSoup(expected.read_text(errors="replace"), "html.parser")
        content: list[set[str]] = []
        for tag in images(wanted):
            urls = {url.replace("fakehost/test/", "page.example/folder/").replace("fakehost/", "page.example/")
                    for url in addresses(tag, "http://fakehost/test/")}
            if not urls or is_small(tag, 100) or is_ornament(tag, urls):
                continue
            own = [found for other, found in every if found & urls and not is_ornament(other, found)
                   and not is_small(other, 100)]
            content += [set().union(urls, *own)] if own else []
        return content
    return [
        urls for tag, urls in every
        if urls and not is_small(tag, 150) and not is_ornament(tag, urls)
        and tag.find_parent(["figure", "article", "main"]) and not tag.find_parent(["nav", "footer", "aside", "header"])
    ]


EVIDENCE = re.compile(r"(photo|another rendition|left out, 1 icon): .* \((.*)\)$")


def add_decided(notes: str, counts: dict[str, int]) -> None:
    """Counts the pictures that each weight decides about, from the notes of `--explain`."""
    for line in notes.splitlines():
        match = EVIDENCE.search(line)
        if not match:
            continue
        entries = {name: int(weight) for name, _, weight in (part.rpartition(" ") for part in match[2].split(", "))}
        total = sum(entries.values())
        for name, weight in entries.items():
            counts[name] = counts.get(name, 0) + ((total < 0) != (total - weight < 0))


def found_by(sluice: str, html: str, folder: Path, counts: dict[str, int]) -> list[str]:
    saved = folder / "page.html"
    saved.write_text(html)
    run = subprocess.run([sluice, "mirror", str(saved), "--dry-run", "--explain", "--json", "--ignore-opt-out"],
                         capture_output=True, text=True, check=False, cwd=folder)
    add_decided(run.stderr, counts)
    rows = [json.loads(line) for line in run.stdout.splitlines() if line.startswith('{"schema"')]
    return [row["url"] for row in rows if row.get("url")]


def main() -> None:
    sluice, root = sys.argv[1], Path(sys.argv[2])
    is_verbose = "-v" in sys.argv
    pages = sorted(root.glob("**/source.html")) or sorted(root.glob("**/*.html"))
    wanted = found_content = found_all = ornaments = 0
    counts: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as name:
        for page in pages:
            html = page.read_text(errors="replace")
            soup = BeautifulSoup(html, "html.parser")
            base_tag = soup.find("base", href=True)
            base = urljoin(BASE, text_of(base_tag, "href")) if isinstance(base_tag, Tag) else BASE
            photos = [normal(url) for url in found_by(sluice, f'<base href="{base}">{html}', Path(name), counts)]
            content = content_of(page, soup, base)
            missing = [urls for urls in content if not urls & set(photos)]
            by_url: dict[str, list[Tag]] = {}
            for tag in images(soup):
                for url in addresses(tag, base):
                    by_url.setdefault(url, []).append(tag)
            wrong = [url for url in photos
                     if (by_url.get(url) and all(is_ornament(tag, {url}) for tag in by_url[url]))
                     or (url not in by_url and ORNAMENT.search(url.split("?")[0].rsplit("/", 1)[-1]))]
            wanted, found_content = wanted + len(content), found_content + len(content) - len(missing)
            found_all, ornaments = found_all + len(photos), ornaments + len(wrong)
            if is_verbose and (missing or wrong):
                print(f"{page.parent.name}: {len(content)} wanted, {len(photos)} found")
                print("".join(f"  missing {sorted(urls)}\n" for urls in missing)
                      + "".join(f"  ornament {url}\n" for url in wrong), end="")
    print(f"{len(pages)} pages: {found_content} of {wanted} content pictures found "
          f"({100 * found_content / max(wanted, 1):.1f} %), "
          f"{ornaments} of {found_all} found pictures are decoration ({100 * ornaments / max(found_all, 1):.1f} %)")
    for meaning, count in sorted(counts.items(), key=lambda item: -item[1]):
        print(f"{count:7} {meaning}")


if __name__ == "__main__":
    main()
