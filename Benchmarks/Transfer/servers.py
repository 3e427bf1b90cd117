# SPDX-License-Identifier: MIT
"""The servers for download benchmarks; each runs as long as its `with` statement."""

import asyncio
import contextlib
import pathlib
import socket
import subprocess
import sys
import threading
import time


def free_port():
    with socket.socket() as finder:
        finder.bind(("127.0.0.1", 0))
        return finder.getsockname()[1]


def wait_for(process, port):
    while process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.01)
    sys.exit(f"{process.args[0]} did not start")


@contextlib.contextmanager
def command(words, port):
    """Runs a server that listens on `port`."""
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL)
    try:
        wait_for(process, port)
        yield port
    finally:
        process.terminate()
        process.wait()


def nginx(root, folder):
    """Runs nginx with one worker on all loopback addresses."""
    state = pathlib.Path(root).resolve() / "nginx"
    state.mkdir(exist_ok=True)
    port = free_port()
    temporary = "\n".join(
        f"{kind}_temp_path {state}/{kind};" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    (state / "nginx.conf").write_text(f"""
daemon off; worker_processes 1; user root; pid {state}/pid; error_log {state}/errors; worker_rlimit_nofile 20000;
events {{ worker_connections 8000; }}
http {{
    access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; {temporary}
    open_file_cache max=4000; default_type image/jpeg;
    server {{ listen 0.0.0.0:{port} backlog=8000; root {folder}; }}
}}
""")
    return command(["nginx", "-p", state, "-c", state / "nginx.conf"], port)


def distant_host(root, latency, size):
    """Runs a host with high latency on all loopback addresses: replies of `size` bytes arrive after `latency` seconds."""
    binary, port = pathlib.Path(root) / "distant_host", free_port()
    subprocess.run(["cc", "-O2", "-o", binary, pathlib.Path(__file__).parent / "distant_host.c"], check=True)
    return command([binary, port, latency * 1000, size], port)


def certificate(root):
    """Returns a key and a self-signed certificate for 127.0.0.1, created at the first call."""
    key, authority = pathlib.Path(root) / "key.pem", pathlib.Path(root) / "authority.pem"
    if not authority.exists():
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "3650", "-subj", "/CN=sluice-bench",
             "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", authority],
            check=True, stderr=subprocess.DEVNULL)
    return key, authority


def nghttpd(root, folder):
    """Runs nghttpd with TLS: without TLS, libcurl 7.88 aborts transfers that share a connection."""
    port = free_port()
    return command(["nghttpd", "-a", "127.0.0.1", "-d", folder, port, *certificate(root)], port)


class AsyncServer:
    """An asyncio server in a thread, on all loopback addresses; subclasses implement `serve`."""

    def __enter__(self):
        self.connections = 0
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        self.server = self.call(asyncio.start_server(self.accept, "0.0.0.0", 0, backlog=8000))
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.server.close)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()

    def call(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()

    async def accept(self, reader, writer):
        self.connections += 1
        with contextlib.suppress(OSError):
            await self.serve(reader, writer)
        writer.close()


class DelayingRelay(AsyncServer):
    """A relay that delays every byte from the server by `delay` seconds."""

    def __init__(self, port, delay):
        self.target, self.delay = port, delay

    async def serve(self, reader, writer):
        upstream_reader, upstream_writer = await asyncio.open_connection("127.0.0.1", self.target)

        async def back():
            while chunk := await upstream_reader.read(1 << 18):
                self.loop.call_later(self.delay, writer.write, chunk)

        task = asyncio.ensure_future(back())
        while chunk := await reader.read(1 << 16):
            upstream_writer.write(chunk)
        task.cancel()
        upstream_writer.close()


class HalfBodyServer(AsyncServer):
    """A server that sends half of a body, and the other half after `release`; of `/whole/` it sends all at once."""

    def __init__(self, body):
        self.body = body
        self.waiting = 0
        self.gate = asyncio.Event()

    def release(self):
        self.loop.call_soon_threadsafe(self.gate.set)

    async def serve(self, reader, writer):
        request = await reader.readuntil(b"\r\n\r\n")
        head = f"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: {len(self.body)}\r\n"
        if request.startswith(b"GET /whole/"):
            writer.write(f"{head}Connection: close\r\n\r\n".encode() + self.body)
            await writer.drain()
            return
        half = len(self.body) // 2
        writer.write(f"{head}Connection: close\r\n\r\n".encode() + self.body[:half])
        self.waiting += 1
        await self.gate.wait()
        writer.write(self.body[half:])
        await writer.drain()
