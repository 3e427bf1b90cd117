# SPDX-License-Identifier: MIT
"""Slurm with two nodes on this machine, without systemd."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from processes import Failure, kill, until

SUBMIT = Path(__file__).resolve().parents[2] / "Integrations" / "slurm" / "submit"
CONFIGURATION = """\
ClusterName=sluice
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
ReturnToService=2
NodeName=n[1-2] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first}-{second}] CPUs=1
PartitionName=all Nodes=ALL Default=YES
"""


class Slurm:
    """The daemons of a controller and two nodes."""

    def __init__(self, folder: Path, path: str) -> None:
        self.folder = folder
        (folder / "state").mkdir(parents=True)
        folder.chmod(0o755)
        host = os.uname().nodename.split(".")[0]
        first = 20000 + os.getpid() % 20000
        (folder / "slurm.conf").write_text(
            CONFIGURATION.format(host=host, folder=folder, controller=first, first=first + 1, second=first + 2)
        )
        key = folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        self.environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf"), "PATH": path}
        self.daemons: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """Starts all daemons, and waits until both nodes are idle."""
        files = [f"--{name}={self.folder}/munge.{name.split('-')[0]}" for name in ("socket", "key-file", "pid-file")]
        files += [f"--{name}={self.folder}/munge.{name.split('-')[0]}" for name in ("log-file", "seed-file")]
        self._start("munged", "--foreground", "--force", *files)
        until("munged", 20, (self.folder / "munge.socket").exists)
        self._start("slurmctld", "-D")
        for node in ("n1", "n2"):
            self._start("slurmd", "-D", "-N", node)
        until("both nodes", 60, lambda: self.run("sinfo", "-h", "-N", "-o", "%T").split() == ["idle", "idle"])

    def stop(self) -> None:
        """Ends all daemons."""
        for daemon in reversed(self.daemons):
            kill(daemon.pid)
            daemon.wait()

    def submit(self, plan: Path | str, out: Path | str, options: Sequence[str]) -> str:
        """Submits the missing shards and the merge with options of Sluice; returns the message."""
        log = str(self.folder / "job-%j.log")
        return self.run(str(SUBMIT), str(plan), str(out), "--output", log, "--chdir", str(self.folder), "--", *options)

    def wait_for_jobs(self) -> None:
        """Waits until no job is left."""
        until("the jobs", 180, self.is_idle)

    def is_idle(self) -> bool:
        """Whether no job is left."""
        return not self.run("squeue", "-h").strip()

    def has_logged(self, text: str) -> bool:
        """Whether a job has written this text."""
        return any(text in log.read_text() for log in self.folder.glob("job-*.log"))

    def run(self, *command: str) -> str:
        """Runs a command of Slurm; returns its output."""
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode != 0 and command[0] != "sinfo":
            raise Failure(f"{command}: exit code {done.returncode}\n{done.stderr}")
        return done.stdout

    def _start(self, *command: str) -> None:
        with open(self.folder / f"{command[0]}.log", "ab") as log:
            self.daemons.append(subprocess.Popen(command, env=self.environment, stdout=log, stderr=log))
