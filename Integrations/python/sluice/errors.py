# SPDX-License-Identifier: MIT
"""The exceptions: one for each exit code of the command."""

from __future__ import annotations


class SluiceError(Exception):
    """The command failed. `exit_code` is its exit code, and the text is its message."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


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
    """A signal stopped the run. The same call continues it."""


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
    129: Interrupted,
    130: Interrupted,
    143: Interrupted,
}


def error(exit_code: int, messages: str) -> SluiceError:
    """Returns the exception of an exit code; a process that a signal ended has a negative one."""
    kind = _BY_CODE.get(exit_code, Interrupted if exit_code < 0 else SluiceError)
    lines = [line.removeprefix("sluice: ") for line in messages.splitlines() if line.strip()]
    return kind("\n".join(lines) or f"sluice ended with exit code {exit_code}", exit_code)
