# SPDX-License-Identifier: MIT
"""Writes TFRecord files of `tf.train.Example` messages, without TensorFlow."""

from __future__ import annotations

import struct
from typing import Any, List, Optional

from .writers import Facts, TableWriter


class RecordWriter(TableWriter):
    """Writes the members of photos as examples beside the table: the output format `tfrecord`."""

    endings = [".tfrecord", ".parquet"]
    has_pictures = False

    def __init__(self, path: str, schema: Any, format: str) -> None:
        super().__init__(path, schema, format)
        self.file = open(f"{path}.tfrecord", "wb")

    def add_picture(self, facts: Facts, picture: bytes, caption: Optional[str]) -> None:
        members = {"key": facts["key"], self.format: picture, **({} if caption is None else {"txt": caption}), **facts}
        self.file.write(framed(example(members)))

    def close(self) -> None:
        super().close()
        self.file.close()


def example(members: Facts) -> bytes:
    """Encodes a message Example with a feature for each member."""
    entries = (_field(1, name.encode()) + _field(2, _feature(value)) for name, value in members.items())
    return _field(1, b"".join(_field(1, entry) for entry in entries))


def framed(message: bytes) -> bytes:
    """Adds the length and the checksums of a record."""
    length = struct.pack("<Q", len(message))
    return length + struct.pack("<I", _masked(length)) + message + struct.pack("<I", _masked(message))


def _feature(value: Any) -> bytes:
    values: List[Any] = value if hasattr(value, "append") else [value]
    if values and all(isinstance(each, int) for each in values):
        return _field(3, _field(1, b"".join(_varint(each & (1 << 64) - 1) for each in values)))
    if values and all(isinstance(each, (int, float)) for each in values):
        return _field(2, _field(1, struct.pack(f"<{len(values)}f", *values)))
    return _field(1, b"".join(_field(1, _bytes(each)) for each in values))


def _bytes(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    return b"" if value is None else str(value).encode()


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def _entry(byte: int) -> int:
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    return byte


_TABLE = [_entry(byte) for byte in range(256)]


def crc32c(content: bytes) -> int:
    """Returns the checksum of Castagnoli."""
    table, checksum = _TABLE, 0xFFFFFFFF
    for byte in content:
        checksum = table[(checksum ^ byte) & 0xFF] ^ checksum >> 8
    return checksum ^ 0xFFFFFFFF


def _masked(content: bytes) -> int:
    checksum = crc32c(content)
    return ((checksum >> 15 | checksum << 17) + 0xA282EAD8) & 0xFFFFFFFF
