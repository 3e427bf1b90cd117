# SPDX-License-Identifier: MIT
"""Plans, progress and single shards, with small scripts in place of the command."""

import json
import stat
import tempfile
import unittest
from pathlib import Path

from sluice_spark.plan import Plan, Progress, ProgressWatch, is_bucket, missing_in_bucket
from sluice_spark.shard import ShardCommand, ShardUnfinished


class Shards(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def command(self, script: str) -> ShardCommand:
        program = self.folder / "sluice"
        program.write_text("#!/bin/sh\n" + script)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return ShardCommand("plan", "out", str(program), ("--concurrency", "3"), attempts=2, pause=0)

    def test_words_and_lifeline(self) -> None:
        # Standard input stays open while the child process runs.
        command = self.command('echo "$@" >"$0.words"; timeout 0.2 cat; [ $? = 124 ]')
        self.assertEqual(command.run(7, 0).outcome, "committed")
        self.assertEqual(
            (self.folder / "sluice.words").read_text(),
            "work plan --shard 7 --out out --lifeline stdin --lock-wait 60s --concurrency 3\n",
        )

    def test_another_attempt_follows_with_the_end_of_the_messages(self) -> None:
        command = self.command("seq 100 >&2; exit 75")
        with self.assertRaisesRegex(ShardUnfinished, "exit code 75\n81\n(.*\n)*100$"):
            command.run(0, 0)
        with self.assertRaisesRegex(ShardUnfinished, "exit code -9"):
            self.command("kill -9 $$").run(0, 0)

    def test_the_last_attempt_returns_a_row(self) -> None:
        result = self.command("echo full >&2; exit 75").run(0, 1)
        self.assertEqual((result.outcome, result.code, result.messages), ("gave up", 75, "full"))

    def test_invalid_plans_are_not_tried_again(self) -> None:
        self.assertEqual(self.command("exit 2").run(0, 0).outcome, "failed")
        self.assertEqual(ShardCommand("plan", "out", "/missing").run(0, 0).outcome, "failed")

    def test_missing_shards_and_progress(self) -> None:
        with self.assertRaisesRegex(ValueError, "cannot read plan"):
            Plan.read(self.folder)
        for name in ("receipts", "status"):
            (self.folder / name).mkdir()
        (self.folder / "plan.json").write_text(json.dumps({"shards": [{"rows": 10}, {"rows": 30}, {"rows": 20}]}))
        (self.folder / "receipts" / "00000.json").write_text("{}")
        (self.folder / "status" / "00001.json").write_text('{"ended": 15}')
        (self.folder / "status" / "00002.json").write_text("{")
        plan = Plan.read(self.folder)
        self.assertEqual(plan.missing(), [1, 2])
        progress = plan.progress()
        self.assertEqual(progress, Progress(25, 60, 1, 3))
        self.assertEqual(progress.text(Progress(10, 60, 0, 3), 30), "25 of 60 photos, 1 of 3 shards, about 0:01:10 left")
        self.assertEqual(progress.text(progress, 30), "25 of 60 photos, 1 of 3 shards")

    def test_progress_never_falls_and_lost_attempts_are_reported(self) -> None:
        (self.folder / "status").mkdir()
        (self.folder / "plan.json").write_text(json.dumps({"shards": [{"rows": 10}, {"rows": 30}]}))

        def write(attempt: str, ended: int) -> None:
            status = {"attempt": attempt, "ended": ended}
            (self.folder / "status" / "00001.json").write_text(json.dumps(status))

        watch = ProgressWatch(Plan.read(self.folder))
        write("a", 20)
        self.assertEqual(watch.lines(10), ["20 of 40 photos, 0 of 2 shards, about 0:00:10 left"])
        write("b", 2)
        self.assertEqual(watch.lines(20), ["shard 1: an attempt was lost after 20 photos, and another one has begun"])
        (self.folder / "status" / "00001.json").write_text("{")
        self.assertEqual(watch.lines(30), [])
        write("b", 25)
        self.assertEqual(watch.lines(40), ["25 of 40 photos, 0 of 2 shards, about 0:00:24 left"])

    def test_a_merge_names_the_missing_shards_of_a_bucket(self) -> None:
        self.assertTrue(is_bucket("s3://jobs/plan") and not is_bucket("/jobs/plan"))
        command = self.command("for i in 3 12; do echo sluice work s3://a/p --shard $i --out s3://a/o; done; exit 3")
        self.assertEqual(missing_in_bucket([command.sluice, "merge", "s3://a/p"]), [3, 12])
        self.assertEqual(missing_in_bucket([self.command("echo merged >&2").sluice]), [])
        with self.assertRaisesRegex(ValueError, "no such bucket"):
            missing_in_bucket([self.command("echo no such bucket >&2; exit 2").sluice])


if __name__ == "__main__":
    unittest.main()
