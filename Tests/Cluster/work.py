# SPDX-License-Identifier: MIT
"""Plans, their running shards, and the comparison of merged mirrors with those of one machine."""

from __future__ import annotations

import hashlib
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from origins import PER_HOST, RATE
from processes import Failure, is_running, marked, until, variable, words

SHARDS = 8
OPTIONS = ["--per-host", str(PER_HOST), "--rate", str(RATE), "--sizes", "48"]


@dataclass(frozen=True)
class Run:
    """A plan of a list, and the folder of its mirror."""

    sluice: str
    photos: Path
    folder: Path
    network: tuple[str, ...]
    """The options that allow the origins' addresses."""

    @property
    def plan(self) -> Path:
        return self.folder / "plan"

    @property
    def out(self) -> Path:
        return self.folder / "out"

    def command(self, *arguments: object) -> None:
        """Runs a command of Sluice, which must succeed."""
        line = [self.sluice, *map(str, arguments)]
        done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
        if done.returncode != 0:
            raise Failure(f"{line}: exit code {done.returncode}\n{done.stderr}")

    def make_plan(self) -> None:
        self.command("plan", self.photos, "--shards", SHARDS, "--out", self.plan, *OPTIONS, *self.network)

    def mirror(self) -> None:
        """Makes the mirror on one machine, without a plan."""
        options = ["--config", "none", "--quiet", *OPTIONS, *self.network]
        self.command("mirror", self.photos, "--out", self.out, *options)

    def shards(self) -> dict[int, int]:
        """The running shards: their processes, by the shard's number."""
        return shards_of(str(self.plan))

    def ended(self, shard: int) -> int:
        """The photos of a shard that have a result, as its status says."""
        try:
            return int(json.loads((self.plan / f"status/{shard:05}.json").read_text())["ended"])
        except (OSError, ValueError):
            return 0

    def is_committed(self, shard: int) -> bool:
        return (self.plan / f"receipts/{shard:05}.json").exists()

    def started_shard(self, engine: subprocess.Popen[bytes] | None = None) -> tuple[int, int]:
        """Waits for a shard that has results and is not committed; returns its number and its process."""
        found: list[tuple[int, int]] = []

        def find() -> bool:
            if engine and engine.poll() is not None:
                raise Failure("all shards ended before one could be killed, or the engine has failed")
            found[:] = [
                (shard, process)
                for shard, process in self.shards().items()
                if self.ended(shard) >= 3 and not self.is_committed(shard)
            ]
            return bool(found)

        until("a shard with results", 300, find)
        return found[0]

    def wait_for_end(self, process: int) -> None:
        """Waits until nothing is left of a shard's process whose parent was killed."""
        until(f"the end of the orphan {process}", 20, lambda: not is_running(process))

    def check(self, plain: Run) -> None:
        """Fails unless the merged mirror has the files of the plain one."""
        mine, expected = files(self.out), files(plain.out)
        if different := [name for name in mine.keys() | expected.keys() if mine.get(name) != expected.get(name)]:
            raise Failure(f"{len(different)} files differ from those of one machine, for example {different[0]}")
        rows = [json.loads(line) for line in (self.out / "manifest.jsonl").read_text().splitlines()]
        listed = len(self.photos.read_text().splitlines())
        if [row["seq"] for row in rows] != list(range(1, listed + 1)) or {row["state"] for row in rows} != {"done"}:
            raise Failure("the manifest does not have each photo once")
        if not (self.out / "_SUCCESS").exists() or (self.out / ".sluice/shards").exists():
            raise Failure("the merge has left attempts, or no _SUCCESS")


def shards_of(plan: str) -> dict[int, int]:
    """The running shards of a plan: their processes, by the shard's number."""
    found = {}
    for process in marked():
        line = words(process)
        if len(line) > 2 and line[1] == "work" and line[2] == plan:
            flag = line.index("--shard") if "--shard" in line else 0
            if number := line[flag + 1] if flag else variable(process, "SLURM_ARRAY_TASK_ID"):
                found[int(number)] = process
    return found


def files(folder: Path) -> dict[str, str]:
    """The digests of the files of a mirror that do not depend on the run."""
    found = {}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if not path.is_file() or name.startswith((".sluice/", "report.")) or name in ("certificate.json", "_SUCCESS"):
            continue
        found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found
