# SPDX-License-Identifier: MIT
"""Measures the CPU time of a run that only waits for its host."""

import shutil
import threading

from Mirror.observed_run import ObservedRun
from Transfer import servers

ITEMS, SECONDS = 16, 20


def run(options):
    photo = sorted((options.root / "small").iterdir())[0].read_bytes()
    out, list_file = options.root / "idle", options.root / "idle.txt"
    costs = {}
    for seconds in [0, SECONDS]:
        shutil.rmtree(out, ignore_errors=True)
        with servers.HalfBodyServer(photo) as server:
            list_file.write_text("".join(f"http://127.0.0.1:{server.port}/{number}\n" for number in range(ITEMS)))
            threading.Timer(seconds + 1, server.release).start()
            costs[seconds] = ObservedRun(
                [options.sluice, "mirror", list_file, "--out", out, "--sizes", "none", "--allow-private", "--allow-port", server.port,
                 "--no-robots", "--quiet", "--json", "--per-host", ITEMS]).cpu
    shutil.rmtree(out, ignore_errors=True)
    share = (costs[SECONDS] - costs[0]) / SECONDS
    return "\n".join([
        f"The CPU time of {ITEMS} transfers that stall halfway for {SECONDS} seconds, compared with a run without the stall.", "",
        f"- {share:.2%} of a core, goal: less than 2%"])
