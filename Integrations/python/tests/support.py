# SPDX-License-Identifier: MIT
"""What the tests share: the real command, which `SLUICE` names, and a server on the loopback."""

from __future__ import annotations

import http.server
import importlib
import os
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional

import sluice


def need(*packages: str) -> None:
    """Skips a test without these packages, or fails where `Scripts/python-test` has installed them."""
    for package in packages:
        try:
            importlib.import_module(package)
        except ImportError:
            if os.environ.get("SLUICE_REQUIRE_PYTHON") == "1":
                raise
            raise unittest.SkipTest(f"{package} is not installed") from None


class Service:
    """A server of a folder on the loopback, and a list of its photos. After the first photo it waits for the gate."""

    def __init__(self, folder: Path, names: List[str], headers: Mapping[str, Mapping[str, str]]) -> None:
        self.gate = threading.Event()
        self.gate.set()
        first = threading.Lock()

        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, format: str, *arguments: Any) -> None:
                pass

            def do_GET(handler) -> None:
                # Only the first request gets the lock, which is never released, however many arrive together.
                if handler.path.endswith(".jpg") and not first.acquire(blocking=False):
                    self.gate.wait()
                super().do_GET()

            def end_headers(handler) -> None:
                for name, value in headers.get(handler.path, {}).items():
                    handler.send_header(name, value)
                super().end_headers()

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, request: Any, client_address: Any) -> None:
                """Is silent: a run that stops leaves its connections."""

        self.server = Server(
            ("127.0.0.1", 0), lambda *each: Handler(*each, directory=str(folder / "photos" / "originals"))
        )
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        port = self.server.server_port
        self.options: Dict[str, Any] = {"allow_address": "127.0.0.1", "allow_port": port, "config": "none"}
        self.list = folder / "list.csv"
        self.urls = [f"http://127.0.0.1:{port}/{name}" for name in names]
        rows = [f"{url},Photo {i}" for i, url in enumerate(self.urls)]
        self.list.write_text("\n".join(["url,words", *rows]))

    def stop(self) -> None:
        self.gate.set()
        self.server.shutdown()
        self.server.server_close()


class Case(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.out = self.folder / "photos"

    def demo(self, **options: Any) -> sluice.Run:
        small: Dict[str, Any] = {"pages": 1, "per_page": 3, "variant": "thumb", "sizes": [64], "config": "none"}
        return sluice.mirror("demo", self.out, **{**small, **options})

    def serve(self, names: List[str], headers: Optional[Mapping[str, Mapping[str, str]]] = None) -> Service:
        service = Service(self.folder, names, {} if headers is None else headers)
        self.addCleanup(service.stop)
        return service
