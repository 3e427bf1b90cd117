# SPDX-License-Identifier: MIT
"""Decides how pictures are resized and encoded, and returns them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Dict, Optional

from ..manifest import Row
from . import rules
from .blur import Blur
from .choices import choose, refusal

_FIT = {
    "no": "inside", "keep_ratio": "outside", "keep_ratio_largest": "inside", "center_crop": "cover", "border": "pad",
}
_FORMATS = {"jpg": "jpeg", "png": "png", "webp": "webp"}
_KERNELS = {
    "area": {"lanczos": "area-lanczos3", "lanczos4": "area-lanczos3", "linear": "area", "bilinear": "area"},
    "lanczos": {"lanczos": "lanczos3", "lanczos4": "lanczos3"},
    "lanczos4": {"lanczos": "lanczos3", "lanczos4": "lanczos3"},
    "nearest": {"nearest": "nearest"},
}
# The largest side of a thumbnail, so that this size keeps a picture's own.
_WHOLE = 16383


@dataclass(frozen=True)
class Picture:
    """A picture of the dataset."""

    content: bytes
    width: Optional[int]
    height: Optional[int]


@dataclass(frozen=True)
class Pictures:
    """The pictures of a dataset."""

    folder: str
    size: int
    mode: str
    only_if_bigger: bool
    format: str
    quality: int
    skips_encoding: bool
    keeps_originals: bool
    kernel: str
    blur: Optional[Blur]

    @staticmethod
    def of(
        folder: str, image_size: int, resize_mode: str, resize_only_if_bigger: bool, upscale_interpolation: str,
        downscale_interpolation: str, encode_quality: int, encode_format: str, skip_reencode: bool,
        disable_all_reencoding: bool, bbox_col: Optional[str],
    ) -> Pictures:
        """Checks the arguments."""
        choose("resize_mode", resize_mode, _FIT)
        choose("encode_format", encode_format, _FORMATS)
        if encode_format == "png" and not 0 <= encode_quality <= 9:
            raise refusal("encode_quality", encode_quality, "for png it is a compression from 0 to 9")
        enlargements = choose("downscale_interpolation", downscale_interpolation.lower(), _KERNELS)
        # Without enlargements, their filter has no effect.
        upscale = next(iter(enlargements)) if resize_only_if_bigger else upscale_interpolation.lower()
        kernel = choose(f"with downscale_interpolation={downscale_interpolation!r}, upscale_interpolation", upscale, enlargements)
        if bbox_col and disable_all_reencoding:
            raise refusal("bbox_col", bbox_col, "disable_all_reencoding would leave the boxes unblurred")
        enlargement = None if resize_only_if_bigger or resize_mode == "no" else upscale
        blur = Blur(image_size, resize_mode, enlargement, encode_format, encode_quality) if bbox_col else None
        return Pictures(
            folder, image_size, resize_mode, resize_only_if_bigger, encode_format, encode_quality, skip_reencode,
            disable_all_reencoding, kernel, blur,
        )

    @property
    def options(self) -> Dict[str, Any]:
        """The options of the command."""
        if self.keeps_originals:
            return {"sizes": "none"}
        resizes = self.mode != "no"
        only_shrinks = self.only_if_bigger or self.blur is not None
        quality = max(1, min(100, self.quality))
        return {
            "sizes": f"{self._side}x{self._side}",
            "fit": self.blur.fit if self.blur else _FIT[self.mode],
            "enlarge": True if resizes and not only_shrinks else None,
            "only_shrink": True if resizes and only_shrinks else None,
            "kernel": self.kernel,
            "format": "png" if self.blur else _FORMATS[self.format],
            "quality": None if self.blur or self.format == "png" else quality,
            "lossless": True if self.format == "webp" and self.quality > 100 else None,
        }

    @property
    def _side(self) -> int:
        return _WHOLE if self.mode == "no" else self.size

    def picture(self, row: Row, boxes: Any) -> Picture:
        """Returns the picture of a photo that belongs to the dataset, or raises `Left`."""
        is_resized = self._is_resized(row)
        is_copied = self.skips_encoding and not is_resized and row.get("format") == _FORMATS[self.format]
        if self.keeps_originals or (is_copied and self.blur is None):
            return Picture(self.original(row), row.get("width"), row.get("height"))
        thumb = next((each for each in row.get("thumbs", []) if each["size"] == self._side), None)
        if thumb is None:
            raise rules.failed(row)
        content = self._read(thumb["file"])
        if self.blur is None:
            return Picture(content, thumb["width"], thumb["height"])
        content, width, height = self.blur.apply(content, boxes, is_resized)
        return Picture(content, width, height)

    def original(self, row: Row) -> bytes:
        """Returns the content of a photo's original."""
        return self._read(row.get("file", ""))

    def _read(self, file: str) -> bytes:
        with open(os.path.join(self.folder, file), "rb") as content:
            return content.read()

    def _is_resized(self, row: Row) -> bool:
        if self.mode == "no" or not self.only_if_bigger:
            return self.mode != "no"
        sides = (row.get("width", 0), row.get("height", 0))
        side = min(sides) if self.mode in ("keep_ratio", "center_crop") else max(sides)
        return side > self.size
