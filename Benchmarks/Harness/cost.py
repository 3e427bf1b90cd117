# SPDX-License-Identifier: MIT
"""Prints what a command costs: least and median milliseconds, peak kilobytes, and how it ended.

Usage: python3 -I -S cost.py RUNS COMMAND...

A process of its own, and a small one: a child's peak of memory begins with that of the parent it was forked from.
"""

import os
import sys
import time

times, peaks = [], []
for _ in range(int(sys.argv[1])):
    start = time.monotonic()
    quiet = [(os.POSIX_SPAWN_OPEN, number, "/dev/null", os.O_WRONLY, 0) for number in (1, 2)]
    child = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ, file_actions=quiet)
    _, status, usage = os.wait4(child, 0)
    times.append((time.monotonic() - start) * 1000)
    peaks.append(usage.ru_maxrss)
print(min(times), sorted(times)[len(times) // 2], max(peaks), os.waitstatus_to_exitcode(status))
