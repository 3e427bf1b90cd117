# SPDX-License-Identifier: MIT
"""The events of a run, one class for each, with the members that `Documentation/events.md` describes.

A member without a value is `None`. Newer versions of the command may add events, which become `Unknown`.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, ClassVar, Dict, List, Mapping, Optional, Type, TypeVar

_E = TypeVar("_E", bound="Event")
_T = TypeVar("_T")


def known(kind: Type[_T], members: Mapping[str, Any]) -> _T:
    """Makes a data class of these members, without those that this version does not know."""
    names = {each.name for each in dataclasses.fields(kind)}  # type: ignore[arg-type]  # pyright: ignore
    return kind(**{name: value for name, value in members.items() if name in names})


@dataclass(frozen=True)
class Event:
    """What all events have in common: the seconds since the run began."""

    name: ClassVar[str] = ""
    time: float = 0.0

    @classmethod
    def from_members(cls: Type[_E], members: Mapping[str, Any]) -> _E:
        """Makes the event of these members, without those that this version does not know."""
        return known(cls, members)


@dataclass(frozen=True)
class RunStarted(Event):
    name: ClassVar[str] = "run-started"
    source: str = ""
    feed: str = ""
    folder: str = ""
    width: int = 0


@dataclass(frozen=True)
class PageRequested(Event):
    name: ClassVar[str] = "page-requested"
    page: int = 0


@dataclass(frozen=True)
class PageLoaded(Event):
    name: ClassVar[str] = "page-loaded"
    page: int = 0
    photos: int = 0
    total: Optional[int] = None


@dataclass(frozen=True)
class SourceRead(Event):
    name: ClassVar[str] = "source-read"
    share: float = 0.0


@dataclass(frozen=True)
class Trouble(Event):
    """An event with a cause."""

    cause: Optional[str] = None
    detail: Optional[str] = None
    hint: Optional[str] = None
    status: Optional[int] = None
    final_url: Optional[str] = None


@dataclass(frozen=True)
class PageFailed(Trouble):
    name: ClassVar[str] = "page-failed"
    page: int = 0


@dataclass(frozen=True)
class FileFound(Event):
    name: ClassVar[str] = "file-found"
    file: str = ""
    verdict: str = ""
    by: Optional[str] = None
    items: List[int] = field(default_factory=lambda: [])


@dataclass(frozen=True)
class ItemStarted(Event):
    name: ClassVar[str] = "item-started"
    seq: int = 0
    id: str = ""
    feed: str = ""
    page: int = 0
    collection: Optional[str] = None


@dataclass(frozen=True)
class ItemProgressed(ItemStarted):
    name: ClassVar[str] = "item-progressed"
    bytes: int = 0
    total: Optional[int] = None


@dataclass(frozen=True)
class ItemNoted(ItemStarted):
    name: ClassVar[str] = "item-noted"
    text: str = ""
    hint: Optional[str] = None


@dataclass(frozen=True)
class ItemRetried(Trouble, ItemStarted):
    name: ClassVar[str] = "item-retried"
    attempt: int = 0
    delay: float = 0.0


@dataclass(frozen=True)
class ItemEnded(Trouble, ItemStarted):
    """The result of a photo; `end` is `done`, `kept`, `skipped` or `failed`."""

    name: ClassVar[str] = "item-ended"
    end: str = ""
    variant: Optional[str] = None
    url: Optional[str] = None
    file: Optional[str] = None
    bytes: Optional[int] = None
    sha256: Optional[str] = None
    sidecar: Optional[str] = None
    format: Optional[str] = None
    width: Optional[int] = None
    height: Optional[int] = None
    orientation: Optional[int] = None
    bytes_received: Optional[int] = None
    bytes_unneeded: Optional[int] = None
    part: Optional[str] = None
    thumbs: List[Dict[str, Any]] = field(default_factory=lambda: [])


@dataclass(frozen=True)
class HostPaused(Trouble):
    name: ClassVar[str] = "host-paused"
    host: str = ""
    delay: float = 0.0


@dataclass(frozen=True)
class HostGivenUp(Trouble):
    name: ClassVar[str] = "host-given-up"
    host: str = ""


@dataclass(frozen=True)
class WidthChanged(Event):
    name: ClassVar[str] = "width-changed"
    width: int = 0
    reason: str = ""


@dataclass(frozen=True)
class PhotosRemoved(Trouble):
    name: ClassVar[str] = "photos-removed"
    done: int = 0
    kept: int = 0


@dataclass(frozen=True)
class Note(Event):
    name: ClassVar[str] = "note"
    text: str = ""
    hint: Optional[str] = None


@dataclass(frozen=True)
class Stopping(Trouble):
    name: ClassVar[str] = "stopping"
    reason: str = ""
    signal: Optional[int] = None
    limit: Optional[str] = None


@dataclass(frozen=True)
class Summary(Event):
    """The totals of a run, its last event."""

    name: ClassVar[str] = "run-finished"
    pages: int = 0
    failed_pages: int = 0
    done: int = 0
    kept: int = 0
    skipped: int = 0
    failed: int = 0
    copies: Optional[int] = None
    salvaged: int = 0
    undecodable: int = 0
    notes: int = 0
    thumbs: int = 0
    bytes_received: int = 0
    bytes_saved: int = 0
    partial: Optional[int] = None
    bytes_unneeded: Optional[int] = None
    parts: Dict[str, Any] = field(default_factory=lambda: {})
    thumb_bytes: int = 0
    peak_memory: Optional[int] = None
    causes: Dict[str, int] = field(default_factory=lambda: {})
    unsupported_formats: Dict[str, int] = field(default_factory=lambda: {})
    duration: float = 0.0
    stop: Optional[Dict[str, Any]] = None


@dataclass(frozen=True)
class Unknown(Event):
    """An event that this version of the package does not know."""

    members: Dict[str, Any] = field(default_factory=lambda: {})


BY_NAME: Dict[str, Type[Event]] = {
    kind.name: kind
    for kind in (
        RunStarted, PageRequested, PageLoaded, SourceRead, PageFailed, FileFound, ItemStarted, ItemProgressed,
        ItemNoted, ItemRetried, ItemEnded, HostPaused, HostGivenUp, WidthChanged, PhotosRemoved, Note, Stopping,
        Summary,
    )
}


def event(members: Mapping[str, Any]) -> Event:
    """Makes the event of a line's members."""
    kind = BY_NAME.get(members.get("event", ""))
    if kind is None:
        return Unknown(time=members.get("time", 0.0), members=dict(members))
    return kind.from_members(members)
