# SPDX-License-Identifier: MIT
"""Hostile replies over HTTP/2: each kind returns frames for one stream."""

from __future__ import annotations

import gzip
import struct
from collections.abc import Callable
from functools import partial

from photos import RESTS, Ask, Message, Photo, honest, resumption, tag, validators

# Bytes to write, a pause in seconds, or a word, as over HTTP/1.1.
Step = bytes | float | str
Reply = list[Step]
Kind = Callable[[Photo, Ask, int], Reply]

DATA, HEADERS, PRIORITY, RST, SETTINGS, PUSH, PING, GOAWAY, WINDOW, CONTINUATION = range(10)
END_STREAM, END_HEADERS, PADDED, WITH_PRIORITY = 1, 4, 8, 32
ACK = 1


def frame(kind: int, flags: int, stream: int, payload: bytes = b"", length: int | None = None) -> bytes:
    size = len(payload) if length is None else length
    return struct.pack(">I", size)[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def number(value: int, bits: int, first: int = 0) -> bytes:
    """An integer of HPACK."""
    limit = (1 << bits) - 1
    if value < limit:
        return bytes([first | value])
    value -= limit
    rest = bytearray([first | limit])
    while value >= 128:
        rest.append(value & 127 | 128)
        value >>= 7
    rest.append(value)
    return bytes(rest)


def literal(name: str, value: str, indexed: bool = False) -> bytes:
    texts = [name.encode("latin-1"), value.encode("latin-1")]
    return bytes([0x40 if indexed else 0]) + b"".join(number(len(text), 7) + text for text in texts)


def block(status: int | str, fields: list[tuple[str, str]]) -> bytes:
    return b"".join(literal(name, value) for name, value in [(":status", str(status)), *fields])


def head(stream: int, status: int | str, fields: list[tuple[str, str]], flags: int = END_HEADERS) -> bytes:
    """The header block, split into frames of at most 16 kB."""
    data = block(status, fields)
    if len(data) <= 16_384:
        return frame(HEADERS, flags, stream, data)
    parts = [data[place:place + 16_384] for place in range(0, len(data), 16_384)]
    frames = [frame(HEADERS, flags & ~END_HEADERS, stream, parts[0])]
    frames += [frame(CONTINUATION, 0, stream, part) for part in parts[1:-1]]
    return b"".join([*frames, frame(CONTINUATION, END_HEADERS, stream, parts[-1])])


def data(stream: int, body: bytes, size: int = 4096, flags: int = END_STREAM) -> bytes:
    parts = [body[place:place + size] for place in range(0, len(body), size)] or [b""]
    return b"".join(frame(DATA, flags if place == len(parts) - 1 else 0, stream, part)
                    for place, part in enumerate(parts))


def write(message: Message, stream: int, end: Reply | None = None) -> Reply:
    """Writes a message with its length; a cut one ends as `end` says."""
    fields = [*message.fields, ("content-length", str(len(message.body)))]
    if message.sent is None:
        return [head(stream, message.status, fields), data(stream, message.body), "again"]
    return [head(stream, message.status, fields), data(stream, message.part, flags=0), *(end or ["close"])]


def whole(change: Callable[[bytes, int], Reply]) -> Kind:
    return lambda photo, ask, stream: change(photo.version()[1], stream)


def ok(stream: int, body: bytes, *more: tuple[str, str], flags: int = END_HEADERS) -> bytes:
    return head(stream, 200, [*more, ("content-length", str(len(body)))], flags)


def fields(*more: tuple[str, str]) -> Kind:
    return whole(lambda body, stream: [ok(stream, body, *more), data(stream, body), "again"])


def middle(extra: Callable[[int], bytes]) -> Kind:
    """A kind with these frames between the halves of the body."""
    def change(body: bytes, stream: int) -> Reply:
        half = len(body) // 2
        return [ok(stream, body), data(stream, body[:half], flags=0), extra(stream), data(stream, body[half:]), "again"]
    return whole(change)


def before(extra: Callable[[int], bytes]) -> Kind:
    return whole(lambda body, stream: [extra(stream), ok(stream, body), data(stream, body), "again"])


def after(extra: Callable[[int, bytes], bytes]) -> Kind:
    return whole(lambda body, stream: [ok(stream, body), data(stream, body), extra(stream, body), "again"])


def ended(end: Callable[[int], bytes], word: str = "close") -> Kind:
    """A kind whose body is cut by these frames."""
    def reply(photo: Photo, ask: Ask, stream: int) -> Reply:
        return write(resumption(photo, ask, "strong", "rest"), stream, [end(stream), word])
    return reply


def lengths(*values: Callable[[int], str], cut: int = 0, extra: bytes = b"") -> Kind:
    def change(body: bytes, stream: int) -> Reply:
        stated = [("content-length", value(len(body))) for value in values]
        return [head(stream, 200, stated), data(stream, body[:len(body) - cut] + extra), "again"]
    return whole(change)


def status(code: int | str, *more: tuple[str, str], has_body: bool = True) -> Kind:
    def change(body: bytes, stream: int) -> Reply:
        return [head(stream, code, [*more]), data(stream, body if has_body else b""), "again"]
    return whole(change)


def resumed(style: str, rest: str) -> Kind:
    def reply(photo: Photo, ask: Ask, stream: int) -> Reply:
        word = photo.random.choice([frame(RST, 0, stream, struct.pack(">I", 2)), b""])
        return write(resumption(photo, ask, style, rest), stream, [word, "again" if word else "close"])
    return reply


def padded(body: bytes, stream: int, stated: int, actual: int = 7) -> Reply:
    payload = bytes([stated]) + body[:4000] + bytes(actual)
    return [ok(stream, body), frame(DATA, PADDED, stream, payload), data(stream, body[4000:]), "again"]


def trailer(stream: int, *more: tuple[str, str], flags: int = END_HEADERS | END_STREAM) -> bytes:
    return frame(HEADERS, flags, stream, b"".join(literal(name, value) for name, value in more))


def with_trailer(*more: tuple[str, str], flags: int = END_HEADERS | END_STREAM) -> Kind:
    return whole(lambda body, stream: [
        ok(stream, body), data(stream, body, flags=0), trailer(stream, *more, flags=flags), "again"])


def raw_head(payload: Callable[[bytes], bytes], flags: int = END_HEADERS) -> Kind:
    """A kind with this header block."""
    return whole(lambda body, stream: [
        frame(HEADERS, flags, stream, payload(body)), data(stream, body), "again"])


def settings(*pairs: tuple[int, int]) -> bytes:
    return frame(SETTINGS, 0, 0, b"".join(struct.pack(">HI", key, value) for key, value in pairs))


def interim(stream: int, code: int | str, *more: tuple[str, str], flags: int = END_HEADERS) -> bytes:
    return head(stream, code, [*more], flags)


def bomb(body: bytes) -> bytes:
    """Fields of 4 kB each, of which only the first is spelt out."""
    return block(200, []) + literal("x", "y" * 3900, indexed=True) + bytes([0xBE]) * 8000


def unchanged(photo: Photo, ask: Ask, stream: int) -> Reply:
    return [head(stream, 304, [("etag", tag(photo.version()[0]))], END_HEADERS | END_STREAM), "again"]


def unasked(photo: Photo, ask: Ask, stream: int) -> Reply:
    place, body = photo.version()
    stated = [*validators("strong", place), ("content-range", f"bytes 10-{len(body) - 1}/{len(body)}")]
    return write(Message(206, stated, body[10:]), stream)


def word(value: int) -> bytes:
    return struct.pack(">I", value)


KINDS: dict[str, Kind] = {
    "honest": lambda photo, ask, stream: write(honest(photo, ask), stream),
    **{f"{style}/{rest}": partial(lambda kind, *arguments: kind(*arguments), resumed(style, rest))
       for style in ("strong", "date") for rest in RESTS},
    **{f"{style}/rest": resumed(style, "rest") for style in ("both", "weak", "none", "twice", "unquoted", "recent")},
    "unasked rest": unasked, "unasked 304": unchanged,
    # Ends of streams and connections
    **{f"RST_STREAM {code}": ended(partial(lambda code, s: frame(RST, 0, s, word(code)), code), "again")
       for code in (*range(14), 99, 2 ** 32 - 1)},
    **{f"GOAWAY {code}, last {last}": ended(partial(lambda c, l, s: frame(GOAWAY, 0, 0, word(l) + word(c)), code, last))
       for code in (0, 1, 11) for last in (0, 1, 2 ** 31 - 1)},
    "GOAWAY with text": ended(lambda s: frame(GOAWAY, 0, 0, word(1) + word(2) + b"\x1b[2J" * 500)),
    "GOAWAY, body goes on": middle(lambda s: frame(GOAWAY, 0, 0, word(2 ** 31 - 1) + word(0))),
    "GOAWAY cut": ended(lambda s: frame(GOAWAY, 0, 0, b"abc")),
    "RST_STREAM cut": ended(lambda s: frame(RST, 0, s, b"abc")), "RST_STREAM 0": ended(lambda s: frame(RST, 0, 0, word(0))),
    "RST_STREAM after the end": after(lambda s, b: frame(RST, 0, s, word(0))),
    "RST_STREAM of an idle stream": middle(lambda s: frame(RST, 0, s + 100, word(0))),
    "end without all": whole(lambda b, s: [ok(s, b), data(s, b[:-9]), "again"]),
    "closed": ended(lambda s: b""), "reset": ended(lambda s: b"", "reset"),
    # Lengths
    "length + 1": lengths(lambda n: str(n + 1)), "length - 1": lengths(lambda n: str(n - 1)),
    "no length": lengths(), "no length, cut": whole(lambda b, s: [head(s, 200, []), data(s, b[:999], flags=0), "close"]),
    "no length, ended early": lengths(cut=200), "length 2^64": lengths(lambda n: str(2 ** 64)),
    "length below 0": lengths(lambda n: "-5"), "two lengths": lengths(str, lambda n: str(n - 1)),
    "length twice": lengths(str, str), "surplus": lengths(str, extra=b"surplus"), "empty length": lengths(lambda n: ""),
    # Data
    "single bytes": whole(lambda b, s: [ok(s, b), data(s, b, 1), "again"]),
    "empty data frames": middle(lambda s: frame(DATA, 0, s) * 500), "padding": whole(lambda b, s: padded(b, s, 7)),
    "more padding than data": whole(lambda b, s: [ok(s, b), frame(DATA, PADDED, s, b"\xff" + b[:50]), "again"]),
    "padding of other bytes": whole(lambda b, s: padded(b, s, 5)), "data after the end": after(lambda s, b: data(s, b[:99])),
    "a whole body after the end": after(lambda s, b: data(s, b)), "data before the head": before(lambda s: data(s, b"x", flags=0)),
    "data on stream 0": middle(lambda s: frame(DATA, 0, 0, b"evil")), "data on an idle stream": middle(
        lambda s: frame(DATA, 0, s + 10, b"evil")), "data on an even stream": middle(lambda s: frame(DATA, 0, 2, b"evil")),
    "end in an own frame": whole(lambda b, s: [ok(s, b), data(s, b, flags=0), frame(DATA, END_STREAM, s), "again"]),
    "data with unknown flags": whole(lambda b, s: [ok(s, b), frame(DATA, 0xF0 | END_STREAM, s, b), "again"]),
    "frame larger than allowed": whole(lambda b, s: [ok(s, b), frame(DATA, END_STREAM, s, b + bytes(40_000)), "again"]),
    "frame of 16 MB": whole(lambda b, s: [ok(s, b), frame(DATA, END_STREAM, s, b, 2 ** 24 - 1), "close"]),
    "frame cut": whole(lambda b, s: [ok(s, b), data(s, b)[:-10], "close"]),
    "more than the window": whole(lambda b, s: [head(s, 200, []), data(s, bytes(40 << 20), 16_384), "again"]),
    # Heads
    "end at the head": whole(lambda b, s: [ok(s, b, flags=END_HEADERS | END_STREAM), "again"]),
    "end at the head, then data": whole(lambda b, s: [ok(s, b, flags=END_HEADERS | END_STREAM), data(s, b), "again"]),
    "two heads": before(lambda s: head(s, 200, [("content-length", "3")])), "head of a late stream": middle(
        lambda s: head(s + 100, 200, [])), "continuation": whole(lambda b, s: [
            frame(HEADERS, 0, s, block(200, [])), frame(CONTINUATION, END_HEADERS, s), data(s, b), "again"]),
    "continuation of single bytes": whole(lambda b, s: [
        frame(HEADERS, 0, s), *[frame(CONTINUATION, 0, s, bytes([byte])) for byte in block(200, [])],
        frame(CONTINUATION, END_HEADERS, s), data(s, b), "again"]),
    "endless continuation": whole(lambda b, s: [
        frame(HEADERS, 0, s, block(200, [])), frame(CONTINUATION, 0, s, literal("x", "y" * 900)) * 2000, "close"]),
    "empty continuations": whole(lambda b, s: [
        frame(HEADERS, 0, s, block(200, [])), frame(CONTINUATION, 0, s) * 5000, "close"]),
    "continuation, interrupted": whole(lambda b, s: [
        frame(HEADERS, 0, s, block(200, [])), frame(PING, 0, 0, bytes(8)), frame(CONTINUATION, END_HEADERS, s), data(s, b),
        "again"]),
    "continuation of another stream": whole(lambda b, s: [
        frame(HEADERS, 0, s, block(200, [])), frame(CONTINUATION, END_HEADERS, s + 2), data(s, b), "again"]),
    "continuation without a head": before(lambda s: frame(CONTINUATION, END_HEADERS, s)),
    "head of 90 kB": fields(("x", "y" * 90_000)), "head of 400 kB": fields(("x", "y" * 400_000)),
    "4,000 fields": fields(*[(f"x{place}", "y") for place in range(4000)]), "compressed bomb": raw_head(bomb),
    "index 0": raw_head(lambda b: block(200, []) + b"\x80"), "index beyond the table": raw_head(
        lambda b: block(200, []) + b"\xfe"), "index of 2^64": raw_head(lambda b: block(200, []) + number(2 ** 64, 7, 0x80)),
    "table of 2^30": raw_head(lambda b: number(2 ** 30, 5, 0x20) + block(200, [])),
    "table size at the end": raw_head(lambda b: block(200, []) + b"\x20"),
    "text longer than the block": raw_head(lambda b: block(200, []) + b"\x00\x01x\x7f\xff\xff\x03"),
    "invalid Huffman code": raw_head(lambda b: block(200, []) + b"\x00\x01x\x84\xff\xff\xff\xff"),
    "rubbish head": raw_head(lambda b: b[60:400]), "empty head": raw_head(lambda b: b""),
    "status indexed": raw_head(lambda b: b"\x88"), "head with a priority": whole(lambda b, s: [
        frame(HEADERS, END_HEADERS | WITH_PRIORITY, s, word(0) + b"\x10" + block(200, [])), data(s, b), "again"]),
    "head depends on itself": whole(lambda b, s: [
        frame(HEADERS, END_HEADERS | WITH_PRIORITY, s, word(s) + b"\x10" + block(200, [])), data(s, b), "again"]),
    # Fields
    "upper case": fields(("ETag", '"x"')), "connection": fields(("connection", "close")), "chunked": fields(
        ("transfer-encoding", "chunked")), "te": fields(("te", "gzip")), "NUL in a value": fields(("x", "a\0b")),
    "CRLF in a value": fields(("x", "a\r\netag: \"evil\"")), "LF in a name": fields(("x\ny", "a")),
    "empty name": fields(("", "a")), "colon in a name": fields(("a:b", "c")), "request's field": fields((":path", "/evil")),
    "unknown pseudo-field": fields((":evil", "x")), "late status": raw_head(
        lambda b: literal("x", "y") + block(200, [])), "two statuses": raw_head(lambda b: block(200, []) + block(404, [])),
    "no status": raw_head(lambda b: literal("x", "y")), "status abc": status("abc"), "status 99": status(99),
    "status 1000": status(1000), "empty status": status(""), "status +200": status("+200"), "204 with a body": status(204),
    "304 with a body": status(304), "299": status(299), "500": status(500), "421": status(421), "404 with a photo": status(404),
    "redirect to a file": status(302, ("location", "file:///etc/passwd")), "redirect with CRLF": status(
        302, ("location", "/x\r\nevil: y"), has_body=False), "alternative service": fields(
        ("alt-svc", 'h3=":1"; ma=99999')), "cookies": fields(*[("set-cookie", f"a{place}=b") for place in range(300)]),
    "gzip": whole(lambda b, s: [head(s, 200, [("content-encoding", "gzip")]), data(s, gzip.compress(b)), "again"]),
    "gzip, cut": whole(lambda b, s: [
        head(s, 200, [("content-encoding", "gzip")]), data(s, gzip.compress(b)[:-50]), "again"]),
    # Interim replies and trailers
    "100 before": before(lambda s: interim(s, 100)), "103 before": before(lambda s: interim(s, 103, ("link", "<x>"))),
    "101 before": before(lambda s: interim(s, 101)), "200 times 103": before(lambda s: interim(s, 103) * 200),
    "103 with an end": before(lambda s: interim(s, 103, flags=END_HEADERS | END_STREAM)), "103 with data": before(
        lambda s: interim(s, 103) + data(s, b"evil", flags=0)), "103 with a length": before(
        lambda s: interim(s, 103, ("content-length", "4"))), "103 in the body": middle(lambda s: interim(s, 103)),
    "trailer": with_trailer(("x", "y")), "trailer with a tag": with_trailer(("etag", '"evil"')), "trailer with a status":
        with_trailer((":status", "404")), "trailer with a length": with_trailer(("content-length", "3")),
    "trailer without an end": with_trailer(("x", "y"), flags=END_HEADERS), "data after the trailer": whole(
        lambda b, s: [ok(s, b), data(s, b[:-5], flags=0), trailer(s, ("x", "y")), data(s, b[-5:]), "again"]),
    # Settings and other frames
    "window of 2^31": before(lambda s: settings((4, 2 ** 31))), "frames of 1 byte": before(lambda s: settings((5, 1))),
    "push of 2": before(lambda s: settings((2, 2))), "no streams": before(lambda s: settings((3, 0))), "no window": before(
        lambda s: settings((4, 0))), "no table": before(lambda s: settings((1, 0))), "1,000 settings": before(
        lambda s: settings((99, 1)) * 1000), "settings cut": before(lambda s: frame(SETTINGS, 0, 0, b"abc")),
    "settings of a stream": before(lambda s: frame(SETTINGS, 0, s)), "acknowledged too often": before(
        lambda s: frame(SETTINGS, ACK, 0) * 50), "acknowledged with text": before(lambda s: frame(SETTINGS, ACK, 0, bytes(6))),
    "3,000 pings": middle(lambda s: frame(PING, 0, 0, bytes(8)) * 3000), "ping cut": middle(
        lambda s: frame(PING, 0, 0, b"abc")), "ping of a stream": middle(lambda s: frame(PING, 0, s, bytes(8))),
    "window 0": middle(lambda s: frame(WINDOW, 0, s, word(0))), "window beyond 2^31": middle(
        lambda s: frame(WINDOW, 0, 0, word(2 ** 31 - 1)) * 2), "priority": middle(
        lambda s: frame(PRIORITY, 0, s, word(0) + b"\x01")), "priority of itself": middle(
        lambda s: frame(PRIORITY, 0, s, word(s) + b"\x01")), "push": middle(lambda s: frame(
            PUSH, END_HEADERS, s, word(2) + literal(":path", "/evil"))), "unknown frames": middle(
        lambda s: frame(200, 0xFF, s, bytes(900)) * 50), "origin and alternative": before(
        lambda s: frame(12, 0, 0, b"\0\x0ehttps://evil.x") + frame(10, 0, 0, b"\0\x01xh2=\":1\"")),
    "HTTP/1.1 instead": whole(lambda b, s: [
        b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(b) + b, "close"]), "rubbish": whole(
        lambda b, s: [b, "close"]), "silence": lambda photo, ask, stream: [1.0, "close"], "silence in the body": whole(
        lambda b, s: [ok(s, b), data(s, b[:500], flags=0), 1.5, "close"]),
    "pieces": whole(lambda b, s: [ok(s, b), *[step for place in range(0, len(b) - 1024, 1024) for step in (
        data(s, b[place:place + 1024], flags=0), 0.002)], data(s, b[(len(b) - 1025) // 1024 * 1024 + 1024:]), "again"]),
}
