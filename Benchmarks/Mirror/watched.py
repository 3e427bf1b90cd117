# SPDX-License-Identifier: MIT
"""Runs the command and looks at it from outside meanwhile: its events, its memory, its time on the processors."""

import json
import os
import pathlib
import subprocess
import sys
import time

from Mirror.memory import MemoryWatch


class Watched:
    """A run whose events are counted; `marks` are counts of ended items at which its memory is noted.

    `together` is what it and its decoders had in memory together, if that `is_summed`.
    """

    def __init__(self, command, marks=(), is_summed=False):
        self.memory, self.ended, self.failed = {}, 0, 0
        start = time.monotonic()
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True)
        watch = MemoryWatch(process.pid) if is_summed else None
        for line in process.stdout:
            # Reading a hundred thousand lines as JSON would take the processor that is measured.
            if '"event":"item-ended"' not in line:
                if '"event":"run-finished"' in line:
                    self.summary = json.loads(line)
                continue
            self.ended += 1
            if '"end":"failed"' in line:
                self.failed += 1
                self.reason = line
            if self.ended in marks:
                self.memory[self.ended] = resident(process.pid)
        if watch:
            watch.end()
            self.together = watch
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.seconds = time.monotonic() - start
        self.cpu = usage.ru_utime + usage.ru_stime
        self.peak = usage.ru_maxrss / 1024
        if process.returncode != 0:
            sys.exit(f"{command} ended with {process.returncode}, {self.failed} failed: {getattr(self, 'reason', '')}")


def resident(process):
    """The resident memory, in MiB."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024
