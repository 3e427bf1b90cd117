# SPDX-License-Identifier: MIT
"""Writes the files of a shard, as img2dataset names and arranges them."""

from __future__ import annotations

import io
import json
import os
import tarfile
from typing import Any, Dict, List, Optional

from .packages import package

# The rows that are kept in memory until they are written.
_ROWS = 1000

Facts = Dict[str, Any]


class Writer:
    """Writes nothing: the output format `dummy`."""

    # The endings of a shard's files.
    endings: List[str] = []

    def __init__(self, path: str, schema: Any, format: str) -> None:
        """Begins a shard whose files have this path without their endings; `format` is the ending of the pictures."""
        self.path, self.schema, self.format = path, schema, format

    def add(self, facts: Facts, picture: Optional[bytes], caption: Optional[str]) -> None:
        """Adds a photo, which has a picture unless it failed."""

    def close(self) -> None:
        """Finishes the files."""


class TableWriter(Writer):
    """Writes a Parquet table with the facts of all photos and their pictures: the output format `parquet`."""

    endings = [".parquet"]
    has_pictures = True

    def __init__(self, path: str, schema: Any, format: str) -> None:
        super().__init__(path, schema, format)
        self.arrow = package("pyarrow", "img2dataset.download")
        if self.has_pictures:
            self.schema = schema.append(self.arrow.field(format, self.arrow.binary()))
        self.table = package("pyarrow.parquet", "img2dataset.download").ParquetWriter(f"{path}.parquet", self.schema)
        self.rows: List[Facts] = []

    def add(self, facts: Facts, picture: Optional[bytes], caption: Optional[str]) -> None:
        self.rows.append({**facts, self.format: picture} if self.has_pictures else facts)
        if picture is not None:
            self.add_picture(facts, picture, caption)
        if len(self.rows) >= _ROWS:
            self._flush()

    def add_picture(self, facts: Facts, picture: bytes, caption: Optional[str]) -> None:
        """Adds the members of a photo with a picture."""

    def close(self) -> None:
        self._flush()
        self.table.close()

    def _flush(self) -> None:
        if self.rows:
            self.table.write_table(self.arrow.Table.from_pylist(self.rows, self.schema))
            self.rows = []


class MemberWriter(TableWriter):
    """Writes the members of photos beside the table."""

    has_pictures = False

    def add_picture(self, facts: Facts, picture: bytes, caption: Optional[str]) -> None:
        key = facts["key"]
        self.add_member(f"{key}.{self.format}", picture)
        self.add_member(f"{key}.json", json.dumps(facts, indent=4, default=str).encode())
        if caption is not None:
            self.add_member(f"{key}.txt", caption.encode())

    def add_member(self, name: str, content: bytes) -> None:
        """Adds a member."""
        raise NotImplementedError


class TarWriter(MemberWriter):
    """Writes a tar file: the output format `webdataset`."""

    endings = [".tar", ".parquet"]

    def __init__(self, path: str, schema: Any, format: str) -> None:
        super().__init__(path, schema, format)
        self.tar = tarfile.open(f"{path}.tar", "w", format=tarfile.USTAR_FORMAT)

    def add_member(self, name: str, content: bytes) -> None:
        member = tarfile.TarInfo(name)
        member.size = len(content)
        member.mode = 0o444
        self.tar.addfile(member, io.BytesIO(content))

    def close(self) -> None:
        super().close()
        self.tar.close()


class FolderWriter(MemberWriter):
    """Writes a folder of files: the output format `files`."""

    endings = ["", ".parquet"]

    def __init__(self, path: str, schema: Any, format: str) -> None:
        super().__init__(path, schema, format)
        os.makedirs(path)

    def add_member(self, name: str, content: bytes) -> None:
        with open(os.path.join(self.path, name), "wb") as file:
            file.write(content)
