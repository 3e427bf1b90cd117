# SPDX-License-Identifier: MIT
"""Finds, signals and awaits processes by their ids."""

from __future__ import annotations

import os
import signal
import time
import uuid
from collections.abc import Callable
from pathlib import Path

MARKER = "SLUICE_CLUSTER_TEST"
"""A variable that every process of this test inherits."""
os.environ[MARKER] = uuid.uuid4().hex


class Failure(Exception):
    """The test has failed."""


def until(what: str, seconds: float, condition: Callable[[], object]) -> None:
    """Waits for a condition, and fails after some seconds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Failure(f"waited {seconds:.0f} s for {what}")
        time.sleep(0.05)


def words(process: int) -> list[str]:
    """The command line of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().decode(errors="replace").split("\0")[:-1]
    except OSError:
        return []


def written(process: int) -> int:
    """The bytes that a process has written so far; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{process}/io").read_text().split("wchar: ")[1].split()[0])
    except OSError:
        return 0


def variable(process: int, name: str) -> str:
    """Returns a variable of a process; an empty text if it is not set."""
    try:
        variables = Path(f"/proc/{process}/environ").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return ""
    return next((each.split("=", 1)[1] for each in variables if each.startswith(f"{name}=")), "")


def is_running(process: int) -> bool:
    """Whether a process exists and has not ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def parent(process: int) -> int:
    """The parent of a process; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0


def ancestors(process: int) -> list[int]:
    """The parents of a process, nearest first."""
    found = []
    while (process := parent(process)) > 1:
        found.append(process)
    return found


def marked() -> list[int]:
    """The running processes that this test has started, directly or not, without itself."""
    mark = f"{MARKER}={os.environ[MARKER]}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            if mark in (entry / "environ").read_bytes().split(b"\0") and is_running(int(entry.name)):
                found.append(int(entry.name))
        except OSError:
            pass
    return found


def send(process: int, number: signal.Signals) -> None:
    """Signals a process that may have ended."""
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass


def kill(process: int) -> None:
    """Kills a process and waits for its end."""
    send(process, signal.SIGKILL)
    until(f"the end of process {process}", 20, lambda: not is_running(process))
