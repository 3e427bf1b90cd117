# SPDX-License-Identifier: MIT
"""A process of the command."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import tempfile
import threading
from collections import deque
from types import TracebackType
from typing import IO, Any, Callable, Deque, Dict, Iterator, List, Optional, Tuple, Type, cast

from .errors import SluiceError

# The lines that wait for a reader. Then the command waits, too, or drops events: see `Documentation/events.md`.
_QUEUED = 1000


class Process(Iterator[Dict[str, Any]]):
    """An iterator of the JSON lines that the command writes. Any thread may take them and stop the command.

    One thread reads the lines, so that no signal interrupts a line in its middle. Another one writes `lines`, if they
    are given, to standard input.
    """

    def __init__(self, command: List[str], lines: Optional[Iterator[bytes]] = None) -> None:
        self.exit_code: Optional[int] = None
        self.is_stopping = False
        # What ended `lines` early, or made a line unreadable.
        self.failure: Optional[BaseException] = None
        # The totals of a run, which are not lost when a reader stops taking lines.
        self.totals: Optional[Dict[str, Any]] = None
        self._is_closed = False
        self._queue: Deque[Dict[str, Any]] = deque()
        self._changed = threading.Condition()
        self._tasks: List[Tuple[asyncio.AbstractEventLoop, Callable[[], None]]] = []
        self._text: Optional[str] = None
        self._messages: IO[bytes] = tempfile.TemporaryFile()
        self._command = command[0]
        self._owner = os.getpid()
        # A session of its own, so that Ctrl-C reaches the command once, from here.
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL if lines is None else subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self._messages, start_new_session=True,
        )
        self._threads = [threading.Thread(target=self._read, daemon=True)]
        if lines is not None:
            self._threads.append(threading.Thread(target=self._write, args=(lines,), daemon=True))
        for thread in self._threads:
            thread.start()

    def __next__(self) -> Dict[str, Any]:
        line = self.take()
        if line is None:
            raise StopIteration
        return line

    def take(self, waits: bool = True) -> Optional[Dict[str, Any]]:
        """Takes the next line, and waits for it; `None` at the end, or if none is there yet."""
        with self._changed:
            while waits and not self._queue and self.exit_code is None:
                self._changed.wait()
            if not self._queue:
                return None
            self._changed.notify_all()
            return self._queue.popleft()

    async def change(self) -> None:
        """Waits for a line or the end, without a thread."""
        loop = asyncio.get_running_loop()
        change: asyncio.Future[None] = loop.create_future()

        def end() -> None:
            if not change.done():
                change.set_result(None)

        with self._changed:
            if self._queue or self.exit_code is not None:
                return
            self._tasks.append((loop, end))
        await change

    def stop(self) -> None:
        """Asks the command to finish, once, and does not wait for it."""
        with self._changed:
            # A fork of the program has a copy of this object, and not of the threads.
            if self.is_stopping or os.getpid() != self._owner:
                return
            self.is_stopping = True
        self._process.send_signal(signal.SIGINT)

    def close(self) -> None:
        """Stops the command, and waits for its end; a second Ctrl-C ends it at once."""
        if self.exit_code is not None or os.getpid() != self._owner:
            return
        self.stop()
        with self._changed:
            self._is_closed = True
            self._queue.clear()
            self._changed.notify_all()
            # The garbage collector may close a run in one of its own threads.
            if threading.current_thread() in self._threads:
                return
            try:
                while self.exit_code is None:
                    self._changed.wait()
            except KeyboardInterrupt:
                self._process.send_signal(signal.SIGINT)
                raise

    @property
    def messages(self) -> str:
        """The messages of the command for people, so far."""
        with self._changed:
            if self._text is not None:
                return self._text
            # Without a seek, which would move the place where the command writes.
            file = self._messages.fileno()
            return os.pread(file, os.fstat(file).st_size, 0).decode(errors="replace")

    def __enter__(self) -> Process:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                # A command that crashes leaves a part of a line.
                if line.endswith(b"\n"):
                    self._put(line)
        code = self._process.wait()
        text = self.messages
        with self._changed:
            self._text = text
            self._messages.close()
            self.exit_code = code
            self._notify()

    def _put(self, line: bytes) -> None:
        try:
            members = cast(Dict[str, Any], dict(json.loads(line)))
        except (TypeError, ValueError):
            self.failure = SluiceError(f"cannot read the output of {self._command!r}: {line[:80]!r} is no event", 1)
            self.stop()
            return
        with self._changed:
            if members.get("event") == "run-finished":
                self.totals = members
            while len(self._queue) >= _QUEUED and not self._is_closed:
                self._changed.wait()
            if not self._is_closed:
                self._queue.append(members)
                self._notify()

    def _notify(self) -> None:
        self._changed.notify_all()
        for loop, end in self._tasks:
            try:
                loop.call_soon_threadsafe(end)
            except RuntimeError:
                # The loop is closed.
                pass
        self._tasks.clear()

    def _write(self, lines: Iterator[bytes]) -> None:
        assert self._process.stdin is not None
        try:
            for line in lines:
                try:
                    self._process.stdin.write(line)
                    self._process.stdin.flush()
                except BrokenPipeError:
                    # The command has read enough, or it has ended.
                    break
        except BaseException as failure:
            # Standard input stays open until the command has stopped: it must not take a part for the whole list.
            self.failure = failure
            self.stop()
            self._process.wait()
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass
