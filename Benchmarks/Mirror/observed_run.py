# SPDX-License-Identifier: MIT
"""Runs the command and observes its events, its memory and its CPU time from outside."""

import json
import os
import pathlib
import subprocess
import sys
import time

from Mirror.memory import MemoryWatch


class ObservedRun:
    """Counts the events of a run, and records its memory whenever the number of finished items is in `marks`.

    If `watches_memory` is set, `memory_watch` holds the memory of the run and its decoders together.
    """

    def __init__(self, command, marks=(), watches_memory=False):
        self.memory, self.ended, self.failed = {}, 0, 0
        start = time.monotonic()
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True)
        watch = MemoryWatch(process.pid) if watches_memory else None
        for line in process.stdout:
            # Parsing a hundred thousand lines as JSON would use the CPU that is measured.
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
            self.memory_watch = watch
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.seconds = time.monotonic() - start
        self.cpu = usage.ru_utime + usage.ru_stime
        self.peak = usage.ru_maxrss / 1024
        if process.returncode != 0:
            sys.exit(f"{command} ended with {process.returncode}, {self.failed} failed: {getattr(self, 'reason', '')}")


def resident(process):
    """Returns the resident memory in MiB."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024
