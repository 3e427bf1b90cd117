# SPDX-License-Identifier: MIT
"""Tests of runs that are stopped, that crash, and that others wait for."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
import unittest
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import List

import sluice
from sluice.errors import error
from support import Case


class Waiting(Case):
    """A run whose second photo waits for a gate."""

    def setUp(self) -> None:
        super().setUp()
        self.demo(per_page=4).check()
        self.service = self.serve([file.name for file in sorted((self.out / "originals").iterdir())])
        self.service.gate.clear()
        self.copy = self.folder / "copy"

    def start(self, drain_timeout: str = "100ms") -> sluice.Run:
        return sluice.mirror(
            self.service.list, self.copy, concurrency=2, drain_timeout=drain_timeout, **self.service.options
        )

    def process_of(self, run: sluice.Run) -> int:
        return run._process._process.pid  # pyright: ignore[reportPrivateUsage]


class StoppingTests(Waiting):
    def test_any_thread_may_close_a_run_that_another_one_reads(self) -> None:
        run = self.start()
        threads: List[threading.Thread] = []
        for event in run:
            if isinstance(event, sluice.events.ItemEnded) and not threads:
                threads = [threading.Thread(target=run.close) for _ in range(4)]
                for thread in threads:
                    thread.start()
        for thread in threads:
            thread.join()
        assert run.summary is not None
        self.assertEqual((run.exit_code, run.summary.done), (130, 1))

    def test_stopped_run_has_all_its_events(self) -> None:
        run = self.start()
        events: List[sluice.Event] = []
        for event in run:
            events.append(event)
            if isinstance(event, sluice.events.ItemEnded):
                run.stop()
        self.assertEqual(events[-1], run.summary)
        self.assertTrue(any(isinstance(event, sluice.events.Stopping) for event in events))
        with self.assertRaises(sluice.Interrupted):
            run.check()

    def test_several_stops_are_one(self) -> None:
        """A second signal would end the command before its photos are finished."""
        run = self.start(drain_timeout="10m")
        for event in run:
            if isinstance(event, sluice.events.ItemEnded):
                run.stop()
                run.stop()
            if isinstance(event, sluice.events.Stopping):
                self.service.gate.set()
        assert run.summary is not None
        self.assertGreaterEqual(run.summary.done, 2)

    def test_run_that_nobody_uses_is_stopped(self) -> None:
        run = self.start()
        process = run._process  # pyright: ignore[reportPrivateUsage]
        next(run)
        del run
        gc.collect()
        self.assertEqual(process.exit_code, 130)

    def test_interruption_by_others(self) -> None:
        run = self.start()
        with self.assertRaises(sluice.Interrupted) as caught:
            for event in run:
                if isinstance(event, sluice.events.ItemEnded):
                    os.kill(self.process_of(run), signal.SIGTERM)
        self.assertEqual(caught.exception.exit_code, 143)

    def test_crash_is_no_interruption(self) -> None:
        run = self.start()
        with self.assertRaisesRegex(sluice.Crashed, "SIGKILL"):
            for event in run:
                if isinstance(event, sluice.events.ItemEnded):
                    # Also when the user stops the run at the same time.
                    os.kill(self.process_of(run), signal.SIGKILL)
                    run.stop()
        self.assertEqual(run.exit_code, -signal.SIGKILL)

    def test_messages_during_a_run(self) -> None:
        run = self.start()
        for event in run:
            if isinstance(event, sluice.events.RunStarted):
                self.assertEqual(run.messages, "")
            if isinstance(event, sluice.events.ItemEnded):
                run.stop()
        self.assertIn("finishing photos", run.messages)
        self.assertIn("stopped: 1 done", run.messages)

    def test_answer_to_a_stop_does_not_wait_for_the_photos(self) -> None:
        words = sluice.command.words({"out": self.copy, "drain_timeout": "10m", **self.service.options})
        command = [sluice.command.find_command(), "mirror", *words, str(self.service.list)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            for line in process.stderr:
                if line.startswith("page 1"):
                    process.send_signal(signal.SIGINT)
                if "finishing photos" in line:
                    self.service.gate.set()
        self.assertEqual(process.returncode, 130)

    def test_fork_of_a_program_leaves_the_run_alone(self) -> None:
        run = self.start()
        next(run)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            # Ends a child that waits for the run.
            signal.alarm(60)
            run.close()
            os._exit(0)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.service.gate.set()
        self.assertEqual(run.check().done, 4)

    def test_end_of_a_program_stops_its_runs(self) -> None:
        program = "\n".join([
            "import sluice",
            f"run = sluice.mirror({str(self.service.list)!r}, {str(self.copy)!r}, concurrency=2, drain_timeout='100ms',"
            f" **{self.service.options!r})",
            "while not isinstance(next(run), sluice.events.ItemEnded): pass",
        ])
        package = os.path.dirname(os.path.dirname(sluice.__file__))
        environment = {**os.environ, "PYTHONPATH": package}
        subprocess.run([sys.executable, "-c", program], env=environment, check=True)
        self.service.gate.set()
        self.assertEqual(self.start().check().kept, 1)


class ExitCodeTests(unittest.TestCase):
    def test_signals(self) -> None:
        for code in (129, 130, 143, -signal.SIGINT, -signal.SIGTERM, -signal.SIGHUP):
            self.assertIsInstance(error(code, ""), sluice.Interrupted, str(code))
        for code, name in ((-signal.SIGSEGV, "SIGSEGV"), (132, "SIGILL"), (137, "SIGKILL"), (-77, "signal 77")):
            crash = error(code, "sluice: a message")
            self.assertIsInstance(crash, sluice.Crashed)
            self.assertIn(name, str(crash))
            self.assertIn("\na message", str(crash))


class AsynchronousTests(Waiting):
    def test_async_for(self) -> None:
        async def names() -> List[str]:
            return [event.name async for event in self.demo(pages=2)]

        found = asyncio.run(names())
        self.assertEqual((found[0], found[-1], found.count("item-ended")), ("run-started", "run-finished", 6))

    def test_two_runs_at_once(self) -> None:
        async def count(out: str) -> int:
            run = sluice.mirror("demo", self.folder / out, pages=1, per_page=3, sizes="none", config="none")
            async for _ in run:
                pass
            return run.wait().done

        async def both() -> List[int]:
            return list(await asyncio.gather(count("a"), count("b")))

        self.assertEqual(asyncio.run(both()), [3, 3])

    def test_more_runs_than_threads_of_the_loop(self) -> None:
        """A run that waits must not take a thread from other work of the program."""
        async def work() -> int:
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(max_workers=1))
            async with self.start() as run:
                async for event in run:
                    if isinstance(event, sluice.events.ItemEnded):
                        break
                waiting = asyncio.ensure_future(run.__anext__())
                await asyncio.sleep(0)
                other = asyncio.get_running_loop().run_in_executor(None, lambda: 7)
                found = await asyncio.wait_for(other, 60)
                waiting.cancel()
            return found

        self.assertEqual(asyncio.run(work()), 7)

    def test_errors(self) -> None:
        async def read() -> None:
            async for _ in self.demo(no_such=1):
                pass

        with self.assertRaisesRegex(sluice.UsageError, "--no-such"):
            asyncio.run(read())

    def test_cancelled_task_stops_the_run(self) -> None:
        runs: List[sluice.Run] = []

        async def read(has_photo: asyncio.Event) -> None:
            runs.append(self.start())
            async for event in runs[0]:
                if isinstance(event, sluice.events.ItemEnded):
                    has_photo.set()

        async def cancel() -> None:
            has_photo = asyncio.Event()
            task = asyncio.ensure_future(read(has_photo))
            await has_photo.wait()
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task

        asyncio.run(cancel())
        self.assertEqual((runs[0].wait().done, runs[0].exit_code), (1, 130))

    def test_leaving_a_block_stops_the_run(self) -> None:
        async def read() -> sluice.Run:
            async with self.start() as run:
                async for event in run:
                    if isinstance(event, sluice.events.ItemEnded):
                        break
            return run

        run = asyncio.run(read())
        self.assertEqual((run.exit_code, run.wait().done), (130, 1))
