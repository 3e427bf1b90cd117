# SPDX-License-Identifier: MIT
"""The progress bar."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from .events import Event, ItemEnded, PageFailed, PageLoaded, SourceRead


class Progress:
    """Counts the photos of a run, and those that are expected, in a bar of tqdm if it is installed."""

    def __init__(self, pages: Optional[int], limits: Sequence[Optional[int]]) -> None:
        self.ended = 0
        self._pages = pages
        self._limits = [limit for limit in limits if limit is not None]
        self._total: Optional[int] = None
        self._loaded = 0
        self._listed = 0
        self._page_size = 0
        self._is_complete = False
        self._share = 0.0
        try:
            import tqdm.auto as tqdm  # type: ignore[import-not-found,import-untyped,unused-ignore]
        except ImportError:
            self.bar: Any = None
        else:
            self.bar = tqdm.tqdm(unit="photo")  # pyright: ignore

    @property
    def expected(self) -> Optional[int]:
        """The number of photos that the run will have, as the command's own display counts it."""
        if self._loaded == 0:
            return None
        bounds = list(self._limits)
        if self._total is not None:
            bounds.append(self._total)
        if self._is_complete:
            bounds.append(self._listed)
        elif self._pages is not None:
            bounds.append(self._listed + max(0, self._pages - self._loaded) * self._page_size)
        if not bounds and self._share > 0:
            bounds.append(round(self._listed / self._share))
        return max(min(bounds), self.ended) if bounds else None

    def record(self, event: Event) -> None:
        """Counts an event."""
        if isinstance(event, PageLoaded):
            self._loaded += 1
            self._listed += event.photos
            self._page_size = max(self._page_size, event.photos)
            self._total = self._total if event.total is None else event.total
        elif isinstance(event, SourceRead):
            self._share = event.share
            self._is_complete = event.share == 1
        elif isinstance(event, PageFailed):
            self._is_complete = True
        elif isinstance(event, ItemEnded):
            self.ended += 1
        else:
            return
        if self.bar is not None:
            self._show()

    def _show(self) -> None:
        expected = self.expected
        if self.bar.total != expected and not self.bar.disable:
            # Only this changes the length of a notebook's bar.
            start = self.bar.start_t
            self.bar.reset(total=expected)
            self.bar.start_t = start
        self.bar.update(self.ended - self.bar.n)

    def close(self) -> None:
        """Ends the bar."""
        if self.bar is not None:
            self.bar.close()
