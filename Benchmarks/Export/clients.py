# SPDX-License-Identifier: MIT
"""Writes a mirror's photos as shards with one program, and prints the seconds and CPU seconds that it took.

Usage: clients.py KIND MIRROR COMMAND...; the files' paths come on standard input. Every program flushes what it wrote.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

SHARD = 10_000


def run(command: list[str], paths: list[str] | None = None, folder: pathlib.Path | None = None, output=None) -> None:
    given = None if paths is None else "".join(f"{path}\n" for path in paths).encode()
    subprocess.run(command, input=given, check=True, cwd=folder, stdout=output, stderr=subprocess.DEVNULL)


def shards(paths: list[str]) -> list[list[str]]:
    return [paths[start:start + SHARD] for start in range(0, len(paths), SHARD)]


def cat(mirror: pathlib.Path, out: pathlib.Path, paths: list[str], _: list[str]) -> None:
    for number, shard in enumerate(shards(paths)):
        with open(out / f"{number:05}", "wb") as file:
            run(["xargs", "cat"], shard, mirror, file)
            os.fsync(file.fileno())


def tar(mirror: pathlib.Path, out: pathlib.Path, paths: list[str], _: list[str]) -> None:
    from pyarrow import json as lines, parquet

    for number, shard in enumerate(shards(paths)):
        name = out / f"{number:05}.tar"
        run(["tar", "--create", f"--file={name}", "--files-from=-"], shard, mirror)
        with open(name, "rb") as file:
            os.fsync(file.fileno())
    table = lines.read_json(mirror / "manifest.jsonl")
    with open(out / "metadata.parquet", "wb") as file:
        parquet.write_table(table, file, compression="zstd")
        os.fsync(file.fileno())


def sluice(mirror: pathlib.Path, out: pathlib.Path, _: list[str], words: list[str]) -> None:
    run([words[0], "export", str(mirror), "--out", str(out), "--quiet", *words[1:]])


def img2dataset(mirror: pathlib.Path, out: pathlib.Path, paths: list[str], words: list[str]) -> None:
    program, port = words
    (out / "list.txt").write_text("".join(f"http://127.0.0.1:{port}/{path}\n" for path in paths))
    run([
        program, f"--url_list={out / 'list.txt'}", f"--output_folder={out / 'data'}", "--output_format=webdataset",
        "--resize_mode=no", "--disable_all_reencoding=True", "--processes_count=2", "--thread_count=32", "--retries=0",
        f"--number_sample_per_shard={SHARD}", "--compute_hash=sha256", "--save_additional_columns=[]"])
    run(["sync", "--file-system", str(out)])


def main() -> None:
    kind, mirror, *words = sys.argv[1:]
    paths = sys.stdin.read().splitlines()
    with tempfile.TemporaryDirectory() as name:
        before, start = cpu(), time.monotonic()
        {"cat": cat, "tar": tar, "sluice": sluice, "img2dataset": img2dataset}[kind](
            pathlib.Path(mirror), pathlib.Path(name), paths, words)
        print(json.dumps({"seconds": time.monotonic() - start, "cpu": cpu() - before}))


def cpu() -> float:
    usages = [resource.getrusage(kind) for kind in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


if __name__ == "__main__":
    main()
