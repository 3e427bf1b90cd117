# SPDX-License-Identifier: MIT
"""An object store on this machine, which is public, and a plan whose shards become a dataset in it."""

from __future__ import annotations

import hashlib
import io
import json
import os
import random
import shutil
import socket
import subprocess
import tarfile
import time
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree
from dataclasses import dataclass
from pathlib import Path

from processes import Failure, is_running, kill, marked, until, variable, words
from work import OPTIONS, SHARDS, Run, files

BUCKET = "cluster"
KEYS = ("sluice-owner", "secret/with+odd=signs")
PROGRAM = Path(__file__).resolve().parents[2] / ".build/object-stores/weed"
KILLS = 6
"""The processes of shards to kill in a run; each shard loses at most two."""


class Store:
    """SeaweedFS, which `Scripts/setup --tests` installs for the tests of buckets."""

    def __init__(self, folder: Path) -> None:
        (folder / "data").mkdir(parents=True)
        rights = [
            {"name": "anyone", "credentials": [{"accessKey": KEYS[0], "secretKey": KEYS[1]}], "actions": ["Admin"]},
            {"name": "anonymous", "actions": [f"Read:{BUCKET}", f"List:{BUCKET}"]},
        ]
        (folder / "s3.json").write_text(json.dumps({"identities": rights}))
        ports = free_ports(8)
        self.endpoint = f"http://127.0.0.1:{ports[6]}"
        command = [
            str(PROGRAM), "server", f"-dir={folder}/data", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-s3",
            "-master.telemetry=false", "-master.volumeSizeLimitMB=64", "-volume.max=1000", f"-s3.config={folder}/s3.json",
            f"-filer.localSocket={folder}/filer", "-s3.port.iceberg=0", "-s3.port.lance=0",
        ]  # fmt: skip
        for index, name in enumerate(["master", "volume", "filer", "s3"]):
            command += [f"-{name}.port={ports[2 * index]}", f"-{name}.port.grpc={ports[2 * index + 1]}"]
        with open(folder / "weed.log", "wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        until("SeaweedFS", 60, lambda: self.answers(f"http://127.0.0.1:{ports[0]}/dir/assign", b'"fid"'))
        until("its service", 60, self.make_bucket)
        # All workers inherit them.
        os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"] = KEYS
        os.environ["AWS_ENDPOINT_URL_S3"] = self.endpoint
        os.environ["XDG_STATE_HOME"] = str(folder / "state")

    @staticmethod
    def answers(address: str, part: bytes) -> bool:
        """Whether an address has a reply with these bytes."""
        try:
            with urllib.request.urlopen(address, timeout=5) as reply:
                return part in reply.read()
        except OSError:
            return False

    def make_bucket(self) -> bool:
        """Creates the bucket."""
        command = ["curl", "--silent", "--fail", "--request", "PUT", "--user", ":".join(KEYS)]
        command += ["--aws-sigv4", "aws:amz:us-east-1:s3", f"{self.endpoint}/{BUCKET}"]
        return subprocess.run(command, capture_output=True, timeout=30, check=False).returncode == 0

    def get(self, key: str) -> bytes | None:
        """The bytes of an object; `None` if it does not exist."""
        try:
            with urllib.request.urlopen(f"{self.endpoint}/{BUCKET}/{urllib.parse.quote(key)}", timeout=30) as reply:
                return bytes(reply.read())
        except urllib.error.HTTPError:
            return None

    def keys(self, prefix: str) -> list[str]:
        """The keys below a prefix, at most a thousand."""
        query = urllib.parse.urlencode({"list-type": "2", "prefix": prefix})
        with urllib.request.urlopen(f"{self.endpoint}/{BUCKET}?{query}", timeout=30) as reply:
            tree = xml.etree.ElementTree.fromstring(reply.read())
        return [element.text or "" for element in tree.iter() if element.tag.endswith("}Key")]

    def stop(self) -> None:
        """Ends the server."""
        kill(self.process.pid)
        self.process.wait()


@dataclass(frozen=True)
class DatasetRun:
    """A plan in a bucket whose shards become pieces of a dataset in the bucket."""

    run: Run
    store: Store
    name: str

    @property
    def plan(self) -> str:
        return f"s3://{BUCKET}/{self.name}/plan"

    @property
    def out(self) -> str:
        return f"s3://{BUCKET}/{self.name}/data"

    @property
    def options(self) -> tuple[str, ...]:
        return (*self.run.network, "--layout", "webdataset", "--shard-items", "20")

    def make_plan(self) -> None:
        self.run.command("plan", self.run.photos, "--shards", SHARDS, "--out", self.plan, *OPTIONS, *self.run.network)

    def shards(self) -> dict[int, int]:
        """The running shards: their processes, by the shard's number."""
        found = {}
        for process in marked():
            line = words(process)
            if len(line) > 2 and line[1] == "work" and line[2] == self.plan:
                number = line[line.index("--shard") + 1] if "--shard" in line else variable(process, "SLURM_ARRAY_TASK_ID")
                if number:
                    found[int(number)] = process
        return found

    def kill_at_random(self, is_over: object, seed: int) -> int:
        """Kills running shards until their number is reached or `is_over()`; returns how many."""
        assert callable(is_over)
        chance, killed, counts = random.Random(seed), 0, dict.fromkeys(range(SHARDS), 0)
        while killed < KILLS and not is_over():
            time.sleep(chance.uniform(0.1, 1.5))
            running = [(shard, process) for shard, process in sorted(self.shards().items()) if counts[shard] < 2]
            if running:
                shard, process = chance.choice(running)
                if is_running(process):
                    kill(process)
                    counts[shard] += 1
                    killed += 1
        return killed

    def check(self, plain: Run) -> str:
        """Fails unless the dataset has each photo of the plain mirror once, with the same bytes."""
        if self.store.get(f"{self.name}/data/_SUCCESS") is None:
            raise Failure("the dataset has no _SUCCESS")
        self.run.command("merge", self.plan, "--out", self.out, "--deep", *self.options)
        pieces = [key for key in self.store.keys(f"{self.name}/data/") if key.endswith(".tar")]
        found: list[str] = []
        for key in pieces:
            with tarfile.open(fileobj=io.BytesIO(self.store.get(key) or b"")) as tar:
                for member in tar.getmembers():
                    if member.name.endswith(".jpg") and (content := tar.extractfile(member)):
                        found.append(hashlib.sha256(content.read()).hexdigest())
        expected = [digest for name, digest in files(plain.out).items() if name.startswith("originals/")]
        listed = len(self.run.photos.read_text().splitlines())
        if sorted(found) != sorted(expected) or len(found) != listed:
            raise Failure(f"the dataset has {len(found)} photos, expected the {listed} of one machine")
        if left := [key for key in self.store.keys(f"{self.name}/data/.sluice/shards/")]:
            raise Failure(f"the dataset has {len(left)} files of attempts, for example {left[0]}")
        return f"{len(found)} photos in {len(pieces)} pieces"


def free_ports(count: int) -> list[int]:
    """Ports that are free now."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [int(each.getsockname()[1]) for each in sockets]
    for each in sockets:
        each.close()
    return ports


def is_available() -> bool:
    """Whether the programs of the store are present."""
    return PROGRAM.exists() and shutil.which("curl") is not None
