# SPDX-License-Identifier: MIT
"""Tests of lists, tables and several sources."""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import threading
from pathlib import Path
from typing import Any, Dict, Iterator, List, Set

import sluice
from sluice import source
from sluice.command import REPEATABLE
from support import Case, Service, need


class SourceTests(Case):
    def setUp(self) -> None:
        super().setUp()
        self.demo().check()
        self.copy = self.folder / "copy"
        self.names = [file.name for file in sorted((self.out / "originals").iterdir())]
        self.service = self.serve(self.names)

    def mirror(self, source: Any, **options: Any) -> sluice.Run:
        return sluice.mirror(source, self.copy, **{"sizes": [64], **self.service.options, **options})

    def rows(self) -> List[Dict[str, Any]]:
        return [dict(row) for row in sluice.manifest(self.copy)]

    def test_addresses(self) -> None:
        self.assertEqual(self.mirror(self.service.urls).check().done, 3)
        self.assertEqual([row["url"] for row in self.rows()], self.service.urls)
        self.assertEqual(self.mirror(iter(self.service.urls)).check().kept, 3)
        self.assertEqual(self.mirror(dict.fromkeys(self.service.urls).keys()).check().kept, 3)

    def test_records_keep_their_columns(self) -> None:
        records = [
            {"url": url, "caption": f"Photo {i}", "score": i / 2, "day": datetime.date(2024, 1, 1 + i), "none": None,
             "missing": float("nan"), "tags": ["a", "b"]}
            for i, url in enumerate(self.service.urls)
        ]
        self.assertEqual(self.mirror(records).check().done, 3)
        rows = self.rows()
        self.assertEqual([row["caption"] for row in rows], ["Photo 0", "Photo 1", "Photo 2"])
        self.assertEqual([row["tags"] for row in rows], ["a, b"] * 3)
        self.assertEqual(
            [row["columns"] for row in rows],
            [{"score": 0, "day": "2024-01-01"}, {"score": 0.5, "day": "2024-01-02"}, {"score": 1, "day": "2024-01-03"}],
        )

    def test_numbers_of_numpy(self) -> None:
        need("numpy")
        import numpy

        self.mirror([{"url": self.service.urls[0], "n": numpy.int64(7), "vector": numpy.array([1, 2])}]).check()
        self.assertEqual(self.rows()[0]["columns"], {"n": 7, "vector": [1, 2]})

    def columns(self) -> Dict[str, List[Any]]:
        days = [datetime.datetime(2024, 1, 1), datetime.datetime(2024, 1, 2, 3, 4, 5), None]
        return {
            "url": self.service.urls, "caption": ["Älter", "b", None], "n": [1, 2, 10**15 - 1], "score": [1.5, None, 1 / 3],
            "day": days, "likes": [True, False, True],
        }

    def test_pandas(self) -> None:
        need("pandas")
        import pandas

        table = pandas.DataFrame(self.columns())
        self.check_columns(self.mirror(table[table["n"] > 0]), "2024-01-02T03:04:05.000")
        self.assertEqual(self.mirror(table["url"]).check().kept, 3)

    def test_polars(self) -> None:
        need("polars")
        import polars

        table = polars.DataFrame(self.columns())
        self.check_columns(self.mirror(table), "2024-01-02 03:04:05")
        self.assertEqual(self.mirror(table["url"]).check().kept, 3)

    def check_columns(self, run: sluice.Run, day: str) -> None:
        self.assertEqual(run.check().done, 3)
        first, second, third = self.rows()
        self.assertEqual([first["caption"], second["caption"], "caption" in third], ["Älter", "b", False])
        self.assertEqual(second["columns"], {"n": 2, "day": day, "likes": False})
        self.assertEqual({"n": third["columns"]["n"], "likes": third["columns"]["likes"]}, {"n": 10**15 - 1, "likes": True})
        self.assertAlmostEqual(third["columns"]["score"], 1 / 3, places=14)

    def test_table_longer_than_a_part_of_it(self) -> None:
        need("pandas")
        import pandas

        table = pandas.DataFrame({"url": [f"http://a.example/{i}" for i in range(25_000)]})
        given = source.read(table)
        assert given.lines is not None
        lines = b"".join(given.lines).splitlines()
        self.assertEqual((len(lines), given.photos), (25_000, 25_000))
        self.assertEqual(lines[-1], b'{"url":"http:\\/\\/a.example\\/24999"}')

    def test_iterable_is_read_while_the_run_goes_on(self) -> None:
        has_page = threading.Event()
        waited: List[bool] = []

        def photos() -> Iterator[Dict[str, str]]:
            yield {"url": self.service.urls[0], "id": "1"}
            for _ in range(1000):
                yield {"url": self.service.urls[0], "id": "1"}
            waited.append(has_page.wait(60))
            yield {"url": self.service.urls[1], "id": "2"}

        run = self.mirror(photos())
        for event in run:
            if isinstance(event, sluice.events.PageLoaded):
                has_page.set()
        self.assertEqual((waited, run.wait().done), ([True], 2))

    def test_exception_of_an_iterable_stops_the_run_and_removes_nothing(self) -> None:
        self.mirror(self.service.urls).check()

        def photos() -> Iterator[str]:
            yield self.service.urls[0]
            raise KeyError("my own")

        with self.assertRaisesRegex(KeyError, "my own"):
            self.mirror(photos(), prune=True, prune_limit="100%").wait()
        self.assertEqual([row["state"] for row in self.rows()], ["done"] * 3)

    def test_command_that_needs_no_more_photos(self) -> None:
        def photos() -> Iterator[str]:
            while True:
                yield from self.service.urls

        self.assertEqual(self.mirror(photos(), max_items=2).check().done, 2)

    def test_several_sources(self) -> None:
        other = self.folder / "other"
        sluice.thumbs(self.out / "originals", other, sizes=32, gallery=False).check()
        self.assertEqual(self.mirror([self.out / "originals", str(other / "32")]).check().done, 6)
        self.assertEqual(self.mirror(None, sources=[self.service.list]).check().done, 3)
        names = self.folder / "sources.txt"
        names.write_text(str(self.service.list))
        self.assertEqual(self.mirror(None, sources=names).check().kept, 3)
        # Without a source, the last run is repeated.
        self.assertEqual(self.mirror(None, pages=1).check().kept, 3)

    def test_sources_that_are_none(self) -> None:
        for wrong in (["demo", self.service.urls[0]], [Path("a.csv"), {"url": "b"}]):
            with self.assertRaisesRegex(ValueError, "cannot mix sources and photos"):
                self.mirror(wrong)
        with self.assertRaisesRegex(ValueError, "'demo' is no http address"):
            self.mirror([self.service.urls[0], "demo"]).wait()
        for no_source in (b"demo", {"url": "demo"}):
            with self.assertRaises(TypeError):
                self.mirror(no_source)
        with self.assertRaisesRegex(sluice.FeedUnreadable, "empty"):
            self.mirror([]).wait()


class OptionTests(Case):
    def test_list_sets_several_values(self) -> None:
        self.demo(sizes=[32, 48]).check()
        (first, *_) = sluice.manifest(self.out)
        self.assertEqual([thumb["size"] for thumb in first["thumbs"]], [32, 48])

    def test_values_of_a_list_are_joined_as_the_command_joins_them(self) -> None:
        """Compares with the command's own reading of lists, which are arrays in its files of options."""
        schema = json.loads((Path(__file__).resolve().parents[3] / "Documentation" / "sluice.schema.json").read_text())
        file = self.folder / "options.json"
        repeatable: Set[str] = set()
        for name, option in schema["properties"].items():
            if "array" not in option.get("type", ()):
                continue
            file.write_text(json.dumps({name: ["q1: x", "q2: x"]}))
            result = subprocess.run(
                [os.environ["SLUICE"], "mirror", "demo", "--print-config", "--json", f"--config={file}"],
                capture_output=True, text=True,
            )
            shown = result.stdout + result.stderr
            if "q1: x,q2: x" not in shown and ("q1" in shown or shown.count(f'"option":"{name}"') == 2):
                repeatable.add(name)
        self.assertEqual(repeatable, REPEATABLE)
