# SPDX-License-Identifier: MIT
"""Compares plan, work and merge with one mirror of 20,000 small photos."""

import json
import shutil
import statistics
import subprocess
import time
from contextlib import contextmanager

COUNT, BYTES, HOSTS = 20_000, 8000, 4


@contextmanager
def origins(sluice):
    """Serves the photos from four hosts with one port each; yields their addresses."""
    processes, ports = [], []
    for host in range(HOSTS):
        job = {"images": COUNT // HOSTS, "bytes": BYTES, "seed": host + 1, "latency_ms": 0, "jitter_ms": 0,
               "loss_percent": 0, "faults": [], "host": f"127.0.1.{host + 1}"}
        process = subprocess.Popen(
            [sluice, "bench-part", "origin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        process.stdin.write(json.dumps(job) + "\n")
        process.stdin.flush()
        processes.append(process)
    try:
        ports = [json.loads(process.stdout.readline())["port"] for process in processes]
        yield [(f"127.0.1.{host + 1}", port) for host, port in enumerate(ports)]
    finally:
        for process in processes:
            process.stdin.close()
            process.wait()


def mirror(sluice, photos, folder, allowed):
    """One mirror on one machine."""
    subprocess.run([sluice, "mirror", photos, "--out", folder / "out", "--config", "none", "--quiet", *allowed, *SIZES], check=True)


def cluster(shards):
    """Returns a function that plans shards, processes them concurrently, and merges them."""

    def measure(sluice, photos, folder, allowed):
        plan, out = folder / "plan", folder / "out"
        subprocess.run([sluice, "plan", photos, "--shards", str(shards), "--out", plan, "--quiet", *allowed, *SIZES], check=True)
        works = [
            subprocess.Popen([sluice, "work", plan, "--shard", str(shard), "--out", out, "--quiet", *allowed])
            for shard in range(shards)
        ]
        if any([work.wait() for work in works]):
            raise SystemExit("a shard has failed")
        subprocess.run([sluice, "merge", plan, "--out", out, "--quiet", *allowed], check=True)

    return measure


SIZES = ["--sizes", "64"]
WAYS = {
    "`mirror`": mirror,
    "`plan`, `work` of one shard, `merge`": cluster(1),
    "`plan`, `work` of two shards at a time, `merge`": cluster(2),
}


def run(options):
    folder, seconds = options.root / "cluster", {name: [] for name in WAYS}
    with origins(options.sluice) as hosts:
        photos = options.root / "lists/cluster.txt"
        photos.write_text("".join(
            f"http://{host}:{port}/{number}.jpg\n" for number in range(COUNT // HOSTS) for host, port in hosts))
        allowed = ["--allow-address", "127.0.0.0/8", "--no-robots", "--per-host", "16"]
        for _, port in hosts:
            allowed += ["--allow-port", str(port)]
        shutil.rmtree(folder, ignore_errors=True)
        for number in range(options.rounds):
            for index, (name, way) in enumerate(WAYS.items()):
                # Earlier results stay: ext4 avoids the inodes of files that were removed in the last minutes, and
                # searching for others would slow down the later ways.
                place = folder / f"{number}-{index}"
                place.mkdir(parents=True)
                start = time.monotonic()
                way(options.sluice, photos, place, allowed)
                seconds[name].append(time.monotonic() - start)
    shutil.rmtree(folder, ignore_errors=True)
    floor = statistics.median(seconds["`mirror`"])
    rows = [
        f"| {name} | {statistics.median(times):.1f} | {min(times):.1f} to {max(times):.1f} | "
        f"{statistics.median(times) / floor:.2f} |"
        for name, times in seconds.items()]
    return "\n".join([
        f"{COUNT:,} photos of {BYTES:,} bytes from {HOSTS} hosts on loopback, with thumbnails of 64 pixels; the median of "
        f"{options.rounds} runs in turn.",
        "Goal: at most 1.15 with one shard, and at most 1.00 with two.", "",
        "| | s | min to max | × `mirror` |", "|---|---:|---:|---:|", *rows])
