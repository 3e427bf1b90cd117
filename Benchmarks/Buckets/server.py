# SPDX-License-Identifier: MIT
"""The object store that is measured with."""

import contextlib
import json
import pathlib
import socket
import subprocess
import tempfile
import time
import urllib.request

KEY, SECRET = "benchmark", "benchmark-secret"


def free_ports(count):
    """Returns ports that are free now; all are held until the last is found, so that they differ."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


@contextlib.contextmanager
def seaweed(tools):
    """Runs SeaweedFS and yields its address."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        settings = pathlib.Path(folder, "s3.json")
        settings.write_text(json.dumps({"identities": [
            {"name": KEY, "credentials": [{"accessKey": KEY, "secretKey": SECRET}], "actions": ["Admin"]}]}))
        ports = free_ports(8)
        command = [
            tools / "weed", "server", f"-dir={folder}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-s3",
            "-master.telemetry=false", "-volume.max=1000", "-master.volumeSizeLimitMB=256", f"-s3.config={settings}",
            f"-filer.localSocket={folder}/filer", "-s3.port.iceberg=0", "-s3.port.lance=0",
        ]
        for index, name in enumerate(["master", "volume", "filer", "s3"]):
            command += [f"-{name}.port={ports[2 * index]}", f"-{name}.port.grpc={ports[2 * index + 1]}"]
        with open(f"{folder}/log", "w") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
        try:
            wait(process, ports[0], ports[6], pathlib.Path(folder, "log"))
            yield f"http://127.0.0.1:{ports[6]}"
        finally:
            process.kill()
            process.wait()


def wait(process, master, service, log):
    """Waits until the store has volumes: uploads fail before."""
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            with urllib.request.urlopen(f"http://127.0.0.1:{master}/dir/assign") as reply:
                if b'"fid"' in reply.read():
                    socket.create_connection(("127.0.0.1", service)).close()
                    return
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=0.2)
    raise SystemExit(f"SeaweedFS does not start: {log.read_text()[-1000:]}")
