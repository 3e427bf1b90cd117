# SPDX-License-Identifier: MIT
"""Serves a folder of documents on the loopback interface, under the addresses that the documents state."""

from __future__ import annotations

import contextlib
import http.server
import json
import pathlib
import re
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, unquote


class Documents:
    """The documents of a folder, whose links to each other lead to the server."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.root = ""
        self.addresses: dict[str, pathlib.Path] = {}
        for file in sorted(folder.rglob("*.json")):
            with contextlib.suppress(ValueError, AttributeError):
                value = json.loads(file.read_bytes().decode("utf-8-sig"))
                stated = value.get("id") or value.get("@id")
                if isinstance(stated, str) and stated.startswith("http"):
                    self.addresses.setdefault(stated, file)

    def address(self, file: pathlib.Path) -> str:
        """Returns the address of a file at the server."""
        return self.root + quote(str(file.relative_to(self.folder)))

    def load(self, address: str) -> Any:
        """Returns the document at an address of the server; None if there is none."""
        file = self.file(address.removeprefix(self.root)) if address.startswith(self.root) else None
        return None if file is None else json.loads(self.document(file).decode("utf-8-sig"))

    def file(self, path: str) -> pathlib.Path | None:
        """Returns the file at a path below the server's root; None if there is none."""
        file = (self.folder / unquote(path.partition("?")[0]).lstrip("/")).resolve()
        return file if self.folder in file.parents and file.is_file() else None

    def document(self, file: pathlib.Path) -> bytes:
        """Returns a file with the addresses of other documents of the folder replaced."""
        content = file.read_bytes()
        if file.suffix != ".json" or b'"body"' in content[:4096] and b'"status"' in content:
            return content
        text = content.decode("utf-8", "surrogateescape")
        # The cookbook of IIIF has these in place of its own address.
        text = text.replace("{{ id.url }}", self.address(file)).replace("{{ id.path }}", self.address(file.parent))

        def local(match: re.Match[str]) -> str:
            known = self.addresses.get(match[1])
            return match[0] if known is None else f'"{self.address(known)}"'

        return re.sub(r'"(https?://[^"\\]+)"', local, text).encode("utf-8", "surrogateescape")


@contextlib.contextmanager
def serve(folder: pathlib.Path) -> Iterator[Documents]:
    """Serves a folder until the context ends."""
    documents = Documents(folder)

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            file = documents.file(self.path)
            if file is None:
                self.send_error(404)
                return
            content = documents.document(file)
            self.send_response(200)
            self.send_header("Content-Type", "application/json" if file.suffix == ".json" else "application/xml")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    documents.root = f"http://127.0.0.1:{server.server_address[1]}/"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield documents
    finally:
        server.shutdown()
