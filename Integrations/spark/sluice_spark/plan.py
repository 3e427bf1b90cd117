# SPDX-License-Identifier: MIT
"""Reads a plan, the receipts of its shards, and their progress."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass, replace
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
            rows if is_committed else min(rows, self.attempt(shard)[1])
            for shard, (rows, is_committed) in enumerate(zip(self.rows, committed))
        )
        return Progress(photos, sum(self.rows), sum(committed), len(self.rows))

    def attempt(self, shard: int) -> tuple[str, int]:
        """The name of the attempt at a shard that wrote the last status, and the number of its finished photos."""
        try:
            status = json.loads((self.folder / "status" / f"{shard:05}.json").read_text())
            return str(status.get("attempt", "")), int(status["ended"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return "", 0


class ProgressWatch:
    """Follows the progress of a plan: the counts never fall, although another attempt begins again."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.first = self.last = plan.progress()
        self.attempts = self._attempts()

    def lines(self, seconds: float) -> list[str]:
        """Describes the changes since the last call; the watch has lasted some `seconds`."""
        now, attempts = self.plan.progress(), self._attempts()
        # A status that is being replaced has no name.
        attempts = {shard: each if each[0] else self.attempts.get(shard, each) for shard, each in attempts.items()}
        now = replace(now, photos=max(now.photos, self.last.photos), shards=max(now.shards, self.last.shards))
        lines = [
            f"shard {shard}: an attempt was lost after {before[1]} photos, and another one has begun"
            for shard, before in self.attempts.items()
            if before[0] and attempts.get(shard, before)[0] != before[0]
        ]
        if now != self.last:
            lines.append(now.text(self.first, seconds))
        self.last, self.attempts = now, attempts
        return lines

    def _attempts(self) -> dict[int, tuple[str, int]]:
        return {shard: self.plan.attempt(shard) for shard in self.plan.missing()}


def is_bucket(place: str) -> bool:
    """Whether a plan or a mirror is in a bucket."""
    return place.startswith("s3://")


def missing_in_bucket(merge: list[str]) -> list[int]:
    """The shards that the command of the merge names as missing; if there are none, it has merged the plan."""
    done = subprocess.run(merge, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    found = re.findall(r"^sluice work .* --shard (\d+) ", done.stdout, re.MULTILINE)
    if done.returncode != 0 and not found:
        raise ValueError(done.stderr.strip())
    return [int(number) for number in found]
