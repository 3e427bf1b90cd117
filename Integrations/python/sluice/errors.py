# SPDX-License-Identifier: MIT
"""The exceptions: one for each exit code of the command."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from .events import Summary


class SluiceError(Exception):
    """The command failed. `exit_code` is its exit code, `summary` the totals of its run, and the text its message."""

    def __init__(self, message: str, exit_code: int, summary: Optional[Summary] = None) -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.summary = summary


class CommandNotFound(SluiceError):
    """There is no command `sluice` to run."""


class InternalError(SluiceError):
    """The command has a bug."""


class UsageError(SluiceError, ValueError):
    """An option or argument is invalid."""


class PhotosFailed(SluiceError):
    """Some photos failed."""


class FeedUnreadable(SluiceError):
    """The source cannot be read, or too many photos failed."""


class LocalTrouble(SluiceError):
    """This machine has a problem, for example a full disk."""


class MirrorLocked(SluiceError):
    """Another run uses the mirror."""


class DamagedMirror(SluiceError):
    """The mirror's records or a stored file are damaged."""


class LimitReached(SluiceError):
    """A limit that the user set stopped the run."""


class Interrupted(SluiceError):
    """Ctrl-C, SIGTERM or SIGHUP stopped the run. The same call continues it."""


class Crashed(SluiceError):
    """A signal ended the command, for example SIGSEGV, or SIGKILL when the machine has no memory left."""


_BY_CODE: dict[int, type[SluiceError]] = {
    1: InternalError,
    2: UsageError,
    3: PhotosFailed,
    4: FeedUnreadable,
    5: LocalTrouble,
    6: MirrorLocked,
    7: DamagedMirror,
    8: LimitReached,
    127: LocalTrouble,
}
_INTERRUPTIONS = {signal.SIGHUP, signal.SIGINT, signal.SIGTERM}


def is_interruption(exit_code: int) -> bool:
    """Whether SIGINT, SIGTERM or SIGHUP stopped the command."""
    return _signal(exit_code) in _INTERRUPTIONS


def error(exit_code: int, messages: str, summary: Optional[Summary] = None) -> SluiceError:
    """Returns the exception of an exit code."""
    lines = [line.removeprefix("sluice: ") for line in messages.splitlines() if line.strip()]
    number = _signal(exit_code)
    if number is None:
        kind = _BY_CODE.get(exit_code, SluiceError)
    elif number in _INTERRUPTIONS:
        kind = Interrupted
    else:
        kind = Crashed
        lines.insert(0, f"sluice was ended by {_name(number)}")
    return kind("\n".join(lines) or f"sluice ended with exit code {exit_code}", exit_code, summary)


def _signal(exit_code: int) -> Optional[int]:
    """The signal that ended the command: a negative code, or 128 and the signal, as the command and shells report it."""
    if exit_code < 0:
        return -exit_code
    return exit_code - 128 if exit_code > 128 else None


def _name(number: int) -> str:
    try:
        return f"{signal.Signals(number).name} ({signal.strsignal(number)})"
    except ValueError:
        return f"signal {number}"
