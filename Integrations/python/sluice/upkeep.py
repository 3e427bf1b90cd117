# SPDX-License-Identifier: MIT
"""Commands on a mirror, with their results."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Set

from . import command
from .command import Option
from .errors import error
from .events import known
from .process import Process
from .source import Path


@dataclass(frozen=True)
class Fault:
    """A file with a fault: `missing`, `changed`, `damaged`, `different`, `unreadable`, `incomplete` or `extra`."""

    kind: str
    file: str
    item: Optional[int] = None
    detail: Optional[str] = None


@dataclass(frozen=True)
class Verification:
    """What `verify` found, with the number of files of each kind of fault."""

    photos: int
    files: int
    bytes: int
    missing: int = 0
    changed: int = 0
    damaged: int = 0
    different: int = 0
    unreadable: int = 0
    incomplete: int = 0
    extra: int = 0
    unfinished: int = 0
    compared: int = 0
    incomparable: int = 0
    stopped: bool = False
    faults: List[Fault] = field(default_factory=lambda: [])

    @property
    def is_intact(self) -> bool:
        """Whether no file is missing, changed, damaged, different or unreadable, and no command is unfinished."""
        broken = (self.missing, self.changed, self.damaged, self.different, self.unreadable, self.unfinished)
        return not any(broken)


@dataclass(frozen=True)
class Failures:
    """Unfinished photos with the same cause and host, and one of them as an example."""

    cause: str
    host: str
    feed: str
    count: int
    failed: bool
    state: str
    permanent: bool
    meaning: str
    item: int
    url: Optional[str] = None
    detail: Optional[str] = None
    option: Optional[str] = None


@dataclass(frozen=True)
class Explanation:
    """The unfinished photos of a mirror, and the commands that may recover them.

    `success` is the share of the photos that are done, `ceiling` the share that can still be, and
    `ceiling_with_options` the share if the options are given that some need.
    """

    done: int
    failed: int
    skipped: int
    waiting: int
    success: float
    ceiling: float
    ceiling_with_options: float
    groups: List[Failures]
    commands: List[str]


@dataclass(frozen=True)
class Copy:
    """A photo of a group: the `best`, or the `same`, a `copy` or `turned`."""

    item: int
    file: str
    bytes: int
    sha256: str
    format: str
    relation: str
    reason: Optional[str] = None
    width: Optional[int] = None
    height: Optional[int] = None
    decision: Optional[str] = None
    in_reference: bool = False


@dataclass(frozen=True)
class Duplicates:
    """Photos that are copies of the first one: `same` if all bytes are equal, else `alike`."""

    kind: str
    files: List[Copy]
    placeholder_of: Optional[str] = None


@dataclass(frozen=True)
class LockedPhoto:
    """A photo of a lock. `phash` is `None` if it has no perceptual hash."""

    sha256: str
    bytes: int
    phash: Optional[str]
    url: str


@dataclass(frozen=True)
class Withdrawal:
    """A photo that its host has withdrawn, or whose host gave no clear answer."""

    state: str
    item: int
    url: str
    cause: Optional[str] = None
    evidence: Optional[str] = None


def verify(directory: Path, **options: Option) -> Verification:
    """Compares the files of a mirror with their checksums; with `repair=True`, returns what remains afterwards."""
    events = _events("verify", directory, options, results={0, 7}, last="verified")
    # A repair verifies before and after its run.
    start = max((index for index, each in enumerate(events) if each["event"] == "run-finished"), default=0)
    faults = [known(Fault, each) for each in events[start:] if each["event"] == "file-fault"]
    (*_, totals) = (each for each in events if each["event"] == "verified")
    return known(Verification, {**totals, "faults": faults})


def explain(directory: Path, **options: Option) -> Explanation:
    """Returns why photos failed, and what can still be recovered."""
    (members,) = _events("explain", directory, options, last="explained")
    return known(Explanation, {**members, "groups": [known(Failures, each) for each in members["groups"]]})


def duplicates(directory: Path, **options: Option) -> List[Duplicates]:
    """Returns the photos that are copies of others; `keep="best"` and `move=FOLDER` move them."""
    return [
        known(Duplicates, {**members, "files": [known(Copy, each) for each in members["files"]]})
        for members in _events("duplicates", directory, options) if members["event"] == "duplicates"
    ]


def lock(directory: Path, out: Optional[Path] = None, **options: Option) -> List[LockedPhoto]:
    """Returns the file that each photo's address delivered, and writes them to the file `out`, a source of `mirror`."""
    text = command.output("lock", directory, options)
    if out is not None:
        with open(out, "w", encoding="utf-8") as file:
            file.write(text)
    return [_locked(line) for line in text.split("\n") if line and not line.startswith("#")]


def recheck(directory: Path, **options: Option) -> List[Withdrawal]:
    """Asks the hosts which photos may no longer be kept; `prune=True` removes those, and they are returned, too."""
    events = _events("recheck", directory, options, results={0, 3})
    return [known(Withdrawal, members) for members in events if members["event"] == "recheck"]


def _events(
    name: str, directory: Path, options: Mapping[str, Option], results: Set[int] = {0}, last: Optional[str] = None
) -> List[Dict[str, Any]]:
    """Runs a command, and returns its events; raises unless its exit code is a result, and its last event is there."""
    arguments = [name, "--json", *command.words(options), "--", os.fspath(directory)]
    with Process([command.find_command(), *arguments]) as process:
        events = list(process)
    if process.failure is not None:
        raise process.failure
    code = process.exit_code or 0
    if code not in results or (last is not None and not any(each["event"] == last for each in events)):
        raise error(code, process.messages)
    return events


def _locked(line: str) -> LockedPhoto:
    sha256, size, phash, url = line.split(" ", 3)
    return LockedPhoto(sha256, int(size), None if phash == "-" else phash, url)
