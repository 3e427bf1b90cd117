# SPDX-License-Identifier: MIT
"""Compares the speed and the cost of downloads with other clients and with a calculated limit."""

import math
import pathlib
import sys

from Harness import machine
from Harness.comparison import Program, compare, table
from Transfer import servers

CLIENTS = pathlib.Path(__file__).parent / "clients.py"
# The folder for files in memory, which excludes the disk from the measurement.
MEMORY = pathlib.Path("/dev/shm")
LATENCY = 0.1


def client(options, kind, width, per_host, name, *words, root=MEMORY):
    binary = {"library": options.library, "sluice": options.sluice}.get(kind, "")
    return Program(name, [options.python, CLIENTS, kind, width, per_host, root, binary, *words])


def goal(words, value, minimum):
    return f"- {words}: {value:.2f}, goal: {minimum}"


def files(options):
    """Photographs from a fast host, 64 at a time."""
    photos = sorted((options.root / "small").iterdir())[:1200]
    with servers.nginx(options.root, options.root / "small") as port:
        urls = [f"http://127.0.0.1:{port}/{photo.name}" for photo in photos]
        private = ["--allow-port", port, "--no-gallery"]
        results = compare([
            client(options, "curl", 64, 64, "curl --parallel"),
            client(options, "library", 64, 64, "library"),
            client(options, "sluice", 64, 64, "`sluice mirror`", *private),
            client(options, "sluice", 64, 64, "`sluice mirror`, to disk", *private, root=""),
            client(options, "aria2", 64, 64, "aria2c -j64", "-x", 1),
            client(options, "wget2", 64, 64, "wget2"),
        ], urls, options.rounds)
    curl, library, mirror, _, aria2, _ = results
    size = sum(photo.stat().st_size for photo in photos) / len(photos)
    return "\n".join([
        f"**{len(photos)} photographs of {size / 1000:.0f} KB from nginx on loopback, 64 at a time**", "",
        table(results, len(photos), curl.name), "",
        goal("the library's rate / curl's rate", library.ratio, "at least 0.8"),
        goal("its CPU time per file / curl's", 1 / library.cpu_ratio, "at most 2"),
        goal("its rate / aria2's rate", library.ratio / aria2.ratio, "at least 3"),
        goal("the rate of the whole `sluice mirror` / aria2's rate", mirror.ratio / aria2.ratio, "none"),
    ])


def small_files(options, count=2000, size=20_000):
    folder = options.root / "twenty"
    folder.mkdir(exist_ok=True)
    for number in range(count):
        file = folder / f"{number}.jpg"
        if not file.exists():
            file.write_bytes(number.to_bytes(4, "big") * (size // 4))
    return folder, count


def against_limit(options, programs, urls, limit, words, arithmetic):
    results = compare(programs, urls, options.rounds)
    return "\n".join([
        f"**{words}**", "", f"Limit: {arithmetic} = {limit:.2f} s, {len(urls) / limit:.0f} files/s.", "",
        table(results, len(urls), results[0].name), "",
        *[goal(f"{one.name}, share of the limit", limit / one.seconds, "at least 0.85 for the library")
          for one in results]])


def latency(options, hosts=100, size=20_000):
    """A hundred hosts that answer late."""
    parts = []
    for delay, per_host, count in [(LATENCY, 6, 2000), (LATENCY, 2, 2000), (LATENCY / 5, 6, 10_000), (LATENCY / 5, 2, 10_000)]:
        width = min(512, hosts * per_host)
        with servers.distant_host(options.root, delay, size) as port:
            urls = [f"http://127.0.1.{number % hosts + 1}:{port}/{number}.jpg" for number in range(count)]
            programs = [
                client(options, "library", width, per_host, "library"),
                client(options, "curl", width, per_host, "curl --parallel, no limit per host", "--parallel-immediate"),
            ]
            parts.append(against_limit(
                options, programs, urls, (math.ceil(count / width) + 1) * delay,
                f"{count:,} files of {size // 1000} KB from {hosts} hosts with {delay * 1000:.0f} ms of latency, "
                f"{width} at a time, {per_host} per host",
                f"({count} files / {width} at a time, rounded up, + 1 for connecting) × {delay * 1000:.0f} ms"))
    return "\n\n".join(parts)


def http2(options):
    """HTTP/2 on one connection."""
    folder, count = small_files(options)
    _, authority = servers.certificate(options.root)
    with servers.nghttpd(options.root, folder) as port, servers.DelayingRelay(port, LATENCY) as relay:
        urls = [f"https://127.0.0.1:{relay.port}/{number}.jpg" for number in range(count)]
        programs = [
            client(options, "library", 100, 100, "library", authority),
            client(options, "curl", 100, 100, "curl --parallel", "--cacert", authority),
        ]
        text = against_limit(
            options, programs, urls, (count / 100 + 1) * LATENCY,
            "2,000 files of 20 KB over one HTTP/2 connection with 100 ms of latency",
            f"({count} files / 100 streams, the limit of nghttpd and libcurl, + 1 for TLS) × {LATENCY * 1000:.0f} ms")
        return f"{text}\n- connections: {relay.connections / len(programs) / (options.rounds + 1):.1f} per run"


CASES = {"files": files, "latency": latency, "http2": http2}


def versions():
    found = {name: machine.package(name) for name in ["nginx-light", "libcurl4", "curl", "aria2", "wget2", "nghttp2-server"]}
    return ", ".join(f"{name} {version}" for name, version in found.items() if version)


def run(options):
    parts = [versions() + "."]
    for name, part in CASES.items():
        if options.case in (None, name):
            print(f"{name}: {part.__doc__}", file=sys.stderr)
            parts.append(part(options))
    return "\n\n".join(parts)
