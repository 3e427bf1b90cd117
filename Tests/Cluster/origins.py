# SPDX-License-Identifier: MIT
"""The built-in origin on several hosts, and the limits that it was used with."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field

from processes import Failure

PER_HOST = 4
RATE = 50
WINDOW = 4000
"""The milliseconds over which rates are counted."""


@dataclass
class Origin:
    """One host with its own address."""

    host: str
    photos: int
    process: subprocess.Popen[str]
    port: int = 0

    def status(self) -> dict[str, object]:
        """The counters, and the time and path of each request."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return dict(json.loads(self.process.stdout.readline()))


@dataclass
class Origins:
    """All hosts; the first has more photos than fit into a shard."""

    all: list[Origin] = field(default_factory=list)

    def start(self, sluice: str) -> None:
        """Starts a host with half of 2000 photos, and five with a tenth each."""
        for number, photos in enumerate([1000, 200, 200, 200, 200, 200]):
            job = {
                "images": photos, "bytes": 3000, "seed": number + 1, "latency_ms": 5, "jitter_ms": 0,
                "loss_percent": 0, "faults": [], "host": f"127.0.1.{number + 1}", "log": True,
            }  # fmt: skip
            process = subprocess.Popen(
                [sluice, "bench-part", "origin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            assert process.stdin and process.stdout
            process.stdin.write(json.dumps(job) + "\n")
            process.stdin.flush()
            origin = Origin(str(job["host"]), photos, process)
            self.all.append(origin)
        for origin in self.all:
            assert origin.process.stdout
            origin.port = int(json.loads(origin.process.stdout.readline())["port"])

    def stop(self) -> None:
        """Ends all hosts."""
        for origin in self.all:
            assert origin.process.stdin
            origin.process.stdin.close()
            origin.process.wait(20)

    def options(self) -> tuple[str, ...]:
        """The options that allow these addresses."""
        ports = [word for origin in self.all for word in ("--allow-port", str(origin.port))]
        return ("--allow-address", "127.0.0.0/8", *ports)

    def addresses(self, share: float = 1) -> list[str]:
        """The addresses of a share of all photos, the hosts mixed."""
        listed = [
            (number / origin.photos, f"http://{origin.host}:{origin.port}/{number}.jpg")
            for origin in self.all
            for number in range(int(origin.photos * share))
        ]
        return [address for _, address in sorted(listed)]

    def check_limits(self) -> str:
        """Fails if a host had more connections or a higher rate than its limits; returns the highest values."""
        connections, rate = 0, 0
        for origin in self.all:
            status = origin.status()
            log = status.get("log", [])
            assert isinstance(log, list)
            times = sorted(int(line.split()[0]) for line in log)
            peak = int(str(status["peak_connections"]))
            if peak > PER_HOST:
                raise Failure(f"{origin.host} had {peak} connections, its limit is {PER_HOST}")
            first = 0
            # Each attempt starts its intervals with a request.
            limit = RATE * WINDOW // 1000 + 2 * PER_HOST
            for last, time in enumerate(times):
                while times[first] <= time - WINDOW:
                    first += 1
                if last - first + 1 > limit:
                    raise Failure(f"{origin.host} had {last - first + 1} requests in {WINDOW} ms, its limit is {limit}")
                rate = max(rate, last - first + 1)
            connections = max(connections, peak)
        return f"at most {connections} connections and {rate * 1000 / WINDOW:.0f} requests a second"
