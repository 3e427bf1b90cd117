# SPDX-License-Identifier: MIT
"""The function `download` with the arguments of img2dataset."""

from __future__ import annotations

import os
import shutil
import warnings
from itertools import chain
from typing import Any, Dict, List, Optional, Type

from .. import command
from ..manifest import manifest
from .choices import check, choose, refusal
from .dataset import Dataset, prepare_exif
from .lists import HASHES, Lists
from .packages import package
from .pictures import Pictures
from .rules import Rules
from .shards import Numbers, ShardFolder
from .tfrecord import RecordWriter
from .writers import FolderWriter, TableWriter, TarWriter, Writer

_WRITERS: Dict[str, Type[Writer]] = {
    "webdataset": TarWriter, "files": FolderWriter, "parquet": TableWriter, "tfrecord": RecordWriter, "dummy": Writer,
}


def download(
    url_list: str,
    image_size: int = 256,
    output_folder: str = "images",
    processes_count: int = 1,
    resize_mode: str = "border",
    resize_only_if_bigger: bool = False,
    upscale_interpolation: str = "lanczos",
    downscale_interpolation: str = "area",
    encode_quality: int = 95,
    encode_format: str = "jpg",
    skip_reencode: bool = False,
    output_format: str = "files",
    input_format: str = "txt",
    url_col: str = "url",
    caption_col: Optional[str] = None,
    bbox_col: Optional[str] = None,
    thread_count: int = 256,
    number_sample_per_shard: int = 10000,
    extract_exif: bool = True,
    save_additional_columns: Optional[List[str]] = None,
    timeout: float = 10,
    enable_wandb: bool = False,
    wandb_project: str = "img2dataset",
    oom_shard_count: int = 5,
    compute_hash: Optional[str] = "sha256",
    verify_hash: Optional[List[str]] = None,
    distributor: str = "multiprocessing",
    subjob_size: int = 1000,
    retries: int = 0,
    disable_all_reencoding: bool = False,
    min_image_size: int = 0,
    max_image_area: float = float("inf"),
    max_aspect_ratio: float = float("inf"),
    incremental_mode: str = "incremental",
    max_shard_retry: int = 1,
    user_agent_token: Optional[str] = None,
    disallowed_header_directives: Optional[List[str]] = None,
    ignore_ssl_certificate: bool = False,
    sluice_options: Optional[Dict[str, command.Option]] = None,
) -> None:
    """Downloads the photos of lists, and writes shards with the files, columns and words of img2dataset.

    `Documentation/img2dataset.md` says what each argument does. The mirror, from which the same call continues after an
    interruption, is in the folder `OUTPUT_FOLDER.mirror`. `sluice_options` are further options of `sluice mirror`.
    """
    package("pyarrow", "img2dataset.download")
    if compute_hash is not None:
        check("compute_hash", compute_hash, HASHES)
    if verify_hash is not None and (len(verify_hash) != 2 or verify_hash[1] != compute_hash):
        raise refusal("verify_hash", verify_hash, f"it needs a column and the compute_hash, which is {compute_hash!r}")
    if ignore_ssl_certificate:
        reason = "Sluice checks all certificates; sluice_options={'ca_file': FILE} names the authorities to trust"
        raise refusal("ignore_ssl_certificate", True, reason)
    writer = choose("output_format", output_format, _WRITERS)
    check("distributor", distributor, ["multiprocessing", "pyspark", "ray"])
    if extract_exif:
        prepare_exif()
    numbers = Numbers(number_sample_per_shard, oom_shard_count)
    lists = Lists.of(url_list, input_format, url_col, caption_col, bbox_col, verify_hash, save_additional_columns)
    mirror = f"{os.path.abspath(output_folder)}.mirror"
    pictures = Pictures.of(
        mirror, image_size, resize_mode, resize_only_if_bigger, upscale_interpolation, downscale_interpolation,
        encode_quality, encode_format, skip_reencode, disable_all_reencoding, bbox_col,
    )
    rules = Rules.of(min_image_size, max_image_area, max_aspect_ratio, disallowed_header_directives, user_agent_token)
    _warn({"enable_wandb": enable_wandb, "distributor": distributor != "multiprocessing"})
    folder = ShardFolder.open(output_folder, numbers, incremental_mode)
    dataset = Dataset(
        lists, folder, pictures, rules, writer, compute_hash, verify_hash is not None, caption_col is not None,
        extract_exif, bbox_col,
    )
    options: Dict[str, Any] = {
        "concurrency": min(thread_count, 4096), "connect_timeout": f"{timeout}s", "first_byte_timeout": f"{timeout}s",
        "retries": retries, "no_gallery": True, **pictures.options, **rules.options(image_size**2), **(sluice_options or {}),
    }
    try:
        _run(dataset, mirror, options)
    finally:
        folder.close()


def _run(dataset: Dataset, mirror: str, options: Dict[str, Any]) -> None:
    photos = dataset.photos()
    first = next(photos, None)
    is_whole = True
    dataset.folder.begin()
    if first is not None:
        run = command.mirror(chain([first], photos), mirror, **options)
        run.wait()
        is_whole = run.exit_code in (0, 3)
    is_complete = dataset.write(manifest(mirror) if first is not None else [], is_whole)
    if is_complete and dataset.boxes is not None:
        # Its originals are not blurred.
        shutil.rmtree(mirror, ignore_errors=True)


def _warn(ignored: Dict[str, bool]) -> None:
    names = sorted(name for name, is_given in ignored.items() if is_given)
    if names:
        warnings.warn(f"these arguments have no effect here: {', '.join(names)}", stacklevel=3)
