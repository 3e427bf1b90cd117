# SPDX-License-Identifier: MIT
"""Compares what clients make of a list of addresses of which ten are broken, each in another way.

It counts the lines that a client prints, the broken addresses that its output names, and the files that it keeps although
they are no whole photo. Each client may try an address twice, and wait five seconds for it.
"""

import http.server
import os
import pathlib
import re
import socket
import statistics
import subprocess
import tempfile
import threading
import time

SECONDS = 5
PAGE = b"<!doctype html><title>Sorry</title><p>This photo is gone.</p>"
BROKEN = ["missing", "failing", "unknown-host", "refused", "page", "cut", "empty", "loop", "type", "hanging"]


def closed_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Service(http.server.ThreadingHTTPServer):
    """Serves the photos below `/good/`, and the broken addresses below `/broken/`."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, photos):
        super().__init__(("127.0.0.1", 0), Handler)
        self.photos = [photo.read_bytes() for photo in photos]
        self.ended = threading.Event()

    def handle_error(self, request, address):
        pass

    def addresses(self):
        """Returns the good addresses with the broken ones between them, and the broken ones alone."""
        base = f"http://127.0.0.1:{self.server_port}"
        hosts = {"unknown-host": "http://no-such-host.invalid", "refused": f"http://127.0.0.1:{closed_port()}"}
        broken = [f"{hosts.get(name, base)}/broken/{name}.jpg" for name in BROKEN]
        every = [f"{base}/good/{number}.jpg" for number in range(len(self.photos))]
        step = len(every) // len(broken)
        for position, address in enumerate(broken):
            every.insert(position * (step + 1) + step // 2, address)
        return every, broken


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def reply(self, status, body, kind="image/jpeg", length=None, **fields):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        folder, _, name = self.path.strip("/").partition("/")
        name = name.removesuffix(".jpg")
        photo = self.server.photos[int(name) if folder == "good" else 0] if folder in ("good", "broken") else b""
        if folder == "good":
            self.reply(200, photo)
        elif name == "missing" or folder != "broken":
            self.reply(404, PAGE, "text/html")
        elif name == "failing":
            self.reply(500, PAGE, "text/html")
        elif name == "page":
            self.reply(200, PAGE, "text/html")
        elif name == "type":
            # The bytes are a text, whatever the server says.
            self.reply(200, b"This is no photo.\n" * 400)
        elif name == "cut":
            self.reply(200, photo[:len(photo) // 2], length=len(photo))
            self.close_connection = True
        elif name == "empty":
            self.reply(200, b"")
        elif name == "loop":
            self.reply(302, b"", Location=self.path)
        elif name == "hanging":
            self.server.ended.wait(60)
            self.close_connection = True


def sluice(binary, addresses, out, ports):
    return [binary, "mirror", addresses, "--out", out / "mirror", "--sizes", "none", "--no-gallery", "--allow-private",
            *[f"--allow-port={port}" for port in ports], "--no-robots", "--timeout", f"{SECONDS}s", "--retries", "1", "-j", "16", "--per-host", "16"]


def aria2(binary, addresses, out, ports):
    return [binary, "-i", addresses, "-d", out, "-j", "16", "--max-connection-per-server=1", f"--timeout={SECONDS}",
            f"--connect-timeout={SECONDS}", "--max-tries=2", "--retry-wait=0"]


def wget2(binary, addresses, out, ports):
    return [binary, "-i", addresses, "-P", out, "--no-robots", "--max-threads=16", f"--timeout={SECONDS}", "--tries=2"]


def gallery_dl(binary, addresses, out, ports):
    return [binary, "--config-ignore", "-D", out, "-i", addresses, "--retries", "1", "--http-timeout", str(SECONDS)]


def img2dataset(binary, addresses, out, ports):
    return [binary, "--url_list", addresses, "--output_folder", out / "set", "--image_size", "4000", "--resize_mode", "no",
            "--processes_count", "2", "--thread_count", "16", "--output_format", "files", "--timeout", str(SECONDS),
            "--retries", "1", "--skip_reencode", "True"]


def measure(command, addresses, broken, photos):
    """Runs a client once; returns its seconds, lines, exit code, and the numbers of broken addresses named, bad files and photos."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        listed, out = folder / "list.txt", folder / "out"
        ports = sorted(set(re.findall(r":(\d+)/", " ".join(addresses))))
        listed.write_text("".join(f"{address}\n" for address in addresses))
        out.mkdir()
        with open(folder / "output", "w+b") as output:
            begin = time.monotonic()
            code = subprocess.run([str(word) for word in command(listed, out, ports)], stdin=subprocess.DEVNULL,
                                  stdout=output, stderr=output, env=dict(os.environ, NO_COLOR="1")).returncode
            seconds = time.monotonic() - begin
            output.seek(0)
            text = output.read().decode(errors="replace")
        whole = {photo.read_bytes() for photo in photos}
        files = [file for file in out.rglob("*") if file.is_file() and re.search(r"\.jpe?g|/\d+$|\.(png|webp)$", str(file))]
        kept = [file for file in files if file.read_bytes() not in whole]
        named = [name for name, address in zip(BROKEN, broken) if address in text or f"broken/{name}" in text]
        lines = [line for line in re.split(r"[\r\n]+", text) if line.strip()]
        return seconds, len(lines), code, len(named), len(kept), len(files) - len(kept)


def compare(clients, photos, rounds):
    """Measures clients, given as pairs of a name and a function that returns the command; returns a Markdown table."""
    rows = []
    for name, command in clients:
        runs = []
        for _ in range(rounds):
            service = Service(photos)
            threading.Thread(target=service.serve_forever, daemon=True).start()
            addresses, broken = service.addresses()
            runs.append(measure(command, addresses, broken, photos))
            service.ended.set()
            service.shutdown()
        middle = [statistics.median(run[column] for run in runs) for column in range(6)]
        rows.append((name, *middle))
    lines = ["| | lines | broken named | broken kept | photos | exit code | s |", "|---|---:|---:|---:|---:|---:|---:|"]
    for name, seconds, count, code, named, kept, whole in rows:
        counts = " | ".join(f"{number:.0f}" for number in (count, named, kept, whole, code))
        lines.append(f"| {name} | {counts} | {seconds:.1f} |")
    return "\n".join(lines)
