# SPDX-License-Identifier: MIT
"""Runs the missing shards of a plan as one job of Spark."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

from pyspark import SparkContext

from sluice_spark.plan import Plan, ProgressWatch, is_bucket, missing_in_bucket
from sluice_spark.shard import ShardCommand, ShardResult

POLL_SECONDS = 2
UNWANTED = ("spark.speculation", "spark.dynamicAllocation.enabled")


def process_shards(
    context: SparkContext, command: ShardCommand, merge: list[str], *, allows_copies: bool = False
) -> list[ShardResult]:
    """Runs each missing shard of the plan as a task; returns their results.

    If the plan is in a bucket, `merge`, the command of the merge, names them, and no progress is printed.
    Refuses a context with speculation or dynamic allocation unless `allows_copies`: copies of a task ask the same hosts
    at the same time, and removed executors repeat work.
    """
    for name in UNWANTED:
        if not allows_copies and context.getConf().get(name, "false") == "true":
            raise ValueError(f"cannot run shards with {name}; turn it off, or allow it explicitly")
    plan = None if is_bucket(command.plan) else Plan.read(Path(command.plan))
    missing = plan.missing() if plan else missing_in_bucket(merge)
    if not missing:
        return []
    command = replace(command, attempts=attempts(context))
    with tempfile.TemporaryDirectory() as folder:
        # Executors then need nothing but Python and Sluice.
        package = Path(__file__).parent
        archive = shutil.make_archive(f"{folder}/sluice_spark", "zip", package.parent, package.name)
        context.addPyFile(archive)
        with progress_lines(plan) if plan else nullcontext():
            return context.parallelize(missing, len(missing)).mapPartitions(command.run_partition).collect()


def attempts(context: SparkContext) -> int:
    """How often Spark tries a task."""
    local = re.fullmatch(r"local(?:\[[^,\]]+(?:, *(\d+))?\])?", context.master or "")
    return int((local[1] or 1) if local else context.getConf().get("spark.task.maxFailures", "4") or 4)


@contextmanager
def progress_lines(plan: Plan) -> Iterator[None]:
    """Prints changes of the progress. It comes from files, because Spark reports nothing before a task ends."""
    is_finished = threading.Event()

    def show() -> None:
        start, watch = time.monotonic(), ProgressWatch(plan)
        while not is_finished.wait(POLL_SECONDS):
            for line in watch.lines(time.monotonic() - start):
                print(line, file=sys.stderr, flush=True)

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_finished.set()
        thread.join()
