# SPDX-License-Identifier: MIT
"""Runs one client that downloads a list of URLs, and prints the cost as JSON.

Usage: clients.py CLIENT WIDTH PER-HOST ROOT [BINARY [WORD...]] <LIST     (one URL per line)

Files are written below ROOT and deleted. If ROOT is empty, they are written to disk and not deleted.

The time is measured from the start of the process to its end. A run fails if it does not produce one file per URL.
"""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time


# The patterns of picture files, for clients that also write other files.
PICTURES = {"sluice": "originals/**/*", "thumbs": "thumbs/256/*", "img2dataset": "*.jpg"}


def aria2(list_file, out, width, per_host, binary, words):
    return ["aria2c", "-q", "-j", width, "-i", list_file, "-d", out, *words]


def curl(list_file, out, width, per_host, binary, words):
    config = "".join(f'url = "{url}"\noutput = "{out}/{number}"\n' for number, url in enumerate(lines(list_file)))
    pathlib.Path(f"{list_file}.curl").write_text(config)
    return ["curl", "-q", "-s", "-f", "--parallel", "--parallel-max", width, *words, "-K", f"{list_file}.curl"]


def gallery_dl(list_file, out, width, per_host, binary, words):
    return [binary, "-q", "--config-ignore", "-D", out, "-i", list_file, *words]


def img2dataset(list_file, out, width, per_host, binary, words):
    return [binary, "--url_list", list_file, "--output_folder", f"{out}/set", "--image_size", "256",
            "--resize_mode", "keep_ratio", "--resize_only_if_bigger", "True", "--encode_quality", "80",
            "--processes_count", "2", "--thread_count", width, "--output_format", "files", *words]


def library(list_file, out, width, per_host, binary, words):
    return [binary, out, width, per_host, *words]


def sluice(list_file, out, width, per_host, binary, words):
    return [binary, "mirror", list_file, "--out", f"{out}/mirror", "--sizes", "none", "--allow-private", "--no-robots",
            "--concurrency", width, "--per-host", per_host, "--quiet", *words]


def thumbs(list_file, out, width, per_host, binary, words):
    return [*sluice(list_file, out, width, per_host, binary, words), "--sizes", "256"]


def wget2(list_file, out, width, per_host, binary, words):
    return ["wget2", "-q", "--no-robots", "--max-threads", width, "-i", list_file, "-P", out, *words]


def new_folder(root):
    """Returns a new folder."""
    return tempfile.TemporaryDirectory(dir=root) if root else contextlib.nullcontext(tempfile.mkdtemp())


def lines(file):
    return pathlib.Path(file).read_text().split("\n")[:-1]


def run(client, width, per_host, root, binary="", *words):
    with new_folder(root) as folder:
        list_file, out = f"{folder}/list.txt", pathlib.Path(folder) / "out"
        pathlib.Path(list_file).write_text(sys.stdin.read())
        out.mkdir()
        command = globals()[client](list_file, out, width, per_host, binary, words)
        # Flush earlier writes, so that this run does not wait for them.
        os.sync()
        with open(list_file) as list_input, open(f"{folder}/output", "w+") as output:
            start = time.monotonic()
            process = subprocess.Popen(command, stdin=list_input, stdout=output, stderr=output)
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.monotonic() - start
            output.seek(0)
            message = output.read()[-500:]
        files = [file for file in out.rglob(PICTURES.get(client, "*")) if file.is_file()]
        if status != 0 or len(files) != len(lines(list_file)):
            sys.exit(f"{client} ended with {status} and {len(files)} of {len(lines(list_file))} files: {message}")
        return {
            "seconds": wall, "cpu": usage.ru_utime + usage.ru_stime, "files": len(files),
            "bytes": sum(file.stat().st_size for file in files), "peak": usage.ru_maxrss << 10}


if __name__ == "__main__":
    print(json.dumps(run(*sys.argv[1:])))
