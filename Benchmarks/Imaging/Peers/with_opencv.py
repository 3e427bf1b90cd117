# SPDX-License-Identifier: MIT
"""OpenCV: decodes at a reduced size of at least twice the target, then INTER_AREA; one thread per process."""

import cv2
import peer
from PIL import Image

cv2.setNumThreads(1)
REDUCED = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4,
           8: cv2.IMREAD_REDUCED_COLOR_8}


def thumbnail(file, side):
    # OpenCV cannot read a picture's size without decoding it.
    with Image.open(file) as header:
        longest = max(header.size)
    times = max(times for times in REDUCED if times == 1 or longest >= times * side * 2)
    picture = cv2.imread(file, REDUCED[times])
    height, width = picture.shape[:2]
    scale = side / max(width, height)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 80])[1]


peer.run(thumbnail)
