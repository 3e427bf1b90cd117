# SPDX-License-Identifier: MIT
"""Samples the memory of a process and its children a hundred times per second."""

import pathlib
import threading
import time


class MemoryWatch(threading.Thread):
    """`peak` counts shared pages once (PSS), `summed` counts them per process (RSS), both in MB."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process, self.peak, self.summed, self.processes = process, 0, 0, 0
        self.is_finished = threading.Event()
        self.start()

    def run(self):
        while not self.is_finished.is_set():
            family = [self.process, *children(self.process)]
            self.peak = max(self.peak, sum(amount(one, "smaps_rollup", "Pss:") for one in family))
            self.summed = max(self.summed, sum(amount(one, "status", "VmRSS:") for one in family))
            self.processes = max(self.processes, len(family))
            time.sleep(0.01)

    def end(self):
        self.is_finished.set()
        self.join()


def children(process):
    lists = []
    for task in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        lists += read(task).split()
    return lists


def amount(process, file, name):
    for line in read(pathlib.Path(f"/proc/{process}/{file}")).splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024 / 1e6
    return 0


def read(path):
    """Returns the text of a file, or an empty text if the process has ended."""
    try:
        return path.read_text()
    except OSError:
        return ""
