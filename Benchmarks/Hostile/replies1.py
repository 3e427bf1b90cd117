# SPDX-License-Identifier: MIT
"""Hostile replies over HTTP/1.1: each kind returns the steps that write them."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from base64 import b64encode
from collections.abc import Callable
from functools import partial

from photos import RESTS, Ask, Message, Photo, honest, resumption, tag, validators

# Bytes to write, a pause in seconds, or a word: `reset` and `close` end the connection, `again` keeps it.
Step = bytes | float | str
Reply = list[Step]
Kind = Callable[[Photo, Ask], Reply]

REASONS = {200: "OK", 206: "Part", 416: "No"}


def head(status: int | str, fields: list[tuple[str, str]], version: str = "HTTP/1.1", end: str = "\r\n") -> bytes:
    line = f"{version} {status} {REASONS.get(status, 'X') if isinstance(status, int) else ''}".rstrip()
    return (line + end + "".join(f"{name}: {value}{end}" for name, value in fields) + end).encode("latin-1")


def write(message: Message, end: str = "again") -> Reply:
    """Writes a message with its length; a cut one ends the connection."""
    fields = [*message.fields, ("content-length", str(len(message.body)))]
    return [head(message.status, fields), message.part, "close" if message.sent is not None else end]


def chunked(body: bytes, size: int = 700) -> bytes:
    parts = [body[place:place + size] for place in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def framed(change: Callable[[bytes], Reply]) -> Kind:
    """A kind whose whole body has the framing that `change` gives it."""
    return lambda photo, ask: change(photo.version()[1])


def lengths(*values: Callable[[int], str], cut: int = 0, extra: bytes = b"", end: str = "close") -> Kind:
    """A kind with these Content-Length fields."""
    def change(body: bytes) -> Reply:
        fields = [("content-length", value(len(body))) for value in values]
        return [head(200, fields), body[:len(body) - cut] + extra, end]
    return framed(change)


def fields(*more: tuple[str, str], end: str = "again") -> Kind:
    """A kind with these fields beside the right length."""
    def change(body: bytes) -> Reply:
        return [head(200, [*more, ("content-length", str(len(body)))]), body, end]
    return framed(change)


def coded(coding: str, encode: Callable[[bytes], bytes]) -> Kind:
    def change(body: bytes) -> Reply:
        data = encode(body)
        return [head(200, [("content-encoding", coding), ("content-length", str(len(data)))]), data, "again"]
    return framed(change)


def transfer(coding: str, encode: Callable[[bytes], bytes] = chunked, *more: tuple[str, str],
             end: str = "again") -> Kind:
    return framed(lambda body: [head(200, [("transfer-encoding", coding), *more]), encode(body), end])


def after(extra: bytes, end: str = "again") -> Kind:
    return framed(lambda body: [head(200, [("content-length", str(len(body)))]), body + extra, end])


def before(start: bytes) -> Kind:
    return framed(lambda body: [start + head(200, [("content-length", str(len(body)))]), body, "again"])


def status(code: int | str, with_body: bool = True, *more: tuple[str, str], end: str = "again") -> Kind:
    def change(body: bytes) -> Reply:
        body = body if with_body else b""
        return [head(code, [*more, ("content-length", str(len(body)))]), body, end]
    return framed(change)


def resumed(style: str, rest: str, end: str = "close") -> Kind:
    def reply(photo: Photo, ask: Ask) -> Reply:
        steps = write(resumption(photo, ask, style, rest))
        return [*steps[:-1], end] if steps[-1] == "close" else steps
    return reply


def with_digest(name: str, value: Callable[[bytes], str]) -> Kind:
    return framed(lambda body: [head(200, [(name, value(body)), ("content-length", str(len(body)))]), body, "again"])


def sha256(body: bytes) -> str:
    return b64encode(hashlib.sha256(body).digest()).decode()


def raw_deflate(body: bytes) -> bytes:
    coder = zlib.compressobj(9, zlib.DEFLATED, -15)
    return coder.compress(body) + coder.flush()


def unasked(photo: Photo, ask: Ask) -> Reply:
    """A rest that was not asked for."""
    number, body = photo.version()
    fields = validators("strong", number)
    fields += [("content-range", f"bytes 10-{len(body) - 1}/{len(body)}")]
    return write(Message(206, fields, body[10:]))


def unchanged(photo: Photo, ask: Ask) -> Reply:
    number, _ = photo.version()
    return [head(304, [("etag", tag(number))]), "again"]


EVIL = b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil"

KINDS: dict[str, Kind] = {
    "honest": lambda photo, ask: write(honest(photo, ask)),
    **{f"{style}/{rest}": partial(lambda kind, photo, ask: kind(photo, ask), resumed(style, rest))
       for style in ("strong", "date") for rest in RESTS},
    **{f"{style}/rest": resumed(style, "rest") for style in ("both", "weak", "none", "twice", "unquoted", "recent")},
    "strong/rest after a reset": resumed("strong", "rest", "reset"),
    "strong/other after a reset": resumed("strong", "other", "reset"),
    "unasked rest": unasked, "unasked 304": unchanged,
    # Lengths
    "length + 1": lengths(lambda n: str(n + 1)), "length - 1": lengths(lambda n: str(n - 1)),
    "length 0": lengths(lambda n: "0"), "length 2^64": lengths(lambda n: str(2 ** 64)),
    "length below 0": lengths(lambda n: "-1"), "length +n": lengths(lambda n: f"+{n}"),
    "length in hex": lengths(lambda n: hex(n)), "length with a comma": lengths(lambda n: f"{n}, {n}"),
    "length list of two": lengths(lambda n: f"{n}, {n - 1}"), "length twice": lengths(str, str),
    "two lengths": lengths(str, lambda n: str(n - 5)), "two lengths, shorter first": lengths(lambda n: str(n - 5), str),
    "length with a blank": lengths(lambda n: f"{n} 1"), "empty length": lengths(lambda n: ""),
    "length with zeros": lengths(lambda n: f"000000000{n}"), "cut by one": lengths(str, cut=1),
    "cut by a reset": lengths(str, cut=100, end="reset"), "no length": lengths(),
    "no length, cut": lengths(cut=300), "no length, reset": lengths(end="reset"),
    # Chunks
    "chunks": transfer("chunked"), "chunks of one byte": transfer("chunked", partial(chunked, size=1)),
    "no last chunk": transfer("chunked", lambda b: chunked(b)[:-5], end="close"),
    "last chunk cut": transfer("chunked", lambda b: chunked(b)[:-2], end="close"),
    "chunk of 2^64": transfer("chunked", lambda b: b"%x\r\n" % 2 ** 64 + b, end="close"),
    "chunk of -1": transfer("chunked", lambda b: b"-1\r\n" + b, end="close"),
    "chunk of 0x10": transfer("chunked", lambda b: b"0x%x\r\n%s\r\n0\r\n\r\n" % (len(b), b)),
    "chunk with a blank": transfer("chunked", lambda b: b" %x \r\n%s\r\n0\r\n\r\n" % (len(b), b)),
    "chunk without digits": transfer("chunked", lambda b: b"\r\n" + chunked(b)),
    "chunk extension": transfer("chunked", lambda b: b'%x;a="b"\r\n%s\r\n0\r\n\r\n' % (len(b), b)),
    "chunk extension of 100 kB": transfer(
        "chunked", lambda b: b"%x;%s\r\n%s\r\n0\r\n\r\n" % (len(b), b"a" * 100_000, b)),
    "chunk ends with LF": transfer("chunked", lambda b: b"%x\n%s\n0\n\n" % (len(b), b)),
    "chunk one short, LF": transfer("chunked", lambda b: b"%x\r\n%s\n0\r\n\r\n" % (len(b), b[:-1])),
    "chunk one long": transfer("chunked", lambda b: b"%x\r\n%s\r\n0\r\n\r\n" % (len(b) - 1, b)),
    "chunks with a trailer": transfer("chunked", lambda b: chunked(b)[:-2] + b"etag: \"evil\"\r\n\r\n"),
    "chunks with a large trailer": transfer("chunked", lambda b: chunked(b)[:-2] + b"x: y\r\n" * 20_000 + b"\r\n"),
    "trailer without a colon": transfer("chunked", lambda b: chunked(b)[:-2] + b"rubbish\r\n\r\n"),
    "trailer line of 200 kB": transfer("chunked", lambda b: chunked(b)[:-2] + b"x: " + b"y" * 200_000 + b"\r\n\r\n"),
    "trailer with NUL": transfer("chunked", lambda b: chunked(b)[:-2] + b"x: a\0b\r\n\r\n"),
    "trailer of one colon": transfer("chunked", lambda b: chunked(b)[:-2] + b":\r\n\r\n"),
    "trailer cut": transfer("chunked", lambda b: chunked(b)[:-2] + b"x: y", end="close"),
    "chunks and a length": transfer("chunked", chunked, ("content-length", "5")),
    "a length and chunks": framed(lambda b: [
        head(200, [("content-length", str(len(b))), ("transfer-encoding", "chunked")]), b, "close"]),
    "chunked twice": transfer("chunked, chunked"), "chunked, identity": transfer("chunked, identity"),
    "transfer identity": transfer("identity", bytes, end="close"), "transfer xchunked": transfer("xchunked"),
    "transfer gzip": transfer("gzip, chunked", lambda b: chunked(gzip.compress(b))),
    "bytes after the chunks": transfer("chunked", lambda b: chunked(b) + b"evil"),
    # Bytes after the body
    "CRLF after": after(b"\r\n"), "a reply after": after(EVIL), "103 after": after(b"HTTP/1.1 103 X\r\n\r\n"),
    "zeros after": after(bytes(3000)), "100 kB after": after(b"x" * 100_000), "a reply after, closed": after(EVIL, "close"),
    # Interim replies
    "100 before": before(b"HTTP/1.1 100 C\r\n\r\n"), "103 before": before(b"HTTP/1.1 103 E\r\nlink: <x>\r\n\r\n"),
    "fifty 102 before": before(b"HTTP/1.1 102 P\r\n\r\n" * 50), "103 with a length": before(
        b"HTTP/1.1 103 E\r\ncontent-length: 4\r\n\r\n"), "101 before": before(
        b"HTTP/1.1 101 S\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"), "101 to h2c": before(
        b"HTTP/1.1 101 S\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n"), "CRLF before": before(b"\r\n\r\n"),
    "rubbish before": before(b"rubbish\r\n"), "only 100": lambda photo, ask: [b"HTTP/1.1 100 C\r\n\r\n", "close"],
    # Codings
    "gzip": coded("gzip", gzip.compress), "gzip, cut": coded("gzip", lambda b: gzip.compress(b)[:-40]),
    "gzip, wrong sum": coded("gzip", lambda b: gzip.compress(b)[:-8] + bytes(8)),
    "gzip, bytes after": coded("gzip", lambda b: gzip.compress(b) + b"surplus"),
    "gzip, two members": coded("gzip", lambda b: gzip.compress(b[:900]) + gzip.compress(b[900:])),
    "gzip that is none": coded("gzip", bytes), "gzip twice": coded("gzip, gzip", lambda b: gzip.compress(gzip.compress(b))),
    "gzip of 64 MB": coded("gzip", lambda b: gzip.compress(bytes(64 << 20), 1)), "deflate": coded("deflate", zlib.compress),
    "raw deflate": coded("deflate", raw_deflate), "br that is none": coded("br", bytes),
    "unknown coding": coded("x-secret", bytes), "identity": coded("identity", bytes),
    "ten codings": coded("gzip, " * 9 + "gzip", bytes), "zstd that is none": coded("zstd", bytes),
    # Redirects
    "redirect to itself": lambda photo, ask: [head(302, [("location", f"/{photo.name}"), ("content-length", "0")]), "again"],
    "redirect to a file": status(302, True, ("location", "file:///etc/passwd")),
    "redirect without a place": status(302), "redirect with two places": status(
        302, False, ("location", "http://[::1]/"), ("location", "gopher://x/")),
    "300 with a body": status(300), "redirect with CRLF": status(302, False, ("location", "/%0d%0aevil: yes")),
    # Statuses
    "204 with a body": status(204), "205 with a body": status(205), "203": status(203), "299": status(299),
    "200 as HTTP/1.0": framed(lambda b: [head(200, [], "HTTP/1.0"), b, "close"]),
    "HTTP/0.9": framed(lambda b: [b, "close"]), "HTTP/1.2": framed(
        lambda b: [head(200, [("content-length", str(len(b)))], "HTTP/1.2"), b, "again"]),
    "HTTP/2 in text": framed(lambda b: [head(200, [("content-length", str(len(b)))], "HTTP/2"), b, "close"]),
    "status 000": status("000"), "status 999": status(999), "status of two digits": status("20"),
    "status -200": status("-200"), "no reason": status("200"), "500": status(500, False), "503": status(503, False),
    "404 with a photo": status(404), "416 unasked": status(416), "429 with a date": status(
        429, False, ("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")),
    # Fields
    "digest of others": with_digest("digest", lambda b: "sha-256=" + sha256(b + b"x")),
    "content-digest of others": with_digest("content-digest", lambda b: f"sha-256=:{sha256(b + b'x')}:"),
    "content-md5 of others": with_digest("content-md5", lambda b: b64encode(bytes(16)).decode()),
    "digest": with_digest("digest", lambda b: "sha-256=" + sha256(b)), "folded field": fields(
        ("x", "a\r\n b")), "NUL in a field": fields(("x", "a\0b")),
    "blank before the colon": framed(lambda b: [
        b"HTTP/1.1 200 OK\r\ncontent-length : %d\r\n\r\n" % len(b), b, "close"]),
    "no colon": framed(lambda b: [b"HTTP/1.1 200 OK\r\nrubbish\r\ncontent-length: %d\r\n\r\n" % len(b), b, "close"]),
    "lines end with LF": framed(lambda b: [head(200, [("content-length", str(len(b)))], end="\n"), b, "again"]),
    "lines end with CR": framed(lambda b: [head(200, [("content-length", str(len(b)))], end="\r"), b, "close"]),
    "field of 90 kB": fields(("x", "y" * 90_000)), "field of 400 kB": fields(("x", "y" * 400_000), end="close"),
    "4,000 fields": fields(*[(f"x{number}", "y") for number in range(4000)]), "type text/html": fields(
        ("content-type", "text/html")), "attachment": fields(("content-disposition", 'attachment; filename="../../x"')),
    "refresh": fields(("refresh", "0; url=http://127.0.0.1/")), "controls in a field": fields(("etag", '"\x1b[2J\x07"')),
    "alternative service": fields(("alt-svc", 'h2="127.0.0.1:1"; ma=99999')), "cookies": fields(
        *[("set-cookie", f"a{number}=b") for number in range(300)]),
    # Time
    "nothing": lambda photo, ask: ["close"], "a reset": lambda photo, ask: ["reset"],
    "half of the head": lambda photo, ask: [b"HTTP/1.1 200 OK\r\ncontent-le", "close"],
    "silence": lambda photo, ask: [1.0, "close"], "silence in the body": framed(
        lambda b: [head(200, [("content-length", str(len(b)))]), b[:500], 1.5, "close"]),
    "pieces": framed(lambda b: [head(200, [("content-length", str(len(b)))]),
                               *[step for place in range(0, len(b), 1024) for step in (b[place:place + 1024], 0.002)],
                               "again"]),
}
