# SPDX-License-Identifier: MIT
"""Finds the pictures in feeds and IIIF documents, without Sluice: with feedparser, and with a walk over the JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin

import feedparser  # type: ignore[import-untyped]

from replies import Json, many


@dataclass
class Entry:
    """An entry of a feed: the addresses of its pictures, of the first kind that it has."""

    kind: str
    pictures: list[str] = field(default_factory=list)


class Images(HTMLParser):
    """Collects the sources of `img` elements, except those of one pixel."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        source = (values.get("src") or "").strip()
        if tag == "img" and source and "1" not in (values.get("width"), values.get("height")):
            self.found.append(source)


def in_html(text: str) -> list[str]:
    parser = Images()
    parser.feed(text)
    return parser.found


NO_PICTURE = re.compile(r"\.(mp3|mp4|m4a|m4v|mov|ogg|webm|pdf|zip|html)$", re.IGNORECASE)


def is_picture(element: Json, address: str) -> bool:
    """Whether an element of a feed says that it is a picture, or at least nothing else."""
    if element.get("medium"):
        return bool(element["medium"].lower() == "image")
    if element.get("type"):
        return bool(element["type"].lower().startswith("image/"))
    return not NO_PICTURE.search(re.split("[?#]", address)[0])


def web(found: list[str]) -> list[str]:
    """Returns the distinct web addresses."""
    kept = [address.strip() for address in found if re.match(r"https?://[^/\s]", address.strip(), re.IGNORECASE)]
    return list(dict.fromkeys(kept))


def entry(parsed: Json) -> Entry:
    kinds: list[tuple[str, list[str]]] = [
        ("media", [m["url"] for m in parsed.get("media_content", []) if m.get("url") and is_picture(m, m["url"])]),
        ("enclosure", [link["href"] for link in parsed.get("links", [])
                       if link.get("rel") == "enclosure" and link.get("href") and is_picture(link, link["href"])]
         + [c["src"] for c in parsed.get("content", []) if c.get("src") and is_picture(c, c["src"])]),
        ("catalogue", [link["href"] for link in parsed.get("links", []) if link.get("href")
                       and (re.search(r"opds-spec\.org/image", link.get("rel", ""))
                            or re.search(r"opds-spec\.org/acquisition", link.get("rel", ""))
                            and link.get("type", "").startswith("image/"))]),
        ("thumbnail", [t["url"] for t in parsed.get("media_thumbnail", []) if t.get("url")]),
        ("text", [address for text in [*(c.get("value", "") for c in parsed.get("content", [])),
                                       parsed.get("summary", ""), parsed.get("description", "")]
                  for address in in_html(text or "")]),
        ("episode", [image["href"] for image in [parsed.get("image") or {}] if image.get("href")]),
    ]
    kept = [(kind, web(found)) for kind, found in kinds]
    return next((Entry(kind, found) for kind, found in kept if found), Entry("none"))


def feed(document: bytes, address: str) -> list[Entry]:
    """Returns the entries of an RSS or Atom feed, as feedparser reads them."""
    headers = {"content-location": address, "content-type": "application/xml"}
    parsed = feedparser.parse(document, response_headers=headers, sanitize_html=False)
    return [entry(found) for found in parsed.entries]


def json_feed(reply: Json, address: str) -> list[Entry]:
    """Returns the items of a JSON Feed."""
    found = []
    for item in many(reply, "items"):
        attached = [a.get("url", "") for a in many(item, "attachments")
                    if isinstance(a, dict) and str(a.get("mime_type", "")).lower().startswith("image/")]
        image, html, banner = (item.get(name) for name in ("image", "content_html", "banner_image"))
        text = [image] if isinstance(image, str) else []
        kinds = [("attachment", attached), ("text", text + in_html(html if isinstance(html, str) else "")),
                 ("banner", [banner] if isinstance(banner, str) else [])]
        kept = [(kind, web([urljoin(address, one) for one in pictures])) for kind, pictures in kinds]
        found.append(next((Entry(kind, pictures) for kind, pictures in kept if pictures), Entry("none")))
    return found


@dataclass
class Document:
    """What a IIIF document has: its painted pictures with their canvases, its canvases without one, and what cannot be loaded."""

    kind: str
    pictures: list[str] = field(default_factory=list)
    canvases: int = 0
    others: int = 0
    elsewhere: int = 0


Load = Callable[[str], Json]
"""Returns the document at an address; None if there is none."""


def resource_type(value: Json) -> str:
    return str((value.get("type") or value.get("@type") or "") if isinstance(value, dict) else "").split(":")[-1]


def identifier(value: Json) -> str:
    return str(value.get("id") or value.get("@id") or "") if isinstance(value, dict) else str(value)


def listed(value: Json, name: str) -> list[Json]:
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, list) else [found] if isinstance(found, dict) else []


def picture(body: Json, depth: int = 0) -> str | None:
    """Returns the address of the picture that a body shows; None if it is another medium."""
    if not isinstance(body, dict) or depth > 4:
        return None
    for name in ("default", "items", "item") if resource_type(body) == "Choice" else ("source", "full"):
        for inner in listed(body, name):
            found = picture(inner, depth + 1)
            if found:
                return found
    service: Json = next(iter(listed(body, "service")), {})
    is_image = resource_type(body) == "Image" or str(body.get("format", "")).startswith("image/")
    return (identifier(body) or identifier(service)) if is_image else None


def add_canvas(canvas: Json, found: Document, load: Load) -> None:
    """Adds the pictures that are painted on a canvas."""
    bodies = [body for annotation in listed(canvas, "images") for body in listed(annotation, "resource")]
    for page in listed(canvas, "items") + listed(canvas, "content"):
        loaded = page if "items" in page else load(identifier(page))
        found.elsewhere += loaded is None
        for annotation in listed(loaded, "items"):
            motivation = annotation.get("motivation", "painting")
            if "painting" in (motivation if isinstance(motivation, list) else [motivation]):
                bodies += listed(annotation, "body")
    shown = [f"{identifier(canvas)} {address}" for address in map(picture, bodies) if address]
    shown += [f"{identifier(canvas)} {address}" for address in beside(canvas, load, not shown)]
    found.canvases += 1
    # A canvas that is listed twice has the same pictures.
    found.pictures += [one for one in shown if one not in found.pictures]
    found.others += not shown


def beside(thing: Json, load: Load, has_no_picture: bool) -> list[str]:
    """Returns the pictures on the canvases beside a canvas or a manifest."""
    names = ["accompanyingCanvas", "accompanyingContainer"]
    names += ["placeholderCanvas", "placeholderContainer", "posterCanvas"] if has_no_picture else []
    inner = Document("Canvas")
    for canvas in (canvas for name in names for canvas in listed(thing, name)):
        add_canvas(canvas, inner, load)
    return [picture.split(" ", 1)[1] for picture in inner.pictures]


def add_collection(collection: Json, found: Document, load: Load, seen: set[str]) -> None:
    """Adds the pictures of all members of a collection."""
    page = collection
    while page is not None:
        groups = [["items"], ["members"], ["collections", "manifests"]]
        lists = [[member for name in names for member in listed(page, name)] for names in groups]
        for member in next((one for one in lists if one), []):
            address = identifier(member)
            if address in seen:
                continue
            seen.add(address)
            is_whole = resource_type(member) == "Manifest" and (listed(member, "items") or listed(member, "sequences"))
            member = member if is_whole else load(address)
            found.elsewhere += member is None
            if resource_type(member) == "Collection":
                add_collection(member, found, load, seen)
            elif member is not None:
                found.pictures += iiif(member, load).pictures
        following = page.get("next") or (None if any(lists) else page.get("first"))
        address = identifier(following) if following else ""
        page = load(address) if address and address not in seen else None
        seen.add(address)


def iiif(reply: Json, load: Load) -> Document:
    """Walks over a manifest, or over all manifests of a collection."""
    found = Document(resource_type(reply))
    if found.kind == "Collection":
        add_collection(reply, found, load, {identifier(reply)})
    if found.kind == "Manifest":
        canvases = [canvas for sequence in listed(reply, "sequences") for canvas in listed(sequence, "canvases")]
        for canvas in listed(reply, "items") or canvases:
            add_canvas(canvas, found, load)
        found.pictures += [f"{identifier(reply)} {address}" for address in beside(reply, load, not found.pictures)]
    return found


def kind(document: bytes) -> str:
    """Returns `feed`, `json-feed`, `iiif`, `recording` or `other`."""
    text = document.lstrip(b"\xef\xbb\xbf \t\r\n\0")
    if not text.startswith(b"{") and not text.startswith(b"["):
        return "feed" if re.search(rb"<(\w+:)?(rss|feed|rdf|channel)\b", document[:65536], re.IGNORECASE) else "other"
    try:
        value: Any = json.loads(text)
    except ValueError:
        return "other"
    if isinstance(value, dict) and "body" in value and "status" in value:
        return "recording"
    head = json.dumps(value)
    if "jsonfeed.org/version/" in head[:4096]:
        return "json-feed"
    return "iiif" if "iiif.io/api/presentation" in head else "other"
