# SPDX-License-Identifier: MIT
"""Pillow: draft mode for JPEGs, then Lanczos."""

import io

import peer
from PIL import Image


def thumbnail(file, side):
    with Image.open(file) as picture:
        # `thumbnail` itself requests draft mode with twice the size.
        picture.thumbnail((side, side), Image.Resampling.LANCZOS)
        out = io.BytesIO()
        picture.convert("RGB").save(out, "JPEG", quality=80)
        return out.getvalue()


peer.run(thumbnail)
