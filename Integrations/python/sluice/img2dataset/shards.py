# SPDX-License-Identifier: MIT
"""Numbers shards and photos, and keeps the folder of the shards."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
from dataclasses import dataclass, field
from typing import Any, Dict, List, Set

from .choices import check, refusal
from .writers import Writer

_SHARD = re.compile(r"(\d+)(\.tar|\.parquet|\.tfrecord|_stats\.json)?")


@dataclass(frozen=True)
class Numbers:
    """The names of shards, and the keys of photos: the number of the shard and the index in it."""

    rows: int
    digits: int

    def __post_init__(self) -> None:
        for name, value in (("number_sample_per_shard", self.rows), ("oom_shard_count", self.digits)):
            if value < 1:
                raise refusal(name, value, "it must be at least 1")

    @property
    def _index_digits(self) -> int:
        return math.ceil(math.log10(self.rows))

    def name(self, shard: int) -> str:
        """The name of a shard's files without their endings."""
        return f"{shard:0{self.digits}d}"

    def key(self, shard: int, index: int) -> str:
        """The key of a photo."""
        return f"{10**self._index_digits * shard + index:0{self._index_digits + self.digits}d}"

    def shard(self, key: str) -> int:
        """The shard of a key."""
        return int(key) // int(10**self._index_digits)


@dataclass
class ShardFolder:
    """The folder of a dataset. A shard is complete if it has statistics, which are written last."""

    path: str
    numbers: Numbers
    first: int = 0
    is_replaced: bool = False
    done: Set[int] = field(default_factory=lambda: set())

    @staticmethod
    def open(path: str, numbers: Numbers, mode: str) -> ShardFolder:
        """Keeps the complete shards (`incremental`), begins behind them (`extend`), or removes them (`overwrite`)."""
        check("incremental_mode", mode, ["incremental", "overwrite", "extend"])
        if "://" in path:
            raise refusal("output_folder", path, "Sluice writes local files here; `sluice export` writes to buckets")
        folder = ShardFolder(os.path.abspath(path), numbers)
        os.makedirs(folder.path, exist_ok=True)
        found = {int(name.split("_")[0]) for name in os.listdir(folder.path) if re.fullmatch(r"\d+_stats\.json", name)}
        if mode == "extend":
            folder.first = max(found, default=-1) + 1
        elif mode == "incremental":
            folder.done = found
        folder.is_replaced = mode == "overwrite"
        shutil.rmtree(folder.temporary, ignore_errors=True)
        os.makedirs(folder.temporary)
        return folder

    @property
    def temporary(self) -> str:
        """The folder of unfinished files."""
        return os.path.join(self.path, "_tmp")

    def list_file(self, shard: int) -> str:
        """The part of the list that a shard has."""
        return os.path.join(self.temporary, f"{self.numbers.name(shard)}.arrow")

    def unfinished(self, shard: int) -> str:
        """The path of a shard's files, without their endings, until they are complete."""
        return os.path.join(self.temporary, self.numbers.name(shard))

    def commit(self, shard: int, writer: Writer, statistics: Dict[str, Any]) -> None:
        """Gives the files of a shard their names."""
        name = self.numbers.name(shard)
        for ending in writer.endings:
            target = os.path.join(self.path, name + ending)
            if os.path.isdir(target):
                shutil.rmtree(target)
            os.replace(writer.path + ending, target)
        unfinished = f"{self.unfinished(shard)}_stats.json"
        with open(unfinished, "w", encoding="utf-8") as file:
            json.dump(statistics, file, indent=4)
        os.replace(unfinished, os.path.join(self.path, f"{name}_stats.json"))
        os.remove(self.list_file(shard))

    def close(self) -> None:
        """Removes unfinished files."""
        shutil.rmtree(self.temporary, ignore_errors=True)

    def begin(self) -> None:
        """Removes the shards that the new ones replace, when these have photos."""
        names: List[str] = os.listdir(self.path) if self.is_replaced else []
        for name in filter(_SHARD.fullmatch, names):
            path = os.path.join(self.path, name)
            if os.path.isdir(path):
                shutil.rmtree(path)
            else:
                os.remove(path)
