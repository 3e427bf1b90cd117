# SPDX-License-Identifier: MIT
"""Reads a plan, the receipts of its shards, and their progress."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Progress:
    """How much of a plan is finished."""

    photos: int
    all_photos: int
    shards: int
    all_shards: int

    def text(self, first: Progress, seconds: float) -> str:
        """Describes the progress; the time left follows from the photos since `first`, some `seconds` ago."""
        line = f"{self.photos} of {self.all_photos} photos, {self.shards} of {self.all_shards} shards"
        finished = self.photos - first.photos
        if finished <= 0 or seconds <= 0 or self.photos >= self.all_photos:
            return line
        left = round((self.all_photos - self.photos) * seconds / finished)
        return f"{line}, about {left // 3600}:{left // 60 % 60:02}:{left % 60:02} left"


@dataclass(frozen=True)
class Plan:
    """A plan in a folder that the driver and all executors share."""

    folder: Path
    rows: tuple[int, ...]

    @staticmethod
    def read(folder: Path) -> Plan:
        """Reads the plan in a folder."""
        try:
            shards = json.loads((folder / "plan.json").read_text())["shards"]
            return Plan(folder.resolve(), tuple(int(shard["rows"]) for shard in shards))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ValueError(f"cannot read plan '{folder}': {error}") from error

    def is_committed(self, shard: int) -> bool:
        """Whether an attempt has committed the shard."""
        return (self.folder / "receipts" / f"{shard:05}.json").exists()

    def missing(self) -> list[int]:
        """The shards that are not committed, largest first, so that the last ones to end are small."""
        missing = [shard for shard in range(len(self.rows)) if not self.is_committed(shard)]
        return sorted(missing, key=lambda shard: (-self.rows[shard], shard))

    def progress(self) -> Progress:
        """Adds up the status files of all shards."""
        committed = [self.is_committed(shard) for shard in range(len(self.rows))]
        photos = sum(
            rows if is_committed else min(rows, self._ended(shard))
            for shard, (rows, is_committed) in enumerate(zip(self.rows, committed))
        )
        return Progress(photos, sum(self.rows), sum(committed), len(self.rows))

    def _ended(self, shard: int) -> int:
        try:
            status = json.loads((self.folder / "status" / f"{shard:05}.json").read_text())
            return int(status["ended"])
        except (OSError, ValueError, KeyError, TypeError):
            return 0
