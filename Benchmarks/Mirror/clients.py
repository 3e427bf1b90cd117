# SPDX-License-Identifier: MIT
"""Runs one program that makes thumbnails from a list of URLs or files, and prints the cost as JSON.

Usage: clients.py CLIENT BINARY [WORD...] <LIST

The time is measured from the start of the process to its end; the CPU time includes child processes. A run fails if it
does not produce one picture per line.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time


def mirror(binary, list_file, out, words):
    command = [binary, "mirror", list_file, "--out", out, "--sizes", "256", "--allow-private", "--no-robots", "--quiet"]
    return command + list(words), "originals/**/*.jpg"


def thumbs(binary, list_file, out, words):
    return [binary, "thumbs", *words, "--out", out, "--sizes", "256", "--quiet"], "256/**/*.jpg"


def img2dataset(binary, list_file, out, words):
    options = {
        "url_list": list_file, "output_folder": out, "output_format": "files", "processes_count": 2, "thread_count": 64,
        "image_size": 256, "resize_mode": "keep_ratio_largest", "encode_quality": 80, "number_sample_per_shard": 600,
        "enable_wandb": False,
    }
    return [binary] + [f"--{name}={value}" for name, value in options.items()], "*/*.jpg"


def run(client, binary, *words):
    # The folder is not deleted until all measurements are done: see Harness/comparison.py.
    folder = tempfile.mkdtemp()
    list_file, out = f"{folder}/list.txt", f"{folder}/out"
    text = sys.stdin.read()
    pathlib.Path(list_file).write_text(text)
    command, pictures = globals()[client](binary, list_file, out, words)
    # Flush earlier writes, so that this run does not wait for them.
    os.sync()
    environment = dict(os.environ, NO_ALBUMENTATIONS_UPDATE="1")
    start = time.monotonic()
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, text=True)
    wall = time.monotonic() - start
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    made, expected = len(list(pathlib.Path(out).glob(pictures))), text.count("\n")
    if result.returncode != 0 or made != expected:
        sys.exit(f"{client} ended with {result.returncode} and {made} of {expected}: {result.stdout[-500:]}")
    return {"seconds": wall, "cpu": usage.ru_utime + usage.ru_stime}


if __name__ == "__main__":
    print(json.dumps(run(*sys.argv[1:])))
