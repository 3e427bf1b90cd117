# SPDX-License-Identifier: MIT
"""Blurs boxes of pictures, such as faces, by the rule of img2dataset."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, List, Optional, Tuple

from .packages import package

_FILTERS = {
    "nearest": "INTER_NEAREST", "linear": "INTER_LINEAR", "bilinear": "INTER_LINEAR", "lanczos": "INTER_LANCZOS4",
    "lanczos4": "INTER_LANCZOS4",
}


@dataclass(frozen=True)
class Blur:
    """Blurs boxes of pictures, then crops or pads and encodes these.

    The command has decoded the pictures and shrunk them without cropping, because the strength of the blur depends on the
    whole picture. They are enlarged here.
    """

    size: int
    mode: str
    enlargement: Optional[str]
    format: str
    quality: int

    def __post_init__(self) -> None:
        package("cv2", "bbox_col", "blur")

    @property
    def fit(self) -> str:
        """How the command fits pictures into the size."""
        return "outside" if self.mode in ("keep_ratio", "center_crop") else "inside"

    def apply(self, content: bytes, boxes: Any, is_resized: bool) -> Tuple[bytes, int, int]:
        """Returns the finished picture with its width and height; boxes are [left, top, right, bottom] from 0 to 1."""
        cv2, numpy = package("cv2", "bbox_col", "blur"), package("numpy", "bbox_col", "blur")
        image = cv2.imdecode(numpy.frombuffer(content, numpy.uint8), cv2.IMREAD_UNCHANGED)
        if image.ndim == 3 and image.shape[2] == 4:
            alpha = image[:, :, 3:]
            image = numpy.rint((alpha / 255 * image[..., :3] + 255 - alpha).clip(0, 255)).astype(numpy.uint8)
        side = (min if self.fit == "outside" else max)(image.shape[:2])
        if self.enlargement is not None and side < self.size:
            height, width = (max(1, round(length * (self.size / side))) for length in image.shape[:2])
            image = cv2.resize(image, (width, height), interpolation=getattr(cv2, _FILTERS[self.enlargement]))
        if boxes:
            image = _blurred(image, boxes)
        if is_resized and self.mode == "center_crop":
            top, left = (image.shape[0] - self.size) // 2, (image.shape[1] - self.size) // 2
            image = image[top : top + self.size, left : left + self.size]
        if is_resized and self.mode == "border":
            rows, columns = self.size - image.shape[0], self.size - image.shape[1]
            image = cv2.copyMakeBorder(
                image, rows // 2, rows - rows // 2, columns // 2, columns - columns // 2, cv2.BORDER_CONSTANT,
                value=(255, 255, 255),
            )
        names = {"jpg": cv2.IMWRITE_JPEG_QUALITY, "png": cv2.IMWRITE_PNG_COMPRESSION, "webp": cv2.IMWRITE_WEBP_QUALITY}
        encoded = cv2.imencode(f".{self.format}", image, params=[names[self.format], self.quality])[1]
        return encoded.tobytes(), image.shape[1], image.shape[0]


def _blurred(image: Any, boxes: List[List[float]]) -> Any:
    cv2, numpy = package("cv2", "bbox_col", "blur"), package("numpy", "bbox_col", "blur")
    height, width = image.shape[:2]
    image = image.astype(numpy.float32) / 255.0
    mask = numpy.zeros_like(image)
    longest = 0
    for box in boxes:
        left, top, right, bottom = (int(part * side) for part, side in zip(box, (width, height, width, height)))
        side = max(right - left, bottom - top)
        longest = max(longest, side)
        # A tenth of the longer side is added on all four.
        columns = [min(max(int(edge), 0), width - 1) for edge in (left - 0.1 * side, right + 0.1 * side)]
        rows = [min(max(int(edge), 0), height - 1) for edge in (top - 0.1 * side, bottom + 0.1 * side)]
        mask[rows[0] : rows[1], columns[0] : columns[1], ...] = 1
    kernel = max(3, 2 * math.ceil(0.1 * longest) + 1)
    picture, share = (cv2.GaussianBlur(each, (kernel, kernel), 0) for each in (image, mask))
    return ((image * (1 - share) + picture * share) * 255.0).astype(numpy.uint8)
