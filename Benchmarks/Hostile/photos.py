# SPDX-License-Identifier: MIT
"""The photos of the hostile server: each has several versions, and remembers which bodies it has offered."""

from __future__ import annotations

import hashlib
import random
import struct
import threading
from dataclasses import dataclass, field

# A BMP has no checksum, so no decoder would notice that a file has bytes of two versions.
WIDTH, HEIGHTS = 32, (40, 40, 40, 40, 44, 52)
DATE = "Mon, 02 Mar 2026 12:00:0{} GMT"


def bitmap(seed: str, height: int) -> bytes:
    pixels = random.Random(seed).randbytes(3 * WIDTH * height)
    head = struct.pack("<2sIIIIiiHHIIiiII", b"BM", 54 + len(pixels), 0, 54, 40, WIDTH, height, 1, 24, 0, len(pixels),
                       2835, 2835, 0, 0)
    return head + pixels


@dataclass
class Ask:
    """A request for a photo."""

    start: int | None = None
    condition: str | None = None
    is_conditional: bool = False


@dataclass
class Photo:
    """One address; all its versions differ from those of every other address."""

    name: str
    kind: str
    random: random.Random = field(init=False)
    versions: list[bytes] = field(init=False)
    offered: set[str] = field(default_factory=set)
    replies: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.random = random.Random(self.name)
        self.versions = [bitmap(f"{self.name} {number}", height) for number, height in enumerate(HEIGHTS)]

    def offer(self, body: bytes) -> bytes:
        """Remembers a whole body that the server declares."""
        self.offered.add(hashlib.sha256(body).hexdigest())
        return body

    def version(self) -> tuple[int, bytes]:
        """Chooses the current version, which changes often."""
        number = self.random.randrange(len(self.versions))
        return number, self.offer(self.versions[number])

    def asked(self, ask: Ask) -> int | None:
        """The version that a request for a rest names."""
        for number in range(len(self.versions)):
            if ask.condition in (tag(number), DATE.format(number)):
                return number
        return None


def tag(number: int) -> str:
    return f'"v{number}"'


Fields = list[tuple[str, str]]


def validators(style: str, number: int) -> Fields:
    """The validators of a version. A strong tag and a date always belong to the version of the body."""
    dated = [("last-modified", DATE.format(number)), ("date", "Mon, 02 Mar 2026 13:00:00 GMT")]
    return {
        "strong": [("etag", tag(number))],
        "date": dated,
        "both": [("etag", tag(number)), *dated],
        "weak": [("etag", "W/" + tag(number))],
        "none": [],
        "twice": [("etag", tag(number)), ("etag", tag(number + 1))],
        "unquoted": [("etag", tag(number).strip('"'))],
        "recent": [("last-modified", DATE.format(number)), ("date", DATE.format(number))],
    }[style]


@dataclass
class Message:
    """A reply without its framing: a status, fields and a body, of which only a part may arrive."""

    status: int
    fields: Fields
    body: bytes
    sent: int | None = None

    @property
    def part(self) -> bytes:
        return self.body if self.sent is None else self.body[: self.sent]


RESTS = ["rest", "other", "unproven", "whole", "shifted", "earlier", "short", "small-total", "no-total", "no-range",
         "multipart", "416", "416-whole", "from-zero", "garbage", "huge", "two-ranges", "cut-again", "more", "empty"]


def honest(photo: Photo, ask: Ask) -> Message:
    number, body = photo.version()
    return Message(200, validators("strong", number), body)


def resumption(photo: Photo, ask: Ask, style: str, rest: str) -> Message:
    """A reply that is cut, or to a request for its rest one of the wrong ways to answer that."""
    number, body = photo.version()
    cut = photo.random.randrange(1, len(body))
    if ask.start is None:
        return Message(200, validators(style, number), body, cut)
    asked = photo.asked(ask)
    if rest in ("rest", "cut-again", "shifted", "earlier", "short", "more", "empty") and asked is not None:
        number, body = asked, photo.versions[asked]
    fields, start, last, total = validators(style, number), ask.start, len(body) - 1, str(len(body))
    start = min(start, last)
    if rest == "whole":
        return Message(200, fields, body)
    if rest in ("416", "416-whole"):
        return Message(416, [("content-range", f"bytes */{total}")] if rest == "416" else [], body[:9])
    if rest == "unproven":
        fields = []
    if rest == "shifted":
        start = min(start + 1, last)
    if rest == "earlier":
        start = max(start - 1, 0)
    if rest == "from-zero":
        start = 0
    if rest == "short":
        last = max(start, last - 1)
    if rest == "small-total":
        total = str(max(start, 1))
    if rest == "no-total":
        total = "*"
    part = body[start:last + 1]
    ranges = [f"bytes {start}-{last}/{total}"]
    if rest == "no-range":
        ranges = []
    if rest == "garbage":
        ranges = [f"bytes={start}..{last}"]
    if rest == "huge":
        ranges = [f"bytes {start}-{2 ** 64 + last}/{2 ** 64 + last + 1}"]
    if rest == "two-ranges":
        ranges = ["bytes 0-0/1", *ranges]
    if rest == "more":
        part += b"surplus"
    if rest == "empty":
        part = b""
    fields += [("content-range", text) for text in ranges]
    if rest == "multipart":
        fields = [(name, value) for name, value in fields if name != "content-range"]
        fields += [("content-type", "multipart/byteranges; boundary=x")]
        part = b"--x\r\ncontent-range: bytes %d-%d/%s\r\n\r\n" % (start, last, total.encode()) + part + b"\r\n--x--\r\n"
    again = photo.random.randrange(len(part)) if rest == "cut-again" and part else None
    return Message(206, fields, part, again)
