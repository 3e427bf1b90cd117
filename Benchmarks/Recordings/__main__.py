# SPDX-License-Identifier: MIT
"""Prints what Sluice makes of recorded replies, feeds and IIIF documents, next to the counts of a separate program.

    python3 Benchmarks/Recordings SLUICE FOLDER

The exit code is 1 if pictures of a reply are neither read nor explained, if the next page is wrong, or if the service's
message is missing from an error.
"""

from __future__ import annotations

import json
import pathlib
import sys
import tempfile
from dataclasses import dataclass
from urllib.parse import unquote

import documents
import replies
from reading import Reading, Sluice, has_error
from replies import Json
from server import Documents, serve

SCRATCH = tempfile.TemporaryDirectory()
ALIASES = {"vna": "vam", "museums-victoria": "museumsvictoria"}


@dataclass
class Row:
    """A line of the table."""

    file: str
    source: str = ""
    records: int = 0
    pictures: int = 0
    photos: int = 0
    facts: str = ""
    next: str = ""
    remark: str = ""
    is_wrong: bool = False

    def cells(self) -> list[str]:
        counts = [str(self.records), str(self.pictures), str(self.photos)]
        return [self.file, self.source, *counts, self.facts, self.next, ("! " if self.is_wrong else "") + self.remark]


HEAD = ["file", "read as", "records", "pictures", "photos", "facts", "next", "remark"]


def recording(file: pathlib.Path, name: str, sluice: Sluice) -> Row:
    """Reads a recorded reply with the listing of its service that made the request, or else the one that fits best."""
    row = Row(name)
    saved = json.loads(file.read_text())
    request = saved.get("request")
    request = request if isinstance(request, str) else (request or {}).get("url")
    try:
        reply: Json = json.loads(saved["body"])
    except ValueError:
        reply = saved["body"]
    folder = file.parent.name.lower()
    folder_service = service = ALIASES.get(folder, folder.replace("-", ""))
    services = [service] if service in sluice.recipes() else sluice.recipes()
    readings = [(sluice.check(one, listing, saved_reply(saved, reply, one)), one, reply)
                for one in services for listing in sluice.listings(one, request)]
    matched = bool(readings)
    if not matched:
        readings = [(sluice.check(one, listing, saved_reply(saved, reply, one)), one, reply)
                    for one in services for listing in sluice.listings(one, None)]
    best, service, _ = max(readings, key=lambda found: (found[0].photos, -found[0].invalid, not found[0].error))
    row.source = best.source
    message = has_error(reply, saved["status"])
    if message is not None:
        best = min((found[0] for found in readings), key=lambda found: message not in found.error)
        row.source, row.remark = best.source, best.error or "the error is not reported"
        row.is_wrong = not best.error or message not in best.error
        return row
    counter = replies.LISTINGS.get(best.source, replies.SERVICES.get(service))
    counts = counter(reply) if counter else []
    if not best.photos and (not matched or folder_service not in sluice.recipes()):
        row.source = ""
        row.remark = f"no listing requests {request}" if request else f"no recipe for {folder_service}"
        row.is_wrong = not request and bool(replies.addresses(reply))
        return row
    row.records, row.pictures, row.photos = len(counts), sum(counts), best.photos
    filled = [fact for fact, count in best.facts.items() if count]
    row.facts = f"{len(filled)} of {len(best.facts)}"
    compare_next(row, best, replies.has_next(reply, saved.get("headers") or {}, len(counts)))
    explain(row, best)
    if not counts and not best.photos and not best.error and replies.addresses(reply):
        row.remark, row.is_wrong = "no counter for this reply", True
    return row


def saved_reply(saved: Json, reply: Json, service: str) -> pathlib.Path:
    """Saves a reply in the form that the service's recipe requests."""
    pages = replies.at(reply, "query.pages")
    if service in ("commons", "mediawiki") and isinstance(pages, dict):
        # Version 1 of the format has an object of pages, and version 2, which Sluice requests, a list.
        reply = {**reply, "query": {**reply["query"], "pages": list(pages.values())}}
    body = reply if isinstance(reply, str) else json.dumps(reply)
    file = pathlib.Path(SCRATCH.name) / "reply.json"
    file.write_text(json.dumps({"status": saved["status"], "headers": saved.get("headers") or {}, "body": body}))
    return file


def compare_next(row: Row, reading: Reading, expected: bool | None) -> None:
    row.next = "yes" if reading.next else "no"
    if expected is None:
        row.next += " (not stated)"
    elif expected != bool(reading.next):
        row.next += " (stated: " + ("yes" if expected else "no") + ")"
        row.is_wrong = True


def explain(row: Row, reading: Reading) -> None:
    """Sets the remark of a row, which is wrong if pictures are missing without a reason."""
    missing = row.pictures - row.photos
    reasons = [note for note in [reading.error, *reading.notes] if note]
    if missing > 0 and missing > reading.invalid and not reading.error:
        row.is_wrong = True
        row.remark = f"{missing} pictures lost"
    elif missing < 0:
        row.is_wrong = True
        row.remark = f"{-missing} photos more than pictures"
    elif reading.invalid and not reasons:
        row.remark = f"{reading.invalid} records without a picture"
    if reasons:
        more = f" and {len(reasons) - 1} more" if len(reasons) > 1 else ""
        row.remark = "; ".join(filter(None, [row.remark, reasons[0] + more]))


def feed(file: pathlib.Path, name: str, kind: str, sluice: Sluice, server: Documents) -> Row:
    """Compares the pictures of a feed with those that feedparser finds."""
    address = server.address(file)
    content = file.read_bytes()
    if kind == "feed":
        entries = documents.feed(content, address)
    else:
        entries = documents.json_feed(json.loads(server.document(file).decode("utf-8-sig")), address)
    reading = sluice.mirror(address, "--pages", "1")
    row = Row(name, kind, len(entries), sum(len(entry.pictures) for entry in entries), reading.photos)
    read = {normal(url) for url in reading.urls}
    stated = {normal(url) for entry in entries for url in entry.pictures}
    lost = stated - read
    # Several elements of a group are renditions of one picture.
    renditions = sum(len(set(map(normal, entry.pictures)) - read) for entry in entries
                     if entry.kind in ("media", "thumbnail", "catalogue") and set(map(normal, entry.pictures)) & read)
    explain(row, reading)
    if row.remark.endswith("photos more than pictures") or not lost:
        row.is_wrong = False
        row.remark = "; ".join(filter(None, [reading.error, *reading.notes]))
    elif len(lost) <= renditions:
        row.is_wrong = False
        row.remark = f"{len(lost)} further renditions"
    elif not reading.error:
        row.is_wrong, row.remark = True, f"{len(lost)} lost: {min(lost)}"
    if read - stated and not row.is_wrong:
        row.remark = "; ".join(filter(None, [f"{len(read - stated)} that feedparser does not find", row.remark]))
    return row


def normal(address: str) -> str:
    """Returns an address without differences of notation."""
    return unquote(address.strip()).lower().rstrip("/")


def manifest(file: pathlib.Path, name: str, sluice: Sluice, server: Documents) -> Row:
    """Compares the photos of a IIIF document with a walk over its canvases and members."""
    found = documents.iiif(server.load(server.address(file)), server.load)
    reading = sluice.mirror(server.address(file))
    row = Row(name, f"iiif {found.kind}", found.canvases, len(found.pictures), reading.photos)
    explain(row, reading)
    if found.elsewhere > reading.invalid and not reading.error and not reading.notes:
        row.is_wrong, row.remark = True, f"{found.elsewhere} documents elsewhere"
    return row


def table(rows: list[Row]) -> str:
    lines = [HEAD, *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD) - 1)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)) + "  " + line[-1][:160]
                     for line in lines)


def main() -> int:
    sluice = Sluice(pathlib.Path(sys.argv[1]).resolve())
    folder = pathlib.Path(sys.argv[2]).resolve()
    rows = []
    with serve(folder) as server:
        for file in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".md"):
            name = str(file.relative_to(folder))
            kind = documents.kind(file.read_bytes())
            if kind == "recording":
                rows.append(recording(file, name, sluice))
            elif kind in ("feed", "json-feed"):
                rows.append(feed(file, name, kind, sluice, server))
            elif kind == "iiif":
                rows.append(manifest(file, name, sluice, server))
            else:
                rows.append(Row(name, remark="neither a recorded reply nor a feed nor a IIIF document"))
    print(table(rows))
    wrong = sum(row.is_wrong for row in rows)
    print(f"\n{len(rows)} files, {sum(row.pictures for row in rows)} pictures, {sum(row.photos for row in rows)} photos; "
          f"{wrong} {'row is' if wrong == 1 else 'rows are'} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
