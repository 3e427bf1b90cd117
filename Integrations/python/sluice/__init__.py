# SPDX-License-Identifier: MIT
"""Downloads photo collections in bulk and makes thumbnails with the command `sluice`."""

from . import events, img2dataset
from .command import Option, export, find_command, mirror, thumbs, version
from .errors import (
    CommandNotFound,
    DamagedMirror,
    FeedUnreadable,
    InternalError,
    Interrupted,
    LimitReached,
    LocalTrouble,
    MirrorLocked,
    PhotosFailed,
    SluiceError,
    UsageError,
)
from .events import Event, Summary
from .manifest import Manifest, Row, Thumb, manifest
from .run import Run

__all__ = [
    "CommandNotFound",
    "DamagedMirror",
    "Event",
    "FeedUnreadable",
    "InternalError",
    "Interrupted",
    "LimitReached",
    "LocalTrouble",
    "Manifest",
    "MirrorLocked",
    "Option",
    "PhotosFailed",
    "Row",
    "Run",
    "SluiceError",
    "Summary",
    "Thumb",
    "UsageError",
    "events",
    "export",
    "find_command",
    "img2dataset",
    "manifest",
    "mirror",
    "thumbs",
    "version",
]
