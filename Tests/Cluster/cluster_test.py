# SPDX-License-Identifier: MIT
"""Runs plans on Spark, GNU parallel and Slurm while their processes are killed.

Usage: cluster_test.py SLUICE [spark] [frozen] [parallel] [slurm] [spark-bucket] [slurm-bucket]
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from origins import Origins
from processes import Failure, ancestors, is_running, kill, marked, send, until, words
from slurm import Slurm
from spark import Cluster
from store import DatasetRun, Store, is_available
from work import Run

PARALLEL = Path(__file__).resolve().parents[2] / "Integrations" / "parallel" / "run"
LIMIT = 1000
"""The seconds after which the whole test has failed."""


class Test:
    """All scenarios, with the same origins."""

    def __init__(self, sluice: str, folder: Path) -> None:
        self.sluice, self.folder = sluice, folder
        self.origins, self.started = Origins(), time.monotonic()
        self.cluster: Cluster | None = None
        self.plain: dict[float, Run] = {}
        self.store: Store | None = None
        programs = folder / "programs"
        programs.mkdir()
        (programs / "sluice").symlink_to(sluice)
        self.path = f"{programs}:{os.environ['PATH']}:/usr/sbin"

    def say(self, text: str) -> None:
        print(f"{time.monotonic() - self.started:5.0f} s  {text}", flush=True)

    def run(self, name: str, share: float = 1) -> Run:
        """Makes a list of a share of the photos and its plan, and once the mirror of one machine."""
        if share not in self.plain:
            photos = self.folder / f"photos-{share}.txt"
            photos.write_text("\n".join(self.origins.addresses(share)) + "\n")
            self.plain[share] = Run(self.sluice, photos, self.folder / f"plain-{share}", self.origins.options())
            self.plain[share].mirror()
            self.say(f"mirrored {len(photos.read_text().splitlines())} photos on one machine")
        run = Run(self.sluice, self.plain[share].photos, self.folder / name, self.origins.options())
        run.make_plan()
        return run

    def finish(self, run: Run, share: float = 1) -> None:
        """Checks the mirror, the limits of the origins, and that no process is left."""
        run.check(self.plain[share])
        self.say(f"{run.folder.name}: identical; {self.check_end()}")

    def check_end(self) -> str:
        """Fails if a process is left, or a limit of an origin was exceeded."""
        known = {origin.process.pid for origin in self.origins.all}
        if self.store:
            known.add(self.store.process.pid)
        if self.cluster:
            known |= {daemon.pid for daemon in self.cluster.daemons.values()}
        until("the end of all processes", 60, lambda: not [p for p in marked() if p not in known])
        return self.origins.check_limits()

    # Spark

    def spark_cluster(self) -> Cluster:
        if not self.cluster:
            self.cluster = Cluster(self.folder / "cluster", sys.executable)
            self.cluster.start()
            self.say("the Spark cluster is up")
        return self.cluster

    def driver(self, run: Run, conf: dict[str, str] | None = None, *options: str) -> subprocess.Popen[bytes]:
        words = [str(run.plan), "--out", str(run.out), "--sluice", self.sluice, f"--options={' '.join(run.network)}", *options]
        return self.spark_cluster().driver(words, conf or {}, submit="--speculation" in options)

    def end_driver(self, driver: subprocess.Popen[bytes]) -> None:
        if code := driver.wait(LIMIT):
            log = (self.spark_cluster().folder / "driver.log").read_text(errors="replace")
            raise Failure(f"the driver ended with {code}:\n{log[-3000:]}")

    def spark(self, name: str, *options: str) -> None:
        """Kills a Python worker, an executor, a worker daemon and the driver, and runs the driver again."""
        run, cluster = self.run(name), self.spark_cluster()
        conf = {"spark.speculation.quantile": "0.1", "spark.speculation.multiplier": "1.1"}
        driver = self.driver(run, conf, *options)

        shard, process = run.started_shard(driver)
        self.say(f"kill the Python process of shard {shard}")
        kill(ancestors(process)[0])
        run.wait_for_end(process)

        shard, process = run.started_shard(driver)
        self.say(f"kill the executor of shard {shard}")
        kill(executor(process))
        run.wait_for_end(process)

        shard, process = run.started_shard(driver)
        worker = next(
            name for name, daemon in cluster.daemons.items() if name != "master" and daemon.pid in ancestors(process)
        )
        self.say(f"kill the worker daemon of shard {shard}")
        kill(cluster.daemons[worker].pid)
        cluster.daemons[worker].wait()
        run.wait_for_end(process)
        cluster.start_worker(worker)

        run.started_shard(driver)
        self.say("kill the driver")
        processes = run.shards().values()
        kill(driver.pid)
        driver.wait()
        for process in processes:
            run.wait_for_end(process)
        cluster.wait_for_workers()

        self.end_driver(self.driver(run, conf, *options))
        self.finish(run)

    def frozen(self) -> None:
        """Freezes an executor with its child until another attempt has committed the shard."""
        run = self.run("frozen", 0.2)
        conf = {
            "spark.network.timeout": "10s",
            "spark.network.timeoutInterval": "2s",
            "spark.executor.heartbeatInterval": "2s",
        }
        driver = self.driver(run, conf, "--work-options=--lock-wait 1s")
        shard, process, tree = self.freeze(run, driver)
        self.say(f"froze shard {shard}")
        until("the commit of the other attempt", 120, lambda: run.is_committed(shard))
        receipt = (run.plan / f"receipts/{shard:05}.json").read_bytes()
        # The child finishes its photos and loses.
        send(process, signal.SIGCONT)
        until("the end of the frozen attempt", 60, lambda: not is_running(process))
        for each in tree:
            send(each, signal.SIGCONT)
        self.end_driver(driver)
        if (run.plan / f"receipts/{shard:05}.json").read_bytes() != receipt:
            raise Failure("the frozen attempt has replaced the receipt")
        self.finish(run, 0.2)

    def freeze(self, run: Run, driver: subprocess.Popen[bytes]) -> tuple[int, int, list[int]]:
        """Returns a frozen shard, its process, and all frozen processes; a shard may end before it is frozen."""
        while True:
            shard, process = run.started_shard(driver)
            tree = [process, *ancestors(process)]
            above = [each for each in tree if is_executor(each)]
            tree = tree[: tree.index(above[0]) + 1] if above else []
            for each in reversed(tree):
                send(each, signal.SIGSTOP)
            if tree and not run.is_committed(shard):
                return shard, process, tree
            for each in tree:
                send(each, signal.SIGCONT)

    # Other engines

    def parallel(self) -> None:
        """Kills a shard of GNU parallel, which tries it again."""
        run = self.run("parallel", 0.2)
        jobs = subprocess.Popen(
            [str(PARALLEL), str(run.plan), str(run.out), "--jobs", "2", "--", *run.network],
            env={**os.environ, "PATH": self.path}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        shard, process = run.started_shard(jobs)
        self.say(f"kill shard {shard}")
        kill(process)
        if code := jobs.wait(LIMIT):
            raise Failure(f"parallel or the merge ended with {code}")
        self.finish(run, 0.2)

    def slurm(self) -> None:
        """Kills the Slurm step that runs a shard; the job of the merge submits the shard again."""
        run = self.run("slurm", 0.2)
        slurm = Slurm(self.folder / "slurm-state", self.path)
        try:
            slurm.start()
            self.say("Slurm is up")
            slurm.submit(run.plan, run.out, run.network)
            shard, process = run.started_shard()
            self.say(f"kill the step of shard {shard}")
            kill(process)
            slurm.wait_for_jobs()
            if not slurm.has_logged("1 of"):
                raise Failure(f"shard {shard} was not killed, or the merge did not name it")
        finally:
            slurm.stop()
        self.finish(run, 0.2)

    # Plans and datasets in a bucket

    def dataset(self, name: str) -> DatasetRun:
        """Makes a plan in the bucket."""
        plain = self.run(f"{name}-plain", 0.2)
        if not self.store:
            self.store = Store(self.folder / "store")
        run = DatasetRun(plain, self.store, name)
        run.make_plan()
        return run

    def finish_dataset(self, run: DatasetRun, killed: int) -> None:
        """Checks the dataset."""
        self.say(f"{run.name}: killed {killed} processes; {run.check(self.plain[0.2])}; {self.check_end()}")

    def spark_bucket(self) -> None:
        """Kills processes of shards at random; Spark tries them again, and the driver ends by itself."""
        # The workers of a cluster that runs already do not know the store.
        if self.cluster:
            self.cluster.stop()
            self.cluster = None
            shutil.rmtree(self.folder / "cluster")
        run = self.dataset("spark-bucket")
        words = [run.plan, "--out", run.out, "--sluice", self.sluice, f"--options={' '.join(run.options)}"]
        driver = self.spark_cluster().driver(words, {"spark.task.maxFailures": "6"}, submit=False)
        killed = run.kill_at_random(lambda: driver.poll() is not None, seed=len(words))
        self.end_driver(driver)
        self.finish_dataset(run, killed)

    def slurm_bucket(self) -> None:
        """Kills processes of shards at random; the jobs of the merge submit the missing shards until it succeeds."""
        run = self.dataset("slurm-bucket")
        slurm = Slurm(self.folder / "slurm-bucket-state", self.path)
        try:
            slurm.start()
            slurm.submit(run.plan, run.out, run.options)
            killed = run.kill_at_random(slurm.is_idle, seed=0)
            slurm.wait_for_jobs()
        finally:
            slurm.stop()
        self.finish_dataset(run, killed)


def executor(process: int) -> int:
    """The Java process of Spark above a shard."""
    return next(each for each in ancestors(process) if is_executor(each))


def is_executor(process: int) -> bool:
    """Whether a process is Java and runs tasks of Spark."""
    return any("ExecutorBackend" in word for word in words(process))


def give_up(*_: object) -> None:
    """Ends the test when its time is over."""
    raise Failure(f"not finished after {LIMIT} s")


def main() -> int:
    """Runs the scenarios."""
    buckets = ["spark-bucket", "slurm-bucket"] if is_available() else []
    names = sys.argv[2:] or ["spark", "frozen", "parallel", "slurm", *buckets]
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(LIMIT)
    folder = Path(tempfile.mkdtemp(prefix="sluice-cluster-"))
    test = Test(str(Path(sys.argv[1]).resolve()), folder)
    try:
        test.origins.start(test.sluice)
        if "spark" in names:
            test.spark("kills")
            test.spark("kills-speculation", "--speculation")
        scenarios = {
            "frozen": test.frozen, "parallel": test.parallel, "slurm": test.slurm,
            "spark-bucket": test.spark_bucket, "slurm-bucket": test.slurm_bucket,
        }  # fmt: skip
        for name, scenario in scenarios.items():
            if name in names:
                scenario()
        if test.cluster:
            test.cluster.stop()
        if test.store:
            test.store.stop()
        test.origins.stop()
        test.say("passed")
        shutil.rmtree(folder)
        return 0
    except (Failure, subprocess.TimeoutExpired) as failure:
        print(f"cluster-test: {failure}; see {folder}", file=sys.stderr)
        return 1
    finally:
        for process in marked():
            send(process, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main())
