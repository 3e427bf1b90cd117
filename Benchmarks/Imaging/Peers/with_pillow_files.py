# SPDX-License-Identifier: MIT
"""Pillow with pillow-heif for a folder of any photos: upright thumbnails in files; photos it cannot read are left out."""

import pathlib
import sys
import tempfile

import peer
import pillow_heif
from PIL import Image, ImageOps

pillow_heif.register_heif_opener()
pillow_heif.options.DECODE_THREADS = 1
OUT = tempfile.TemporaryDirectory()


def thumbnail(file, side):
    try:
        with Image.open(file) as picture:
            if picture.format == "TIFF":  # a raw photo, of which it would decode other data than the preview
                return b""
            picture.thumbnail((side, side), Image.Resampling.LANCZOS)
            made = pathlib.Path(OUT.name) / f"{pathlib.Path(file).name}.jpg"
            ImageOps.exif_transpose(picture).convert("RGB").save(made, "JPEG", quality=80)
            return made.read_bytes()
    except OSError as problem:
        print(problem, file=sys.stderr)
        return b""


peer.run(thumbnail)
