# SPDX-License-Identifier: MIT
"""Tests of the Python API with the real command; `SLUICE` names it."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import unittest
from pathlib import Path
from typing import Any, List

import sluice
from support import Case, need

SCHEMA = Path(__file__).resolve().parents[3] / "Documentation" / "events.schema.json"


class EventTests(unittest.TestCase):
    def test_classes_have_all_members_of_the_schema(self) -> None:
        definitions = json.loads(SCHEMA.read_text())["$defs"]
        for name, kind in sluice.events.BY_NAME.items():
            members = set(definitions[name]["properties"]) - {"schema", "event"}
            self.assertEqual({each.name for each in dataclasses.fields(kind)} & members, members, name)
        listed = {reference["$ref"].split("/")[-1] for reference in json.loads(SCHEMA.read_text())["anyOf"]}
        self.assertEqual(listed, set(sluice.events.BY_NAME))

    def test_thumbnails_have_all_members_of_the_schema(self) -> None:
        thumb = json.loads(SCHEMA.read_text())["$defs"]["thumb"]
        self.assertEqual(sluice.Thumb.__required_keys__, set(thumb["required"]))
        self.assertEqual(set(sluice.Thumb.__annotations__), set(thumb["properties"]))

    def test_newer_events_and_members_do_not_fail(self) -> None:
        unknown = sluice.events.event({"event": "rainbow", "time": 2, "color": "red"})
        self.assertEqual(unknown, sluice.events.Unknown(time=2, members={"event": "rainbow", "time": 2, "color": "red"}))
        page = sluice.events.event({"event": "page-loaded", "time": 1, "page": 3, "photos": 9, "mood": "good"})
        self.assertEqual(page, sluice.events.PageLoaded(time=1, page=3, photos=9))


class RunTests(Case):
    def test_mirror_gives_events_and_a_summary(self) -> None:
        run = self.demo()
        events = list(run)
        self.assertIsInstance(events[0], sluice.events.RunStarted)
        self.assertEqual(events[-1], run.summary)
        ended = [event for event in events if isinstance(event, sluice.events.ItemEnded)]
        self.assertEqual([event.end for event in ended], ["done"] * 3)
        self.assertEqual(run.exit_code, 0)
        assert run.summary is not None
        self.assertEqual((run.summary.done, run.summary.thumbs), (3, 3))
        self.assertEqual(self.demo().check().kept, 3)

    def test_thumbs_and_manifest(self) -> None:
        self.demo().check()
        summary = sluice.thumbs(self.out / "originals", self.folder / "small", sizes="32", gallery=False).check()
        self.assertEqual(summary.done, 3)
        rows = list(sluice.manifest(self.out))
        self.assertEqual([row["seq"] for row in rows], [1, 2, 3])
        self.assertEqual(rows[0]["thumbs"][0]["size"], 64)
        self.assertEqual(sluice.manifest(self.out).columns()["state"], ["done"] * 3)

    def test_manifest_becomes_a_table(self) -> None:
        need("pyarrow")
        import pyarrow  # type: ignore[import-not-found,import-untyped,unused-ignore]

        self.demo().check()
        table = sluice.manifest(self.out).to_arrow()
        self.assertIsInstance(table, pyarrow.Table)
        self.assertEqual(table.column("seq").to_pylist(), [1, 2, 3])

    def test_export(self) -> None:
        self.demo().check()
        sluice.export(self.out, self.folder / "shards", size=64)
        self.assertTrue((self.folder / "shards" / "00000.tar").exists())

    def test_exceptions_by_exit_code(self) -> None:
        with self.assertRaisesRegex(sluice.UsageError, "--no-such"):
            sluice.mirror("demo", self.out, no_such=1).wait()
        with self.assertRaises(ValueError):
            sluice.mirror("demo", self.out, pages="many").wait()
        with self.assertRaises(sluice.FeedUnreadable) as caught:
            sluice.mirror("http://127.0.0.1:9/x.xml", self.out, retries=0).wait()
        self.assertEqual(caught.exception.exit_code, 4)
        with self.assertRaises(sluice.SluiceError):
            sluice.export(self.folder, self.folder / "shards")

    def test_failed_photos_are_a_result_until_checked(self) -> None:
        service = self.serve(["missing.jpg"])
        run = sluice.mirror(service.list, self.out, retries=0, **service.options)
        summary = run.wait()
        self.assertEqual((summary.failed, summary.causes, run.exit_code), (1, {"http-404": 1}, 3))
        with self.assertRaises(sluice.PhotosFailed):
            run.check()

    def test_leaving_a_block_stops_the_run_and_a_second_one_continues_it(self) -> None:
        self.demo(per_page=4).check()
        service = self.serve([file.name for file in sorted((self.out / "originals").iterdir())])
        service.gate.clear()
        out = self.folder / "copy"
        with sluice.mirror(service.list, out, concurrency=2, drain_timeout="100ms", **service.options) as run:
            for event in run:
                if isinstance(event, sluice.events.ItemEnded):
                    break
        self.assertEqual(run.exit_code, 130)
        assert run.summary is not None
        self.assertEqual(run.summary.done, 1)
        service.gate.set()
        summary = sluice.mirror(service.list, out, **service.options).check()
        self.assertEqual((summary.kept, summary.done), (1, 3))

    def test_program_that_is_another(self) -> None:
        self.addCleanup(os.environ.update, dict(os.environ))
        os.environ["SLUICE"] = shutil.which("echo") or "echo"
        with self.assertRaisesRegex(sluice.SluiceError, "cannot read the output of '/.*echo'"):
            sluice.mirror("demo", self.out).wait()
        with self.assertRaisesRegex(sluice.SluiceError, "cannot read the output of '/.*echo'"):
            sluice.verify(self.out)

    def test_command_that_is_missing(self) -> None:
        self.addCleanup(os.environ.update, dict(os.environ))
        os.environ["SLUICE"] = ""
        os.environ["PATH"] = str(self.folder)
        with self.assertRaises(sluice.CommandNotFound):
            sluice.find_command()


if __name__ == "__main__":
    unittest.main()
