# SPDX-License-Identifier: MIT
"""How fast downloads are, and what they cost: beside other clients, and beside what arithmetic allows."""

import math
import pathlib
import sys

from Harness import machine
from Harness.contest import Contestant, contest, table
from Transfer import servers

CLIENTS = pathlib.Path(__file__).parent / "clients.py"
# Where files are written in memory, so that the disk's moods are nobody's.
MEMORY = pathlib.Path("/dev/shm")
LATENCY = 0.1


def client(options, kind, width, per_host, name, *words, root=MEMORY):
    binary = {"library": options.library, "sluice": options.sluice}.get(kind, "")
    return Contestant(name, [options.python, CLIENTS, kind, width, per_host, root, binary, *words])


def wanted(words, value, least):
    return f"- {words}: {value:.2f}, wanted {least}"


def files(options):
    """A host that is not the bottleneck, photographs, and everybody 64 at a time."""
    photos = sorted((options.root / "small").iterdir())[:1200]
    with servers.nginx(options.root, options.root / "small") as port:
        urls = [f"http://127.0.0.1:{port}/{photo.name}" for photo in photos]
        private = ["--allow-port", port, "--no-gallery"]
        standings = contest([
            client(options, "curl", 64, 64, "curl --parallel"),
            client(options, "library", 64, 64, "library"),
            client(options, "sluice", 64, 64, "`sluice mirror`", *private),
            client(options, "sluice", 64, 64, "`sluice mirror`, on the disk", *private, root=""),
            client(options, "aria2", 64, 64, "aria2c -j64", "-x", 1),
            client(options, "wget2", 64, 64, "wget2"),
        ], urls, options.rounds)
    curl, library, mirror, _, aria2, _ = standings
    size = sum(photo.stat().st_size for photo in photos) / len(photos)
    return "\n".join([
        f"**{len(photos)} photographs of {size / 1000:.0f} KB from nginx on loopback, 64 at a time**", "",
        table(standings, len(photos), curl.name), "",
        wanted("the library's files a second, × curl's", library.ratio, "0.8 or more"),
        wanted("its CPU for a file, × curl's", 1 / library.cpu_ratio, "2 or less"),
        wanted("its files a second, × aria2's", library.ratio / aria2.ratio, "3 or more"),
        wanted("files a second of the whole `sluice mirror`, × aria2's", mirror.ratio / aria2.ratio, "none named"),
    ])


def small_files(options, count=2000, size=20_000):
    folder = options.root / "twenty"
    folder.mkdir(exist_ok=True)
    for number in range(count):
        file = folder / f"{number}.jpg"
        if not file.exists():
            file.write_bytes(number.to_bytes(4, "big") * (size // 4))
    return folder, count


def against_limit(options, contestants, urls, limit, words, arithmetic):
    standings = contest(contestants, urls, options.rounds)
    return "\n".join([
        f"**{words}**", "", f"Limit: {arithmetic} = {limit:.2f} s, {len(urls) / limit:.0f} files a second.", "",
        table(standings, len(urls), standings[0].name), "",
        *[wanted(f"{one.name}, × the limit", limit / one.seconds, "0.85 or more for the library")
          for one in standings]])


def latency(options, count=2000, width=512):
    """A host far away, a hundred times."""
    with servers.late(options.root, LATENCY, 20_000) as port:
        urls = [f"http://127.0.1.{number % 100 + 1}:{port}/{number}.jpg" for number in range(count)]
        contestants = [
            client(options, "library", width, 6, "library"),
            client(options, "curl", width, 6, "curl --parallel, however many a host", "--parallel-immediate"),
        ]
        return against_limit(
            options, contestants, urls, (math.ceil(count / width) + 1) * LATENCY,
            "2,000 files of 20 KB from 100 hosts that are 100 ms away, 512 at a time, 6 a host",
            f"({count} files / {width} at a time, rounded up, + 1 for connecting) × {LATENCY * 1000:.0f} ms")


def http2(options):
    """All that one connection carries."""
    folder, count = small_files(options)
    _, authority = servers.certificate(options.root)
    with servers.nghttpd(options.root, folder) as port, servers.Relay(port, LATENCY) as relay:
        urls = [f"https://127.0.0.1:{relay.port}/{number}.jpg" for number in range(count)]
        contestants = [
            client(options, "library", 100, 100, "library", authority),
            client(options, "curl", 100, 100, "curl --parallel", "--cacert", authority),
        ]
        text = against_limit(
            options, contestants, urls, (count / 100 + 1) * LATENCY,
            "2,000 files of 20 KB in HTTP/2 on one connection with 100 ms of latency",
            f"({count} files / 100 streams, as many as nghttpd and libcurl allow, + 1 for TLS) × {LATENCY * 1000:.0f} ms")
        return f"{text}\n- connections: {relay.connections / len(contestants) / (options.rounds + 1):.1f} a run"


CONTESTS = {"files": files, "latency": latency, "http2": http2}


def versions():
    found = {name: machine.package(name) for name in ["nginx-light", "libcurl4", "curl", "aria2", "wget2", "nghttp2-server"]}
    return ", ".join(f"{name} {version}" for name, version in found.items() if version)


def run(options):
    parts = [versions() + "."]
    for name, part in CONTESTS.items():
        if options.contest in (None, name):
            print(f"{name}: {part.__doc__}", file=sys.stderr)
            parts.append(part(options))
    return "\n\n".join(parts)
