# SPDX-License-Identifier: MIT
"""Pillow: JPEGs in draft mode, Lanczos."""

import io

import peer
from PIL import Image


def thumbnail(file, side):
    with Image.open(file) as picture:
        # It asks for draft mode with twice the size itself.
        picture.thumbnail((side, side), Image.Resampling.LANCZOS)
        out = io.BytesIO()
        picture.convert("RGB").save(out, "JPEG", quality=80)
        return out.getvalue()


peer.run(thumbnail)
