# SPDX-License-Identifier: MIT
"""libvips through its Python binding: shrink-on-load, then Lanczos; one thread per process."""

import os

os.environ["VIPS_CONCURRENCY"] = "1"

import peer
import pyvips


def thumbnail(file, side):
    return pyvips.Image.thumbnail(file, side, height=side).jpegsave_buffer(Q=80, strip=True)


peer.run(thumbnail)
