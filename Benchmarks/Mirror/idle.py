# SPDX-License-Identifier: MIT
"""What a run costs that only waits for its origin."""

import shutil
import threading

from Mirror.watched import Watched
from Transfer import servers

ITEMS, SECONDS = 16, 20


def run(options):
    photo = sorted((options.root / "small").iterdir())[0].read_bytes()
    out, list_file = options.root / "idle", options.root / "idle.txt"
    costs = {}
    for seconds in [0, SECONDS]:
        shutil.rmtree(out, ignore_errors=True)
        with servers.Holder(photo) as server:
            list_file.write_text("".join(f"http://127.0.0.1:{server.port}/{number}\n" for number in range(ITEMS)))
            threading.Timer(seconds + 1, server.release).start()
            costs[seconds] = Watched(
                [options.sluice, "mirror", list_file, "--out", out, "--sizes", "none", "--allow-private", "--allow-port", server.port,
                 "--no-robots", "--quiet", "--json", "--per-host", ITEMS]).cpu
    shutil.rmtree(out, ignore_errors=True)
    share = (costs[SECONDS] - costs[0]) / SECONDS
    return "\n".join([
        f"{ITEMS} transfers stand half way for {SECONDS} seconds longer than in another run; what that costs of a core.", "",
        f"- {share:.2%} of a core, wanted less than 2%"])
