# SPDX-License-Identifier: MIT
"""Measures the memory of many concurrent transfers and of many consecutive ones."""

import json
import pathlib
import struct
import subprocess
import sys
import time
import zlib

from Transfer import servers
from Transfer.speed import client

CONCURRENT = 2000


def tiny_png(number):
    """Returns a unique picture for each number, so that deduplication does not apply."""
    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", 16, 16, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + number.to_bytes(16, "big") for _ in range(16)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def resident(process):
    """Returns the resident memory of a program or its children in megabytes."""
    children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
    if children:
        return sum(resident(int(child)) for child in children)
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def concurrent(options, program, photo):
    """Returns the memory while all transfers are halfway."""
    with servers.HalfBodyServer(photo) as server:
        words = [word if word != "PORT" else server.port for word in program.command]
        process = subprocess.Popen([str(word) for word in words], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        # A mirror trusts a host with two transfers, and with twice as many after each photo.
        paths = [f"whole/{number}.jpg" for number in range(16)] + [f"{number}.jpg" for number in range(CONCURRENT)]
        list_text = "".join(f"http://127.0.0.1:{server.port}/{path}\n" for path in paths)
        process.stdin.write(list_text.encode())
        process.stdin.close()
        while server.waiting < CONCURRENT:
            if process.poll() is not None:
                sys.exit(f"{program.name} ended early")
            time.sleep(0.05)
        memory = resident(process.pid)
        server.release()
        if process.wait() != 0:
            sys.exit(f"{program.name} failed")
        return memory


def consecutive(program, urls):
    """Returns the peak memory over all transfers in megabytes."""
    result = subprocess.run(
        [str(word) for word in program.command], input="".join(f"{url}\n" for url in urls), text=True,
        stdout=subprocess.PIPE)
    if result.returncode != 0:
        sys.exit(f"{program.name} failed")
    return json.loads(result.stdout)["peak"] / (1 << 20)


def rows(options):
    photo = sorted((options.root / "small").iterdir())[0].read_bytes()
    width = [CONCURRENT, CONCURRENT]
    mirror = client(options, "sluice", *width, "`sluice mirror`", "--allow-port", "PORT", "--no-gallery")
    for one in [client(options, "library", *width, "library"), mirror]:
        yield one.name, f"{CONCURRENT} transfers halfway", concurrent(options, one, photo), "150 MB"
    folder = options.root / "tiny"
    folder.mkdir(exist_ok=True)
    for number in range(1000):
        (folder / f"{number}.png").write_bytes(tiny_png(number))
    with servers.nginx(options.root, folder) as port:
        mirror = client(options, "sluice", 64, 64, "`sluice mirror`", "--allow-port", port, "--no-gallery")
        for one, counts in [(client(options, "library", 64, 64, "library"), [20_000, 100_000]), (mirror, [5_000, 25_000])]:
            for count in counts:
                urls = [f"http://127.0.0.1:{port}/{number % 1000}.png?{number}" for number in range(count)]
                yield one.name, f"{count} small requests, 64 at a time", consecutive(one, urls), "the same for both"


def run(options):
    lines = ["Resident memory including libraries: with all transfers halfway, and the peak of a run.", "",
             "| | | MB | goal |", "|---|---|---:|---|"]
    lines += [f"| {name} | {what} | {memory:.1f} | {goal} |" for name, what, memory, goal in rows(options)]
    return "\n".join(lines)
