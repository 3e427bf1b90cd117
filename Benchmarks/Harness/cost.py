# SPDX-License-Identifier: MIT
"""Prints the cost of a command: minimum and median milliseconds, peak memory in kilobytes, and exit code.

Usage: python3 -I -S cost.py RUNS COMMAND...

It runs in a small process of its own, because a child's peak memory includes that of the parent it was forked from.
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
