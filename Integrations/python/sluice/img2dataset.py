# SPDX-License-Identifier: MIT
"""An entry with the arguments of img2dataset, for programs that call it."""

from __future__ import annotations

import os
import re
import tarfile
import warnings
from typing import Any, Dict, List, Optional, Set, Tuple

from . import command

_FIT = {"border": "pad", "center_crop": "cover", "keep_ratio_largest": "inside"}
_FORMATS = {"jpg": "jpeg", "png": "png", "webp": "webp"}
# The record of an export that was interrupted.
_RECORD = ".sluice-export.json"
_SHARD = re.compile(r"\d{5,}(\.tar|\.parquet|_stats\.json)?")

# Arguments without a counterpart, with their defaults. Sluice is one process with its own kernels and hashes.
_IGNORED: Dict[str, Any] = {
    "processes_count": 1, "upscale_interpolation": "lanczos", "downscale_interpolation": "area", "bbox_col": None,
    "save_additional_columns": None, "enable_wandb": False, "wandb_project": "img2dataset", "oom_shard_count": 5,
    "compute_hash": "sha256", "compute_md5": True, "verify_hash": None, "distributor": "multiprocessing",
    "subjob_size": 1000, "max_shard_retry": 1, "user_agent_token": None, "max_image_area": float("inf"),
}


def download(
    url_list: str,
    image_size: int = 256,
    output_folder: str = "images",
    resize_mode: str = "border",
    resize_only_if_bigger: bool = False,
    encode_quality: int = 95,
    encode_format: str = "jpg",
    skip_reencode: bool = False,
    output_format: str = "files",
    input_format: str = "txt",
    url_col: str = "url",
    caption_col: Optional[str] = None,
    thread_count: int = 256,
    number_sample_per_shard: int = 10000,
    extract_exif: bool = True,
    timeout: float = 10,
    retries: int = 0,
    disable_all_reencoding: bool = False,
    min_image_size: int = 0,
    max_aspect_ratio: float = float("inf"),
    incremental_mode: str = "incremental",
    disallowed_header_directives: Optional[List[str]] = None,
    sluice_options: Optional[Dict[str, command.Option]] = None,
    **others: Any,
) -> None:
    """Downloads the photos of a list, and writes shards with the names, columns and status words of img2dataset.

    The mirror, from which a later call continues, is in the folder `OUTPUT_FOLDER.mirror`. A warning names the
    arguments that have no effect. `sluice_options` are further options of `sluice mirror`.
    """
    _check(output_format, input_format, resize_mode, encode_format, incremental_mode, url_list)
    _warn(others)
    keeps_originals = disable_all_reencoding or resize_mode == "no"
    size = f"{image_size}x{image_size}"
    options: Dict[str, Any] = {
        "sizes": "none" if keeps_originals else size,
        "concurrency": thread_count, "timeout": f"{timeout}s", "retries": retries, "no_gallery": True,
        "min_size": f"{min_image_size}x{min_image_size}" if min_image_size else None,
        "aspect": f"{1 / max_aspect_ratio}..{max_aspect_ratio}" if max_aspect_ratio != float("inf") else None,
        # An empty list of directives means that no opt-out counts.
        "ignore_opt_out": True if disallowed_header_directives == [] else None,
    }
    if not keeps_originals:
        options.update(
            fit=_FIT[resize_mode], format=_FORMATS[encode_format], quality=encode_quality,
            enlarge=None if resize_only_if_bigger else True,
        )
    if input_format != "txt":
        options.update(url_column=url_col, caption_column=caption_col)
    options.update(sluice_options or {})
    folder = os.path.abspath(output_folder)
    summary = command.mirror(url_list, f"{folder}.mirror", **options).wait()
    if not _clear(folder, incremental_mode, summary.done > 0):
        return
    recode = "jpeg" if resize_mode == "no" and not (skip_reencode or disable_all_reencoding) else None
    command.export(
        f"{folder}.mirror", folder, layout="img2dataset", shard_items=number_sample_per_shard, recode=recode,
        size=None if keeps_originals else size, exif="camera" if extract_exif else None,
    )
    os.remove(os.path.join(folder, _RECORD))
    if output_format == "files":
        _unpack(folder)


def _check(
    output_format: str, input_format: str, resize_mode: str, encode_format: str, incremental_mode: str, url_list: str
) -> None:
    choices: List[Tuple[str, str, Set[str]]] = [
        ("output_format", output_format, {"webdataset", "files"}),
        ("resize_mode", resize_mode, {"no", *_FIT}),
        ("encode_format", encode_format, set(_FORMATS)),
        ("incremental_mode", incremental_mode, {"incremental", "overwrite"}),
        ("input_format", input_format, {
            "txt", "txt.gz", "csv", "csv.gz", "tsv", "tsv.gz", "json", "json.gz", "jsonl", "jsonl.gz", "parquet",
        }),
    ]
    for name, value, allowed in choices:
        if value not in allowed:
            raise ValueError(f"{name} is {value!r}, but Sluice supports {', '.join(sorted(allowed))}")
    if os.path.isdir(url_list):
        raise ValueError("url_list is a folder, but Sluice reads one list: call download for each file")


def _warn(others: Dict[str, Any]) -> None:
    unknown = sorted(set(others) - set(_IGNORED))
    if unknown:
        raise TypeError(f"download() got unexpected arguments: {', '.join(unknown)}")
    ignored = sorted(name for name, value in others.items() if value != _IGNORED[name])
    if ignored:
        warnings.warn(f"Sluice ignores these arguments: {', '.join(ignored)}", stacklevel=3)


def _clear(folder: str, mode: str, has_new: bool) -> bool:
    """Removes the shards of an earlier call that are out of date; returns whether to export."""
    names = os.listdir(folder) if os.path.isdir(folder) else []
    # The command itself continues an interrupted export.
    if not names or _RECORD in names:
        return True
    if mode == "incremental" and not has_new:
        return False
    for name in names:
        if not _SHARD.fullmatch(name):
            continue
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            for each in os.listdir(path):
                os.remove(os.path.join(path, each))
            os.rmdir(path)
        else:
            os.remove(path)
    return True


def _unpack(folder: str) -> None:
    """Replaces each shard by a folder of its files."""
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".tar"):
            continue
        path = os.path.join(folder, name)
        shard = path[: -len(".tar")]
        os.makedirs(shard, exist_ok=True)
        with tarfile.open(path) as tar:
            for member in tar:
                content = tar.extractfile(member)
                if content is None:
                    continue
                with open(os.path.join(shard, os.path.basename(member.name)), "wb") as file:
                    file.write(content.read())
        os.remove(path)
