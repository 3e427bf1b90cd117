# SPDX-License-Identifier: MIT
"""A run of the command."""

from __future__ import annotations

import json
import signal
import subprocess
import tempfile
from types import TracebackType
from typing import IO, Any, Iterator, List, Optional, Type

from .errors import error
from .events import Event, ItemEnded, PageLoaded, Summary, event


class Run(Iterator[Event]):
    """An iterator of the events of a run that has started.

    At its end it has the `exit_code` and, if the run began, the `summary`. Failed photos (exit code 3) and limits of
    the user (8) are results, which only `check` raises. The iterator raises all other errors.

    Ctrl-C, `close` and the end of a `with` block stop the run: photos in flight are finished, and the same call
    continues it later.
    """

    def __init__(self, command: List[str], *, progress: bool = False) -> None:
        self.summary: Optional[Summary] = None
        self.exit_code: Optional[int] = None
        self._bar = _bar() if progress else None
        self._listed = 0
        self._is_closing = False
        self._messages: IO[bytes] = tempfile.TemporaryFile()
        # A session of its own, so that Ctrl-C reaches the command once, from here.
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._messages, start_new_session=True
        )

    def __iter__(self) -> Run:
        return self

    def __next__(self) -> Event:
        if self.exit_code is not None:
            raise StopIteration
        try:
            line = self._read()
            if line:
                return self._record(json.loads(line))
            self._end()
        except BaseException:
            self.close()
            raise
        code = self._code()
        if code not in (0, 3, 8) and not self._is_closing:
            raise error(code, self.messages)
        raise StopIteration

    def wait(self) -> Summary:
        """Waits for the end of the run, and returns its totals."""
        for _ in self:
            pass
        if self.summary is None:
            raise error(self._code(), self.messages)
        return self.summary

    def check(self) -> Summary:
        """Waits for the end of the run, and raises an exception unless all photos are done."""
        summary = self.wait()
        if self.exit_code != 0:
            causes = ", ".join(f"{count} {cause}" for cause, count in summary.causes.items())
            raise error(self._code(), self.messages or f"{summary.failed} photos failed: {causes}")
        return summary

    def close(self) -> None:
        """Stops the run and waits until its state is saved; a second Ctrl-C stops it at once."""
        if self.exit_code is not None:
            return
        self._is_closing = True
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        try:
            for line in iter(self._read, b""):
                self._record(json.loads(line))
        except KeyboardInterrupt:
            self._process.send_signal(signal.SIGINT)
            raise
        finally:
            self._end()

    @property
    def messages(self) -> str:
        """The messages of the command for people."""
        if self._messages.closed:
            return self._text
        self._messages.seek(0)
        return self._messages.read().decode(errors="replace")

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None and self.exit_code is None:
            self.close()

    def _code(self) -> int:
        return 1 if self.exit_code is None else self.exit_code

    def _read(self) -> bytes:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def _record(self, members: Any) -> Event:
        found = event(members)
        if isinstance(found, Summary):
            self.summary = found
        if self._bar is not None:
            if isinstance(found, PageLoaded):
                self._listed += found.photos
                self._bar.total = self._listed
                self._bar.refresh()
            elif isinstance(found, ItemEnded):
                self._bar.update(1)
        return found

    def _end(self) -> None:
        if self.exit_code is not None:
            return
        code = self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._text = self.messages
        self._messages.close()
        self.exit_code = code
        if self._bar is not None:
            self._bar.close()


def _bar() -> Any:
    """A progress bar, which notebooks show as theirs; `None` without tqdm."""
    try:
        import tqdm.auto as tqdm  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        return None
    return tqdm.tqdm(unit="photo")  # pyright: ignore
