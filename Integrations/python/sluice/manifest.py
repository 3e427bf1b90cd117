# SPDX-License-Identifier: MIT
"""The manifest of a mirror."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Iterator, List, TypedDict, Union, cast

from . import notebook

class Thumb(TypedDict):
    """A thumbnail of a photo."""

    size: Union[int, str]
    file: str
    width: int
    height: int
    bytes: int
    format: str
    sha256: str


class Row(TypedDict, total=False):
    """A photo of a mirror. A missing fact is absent."""

    schema: int
    seq: int
    id: str
    feed: str
    page: int
    collection: str
    state: str
    cause: str
    detail: str
    url: str
    final_url: str
    status: int
    file: str
    bytes: int
    sha256: str
    format: str
    width: int
    height: int
    orientation: int
    etag: str
    last_modified: str
    color: str
    placeholder: str
    phash: str
    caption: str
    author: str
    author_url: str
    page_url: str
    license: str
    license_url: str
    attribution: str
    thumbs: List[Thumb]
    date: int
    camera: str
    columns: Dict[str, Any]
    source: str
    tags: str
    usage: str
    sidecar: Dict[str, Any]
    variant: str
    license_at_download: str
    camera_facts: Dict[str, Any]
    host_digest: str
    date_source: str
    rating: int
    user_caption: str
    user_tags: str


class Manifest:
    """The photos of a mirror in the order of its source. Each iteration reads the file again."""

    def __init__(self, directory: Union[str, "os.PathLike[str]"]) -> None:
        self.directory = os.fspath(directory)
        self.path = os.path.join(self.directory, "manifest.jsonl")
        os.stat(self.path)

    def __iter__(self) -> Iterator[Row]:
        with open(self.path, encoding="utf-8") as lines:
            for line in lines:
                yield cast(Row, json.loads(line))

    def columns(self) -> Dict[str, List[Any]]:
        """Returns the columns; a missing fact is `None`."""
        rows = [cast(Dict[str, Any], row) for row in self]
        names: Dict[str, None] = {}
        for row in rows:
            names.update(dict.fromkeys(row))
        return {name: [row.get(name) for row in rows] for name in names}

    def to_arrow(self) -> Any:
        """Returns a `pyarrow.Table`."""
        import pyarrow  # type: ignore[import-not-found,import-untyped,unused-ignore]

        return pyarrow.table(self.columns())  # pyright: ignore

    def to_pandas(self) -> Any:
        """Returns a `pandas.DataFrame`."""
        import pandas  # type: ignore[import-not-found,import-untyped,unused-ignore]

        return pandas.DataFrame(self.columns())  # pyright: ignore

    def _repr_html_(self) -> str:
        """The first photos, for notebooks."""
        return notebook.photos(self.directory, self)


def manifest(directory: Union[str, "os.PathLike[str]"]) -> Manifest:
    """Returns the manifest of the mirror in a folder."""
    return Manifest(directory)
