# SPDX-License-Identifier: MIT
"""Processes one shard with a child process, in a task of Spark."""

import os
import subprocess
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pyspark import TaskContext

NEVER = 2
LONGEST_PAUSE = 60
LINES_OF_ERRORS = 20


class ShardUnfinished(Exception):
    """A shard that Spark should try again; its text has the end of the messages."""


@dataclass(frozen=True)
class ShardResult:
    """How a shard ended: `committed`, `failed` (trying again cannot help), or `gave up` in the last attempt."""

    shard: int
    outcome: str
    code: int
    messages: str = ""


@dataclass(frozen=True)
class ShardCommand:
    """The command of a shard, the same for all."""

    plan: str
    out: str
    sluice: str = "sluice"
    options: tuple[str, ...] = ()
    attempts: int = 4
    """How often Spark tries a task. An exception in the last attempt would end the whole job."""
    pause: float = 2
    """The seconds before Spark, which does not wait, tries a shard again; each further pause is twice as long."""

    def run_partition(self, shards: Iterable[int]) -> Iterator[ShardResult]:
        """Processes the shards of a partition; the function of `mapPartitions`."""
        context = TaskContext.get()
        for shard in shards:
            yield self.run(shard, context.attemptNumber() if context else 0)

    def run(self, shard: int, attempt: int) -> ShardResult:
        """Processes a shard; raises `ShardUnfinished` if another attempt follows."""
        code, messages = self._execute(shard)
        if code == 0:
            return ShardResult(shard, "committed", code)
        if code == NEVER:
            return ShardResult(shard, "failed", code, messages)
        if attempt + 1 >= self.attempts:
            return ShardResult(shard, "gave up", code, messages)
        time.sleep(min(self.pause * 2**attempt, LONGEST_PAUSE))
        raise ShardUnfinished(f"shard {shard} is not finished, exit code {code}\n{messages}")

    def _execute(self, shard: int) -> tuple[int, str]:
        """Runs the command; returns its exit code (negative for a signal) and the end of its messages."""
        # The child process is killed when its standard input ends, and that happens however this process ends.
        guards = ["--lifeline", "stdin", "--lock-wait", "60s"]
        words = [self.sluice, "work", self.plan, "--shard", str(shard), "--out", self.out, *guards, *self.options]
        try:
            process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                env=dict(os.environ), text=True, errors="replace",
            )  # fmt: skip
        except OSError as error:
            return NEVER, f"cannot run '{self.sluice}': {error}"
        with process:
            try:
                assert process.stderr
                lines = deque(process.stderr, maxlen=LINES_OF_ERRORS)
                return process.wait(), "".join(lines).strip()
            finally:
                # Spark may stop the task with an exception.
                process.kill()
