# SPDX-License-Identifier: MIT
"""A run of the command."""

from __future__ import annotations

import asyncio
import os
import weakref
from types import TracebackType
from typing import Any, AsyncIterator, Dict, Iterator, List, Optional, Type

from . import notebook
from .errors import error, is_interruption
from .events import Event, RunStarted, Summary, event
from .manifest import Manifest
from .process import Process
from .progress import Progress


class Run(Iterator[Event], AsyncIterator[Event]):
    """An iterator of the events of a run that has started, for `for` and `async for`.

    At its end it has the `exit_code` and, if the run began, the `summary`. Failed photos (exit code 3) and limits of
    the user (8) are results, which only `check` raises. The iterator raises all other errors.

    `stop` and `close`, from any thread, Ctrl-C, a cancelled task and the end of a `with` block stop the run: photos in
    flight are finished, and the same call continues it later.
    """

    def __init__(self, process: Process, progress: Optional[Progress] = None) -> None:
        self._process = process
        self._progress = progress
        self._folder: Optional[str] = None
        # Stops the run when it is no longer referenced, and at the end of the program.
        weakref.finalize(self, process.close)

    @property
    def exit_code(self) -> Optional[int]:
        """The exit code of the command, at its end."""
        return self._process.exit_code

    @property
    def summary(self) -> Optional[Summary]:
        """The totals of the run, at its end."""
        totals = self._process.totals
        return None if totals is None else Summary.from_members(totals)

    @property
    def messages(self) -> str:
        """The messages of the command for people."""
        return self._process.messages

    def __iter__(self) -> Run:
        return self

    def __next__(self) -> Event:
        try:
            members = self._process.take()
        except BaseException:
            self.close()
            raise
        found = self._record(members)
        if found is None:
            raise StopIteration
        return found

    def __aiter__(self) -> Run:
        return self

    async def __anext__(self) -> Event:
        try:
            # Other tasks have their turn, however many events are there.
            await asyncio.sleep(0)
            while True:
                is_end = self.exit_code is not None
                members = self._process.take(waits=False)
                if members is not None or is_end:
                    break
                await self._process.change()
        except BaseException:
            self.stop()
            raise
        found = self._record(members)
        if found is None:
            raise StopAsyncIteration
        return found

    def wait(self) -> Summary:
        """Waits for the end of the run, and returns its totals."""
        for _ in self:
            pass
        summary = self.summary
        if summary is None:
            raise self._error()
        return summary

    def check(self) -> Summary:
        """Waits for the end of the run, and raises an exception with the causes unless all photos are done."""
        summary = self.wait()
        if self.exit_code != 0:
            raise self._error()
        return summary

    def stop(self) -> None:
        """Asks the run to finish, and returns at once. Its events go on until its end."""
        self._process.stop()

    def close(self) -> None:
        """Stops the run and waits until its state is saved; a second Ctrl-C stops it at once."""
        try:
            self._process.close()
        finally:
            if self._progress is not None:
                self._progress.close()

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    async def __aenter__(self) -> Run:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.stop()
        while self.exit_code is None:
            self._process.take(waits=False)
            await self._process.change()
        self.close()

    def _repr_html_(self) -> str:
        """The totals and the first thumbnails, for notebooks."""
        page = notebook.totals(self.summary)
        if self._folder is not None and os.path.exists(os.path.join(self._folder, "manifest.jsonl")):
            page += notebook.photos(self._folder, Manifest(self._folder))
        return page

    def _record(self, members: Optional[Dict[str, Any]]) -> Optional[Event]:
        if members is None:
            self._end()
            return None
        found = event(members)
        if isinstance(found, RunStarted):
            self._folder = found.folder
        if self._progress is not None:
            self._progress.record(found)
        return found

    def _end(self) -> None:
        if self._progress is not None:
            self._progress.close()
        if self._process.failure is not None:
            raise self._process.failure
        code = self._code
        if code not in (0, 3, 8) and not (self._process.is_stopping and is_interruption(code)):
            raise self._error()

    @property
    def _code(self) -> int:
        return 1 if self.exit_code is None else self.exit_code

    def _error(self) -> Exception:
        summary = self.summary
        lines: List[str] = []
        if summary is not None and summary.failed > 0:
            causes = ", ".join(f"{count} {cause}" for cause, count in summary.causes.items())
            photos = summary.done + summary.kept + summary.skipped + summary.failed
            lines.append(f"{summary.failed} of {photos} photos failed: {causes}; sluice.explain says what can help")
        return error(self._code, "\n".join([*lines, self.messages]), summary)
