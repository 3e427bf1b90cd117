# SPDX-License-Identifier: MIT
"""Counts the records and pictures in the replies of photo services, without Sluice or its recipes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

Json = Any
"""A parsed value of JSON."""

Counts = list[int]
"""The number of pictures in each record of a reply."""


def at(value: Json, path: str) -> Json:
    """Returns the value at a path of names and positions, such as `data.0.title`; None if it is missing."""
    for name in path.split("."):
        if isinstance(value, dict):
            value = value.get(name)
        elif isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return value


def many(value: Json, path: str = "") -> list[Json]:
    """Returns the elements of the list, or the values of the object of objects, at a path."""
    found = at(value, path) if path else value
    if isinstance(found, dict):
        found = list(found.values())
    return found if isinstance(found, list) else []


def records(reply: Json, *paths: str) -> list[Json]:
    """Returns the reply itself if it is a list, or the first list at one of the paths."""
    if isinstance(reply, list):
        return reply
    return next((many(reply, path) for path in paths if at(reply, path) is not None), [])


def ones(found: Iterable[Json], has_picture: Callable[[Json], object]) -> Counts:
    """Counts one picture for each record that has one."""
    return [1 if has_picture(record) else 0 for record in found]


def unsplash(reply: Json) -> Counts:
    found = [reply] if at(reply, "urls") else records(reply, "results")
    return ones(found, lambda record: at(record, "urls.raw") or at(record, "urls.full"))


def pexels(reply: Json) -> Counts:
    return ones(records(reply, "photos", "media"), lambda record: at(record, "src.original"))


def wiki(reply: Json) -> Counts:
    pages = records(reply, "query.pages")
    return ones(pages, lambda page: str(at(page, "imageinfo.0.mime") or "image/").startswith("image/")
                and at(page, "imageinfo.0.url"))


def met(reply: Json) -> Counts:
    return [bool(reply.get("primaryImage")) + len(reply.get("additionalImages") or [])] if "objectID" in reply else []


def nasa(reply: Json) -> Counts:
    items = records(reply, "collection.items")
    return ones(items, lambda item: at(item, "data.0.media_type") == "image" and many(item, "links"))


def flickr(reply: Json) -> Counts:
    return ones(records(reply, "photos.photo", "photoset.photo"), lambda photo: photo.get("media", "photo") == "photo")


def archive(reply: Json) -> Counts:
    if at(reply, "files") is None:
        return ones(records(reply, "items", "response.docs"), lambda item: item.get("identifier"))
    pattern = re.compile(r"(?<!_thumb)\.(jpe?g|png|gif|webp|avif)$", re.IGNORECASE)
    return ones(many(reply, "files"), lambda file: pattern.search(file.get("name", ""))
                and file.get("format") not in ("JPEG Thumb", "Thumbnail", "Item Tile"))


def wordpress(reply: Json) -> Counts:
    def picture(record: Json) -> object:
        if record.get("source_url"):
            return record.get("media_type", "image") == "image"
        return at(record, "_embedded.wp:featuredmedia.0.source_url")

    return ones(records(reply), picture)


def wordpress_posts(reply: Json) -> Counts:
    """Counts the featured pictures of posts and those in their text; a picture in several sizes is one."""
    def pictures(post: Json) -> int:
        found = [str(at(post, "_embedded.wp:featuredmedia.0.source_url") or "")]
        found += re.findall(r"<img[^>]*? src=[\"']([^\"']+)", str(at(post, "content.rendered") or ""))
        return len({re.sub(r"-\d+x\d+(?=\.\w+$)", "", address) for address in found if address})

    return [pictures(post) for post in records(reply)]


def statuses(reply: Json) -> Counts:
    return [sum(1 for medium in many(status, "media_attachments") if medium.get("type") == "image")
            for status in records(reply)]


def bluesky(reply: Json) -> Counts:
    def pictures(entry: Json) -> int:
        embed = at(entry, "post.embed") or {}
        return len(many(embed, "images")) + len(many(embed, "media.images"))

    return [pictures(entry) for entry in records(reply, "feed")]


def smithsonian(reply: Json) -> Counts:
    place = "content.descriptiveNonRepeating.online_media.media"
    rows = [reply["response"]] if at(reply, "response.content") else records(reply, "response.rows")
    return [sum(1 for medium in many(row, place) if medium.get("type") == "Images") for row in rows]


def cleveland(reply: Json) -> Counts:
    return [bool(at(record, "images.web") or at(record, "images.print") or at(record, "images.full"))
            + len(many(record, "alternate_images")) for record in records(reply, "data")]


def harvard(reply: Json) -> Counts:
    def pictures(record: Json) -> int:
        # A list may have the main picture of an object only.
        return len(many(record, "images")) or int(bool(record.get("primaryimageurl")))

    return [pictures(record) if record.get("imagepermissionlevel", 0) == 0 else 0
            for record in records(reply, "records")]


def museumsvictoria(reply: Json) -> Counts:
    return [sum(1 for medium in many(record, "media") if medium.get("type") == "image") for record in records(reply)]


def huggingface(reply: Json) -> Counts:
    def pictures(row: Json) -> int:
        cells = [cell for value in many(row, "row") for cell in (value if isinstance(value, list) else [value])]
        return sum(1 for cell in cells if isinstance(cell, dict) and "src" in cell and "height" in cell)

    return [pictures(row) for row in records(reply, "rows")]


SERVICES: dict[str, Callable[[Json], Counts]] = {
    "unsplash": unsplash,
    "picsum": lambda reply: ones(records(reply), lambda photo: photo.get("download_url")),
    "commons": wiki,
    "mediawiki": wiki,
    "met": met,
    "artic": lambda reply: ones(records(reply, "data"), lambda work: work.get("image_id")),
    "nasa": nasa,
    "pexels": pexels,
    "stocksnap": lambda reply: ones(records(reply, "results"), lambda photo: photo.get("img_id")),
    "pixabay": lambda reply: ones(records(reply, "hits"), lambda hit: hit.get("webformatURL")),
    "openverse": lambda reply: ones(records(reply, "results"), lambda photo: photo.get("url")),
    "flickr": flickr,
    "archive": archive,
    "loc": lambda reply: ones(records(reply, "results"), lambda item: item.get("image_url")),
    "wordpress": wordpress,
    "mastodon": statuses,
    "pixelfed": statuses,
    "bluesky": bluesky,
    "inaturalist": lambda reply: [len(many(record, "photos")) for record in records(reply, "results")],
    "gbif": lambda reply: [sum(1 for medium in many(record, "media") if medium.get("type") == "StillImage")
                           for record in records(reply, "results")],
    "europeana": lambda reply: ones(records(reply, "items"), lambda item: item.get("edmIsShownBy")
                                    or item.get("edmPreview")),
    "smithsonian": smithsonian,
    "cleveland": cleveland,
    "harvard": harvard,
    "museumsvictoria": museumsvictoria,
    "vam": lambda reply: ones(records(reply, "records"), lambda record: record.get("_primaryImageId")),
    "dpla": lambda reply: ones(records(reply, "docs"), lambda item: item.get("object")),
    "wellcome": lambda reply: ones(records(reply, "results"), lambda image: image.get("thumbnail")),
    "huggingface": huggingface,
}
"""The counters of the services, by the names of their recipes."""

LISTINGS: dict[str, Callable[[Json], Counts]] = {
    "wordpress:posts": wordpress_posts,
    "wordpress:pages": wordpress_posts,
}
"""The counters of listings that read a reply otherwise than the others of their service."""

PICTURE = re.compile(r"^(https?:)?//[^\s]+\.(jpe?g|png|gif|webp|avif)([?#]|$)", re.IGNORECASE)


def addresses(value: Json) -> list[str]:
    """Returns all texts in a reply that look like addresses of pictures."""
    if isinstance(value, str):
        return [value] if PICTURE.match(value) else []
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [address for part in inner for address in addresses(part)]


TOTALS = {"total", "totalhits", "total_results", "total_count", "totalresults", "totalrecords", "record_count",
          "result_count", "rowcount", "num_rows_total", "numfound", "total_hits", "of", "count"}
TOKENS = {"next", "next_url", "next_page", "nextpage", "nextcursor", "next_cursor", "next_page_url", "cursor", "continue"}
PARTS = {"pagination", "info", "meta", "metadata", "response", "collection", "photos", "photoset"}


def members(value: Json) -> dict[str, Json]:
    """Returns the members of a reply, and those of its part about paging, by their names in small letters."""
    found: dict[str, Json] = {}
    for name, inner in value.items() if isinstance(value, dict) else ():
        found.setdefault(name.lower(), inner)
        if name in PARTS:
            for other, one in members(inner).items():
                found.setdefault(other, one)
    return found


def number(value: Json) -> int | None:
    return int(value) if str(value).isdigit() else None


def has_next(reply: Json, headers: dict[str, str], count: int) -> bool | None:
    """Returns whether a reply with this number of records says that there is another page; None if it does not say."""
    fields = {name.lower(): value for name, value in headers.items()}
    if "link" in fields:
        return bool(re.search(r'rel="?[^",;]*\bnext\b', fields["link"]))
    facts = members(reply)
    if "endofrecords" in facts:
        return not facts["endofrecords"]
    if facts.get("continue") == {}:
        return False
    if any(entry.get("rel") == "next" for entry in many(reply, "collection.links")):
        return True
    tokens = [facts[name] for name in TOKENS & facts.keys()]
    if tokens:
        return any(tokens)
    pages = [number(facts.get(name)) for name in ("pages", "total_pages", "page_count")]
    here = [number(facts.get(name)) for name in ("page", "current_page")]
    last, page = next((one for one in pages if one), None), next((one for one in here if one), None)
    if last is not None:
        return (page or 1) < last
    totals = [number(facts[name]) for name in TOTALS & facts.keys()]
    totals += [number(fields[name]) for name in ("x-total", "x-wp-total", "total-results") if name in fields]
    stated = max((total for total in totals if total is not None), default=None)
    return None if stated is None else stated > count
