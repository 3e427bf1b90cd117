# SPDX-License-Identifier: MIT
"""Makes shards of lists and of the mirror that has their photos."""

from __future__ import annotations

import hashlib
import io
import json
import logging
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple, Type

from ..manifest import Row
from .lists import Lists
from .packages import package
from .pictures import Pictures
from .rules import Left, Rules
from .shards import ShardFolder
from .writers import Facts, Writer

# The photos whose pictures are in memory at a time.
_CHUNK = 64


@dataclass
class Dataset:
    """The shards of a call, from the lists and the manifest of the mirror."""

    lists: Lists
    folder: ShardFolder
    pictures: Pictures
    rules: Rules
    writer: Type[Writer]
    hash: Optional[str]
    verifies: bool
    has_captions: bool
    has_exif: bool
    boxes: Optional[str]
    began: float = field(default_factory=time.time)
    # The number of photos of each shard that the command was given.
    sent: Dict[int, int] = field(default_factory=lambda: {})

    def photos(self) -> Iterator[Dict[str, str]]:
        """Reads the lists, stores the part of each shard, and returns the photos to download."""
        ipc = package("pyarrow.ipc", "img2dataset.download")
        for shard, table in enumerate(self.lists.shards(self.folder.numbers.rows), self.folder.first):
            if shard in self.folder.done:
                continue
            with ipc.new_file(self.folder.list_file(shard), table.schema) as file:
                file.write_table(table)
            addresses = [(index, url) for index, url in enumerate(table.column("url").to_pylist()) if _is_address(url)]
            self.sent[shard] = len(addresses)
            for index, url in addresses:
                yield {"id": self.folder.numbers.key(shard, index), "url": url}

    def write(self, manifest: Iterable[Row], is_whole: bool) -> bool:
        """Writes the shards. If the run was cut short, it leaves those with photos that no run has tried.

        Returns whether all are written.
        """
        waiting: Dict[int, Dict[str, Row]] = {shard: {} for shard in self.sent}
        length = len(self.folder.numbers.key(0, 0))
        for row in manifest:
            key = row.get("id", "")
            shard = self.folder.numbers.shard(key) if len(key) >= length and key.isdecimal() else -1
            if shard not in waiting or row.get("cause") == "deferred":
                continue
            waiting[shard][key] = row
            if len(waiting[shard]) == self.sent[shard]:
                self._write_shard(shard, waiting.pop(shard))
        for shard, rows in list(waiting.items()):
            if is_whole or len(rows) == self.sent[shard]:
                self._write_shard(shard, waiting.pop(shard))
        return not waiting

    def _write_shard(self, shard: int, rows: Dict[str, Row]) -> None:
        table = package("pyarrow.ipc", "img2dataset.download").open_file(self.folder.list_file(shard)).read_all()
        writer = self.writer(self.folder.unfinished(shard), self._schema(table.schema), self.pictures.format)
        words: Counter[str] = Counter()
        statuses: Counter[str] = Counter()
        samples = ((self.folder.numbers.key(shard, index), facts) for index, facts in enumerate(table.to_pylist()))
        for facts, picture in self._finished(((key, facts, rows.get(key)) for key, facts in samples)):
            statuses[facts["status"]] += 1
            words[facts["error_message"] or "success"] += 1
            caption = facts.get("caption") if self.has_captions else None
            text = ("" if caption is None else str(caption)) if self.has_captions else None
            writer.add(facts, picture, text)
        writer.close()
        now = time.time()
        self.folder.commit(shard, writer, {
            "count": table.num_rows, "successes": statuses["success"],
            "failed_to_download": statuses["failed_to_download"], "failed_to_resize": statuses["failed_to_resize"],
            "duration": now - self.began, "start_time": self.began, "end_time": now, "status_dict": dict(words),
        })

    def _schema(self, schema: Any) -> Any:
        arrow = package("pyarrow", "img2dataset.download")
        text, number = arrow.string(), arrow.int32()
        names = {"key": text, "status": text, "error_message": text}
        names.update(dict.fromkeys(["width", "height", "original_width", "original_height"], number))
        if self.has_exif:
            names["exif"] = text
        for name, kind in names.items():
            schema = schema.append(arrow.field(name, kind))
        if self.hash is not None and self.hash not in schema.names:
            schema = schema.append(arrow.field(self.hash, text))
        return schema

    def _finished(
        self, samples: Iterator[Tuple[str, Facts, Optional[Row]]]
    ) -> Iterator[Tuple[Facts, Optional[bytes]]]:
        with ThreadPoolExecutor() as pool:
            chunk: List[Tuple[str, Facts, Optional[Row]]] = []
            for sample in samples:
                chunk.append(sample)
                if len(chunk) == _CHUNK:
                    yield from pool.map(self._sample, chunk)
                    chunk = []
            yield from pool.map(self._sample, chunk)

    def _sample(self, sample: Tuple[str, Facts, Optional[Row]]) -> Tuple[Facts, Optional[bytes]]:
        """Returns the facts of a photo, and its picture if it has one."""
        key, listed, row = sample
        expected = listed.get(self.hash) if self.hash is not None and self.verifies else None
        facts: Facts = {
            **listed, "key": key, "status": "success", "error_message": None, "width": None, "height": None,
            "original_width": None, "original_height": None,
        }
        if self.has_exif:
            facts["exif"] = None
        if self.hash is not None:
            facts[self.hash] = None
        try:
            if row is None:
                raise Left("failed_to_download", f"feed-parse: not an http:// or https:// address: {listed['url']}")
            return facts, self._add_facts(facts, row, expected)
        except Left as reason:
            facts["status"], facts["error_message"] = reason.status, str(reason)
        except OSError as error:
            facts["status"], facts["error_message"] = "failed_to_download", f"disk: {error}"
        except Exception as error:
            # Such as boxes that are none, or a picture that OpenCV cannot encode.
            facts["status"], facts["error_message"] = "failed_to_resize", str(error) or type(error).__name__
        return facts, None

    def _add_facts(self, facts: Facts, row: Row, expected: Optional[str]) -> bytes:
        self.rules.check(row)
        is_hashed = self.hash is not None and self.hash != "sha256"
        original = self.pictures.original(row) if is_hashed or self.has_exif else b""
        digest = row.get("sha256") if self.hash == "sha256" else None
        if self.hash is not None and is_hashed:
            digest = hashlib.new(self.hash, original).hexdigest()
        if self.verifies and (expected is None or str(expected).lower() != digest):
            raise Left("failed_to_download", "hash mismatch")
        picture = self.pictures.picture(row, facts.get(self.boxes) if self.boxes else None)
        if self.has_exif:
            facts["exif"] = _exif(original)
        if self.hash is not None:
            facts[self.hash] = digest
        facts["width"], facts["height"] = picture.width, picture.height
        facts["original_width"], facts["original_height"] = row.get("width"), row.get("height")
        return picture.content


def _is_address(url: Any) -> bool:
    return isinstance(url, str) and url.lower().startswith(("http://", "https://"))


def _exif(original: bytes) -> Optional[str]:
    """Returns the EXIF tags as ExifRead names and prints them."""
    try:
        tags = package("exifread", "extract_exif").process_file(io.BytesIO(original), details=False)
        return json.dumps({name: str(value).strip() for name, value in tags.items() if value is not None})
    except Exception:
        return None


def prepare_exif() -> None:
    """Checks that ExifRead exists, and silences its warnings about damaged files."""
    package("exifread", "extract_exif")
    logging.getLogger("exifread").setLevel(logging.CRITICAL)
