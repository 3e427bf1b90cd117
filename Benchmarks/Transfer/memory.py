# SPDX-License-Identifier: MIT
"""How much memory transfers take: many at a time, and many one after the other."""

import json
import pathlib
import struct
import subprocess
import sys
import time
import zlib

from Transfer import servers
from Transfer.speed import client

AT_ONCE = 2000


def tiny_png(number):
    """A picture of its own for each number, so that none is another's twin."""
    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", 16, 16, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + number.to_bytes(16, "big") for _ in range(16)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def resident(process):
    """The resident memory of a program and what it started, in megabytes."""
    children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
    if children:
        return sum(resident(int(child)) for child in children)
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def at_once(options, contestant, photo):
    """The memory while so many transfers stand half way."""
    with servers.Holder(photo) as server:
        words = [word if word != "PORT" else server.port for word in contestant.command]
        process = subprocess.Popen([str(word) for word in words], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        list_text = "".join(f"http://127.0.0.1:{server.port}/{number}.jpg\n" for number in range(AT_ONCE))
        process.stdin.write(list_text.encode())
        process.stdin.close()
        while server.waiting < AT_ONCE:
            if process.poll() is not None:
                sys.exit(f"{contestant.name} ended early")
            time.sleep(0.05)
        memory = resident(process.pid)
        server.release()
        if process.wait() != 0:
            sys.exit(f"{contestant.name} failed")
        return memory


def in_row(contestant, urls):
    """The peak of the memory over so many transfers, in megabytes."""
    result = subprocess.run(
        [str(word) for word in contestant.command], input="".join(f"{url}\n" for url in urls), text=True,
        stdout=subprocess.PIPE)
    if result.returncode != 0:
        sys.exit(f"{contestant.name} failed")
    return json.loads(result.stdout)["peak"] / (1 << 20)


def rows(options):
    photo = sorted((options.root / "small").iterdir())[0].read_bytes()
    width = [AT_ONCE, AT_ONCE]
    mirror = client(options, "sluice", *width, "`sluice mirror`", "--allow-port", "PORT", "--no-gallery")
    for one in [client(options, "library", *width, "library"), mirror]:
        yield one.name, f"{AT_ONCE} transfers half way", at_once(options, one, photo), "150 MB"
    folder = options.root / "tiny"
    folder.mkdir(exist_ok=True)
    for number in range(1000):
        (folder / f"{number}.png").write_bytes(tiny_png(number))
    with servers.nginx(options.root, folder) as port:
        mirror = client(options, "sluice", 64, 64, "`sluice mirror`", "--allow-port", port, "--no-gallery")
        for one, counts in [(client(options, "library", 64, 64, "library"), [20_000, 100_000]), (mirror, [5_000, 25_000])]:
            for count in counts:
                urls = [f"http://127.0.0.1:{port}/{number % 1000}.png?{number}" for number in range(count)]
                yield one.name, f"{count} small requests, 64 at a time", in_row(one, urls), "the same for both"


def run(options):
    lines = ["Resident memory, libraries and all: while they stand half way, and the peak of a run.", "",
             "| | | MB | wanted |", "|---|---|---:|---|"]
    lines += [f"| {name} | {what} | {memory:.1f} | {wanted} |" for name, what, memory, wanted in rows(options)]
    return "\n".join(lines)
