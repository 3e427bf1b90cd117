# SPDX-License-Identifier: MIT
"""How much memory a process and its children have together, looked at a hundred times a second."""

import pathlib
import threading
import time


class MemoryWatch(threading.Thread):
    """`peak` counts pages that processes share once (PSS), `summed` for each of them (RSS), both in MB."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process, self.peak, self.summed, self.most = process, 0, 0, 0
        self.is_over = threading.Event()
        self.start()

    def run(self):
        while not self.is_over.is_set():
            family = [self.process, *children(self.process)]
            self.peak = max(self.peak, sum(amount(one, "smaps_rollup", "Pss:") for one in family))
            self.summed = max(self.summed, sum(amount(one, "status", "VmRSS:") for one in family))
            self.most = max(self.most, len(family))
            time.sleep(0.01)

    def end(self):
        self.is_over.set()
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
    """Processes come and go; one that is gone has nothing."""
    try:
        return path.read_text()
    except OSError:
        return ""
