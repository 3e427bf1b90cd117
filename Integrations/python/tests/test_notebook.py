# SPDX-License-Identifier: MIT
"""Tests of notebooks, in a kernel of Jupyter."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Callable, Dict, List

import sluice
from support import Case, need


class HTMLTests(Case):
    def test_texts_of_others_are_no_markup(self) -> None:
        self.demo(per_page=2).check()
        manifest = self.out / "manifest.jsonl"
        lines = manifest.read_text().splitlines()
        lines[0] = re.sub(r'"caption":"[^"]*"', r'"caption":"<script>alert(1)</script>"', lines[0])
        # A picture outside the mirror.
        secret = self.folder / "secret.jpg"
        secret.write_bytes(b"secret")
        lines[1] = re.sub(r'"file":"thumbs/[^"]*"', '"file":"../secret.jpg"', lines[1])
        manifest.write_text("\n".join(lines) + "\n")
        html = sluice.manifest(self.out)._repr_html_()
        tags: List[str] = []

        class Parser(HTMLParser):
            def handle_starttag(self, tag: str, attrs: Any) -> None:
                tags.append(tag)

        Parser().feed(html)
        self.assertEqual((tags.count("img"), "script" in tags), (1, False))

    def test_long_mirrors_and_failures(self) -> None:
        self.demo(per_page=30).check()
        self.assertEqual(sluice.manifest(self.out)._repr_html_().count("<img"), 24)
        service = self.serve(["missing.jpg"])
        run = sluice.mirror(service.list, self.folder / "copy", retries=0, **service.options)
        run.wait()
        self.assertIn("1 failed (1 http-404)", run._repr_html_())


class KernelTests(Case):
    def setUp(self) -> None:
        super().setUp()
        need("ipykernel", "ipywidgets", "jupyter_client", "tqdm")
        from jupyter_client.manager import KernelManager

        package = str(Path(__file__).resolve().parents[1])
        self.manager = KernelManager(
            kernel_name="python3", transport="ipc", ip=str(self.folder / "kernel"),
            connection_file=str(self.folder / "kernel.json"),
        )
        self.manager.start_kernel(cwd=str(self.folder), env={**os.environ, "IPYTHONDIR": str(self.folder / "ipython")})
        self.addCleanup(self.manager.shutdown_kernel, now=True)
        self.client = self.manager.client()
        self.client.start_channels()
        self.addCleanup(self.client.stop_channels)
        self.client.wait_for_ready(timeout=300)
        self.execute(f"import sys; sys.path.insert(0, {package!r}); import sluice")

    def execute(self, code: str, on_text: Callable[[str], None] = lambda text: None) -> List[Dict[str, Any]]:
        """Runs a cell, and returns its messages."""
        request = self.client.execute(code)
        messages: List[Dict[str, Any]] = []
        while True:
            message = self.client.get_iopub_msg(timeout=300)
            if message["parent_header"].get("msg_id") != request:
                continue
            messages.append(message)
            content = message["content"]
            if message["msg_type"] == "stream":
                on_text(content["text"])
            if message["msg_type"] == "status" and content["execution_state"] == "idle":
                return messages

    def text(self, code: str) -> str:
        return "".join(each["content"]["text"] for each in self.execute(code) if each["msg_type"] == "stream")

    def test_run_shows_progress_and_thumbnails(self) -> None:
        messages = self.execute(
            f"run = sluice.mirror('demo', {str(self.out)!r}, pages=1, per_page=3, variant='thumb', sizes=[64],"
            " config='none', progress=True)\nrun.check()\nrun"
        )
        self.assertEqual([each["content"] for each in messages if each["msg_type"] == "error"], [])
        (result,) = (each["content"]["data"] for each in messages if each["msg_type"] == "execute_result")
        self.assertEqual(result["text/html"].count('<img src="data:image/jpeg;base64,'), 3)
        self.assertIn("3 done", result["text/html"])
        shown = [each["content"]["data"] for each in messages if each["msg_type"] == "display_data"]
        self.assertTrue(any("application/vnd.jupyter.widget-view+json" in data for data in shown))
        states = [each["content"]["data"].get("state", {}) for each in messages if each["msg_type"] in ("comm_open", "comm_msg")]
        self.assertIn(3.0, [state.get("max") for state in states])
        self.assertIn(3.0, [state.get("value") for state in states])
        (result,) = (
            each["content"]["data"] for each in self.execute(f"sluice.manifest({str(self.out)!r})")
            if each["msg_type"] == "execute_result"
        )
        self.assertEqual(result["text/html"].count("<img"), 3)

    def interrupt(self, loop: str) -> None:
        self.demo(per_page=4).check()
        service = self.serve([file.name for file in sorted((self.out / "originals").iterdir())])
        service.gate.clear()
        self.execute(
            f"run = sluice.mirror({str(service.list)!r}, {str(self.folder / 'copy')!r}, concurrency=2,"
            f" drain_timeout='100ms', **{service.options!r})"
        )

        def interrupt(text: str) -> None:
            if "item-ended" in text:
                self.manager.interrupt_kernel()

        messages = self.execute(f"{loop} event in run:\n    print(event.name, flush=True)", interrupt)
        (failure,) = (each["content"]["ename"] for each in messages if each["msg_type"] == "error")
        self.assertIn(failure, ("KeyboardInterrupt", "CancelledError"))
        self.assertEqual(self.text("print(run.wait().done, run.exit_code)"), "1 130\n")

    def test_interrupt(self) -> None:
        self.interrupt("for")

    def test_interrupt_of_an_asynchronous_cell(self) -> None:
        self.interrupt("async for")
