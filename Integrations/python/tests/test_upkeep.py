# SPDX-License-Identifier: MIT
"""Tests of the commands on a mirror, their results and how programs see them."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import os
import subprocess
from typing import Any, Dict, List

import sluice
from sluice.progress import Progress
from support import Case, need


def without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_none(each) for name, each in value.items() if each is not None}
    return [without_none(each) for each in value] if isinstance(value, list) else value


class UpkeepTests(Case):
    def setUp(self) -> None:
        super().setUp()
        self.demo().check()
        self.files = sorted((self.out / "originals").iterdir())

    def lines(self, name: str, *options: str) -> List[Dict[str, Any]]:
        """What the command itself prints."""
        words = [os.environ["SLUICE"], name, "--json", "--config=none", *options, str(self.out)]
        return [json.loads(line) for line in subprocess.run(words, capture_output=True, text=True).stdout.splitlines()]

    def assert_same(self, found: Any, members: Dict[str, Any]) -> None:
        """Tests that a result has all members that the command prints, and no other value."""
        have = without_none(dataclasses.asdict(found))
        # The members that the command prints on lines of their own, or only if they are true.
        others = {name: have[name] for name in ("faults", "in_reference") if name in have}
        event = {name: members[name] for name in ("schema", "event") if name in members}
        self.assertEqual({**members, **others}, {**event, **have})

    def test_verify(self) -> None:
        self.assertTrue(sluice.verify(self.out, config="none").is_intact)
        os.remove(self.files[0])
        self.files[1].write_bytes(b"x")
        (self.out / "originals" / "more.jpg").write_bytes(b"x")
        found = sluice.verify(self.out, config="none")
        self.assertFalse(found.is_intact)
        self.assertEqual((found.missing, found.changed, found.extra), (1, 1, 1))
        self.assertEqual([fault.kind for fault in found.faults], ["missing", "changed", "extra"])
        *faults, totals = self.lines("verify")
        self.assert_same(found, totals)
        for fault, members in zip(found.faults, faults):
            self.assert_same(fault, members)
        repaired = sluice.verify(self.out, repair=True, config="none")
        self.assertEqual((repaired.is_intact, repaired.faults), (True, []))
        self.assertEqual(self.files[0].exists(), True)

    def test_explain(self) -> None:
        service = self.serve(["missing.jpg"])
        sluice.mirror(service.list, self.out, retries=0, **service.options).wait()
        found = sluice.explain(self.out, config="none")
        self.assertEqual((found.done, found.failed), (3, 1))
        self.assertEqual([(each.cause, each.count, each.permanent) for each in found.groups], [("http-404", 1, True)])
        self.assert_same(found, self.lines("explain")[0])

    def test_duplicates(self) -> None:
        service = self.serve([self.files[0].name, self.files[0].name + "?again"])
        sluice.mirror(service.list, self.out, sizes=64, **service.options).check()
        (found,) = sluice.duplicates(self.out, keep="best", config="none")
        self.assertEqual([copy.decision for copy in found.files], ["keep", "drop", "drop"])
        (members,) = self.lines("duplicates", "--keep=best")
        self.assertEqual(found.kind, members["kind"])
        for copy, each in zip(found.files, members["files"]):
            self.assert_same(copy, each)

    def test_lock_is_a_source(self) -> None:
        service = self.serve([file.name for file in self.files])
        copy = self.folder / "copy"
        sluice.mirror(service.list, copy, sizes=64, **service.options).check()
        lock = self.folder / "photos.lock"
        locked = sluice.lock(copy, lock)
        rows = list(sluice.manifest(copy))
        self.assertEqual([(each.url, each.sha256, each.bytes, each.phash) for each in locked],
                         [(row["url"], row["sha256"], row["bytes"], row["phash"]) for row in rows])
        self.assertEqual(sluice.mirror(lock, self.folder / "again", **service.options).check().done, 3)
        # Without thumbnails there is no perceptual hash.
        sluice.mirror(service.list, self.folder / "none", sizes="none", **service.options).check()
        self.assertEqual([each.phash for each in sluice.lock(self.folder / "none")], [None] * 3)

    def test_recheck(self) -> None:
        service = self.serve([file.name for file in self.files])
        copy = self.folder / "copy"
        sluice.mirror(service.list, copy, sizes=64, **service.options).check()
        self.assertEqual(sluice.recheck(copy, **service.options), [])
        os.remove(self.files[0])
        (found,) = sluice.recheck(copy, **service.options)
        self.assertEqual((found.state, found.item, found.url), ("gone", 1, service.urls[0]))
        self.assertIn("404", f"{found.cause} {found.evidence}")
        with self.assertRaises(sluice.LimitReached):
            sluice.recheck(copy, prune=True, **service.options)
        self.assertEqual(len(sluice.recheck(copy, prune=True, prune_limit="100%", **service.options)), 1)
        self.assertEqual(next(iter(sluice.manifest(copy))).get("cause"), "withdrawn")

    def test_commands_raise_what_is_no_result(self) -> None:
        missing = self.folder / "missing"
        for call in (sluice.verify, sluice.explain, sluice.duplicates, sluice.lock, sluice.recheck):
            with self.assertRaises(sluice.SluiceError, msg=call.__name__):
                call(missing)
        with self.assertRaisesRegex(sluice.UsageError, "--no-such"):
            sluice.verify(self.out, no_such=True)
        (self.out / ".sluice" / "ledger.sqlite").write_bytes(b"no database" * 1000)
        with self.assertRaises(sluice.DamagedMirror):
            sluice.verify(self.out, config="none")

    def test_check_lists_causes(self) -> None:
        service = self.serve([self.files[0].name, "missing.jpg"])
        run = sluice.mirror(
            [*service.urls, "http://127.0.0.1:1/x.jpg"], self.folder / "copy", retries=0, **service.options
        )
        with self.assertRaises(sluice.PhotosFailed) as caught:
            run.check()
        self.assertIn("2 of 3 photos failed: ", str(caught.exception))
        for cause in ("1 http-404", "1 address-refused", "sluice.explain"):
            self.assertIn(cause, str(caught.exception))
        assert caught.exception.summary is not None
        self.assertEqual(caught.exception.summary.failed, 2)

    def totals(self, run: sluice.Run, pages: Any = None, items: Any = None) -> List[Any]:
        with contextlib.redirect_stderr(io.StringIO()):
            return self.totals_of(run, Progress(pages, [items]))

    def totals_of(self, run: sluice.Run, progress: Progress) -> List[Any]:
        found: List[Any] = []
        for event in run:
            progress.record(event)
            if not found or found[-1] != progress.expected:
                found.append(progress.expected)
        progress.close()
        return found

    def test_total_of_the_progress_bar_is_the_run_s(self) -> None:
        """The demo claims 300 photos on all its pages."""
        self.assertEqual(self.totals(self.demo(pages=2), pages=2), [None, 6])
        self.assertEqual(self.totals(self.demo(pages=None, max_items=4), items=4), [None, 4])
        service = self.serve([file.name for file in self.files])
        run = sluice.mirror(service.list, self.folder / "copy", sizes="none", **service.options)
        self.assertEqual(self.totals(run), [None, 3])

    def test_progress_bar(self) -> None:
        need("tqdm")
        text = io.StringIO()
        with contextlib.redirect_stderr(text):
            run = self.demo(pages=2, progress=True)
            run.check()
        self.assertIn("6/6", text.getvalue())
        progress = run._progress  # pyright: ignore[reportPrivateUsage]
        assert progress is not None
        self.assertEqual((progress.bar.total, progress.bar.n), (6, 6))
