# SPDX-License-Identifier: MIT
"""An object store on this machine, which is public, and a plan whose shards become a dataset in it."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import random
import shutil
import socket
import subprocess
import tarfile
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from processes import Failure, kill, until, written
from work import OPTIONS, SHARDS, Run, files, shards_of

BUCKET = "cluster"
KEYS = ("sluice-owner", "secret/with+odd=signs")
PROGRAM = Path(__file__).resolve().parents[2] / ".build/object-stores/weed"
KILLS = 6
"""The processes of shards to kill in a run; each shard loses at most two."""
MOST_BYTES = 1 << 20
"""A process is killed before it has written more than about these."""


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

    def kill_at_random(self, is_over: Callable[[], object], seed: int) -> int:
        """Kills shards that have written a random number of bytes, until enough are killed or `is_over()`."""
        chance, killed = random.Random(seed), 0
        left, moments = dict.fromkeys(range(SHARDS), 2), dict[int, int]()

        def step() -> bool:
            nonlocal killed
            for shard, process in sorted(shards_of(self.plan).items()):
                moment = moments.setdefault(process, chance.randrange(MOST_BYTES))
                if left[shard] and killed < KILLS and written(process) > moment:
                    kill(process)
                    left[shard] -= 1
                    killed += 1
            return killed == KILLS or bool(is_over())

        until("the kills or the end of the shards", 300, step)
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
    """Ports that are free now, below those that systems give to connections."""
    ports: list[int] = []
    with contextlib.ExitStack() as stack:
        while len(ports) < count:
            each, port = stack.enter_context(socket.socket()), random.randrange(10_000, 30_000)
            with contextlib.suppress(OSError):
                each.bind(("127.0.0.1", port))
                ports.append(port)
    return ports


def is_available() -> bool:
    """Whether the programs of the store are present."""
    return PROGRAM.exists() and shutil.which("curl") is not None
