# SPDX-License-Identifier: MIT
"""A server that speaks HTTP/1.1 and HTTP/2 without TLS, and answers as each photo's kind says."""

from __future__ import annotations

import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping

import hpack

import replies1
import replies2
from photos import Ask, Photo, honest

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


class Server:
    """Listens on all loopback addresses; every photo has an address of its own, so that none waits for another."""

    def __init__(self) -> None:
        self.photos: dict[str, Photo] = {}
        self.is_honest = False
        self.replies = 0
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port: int = self.listener.getsockname()[1]
        self.listener.close()
        self.listener = socket.create_server(("0.0.0.0", self.port), backlog=1024)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection: socket.socket) -> None:
        connection.settimeout(20)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with connection:
            try:
                start = read(connection, 3)
                if start == PREFACE[:3]:
                    read(connection, len(PREFACE) - 3)
                    HTTP2(self, connection).serve()
                else:
                    self.serve_http1(connection, start)
            except (OSError, EOFError):
                pass

    def serve_http1(self, connection: socket.socket, start: bytes) -> None:
        while True:
            head = start
            while not head.endswith(b"\r\n\r\n"):
                head += read(connection, 1)
            lines = head.decode("latin-1").split("\r\n")
            fields = {line.split(": ", 1)[0].lower(): line.split(": ", 1)[1] for line in lines[1:] if ": " in line}
            photo = self.photo(lines[0].split(" ")[1])
            if photo is None:
                steps: replies1.Reply = [b"HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n", "again"]
            else:
                with photo.lock:
                    steps = self.reply(photo, ask(fields), replies1.KINDS, replies1.write)
            if not perform(steps, connection):
                return
            start = b""

    def reply(self, photo: Photo, asked: Ask, kinds: Mapping[str, Callable[..., replies1.Reply]],
              write: Callable[..., replies1.Reply], *more: int) -> replies1.Reply:
        """Returns the steps of a hostile reply, or of an honest one."""
        with self.lock:
            self.replies += 1
        photo.replies += 1
        # Without an honest reply now and then, most photos would never have a version that changes.
        if self.is_honest or photo.random.randrange(5) == 0:
            return write(honest(photo, asked), *more)
        kind = kinds.get(photo.kind) or kinds["strong/other"]
        return kind(photo, asked, *more)

    def photo(self, path: str) -> Photo | None:
        return self.photos.get(path.lstrip("/").split("?")[0])


class HTTP2:
    """One connection."""

    def __init__(self, server: Server, connection: socket.socket) -> None:
        self.server, self.connection = server, connection
        self.decoder = hpack.Decoder()

    def serve(self) -> None:
        self.connection.sendall(replies2.frame(replies2.SETTINGS, 0, 0))
        while True:
            kind, flags, stream, payload = self.frame()
            if kind == replies2.SETTINGS and not flags & replies2.ACK:
                self.connection.sendall(replies2.frame(replies2.SETTINGS, replies2.ACK, 0))
            elif kind == replies2.PING and not flags & replies2.ACK:
                self.connection.sendall(replies2.frame(replies2.PING, replies2.ACK, 0, payload))
            elif kind == replies2.HEADERS and not self.answer(flags, stream, payload):
                return

    def frame(self) -> tuple[int, int, int, bytes]:
        head = read(self.connection, 9)
        stream = struct.unpack(">I", head[5:])[0]
        return head[3], head[4], stream, read(self.connection, int.from_bytes(head[:3], "big"))

    def answer(self, flags: int, stream: int, payload: bytes) -> bool:
        if flags & replies2.PADDED:
            payload = payload[1:len(payload) - payload[0]]
        if flags & replies2.WITH_PRIORITY:
            payload = payload[5:]
        while not flags & replies2.END_HEADERS:
            _, flags, _, more = self.frame()
            payload += more
        fields = {str(name): str(value) for name, value in self.decoder.decode(payload)}
        photo = self.server.photo(fields.get(":path", "/"))
        if photo is None:
            steps: replies2.Reply = [
                replies2.head(stream, 404, [], replies2.END_HEADERS | replies2.END_STREAM), "again"]
        else:
            with photo.lock:
                steps = self.server.reply(photo, ask(fields), replies2.KINDS, replies2.write, stream)
        return perform(steps, self.connection)


def ask(fields: dict[str, str]) -> Ask:
    found = re.fullmatch(r"bytes=(\d+)-", fields.get("range", ""))
    return Ask(int(found[1]) if found else None, fields.get("if-range"), "if-none-match" in fields)


def perform(steps: list[bytes | float | str], connection: socket.socket) -> bool:
    """Writes a reply; returns whether the connection goes on."""
    for step in steps:
        if isinstance(step, bytes):
            connection.sendall(step)
        elif isinstance(step, float):
            time.sleep(step)
        elif step == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return False
        elif step == "close":
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(65_536):
                pass
            return False
    return True


def read(connection: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            raise EOFError
        data += part
    return data
