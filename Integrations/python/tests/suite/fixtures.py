# SPDX-License-Identifier: MIT
"""What img2dataset's tests import from its own fixtures, which its source distribution lacks: pictures and lists."""

from __future__ import annotations

import glob
import gzip
import http.server
import importlib
import random
import threading
from typing import Any, Dict, List, Tuple

cv2: Any = importlib.import_module("cv2")
numpy: Any = importlib.import_module("numpy")
pandas: Any = importlib.import_module("pandas")

Pairs = List[Tuple[str, str]]
SIZES = [(123, 456), (416, 264), (300, 900), (640, 480), (389, 535), (150, 150), (1000, 700)]


def picture(width: int, height: int) -> bytes:
    noise = numpy.random.default_rng(width).integers(0, 256, (8, 8, 3), numpy.uint8)
    content: bytes = cv2.imencode(".jpg", cv2.resize(noise, (width, height)))[1].tobytes()
    return content


PICTURES: Dict[str, bytes] = {f"/{width}_{height}.jpg": picture(width, height) for width, height in SIZES}


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, format: str, *arguments: Any) -> None:
        pass

    def do_GET(self) -> None:
        content = PICTURES.get(self.path)
        self.send_response(404 if content is None else 200)
        self.send_header("Content-Length", str(len(content or b"")))
        self.end_headers()
        self.wfile.write(content or b"")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()


def setup_fixtures(count: int = 5, disallowed: int = 0) -> Pairs:
    # Repeated addresses are wanted: img2dataset makes a photo of each row.
    names = random.choices(list(PICTURES), k=count)
    base = f"http://127.0.0.1:{server.server_port}"
    return [(f"caption {number}" if number else "", f"{base}{name}") for number, name in enumerate(names)]


def generate_input_file(input_format: str, url_list_name: str, test_list: Pairs) -> str:
    path = f"{url_list_name}.{input_format}"
    kind, _, ending = input_format.partition(".")
    compression = "gzip" if ending else None
    table = pandas.DataFrame(test_list, columns=["caption", "url"])
    if kind == "txt":
        text = "".join(f"{url}\n" for _, url in test_list).encode()
        with gzip.open(path, "wb") if ending else open(path, "wb") as file:
            file.write(text)
    elif kind == "parquet":
        table.to_parquet(path)
    elif kind == "json":
        table.to_json(path, compression=compression)
    elif kind == "jsonl":
        table.to_json(path, orient="records", lines=True, compression=compression)
    else:
        table.to_csv(path, sep="\t" if kind == "tsv" else ",", compression=compression)
    return path


def get_all_files(folder: str, ext: str) -> List[str]:
    return sorted(glob.glob(f"{folder}/**/*.{ext}", recursive=True))


def check_image_size(
    file_list: List[str], l_unresized: List[str], image_size: int, resize_mode: str, resize_only_if_bigger: bool
) -> None:
    for file, original in zip(file_list, l_unresized):
        (height, width), (old_height, old_width) = (cv2.imread(each).shape[:2] for each in (file, original))
        side = (max if resize_mode == "border" else min)(old_width, old_height)
        if resize_mode == "no" or (resize_only_if_bigger and side <= image_size):
            expected = (old_width, old_height)
        elif resize_mode == "keep_ratio":
            expected = (round(old_width * image_size / side), round(old_height * image_size / side))
        else:
            expected = (image_size, image_size)
        assert (width, height) == expected, (file, resize_mode, resize_only_if_bigger)
