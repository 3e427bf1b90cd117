# SPDX-License-Identifier: MIT
"""Runs one client that writes to a bucket of its own, and prints the cost as JSON.

Usage: clients.py CLIENT ENDPOINT SLUICE <LIST

The time is measured from the start of the first process to the end of the last; the CPU time is that of all of them. A
run fails if the bucket does not have one picture per line at the end.
"""

import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import uuid

import boto3
import server

TOOLS = pathlib.Path(sys.executable).parent
# s5cmd's default of 256 workers is more than a store with two cores answers well, and 32 is Sluice's width.
WIDTH = "32"


def s5cmd(photos, bucket, _, sluice, folder):
    return [[TOOLS / "s5cmd", "--numworkers", WIDTH, "--log", "error", "cp", f"{photos}/", f"s3://{bucket}/originals/"]]


def rclone(photos, bucket, _, sluice, folder):
    return [copy(photos, f"store:{bucket}/originals")]


def copy(source, target):
    return [TOOLS / "rclone", "copy", "--transfers", WIDTH, "--checkers", WIDTH, "--no-traverse", source, target]


def mirror(photos, bucket, _, sluice, folder):
    return [[sluice, "mirror", photos, "--sizes", "none", "--out", f"s3://{bucket}", "--state", folder / "state",
             "--config", "none", "--quiet"]]


def thumbs(_, bucket, source, sluice, folder):
    return [[sluice, "thumbs", f"s3://{source}", "--sizes", "256", "--out", f"s3://{bucket}", "--state",
             folder / "state", "--config", "none", "--quiet"]]


def pipeline(_, bucket, source, sluice, folder):
    (folder / "thumbs").mkdir()
    shrink = f"cd '{folder}/in' && ls | xargs -P 2 -n 100 vipsthumbnail --size 256x256 -o '{folder}/thumbs/%s.jpg[Q=80]'"
    return [copy(f"store:{source}", folder / "in"), ["sh", "-c", shrink], copy(folder / "thumbs", f"store:{bucket}")]


def photo_folder(files):
    """Returns the folder of the photos; if only some are used, one with links to them."""
    folder = files[0].parent
    if len(list(folder.iterdir())) == len(files):
        return folder
    links = pathlib.Path(tempfile.mkdtemp())
    for file in files:
        os.link(file, links / file.name) if os.stat(links).st_dev == os.stat(file).st_dev else shutil.copy(file, links)
    return links


def source_bucket(store, files):
    """Returns a bucket with the photos, which the first run fills."""
    name = f"source-{len(files)}"
    if name not in [bucket["Name"] for bucket in store.list_buckets()["Buckets"]]:
        store.create_bucket(Bucket=name)
        for file in files:
            store.upload_file(str(file), name, file.name, ExtraArgs={"ContentType": "image/jpeg"})
    return name


def run(client, endpoint, sluice):
    files = [pathlib.Path(line) for line in sys.stdin.read().splitlines()]
    store = boto3.client(
        "s3", endpoint_url=endpoint, aws_access_key_id=server.KEY, aws_secret_access_key=server.SECRET,
        region_name="us-east-1")
    source = source_bucket(store, files) if client in ("thumbs", "pipeline") else ""
    bucket = f"{client}-{uuid.uuid4()}"
    store.create_bucket(Bucket=bucket)
    folder = pathlib.Path(tempfile.mkdtemp())
    commands = globals()[client](photo_folder(files), bucket, source, sluice, folder)
    environment = dict(
        os.environ, AWS_ACCESS_KEY_ID=server.KEY, AWS_SECRET_ACCESS_KEY=server.SECRET, AWS_REGION="us-east-1",
        S3_ENDPOINT_URL=endpoint, AWS_ENDPOINT_URL_S3=endpoint, RCLONE_CONFIG="/dev/null", RCLONE_CONFIG_STORE_TYPE="s3",
        RCLONE_CONFIG_STORE_PROVIDER="Other", RCLONE_CONFIG_STORE_ENV_AUTH="true",
        RCLONE_CONFIG_STORE_ENDPOINT=endpoint, RCLONE_CONFIG_STORE_REGION="us-east-1")
    # Flush earlier writes, so that this run does not wait for them.
    os.sync()
    start = time.monotonic()
    for command in commands:
        done = subprocess.run(
            [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
            text=True)
        if done.returncode != 0:
            sys.exit(f"{command[0]} ended with {done.returncode}: {done.stdout[-500:]}")
    wall = time.monotonic() - start
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    pages = store.get_paginator("list_objects_v2").paginate(Bucket=bucket)
    made = sum(entry["Key"].endswith(".jpg") for page in pages for entry in page.get("Contents", []))
    if made != len(files):
        sys.exit(f"{client} has stored {made} of {len(files)} pictures")
    return {"seconds": wall, "cpu": usage.ru_utime + usage.ru_stime}


if __name__ == "__main__":
    print(json.dumps(run(*sys.argv[1:])))
