# SPDX-License-Identifier: MIT
"""A Spark standalone cluster with one master and two workers, and its drivers."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from processes import kill, until

PACKAGE = Path(__file__).resolve().parents[2] / "Integrations" / "spark"


class Cluster:
    """The daemons; each worker has a loopback address of its own."""

    def __init__(self, folder: Path, python: str) -> None:
        import pyspark

        self.home, self.folder, self.python = Path(pyspark.__file__).parent, folder, python
        folder.mkdir()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.master = f"spark://127.0.0.1:{probe.getsockname()[1]}"
        self.environment = {
            **os.environ, "SPARK_HOME": str(self.home), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": python,
            "SPARK_LOCAL_DIRS": str(folder / "local"), "SPARK_DAEMON_MEMORY": "256m", "PYTHONPATH": str(PACKAGE),
            "SPARK_MASTER_OPTS": "-Dspark.master.rest.enabled=false",
        }  # fmt: skip
        self.daemons: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        """Starts all daemons."""
        port = self.master.rsplit(":", 1)[1]
        self._start("master", "master.Master", ["--host", "127.0.0.1", "--port", port, "--webui-port", "0"])
        until("the master", 120, lambda: "I have been elected leader" in self._log("master"))
        for worker in ("11", "12"):
            self.start_worker(worker)
        self.wait_for_workers()

    def start_worker(self, worker: str) -> None:
        """Starts a worker."""
        words = ["--host", f"127.0.0.{worker}", "--cores", "1", "--memory", "1g", "--webui-port", "0"]
        self._start(worker, "worker.Worker", [*words, "--work-dir", str(self.folder / f"work-{worker}"), self.master])

    def wait_for_workers(self) -> None:
        """Waits until both workers are registered."""
        for worker in ("11", "12"):
            until(f"worker {worker}", 120, partial(self._is_registered, worker))

    def stop(self) -> None:
        """Ends all daemons."""
        for daemon in self.daemons.values():
            kill(daemon.pid)
            daemon.wait()

    def driver(self, words: Sequence[str], conf: dict[str, str], *, submit: bool) -> subprocess.Popen[bytes]:
        """Starts a driver, with spark-submit or as a module of Python."""
        conf = {"spark.executor.memory": "512m", "spark.ui.enabled": "false", **conf}
        options = ["--master", self.master, "--driver-memory", "512m"]
        for name, value in conf.items():
            options += ["--conf", f"{name}={value}"]
        environment = dict(self.environment)
        if submit:
            command = [str(self.home / "bin" / "spark-submit"), *options, str(PACKAGE / "sluice_spark/__main__.py")]
            del environment["PYTHONPATH"]
        else:
            command = [self.python, "-m", "sluice_spark"]
            environment["PYSPARK_SUBMIT_ARGS"] = " ".join([*options, "pyspark-shell"])
        with open(self.folder / "driver.log", "ab") as log:
            return subprocess.Popen([*command, *words], env=environment, stdout=log, stderr=log)

    def _start(self, name: str, daemon: str, words: list[str]) -> None:
        command = [str(self.home / "bin" / "spark-class"), f"org.apache.spark.deploy.{daemon}", *words]
        with open(self.folder / f"{name}.log", "wb") as log:
            self.daemons[name] = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)

    def _is_registered(self, worker: str) -> bool:
        return "Successfully registered" in self._log(worker)

    def _log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(errors="replace")
