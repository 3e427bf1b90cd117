# SPDX-License-Identifier: MIT
"""Tests of the examples in `Documentation/python.md` and `img2dataset.md`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import List

from support import Case, need

ROOT = Path(__file__).resolve().parents[3]


class ExampleTests(Case):
    def setUp(self) -> None:
        super().setUp()
        pages = "".join((ROOT / "Documentation" / name).read_text() for name in ("python.md", "img2dataset.md"))
        self.examples = re.findall(r"^```python\n(.*?)^```$", pages, re.M | re.S)
        self.assertGreaterEqual(len(self.examples), 5)
        self.paths = [self.folder / f"example_{number}.py" for number, _ in enumerate(self.examples)]
        for path, example in zip(self.paths, self.examples):
            path.write_text(example)

    def run_checker(self, words: List[str]) -> None:
        package = str(Path(__file__).resolve().parents[1])
        paths = {"MYPYPATH": package, "PYTHONPATH": package}
        result = subprocess.run(
            [sys.executable, "-m", *words, *map(str, self.paths)], cwd=self.folder, env={**os.environ, **paths},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_mypy(self) -> None:
        need("mypy", "pandas")
        self.run_checker(["mypy", "--strict"])

    def test_pyright(self) -> None:
        need("pyright", "pandas")
        (self.folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
        self.run_checker(["pyright", "--pythonpath", sys.executable])

    def test_examples_of_the_demo_run(self) -> None:
        # The photos of a lake, of the lists and of the feed are the reader's.
        chosen = [path for path in self.paths if "example.org" not in path.read_text() and "laion" not in path.read_text()]
        self.assertGreaterEqual(len(chosen), 3)
        folder = self.folder / "here"
        folder.mkdir()
        for path in chosen:
            environment = {**os.environ, "SLUICE_PER_PAGE": "2", "SLUICE_VARIANT": "thumb", "SLUICE_CONFIG": "none"}
            result = subprocess.run(
                [sys.executable, str(path)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                env={**environment, "PYTHONPATH": str(Path(__file__).resolve().parents[1])},
            )
            self.assertEqual(result.returncode, 0, result.stdout)
        self.assertTrue((folder / "shards" / "00000.tar").exists())
        shutil.rmtree(folder)
