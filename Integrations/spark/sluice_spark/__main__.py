# SPDX-License-Identifier: MIT
"""The command: plans, runs the missing shards, and merges."""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from pathlib import Path

if not __package__:
    # spark-submit runs this file without its package.
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pyspark.sql import SparkSession

from sluice_spark.driver import process_shards
from sluice_spark.plan import is_bucket
from sluice_spark.shard import NEVER, ShardCommand

TRY_AGAIN = 75


def main() -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="sluice_spark", description="Run the missing shards of a Sluice plan on Apache Spark, then merge them."
    )
    parser.add_argument("plan", help="folder of the plan, shared by all machines, or its bucket (s3://...)")
    parser.add_argument("--out", help="folder or bucket of the mirror (default PLAN/mirror)")
    parser.add_argument("--source", help="plan this source first; `sluice plan` gets the words after --")
    parser.add_argument("--sluice", default="sluice", help="the command on all machines (default sluice)")
    parser.add_argument(
        "--options", default="", help="options for `sluice work` and `sluice merge` that a plan may not set, in one word"
    )
    parser.add_argument("--work-options", default="", help="options for `sluice work`, in one word")
    parser.add_argument("--speculation", action="store_true", help="allow speculative copies of shards")
    parser.add_argument("--dynamic-allocation", action="store_true", help="allow Spark to remove executors")
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:split])
    planning = words[split + 1 :]
    if planning and not options.source:
        parser.error("the words after -- need --source")

    plan = place(options.plan)
    given = shlex.split(options.options)
    out = place(options.out or f"{plan}/mirror")
    merge = [options.sluice, "merge", plan, "--out", out, *given]
    if options.source:
        if code := subprocess.call([options.sluice, "plan", options.source, "--out", plan, *planning]):
            return code
    session = (
        SparkSession.builder.appName("sluice").config("spark.ui.showConsoleProgress", "false")
        .config("spark.speculation", str(options.speculation).lower())
        .config("spark.dynamicAllocation.enabled", str(options.dynamic_allocation).lower())
        .getOrCreate()
    )
    try:
        command = ShardCommand(plan, out, options.sluice, (*given, *shlex.split(options.work_options)))
        results = process_shards(
            session.sparkContext, command, merge, allows_copies=options.speculation or options.dynamic_allocation
        )
    except ValueError as error:
        print(error, file=sys.stderr)
        return NEVER
    finally:
        session.stop()
    unfinished = [result for result in results if result.outcome != "committed"]
    for result in unfinished:
        print(f"shard {result.shard} {result.outcome}, exit code {result.code}\n{result.messages}", file=sys.stderr)
    if unfinished:
        return NEVER if all(result.outcome == "failed" for result in unfinished) else TRY_AGAIN
    return subprocess.call(merge)


def place(text: str) -> str:
    """The URL of a bucket, or the absolute path of a folder."""
    return text if is_bucket(text) else str(Path(text).resolve())


if __name__ == "__main__":
    sys.exit(main())
