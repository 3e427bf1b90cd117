# SPDX-License-Identifier: MIT
"""Downloads photo collections in bulk and makes thumbnails with the command `sluice`."""

from . import events, img2dataset
from .command import Option, export, find_command, mirror, thumbs, version
from .errors import (
    CommandNotFound,
    Crashed,
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
from .source import DataFrame, Source
from .upkeep import (
    Copy,
    Duplicates,
    Explanation,
    Failures,
    Fault,
    LockedPhoto,
    Verification,
    Withdrawal,
    duplicates,
    explain,
    lock,
    recheck,
    verify,
)

__all__ = [
    "CommandNotFound",
    "Copy",
    "Crashed",
    "DamagedMirror",
    "DataFrame",
    "Duplicates",
    "Event",
    "Explanation",
    "Failures",
    "Fault",
    "FeedUnreadable",
    "InternalError",
    "Interrupted",
    "LimitReached",
    "LocalTrouble",
    "LockedPhoto",
    "Manifest",
    "MirrorLocked",
    "Option",
    "PhotosFailed",
    "Row",
    "Run",
    "SluiceError",
    "Source",
    "Summary",
    "Thumb",
    "UsageError",
    "Verification",
    "Withdrawal",
    "duplicates",
    "events",
    "explain",
    "export",
    "find_command",
    "img2dataset",
    "lock",
    "manifest",
    "mirror",
    "recheck",
    "thumbs",
    "verify",
    "version",
]
