# SPDX-License-Identifier: MIT
"""Generates files that are expensive for a careless decoder, each with the expected cause of failure, or none if it must
be accepted. The labels D1 to D11 are those of the catalogue of faults."""

import io
import struct
import zlib

from PIL import Image

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(name, body, claims=None):
    length = len(body) if claims is None else claims
    return struct.pack(">I", length) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(width, height, before=b"", pixels=b""):
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6 if width > 1 else 2, 0, 0, 0))
    data = chunk(b"IDAT", zlib.compress(pixels)) if pixels else b""
    return SIGNATURE + header + before + data + chunk(b"IEND", b"")


def small_png(before):
    """Returns a PNG of one pixel after other chunks."""
    return png(1, 1, before, b"\0\1\2\3")


def segment(marker, body):
    return bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body


def frame(width, height, marker=0xC0, depth=8):
    header = segment(marker, struct.pack(">BHHBBBB", depth, height, width, 1, 1, 0x11, 0))
    return b"\xFF\xD8" + header + segment(0xDA, bytes([1, 1, 0, 0, 63, 0])) + b"\0\xFF\xD9"


def scans(count):
    """Returns a picture of 48 megapixels whose last scan is repeated."""
    out = io.BytesIO()
    Image.new("L", (8000, 6000), 90).save(out, "JPEG", quality=75, progressive=True)
    file = out.getvalue()
    last = file.rfind(b"\xFF\xDA")
    repeats = count - file.count(b"\xFF\xDA")
    return file[:-2] + file[last:-2] * repeats + b"\xFF\xD9"


def webp(name, body):
    return b"RIFF" + struct.pack("<I", len(body) + 12) + b"WEBP" + name + struct.pack("<I", len(body)) + body


def lossless(width, height, body):
    bits = 0x2F | (width - 1) << 8 | (height - 1) << 22
    return webp(b"VP8L", (bits.to_bytes(5, "little") + body).ljust(20, b"\0"))


def text(length):
    return chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"a" * length))


def photo(format, **options):
    out = io.BytesIO()
    Image.radial_gradient("L").convert("RGB").save(out, format, **options)
    return out.getvalue()


def bombs():
    """Yields the label, the description, the bytes and the expected cause of each file."""
    zeros = b"x\0\0" + zlib.compress(b"\0" * 10_000_000)
    # An EXIF block whose directory offset points outside of the block.
    astray = b"Exif\0\0MM\0*\x7F\xFF\xFF\xFF"
    whole = photo("JPEG")
    yield "D1", "PNG of 60000x60000", png(60000, 60000), "too-many-pixels"
    yield "D1", "PNG of 65536x65536", png(65536, 65536), "too-many-pixels"
    yield "D1", "JPEG of 65535x65535", frame(65535, 65535), "too-many-pixels"
    yield "D1", "PNG of 10000x10000 in a few bytes", png(10000, 10000, pixels=b"\0"), "corrupt"
    yield "D2", "500 scans of 48 megapixels", scans(500), "too-many-scans"
    yield "D2", "90 scans of 48 megapixels", scans(90), "too-many-scans"
    for name in (b"iTXt", b"zTXt", b"tEXt", b"sPLT"):
        bomb = SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
        yield "D3", f"57 bytes, {name.decode()}", bomb + chunk(name, b"\0\0\0\0", 0x7FFFFFFF) + b"\0" * 8, "bad-chunk"
    yield "D3", "900 zTXt of 7.9 MB", small_png(text(7_900_000) * 900), None
    yield "D3", "10001 zTXt", small_png(text(10) * 10_001), "bad-chunk"
    yield "D4", "40 bytes of 16383x16383", lossless(16383, 16383, b"\x0F"), "too-many-pixels"
    yield "D4", "36 bytes of 10000x10000", plain_webp(10000, 10000), "decode-limit"
    for format in ("JPEG", "PNG", "WEBP"):
        file = photo(format)
        yield "D7", f"{format} without its last byte", file[:-1], "truncated"
    yield "D8", "an HTML page named .jpg", b"<!doctype html><script>alert(1)</script>", "not-an-image"
    yield "D9", "EXIF with an offset outside of its block", whole[:2] + segment(0xE1, astray) + whole[2:], None
    yield "D10", "iCCP of 10 MB in 10 kB", small_png(chunk(b"iCCP", zeros)), None
    yield "D10", "iCCP with a claimed length of 17 MB", small_png(chunk(b"iCCP", zeros, 17 << 20)), "bad-chunk"
    yield "D11", "JPEG of 12 bits", frame(8, 8, depth=12), "unsupported"
    yield "D11", "lossless JPEG", frame(8, 8, marker=0xC3), "unsupported"


def plain_webp(width, height):
    """Returns a lossless WebP whose Huffman codes have one symbol each, so that pixels take no bits."""
    bits, offset = 0, 0
    for value, count in [(0x2F, 8), (width - 1, 14), (height - 1, 14), (0, 7)] + [(1, 4)] * 5:
        bits |= value << offset
        offset += count
    return webp(b"VP8L", bits.to_bytes(16, "little"))
