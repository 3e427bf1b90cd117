# SPDX-License-Identifier: MIT
"""Reads a list or writes a dataset with one program, and prints the seconds and CPU seconds that it took.

Usage: library_clients.py KIND PLACE WORDS...; the files' paths come on standard input. Datasets are flushed to disk.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from clients import cpu


def make_list(path: str, count: int) -> None:
    import pyarrow
    from pyarrow import parquet

    with parquet.ParquetWriter(path, schema(), compression="zstd") as writer:
        for start in range(0, count, 50_000):
            numbers = range(start, min(start + 50_000, count))
            writer.write_table(pyarrow.table({
                "id": [f"p{number}" for number in numbers],
                "url": [f"https://photos.example.org/albums/{number % 997}/image-{number:08d}.jpg" for number in numbers],
                "caption": [f"A lake, number {number}" for number in numbers],
                "width": [1000 + number % 3000 for number in numbers], "height": [800] * len(numbers),
                "similarity": [number % 1000 / 1000 for number in numbers],
            }, schema=schema()))  # fmt: skip


def schema():
    import pyarrow

    return pyarrow.schema([
        ("id", pyarrow.string()), ("url", pyarrow.string()), ("caption", pyarrow.string()), ("width", pyarrow.int32()),
        ("height", pyarrow.int32()), ("similarity", pyarrow.float64()),
    ])  # fmt: skip


def dry_run(path: str, sluice: str) -> None:
    with open(os.devnull, "wb") as nothing:
        subprocess.run([sluice, "mirror", path, "--dry-run", "--config", "none"], check=True, stdout=nothing, stderr=nothing)


def pyarrow_rows(path: str) -> None:
    from pyarrow import parquet

    count = 0
    for batch in parquet.ParquetFile(path).iter_batches():
        for row in batch.to_pylist():
            count += len(row["url"]) > 0
    assert count > 0


def datasets_rows(path: str) -> None:
    import datasets

    datasets.disable_progress_bars()
    count = 0
    for row in datasets.load_dataset("parquet", data_files=path, split="train", streaming=True):
        count += len(row["url"]) > 0
    assert count > 0


def rows(mirror: str, paths: list[str]):
    """The captions and files of a mirror."""
    captions = {}
    for line in (pathlib.Path(mirror) / "manifest.jsonl").read_text().splitlines():
        row = json.loads(line)
        captions[row.get("file")] = row.get("caption", "")
    for path in paths:
        yield path, (pathlib.Path(mirror) / path).read_bytes(), captions.get(path, "")


def webdataset(out: pathlib.Path, paths: list[str], mirror: str) -> None:
    from webdataset import TarWriter

    with open(out / "00000.tar", "wb") as file:
        with TarWriter(file) as writer:
            for index, (path, content, caption) in enumerate(rows(mirror, paths)):
                writer.write({"__key__": f"{index:08}", pathlib.Path(path).suffix[1:]: content, "txt": caption})
        file.flush()
        os.fsync(file.fileno())


def pyarrow_table(out: pathlib.Path, paths: list[str], mirror: str) -> None:
    import pyarrow
    from pyarrow import parquet

    kind = pyarrow.struct([("bytes", pyarrow.binary()), ("path", pyarrow.string())])
    layout = pyarrow.schema([("image", kind), ("caption", pyarrow.string())])
    with open(out / "data.parquet", "wb") as file:
        with parquet.ParquetWriter(file, layout, compression="zstd") as writer:
            batch = []
            for path, content, caption in rows(mirror, paths):
                batch.append({"image": {"bytes": content, "path": path}, "caption": caption})
                if len(batch) == 100:
                    writer.write_table(pyarrow.Table.from_pylist(batch, schema=layout))
                    batch = []
            if batch:
                writer.write_table(pyarrow.Table.from_pylist(batch, schema=layout))
        file.flush()
        os.fsync(file.fileno())


def datasets_table(out: pathlib.Path, paths: list[str], mirror: str) -> None:
    import datasets

    datasets.disable_progress_bars()
    content = list(rows(mirror, paths))
    features = datasets.Features({"image": datasets.Image(), "caption": datasets.Value("string")})
    columns = {
        "image": [{"bytes": data, "path": path} for path, data, _ in content], "caption": [text for *_, text in content]
    }
    datasets.Dataset.from_dict(columns, features=features).to_parquet(str(out / "data.parquet"))
    subprocess.run(["sync", str(out / "data.parquet")], check=True)


def main() -> None:
    kind, place, *words = sys.argv[1:]
    if kind == "list":
        make_list(place, int(words[0]))
        return
    paths = sys.stdin.read().splitlines()
    readers = {"dry-run": dry_run, "pyarrow-rows": pyarrow_rows, "datasets-rows": datasets_rows}
    writers = {"webdataset": webdataset, "pyarrow-table": pyarrow_table, "datasets-table": datasets_table}
    with tempfile.TemporaryDirectory() as name:
        before, start = cpu(), time.monotonic()
        if kind in readers:
            readers[kind](place, *words)
        else:
            writers[kind](pathlib.Path(name), paths, place, *words)
        print(json.dumps({"seconds": time.monotonic() - start, "cpu": cpu() - before}))


if __name__ == "__main__":
    main()
