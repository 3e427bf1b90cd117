# SPDX-License-Identifier: MIT
"""Lets one program make a mirror with thumbnails of a list of addresses or files, and prints what it cost.

Usage: clients.py CLIENT BINARY [WORD...] <LIST

All are measured from outside, by one clock, from the start of their process to its end, with all that they start. A run
that does not leave as many pictures as the list has lines counts for nothing.
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
    # It stays until all is measured: see Harness/contest.py.
    folder = tempfile.mkdtemp()
    list_file, out = f"{folder}/list.txt", f"{folder}/out"
    text = sys.stdin.read()
    pathlib.Path(list_file).write_text(text)
    command, pictures = globals()[client](binary, list_file, out, words)
    # What an earlier one left to be written is not this one's to wait for.
    os.sync()
    environment = dict(os.environ, NO_ALBUMENTATIONS_UPDATE="1")
    start = time.monotonic()
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, text=True)
    wall = time.monotonic() - start
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    made, wanted = len(list(pathlib.Path(out).glob(pictures))), text.count("\n")
    if result.returncode != 0 or made != wanted:
        sys.exit(f"{client} ended with {result.returncode} and {made} of {wanted}: {result.stdout[-500:]}")
    return {"seconds": wall, "cpu": usage.ru_utime + usage.ru_stime}


if __name__ == "__main__":
    print(json.dumps(run(*sys.argv[1:])))
