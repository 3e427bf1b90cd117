# SPDX-License-Identifier: MIT
"""Tests of the entry with the arguments of img2dataset."""

from __future__ import annotations

import ast
import hashlib
import importlib
import inspect
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import unittest
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

from support import Case, need

import sluice

ROOT = Path(__file__).resolve().parents[3]


def source() -> Path:
    """The source distribution of img2dataset, which `Scripts/python-test` fetches."""
    folder = os.environ.get("IMG2DATASET_SOURCE")
    if folder is None:
        raise unittest.SkipTest("there is no source of img2dataset")
    return Path(folder)


class SignatureTests(unittest.TestCase):
    def setUp(self) -> None:
        self.parameters = inspect.signature(sluice.img2dataset.download).parameters

    def test_every_parameter_of_img2dataset_with_its_default(self) -> None:
        tree = ast.parse((source() / "img2dataset" / "main.py").read_text())
        [function] = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "download"]
        names = [argument.arg for argument in function.args.args]
        defaults = [eval(ast.unparse(node), {"float": float}) for node in function.args.defaults]
        expected = dict(zip(names[len(names) - len(defaults):], defaults))
        ours = {name: each.default for name, each in self.parameters.items() if each.default is not each.empty}
        self.assertGreater(len(expected), 30)
        self.assertEqual({name: ours.get(name, "missing") for name in expected}, expected)
        # The former is in img2dataset's repository, but not in a release.
        self.assertEqual(set(ours) - set(expected), {"ignore_ssl_certificate", "sluice_options"})

    def test_documentation_has_every_parameter(self) -> None:
        page = (ROOT / "Documentation" / "img2dataset.md").read_text()
        rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (same|better|refused|no effect)", page, re.M)
        names = [name for cell, _ in rows for name in re.findall(r"`(\w+)`", cell)]
        self.assertEqual(sorted(names), sorted(set(self.parameters)))


class SuiteTests(unittest.TestCase):
    def test_the_tests_of_img2dataset(self) -> None:
        need("cv2", "exifread", "pandas", "pyarrow", "pytest")
        tests = source() / "tests" / "test_main.py"
        folders = [Path(__file__).parent / "suite", Path(__file__).resolve().parents[1]]
        # These need pictures of the internet or of img2dataset's repository.
        unsuitable = "benchmark or blur or verify_hash"
        result = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "entry_plugin", "-p", "no:cacheprovider", "-W", "ignore",
             "-k", f"not ({unsuitable})", str(tests)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))}, cwd=Path(__file__).parent,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertRegex(result.stdout, r"(?m)^76 passed")


class Img2datasetTests(Case):
    def setUp(self) -> None:
        need("pyarrow")
        super().setUp()
        self.demo(pages=1, per_page=4).check()
        self.originals = self.out / "originals"
        self.names = [file.name for file in sorted(self.originals.iterdir())]
        self.headers: Dict[str, Dict[str, str]] = {}
        self.service = self.serve([*self.names, "missing.jpg"], self.headers)
        self.result = self.folder / "set"

    def download(self, **arguments: Any) -> List[str]:
        usual: Dict[str, Any] = {
            "url_list": str(self.service.list), "output_folder": str(self.result), "input_format": "csv",
            "caption_col": "words", "image_size": 64, "thread_count": 4, "extract_exif": False,
            "sluice_options": self.service.options,
        }
        sluice.img2dataset.download(**{**usual, **arguments})
        return sorted(os.listdir(self.result))

    def table(self, shard: str = "00000") -> List[Dict[str, Any]]:
        parquet: Any = importlib.import_module("pyarrow.parquet")
        rows: List[Dict[str, Any]] = parquet.read_table(self.result / f"{shard}.parquet").to_pylist()
        return rows

    def list_of(self, rows: List[Dict[str, Any]], name: str = "list.jsonl") -> str:
        path = self.folder / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return str(path)

    def messages(self) -> List[Optional[str]]:
        return [row["error_message"] for row in self.table()]

    def test_webdataset(self) -> None:
        names = self.download(output_format="webdataset", number_sample_per_shard=3)
        kinds = [".parquet", ".tar", "_stats.json"]
        self.assertEqual(names, [f"0000{shard}{kind}" for shard in range(2) for kind in kinds])
        with tarfile.open(self.result / "00000.tar") as tar:
            self.assertEqual(
                [member.name for member in tar],
                [f"00000{i}.{kind}" for i in range(3) for kind in ("jpg", "json", "txt")],
            )
        statistics = json.loads((self.result / "00001_stats.json").read_text())
        self.assertEqual((statistics["count"], statistics["successes"], statistics["failed_to_download"]), (2, 1, 1))
        self.assertEqual(statistics["status_dict"], {"success": 1, "HTTP Error 404: Not Found": 1})

    def test_incremental_modes(self) -> None:
        names = self.download()
        self.assertEqual(names, ["00000", "00000.parquet", "00000_stats.json"])
        self.assertEqual(len(list((self.result / "00000").glob("*.jpg"))), 4)
        before = (self.result / "00000.parquet").stat().st_mtime_ns
        self.assertEqual(self.download(), names)
        self.assertEqual((self.result / "00000.parquet").stat().st_mtime_ns, before)
        self.assertEqual(self.download(incremental_mode="extend", output_format="webdataset")[3:5],
                         ["00001.parquet", "00001.tar"])
        self.assertEqual([row["key"] for row in self.table("00001")][:2], ["000010000", "000010001"])
        (self.result / "notes.txt").write_text("mine")
        self.assertEqual(self.download(incremental_mode="overwrite", output_format="dummy"),
                         ["00000_stats.json", "notes.txt"])
        # An interrupted call has no statistics of its last shards.
        self.download(incremental_mode="overwrite", number_sample_per_shard=2, output_format="parquet")
        os.remove(self.result / "00001_stats.json")
        os.remove(self.result / "00001.parquet")
        self.download(number_sample_per_shard=2, output_format="parquet")
        self.assertEqual([row["status"] for row in self.table("00001")], ["success", "success"])

    def test_a_limit_of_the_run_leaves_unfinished_shards(self) -> None:
        run = {**self.service.options, "max_transfer": "1"}
        self.assertEqual(self.download(number_sample_per_shard=2, sluice_options=run), [])
        self.assertEqual(len(self.download(number_sample_per_shard=2)), 9)

    def test_rows_are_kept_as_they_are(self) -> None:
        url = self.service.urls[0]
        rows: List[Dict[str, Any]] = [
            {"id": 7, "URL": url, "TEXT": "one", "score": 0.5, "tags": ["a", "b"]},
            {"id": 7, "URL": url, "TEXT": "two", "score": 2.0, "tags": []},
            {"id": 7, "URL": "no address", "TEXT": None, "score": None, "tags": None},
            {"id": 7, "URL": None, "TEXT": "four", "score": 1e15, "tags": ["c"]},
        ]
        self.download(
            url_list=self.list_of(rows), input_format="jsonl", url_col="URL", caption_col="TEXT",
            save_additional_columns=["score", "tags", "id"], oom_shard_count=3, number_sample_per_shard=100,
        )
        table = self.table("000")
        self.assertEqual([row["status"] for row in table], ["success"] * 2 + ["failed_to_download"] * 2)
        self.assertEqual([row["key"] for row in table], ["00000", "00001", "00002", "00003"])
        for name, column in (("caption", "TEXT"), ("score", "score"), ("tags", "tags"), ("id", "id"), ("url", "URL")):
            self.assertEqual([row[name] for row in table], [row[column] for row in rows], name)
        self.assertEqual(list(table[0]), [
            "score", "tags", "id", "caption", "url", "key", "status", "error_message", "width", "height",
            "original_width", "original_height", "sha256",
        ])
        self.assertEqual((self.result / "000" / "00001.txt").read_text(), "two")

    def test_hashes(self) -> None:
        contents = [(self.originals / name).read_bytes() for name in self.names]
        for kind in ("md5", "sha256", "sha512"):
            digests = [hashlib.new(kind, content).hexdigest() for content in contents]
            wrong = [digests[0], digests[0], digests[2].upper(), None]
            rows = [{"url": url, "digest": digest} for url, digest in zip(self.service.urls, wrong)]
            self.download(
                url_list=self.list_of(rows), input_format="jsonl", caption_col=None, incremental_mode="overwrite",
                compute_hash=kind, verify_hash=["digest", kind],
            )
            self.assertEqual([row[kind] for row in self.table()], [digests[0], None, digests[2], None])
            self.assertEqual(self.messages(), [None, "hash mismatch", None, "hash mismatch"])
        self.download(incremental_mode="overwrite", compute_hash=None)
        self.assertTrue(set(self.table()[0]).isdisjoint(["md5", "sha256", "sha512"]))

    def test_rules_of_size(self) -> None:
        thumbs = [thumb for row in sluice.manifest(self.out) for thumb in row.get("thumbs", [])]
        sizes = [(row.get("width", 0), row.get("height", 0)) for row in sluice.manifest(self.out)]
        for number, thumb in enumerate(thumbs):
            sizes.append((thumb["width"], thumb["height"]))
            (self.originals / f"thumb-{number}.jpg").write_bytes((self.out / thumb["file"]).read_bytes())
        base = self.service.urls[0].rsplit("/", 1)[0]
        names = [*self.names, *(f"thumb-{number}.jpg" for number in range(4))]
        list_file = self.list_of([{"url": f"{base}/{name}"} for name in names])
        side = max(min(size) for size in sizes)
        area = min(width * height for width, height in sizes)
        ratio = min(max(size) / min(size) for size in sizes)
        rules: List[Tuple[Dict[str, Any], str, Callable[[int, int], bool]]] = [
            ({"min_image_size": side}, "image too small", lambda w, h: min(w, h) < side),
            ({"max_image_area": area}, "image area too large", lambda w, h: w * h > area),
            ({"max_aspect_ratio": ratio}, "aspect ratio too large", lambda w, h: max(w, h) / min(w, h) > ratio),
        ]
        for arguments, message, refuses in rules:
            self.download(
                url_list=list_file, input_format="jsonl", caption_col=None, incremental_mode="overwrite", **arguments
            )
            expected = [message if refuses(*size) else None for size in sizes]
            self.assertEqual(set(expected), {None, message}, arguments)
            self.assertEqual(self.messages(), expected, arguments)
            self.assertEqual([row["status"] for row in self.table()],
                             ["failed_to_resize" if each else "success" for each in expected])

    def test_directives_and_reservations(self) -> None:
        disallowed = "Use of image disallowed by X-Robots-Tag directive"
        first, second, third, fourth = (f"/{name}" for name in self.names)
        self.headers[first] = {"X-Robots-Tag": "noai"}
        self.headers[second] = {"X-Robots-Tag": "lens: noindex"}
        self.headers[third] = {"X-Robots-Tag": "nofollow, NoIndex"}
        self.headers[fourth] = {"tdm-reservation": "1"}
        calls: List[Tuple[Dict[str, Any], List[Optional[str]]]] = [
            ({}, [disallowed, None, disallowed, "opted-out: tdm-reservation: 1"]),
            ({"user_agent_token": "lens"}, [disallowed, disallowed, disallowed, "opted-out: tdm-reservation: 1"]),
            ({"disallowed_header_directives": ["NOFOLLOW"]}, [None, None, disallowed, "opted-out: tdm-reservation: 1"]),
            ({"disallowed_header_directives": []}, [None, None, None, None]),
        ]
        for arguments, expected in calls:
            # A host is asked again, because its answer to another name may differ.
            self.result = self.folder / f"set-{len(arguments)}-{'-'.join(map(str, arguments.values()))}"
            self.download(**arguments)
            self.assertEqual(self.messages()[:4], expected, arguments)

    def test_reservations_are_those_of_export(self) -> None:
        statements = [
            {"X-Robots-Tag": "noml"}, {"tdm-reservation": "1"}, {"tdm-reservation": "0"},
            {"Content-Usage": "train-ai=n"}, {"Content-Usage": "train-ai=y"}, {"Content-Usage": "ai=n, search=y"},
            {"X-Robots-Tag": "nosnippet"}, {"tdm-policy": "https://example.org/policy"},
        ]
        for number, headers in enumerate(statements):
            name = f"copy-{number}.jpg"
            (self.originals / name).write_bytes((self.originals / self.names[number % 4]).read_bytes())
            self.headers[f"/{name}"] = headers
        base = self.service.urls[0].rsplit("/", 1)[0]
        rows = [{"url": f"{base}/copy-{number}.jpg"} for number in range(len(statements))]
        self.download(
            url_list=self.list_of(rows), input_format="jsonl", caption_col=None,
            disallowed_header_directives=["noai", "noimageai", "noimageindex", "noml"],
        )
        sluice.export(f"{self.result}.mirror", self.folder / "exported", layout="folder")
        exported = {path.name for path in (self.folder / "exported" / "00000").glob("*.jpg")}
        kept = {f"{number + 1:09}.jpg" for number, row in enumerate(self.table()) if row["status"] == "success"}
        self.assertEqual(kept, exported)
        self.assertTrue(0 < len(kept) < len(statements))

    def test_skip_reencode_and_disable_all_reencoding(self) -> None:
        first = (self.originals / self.names[0]).read_bytes()
        calls: List[Tuple[Dict[str, Any], bool]] = [
            ({"resize_mode": "no", "skip_reencode": True}, True), ({"resize_mode": "no"}, False),
            ({"disable_all_reencoding": True}, True), ({"skip_reencode": True}, False),
            ({"skip_reencode": True, "resize_only_if_bigger": True, "image_size": 9000}, True),
            ({"skip_reencode": True, "resize_only_if_bigger": True, "image_size": 9000, "encode_format": "webp"}, False),
        ]
        for arguments, is_same in calls:
            self.download(incremental_mode="overwrite", **arguments)
            [picture] = (self.result / "00000").glob("000000000.[jw]*[gp]")
            self.assertEqual(picture.read_bytes() == first, is_same, arguments)

    def test_exif(self) -> None:
        need("exifread")
        self.download(extract_exif=True)
        self.assertEqual({type(json.loads(row["exif"])) for row in self.table()[:4]}, {dict})
        self.assertIsNone(self.table()[4]["exif"])

    def test_tfrecord(self) -> None:
        from sluice.img2dataset import tfrecord

        # The check value of the algorithm.
        self.assertEqual(tfrecord.crc32c(b"123456789"), 0xE3069283)
        names = self.download(output_format="tfrecord", encode_format="png", encode_quality=9)
        self.assertEqual(names, ["00000.parquet", "00000.tfrecord", "00000_stats.json"])
        records = io.BytesIO((self.result / "00000.tfrecord").read_bytes())
        count = 0
        while head := records.read(12):
            message = records.read(int.from_bytes(head[:8], "little"))
            self.assertEqual(tfrecord.framed(message), head + message + records.read(4))
            self.assertIn(b"\x89PNG", message)
            count += 1
        self.assertEqual(count, 4)
        # Example, Features, map entry, key, value, FloatList, packed floats.
        self.assertEqual(tfrecord.example({"a": [1.0, 2]}).hex(), "0a130a110a0161120c120a0a080000803f00000040")

    def test_blur(self) -> None:
        need("cv2")
        cv2: Any = importlib.import_module("cv2")
        numpy: Any = importlib.import_module("numpy")
        url = self.service.urls[0]
        rows: List[Dict[str, Any]] = [{"url": url, "boxes": [[0.1, 0.1, 0.4, 0.4]]}, {"url": url, "boxes": []}]
        unusable: List[Dict[str, Any]] = [{"url": url, "boxes": ["?"]}]
        for mode in ("no", "border", "center_crop", "keep_ratio", "keep_ratio_largest"):
            arguments: Dict[str, Any] = {
                "url_list": self.list_of(rows), "input_format": "jsonl", "caption_col": None, "image_size": 100,
                "resize_mode": mode, "encode_format": "png", "encode_quality": 1, "incremental_mode": "overwrite",
            }
            self.download(**arguments, bbox_col="boxes")
            blurred, plain = (cv2.imread(str(each)) for each in sorted((self.result / "00000").glob("*.png")))
            difference = numpy.abs(blurred.astype(int) - plain.astype(int)).max(axis=2)
            self.assertEqual((difference > 2).any(), True, mode)
            height, width = difference.shape
            self.assertEqual((difference[height * 3 // 4:, width * 3 // 4:] > 1).any(), False, mode)
            # The originals are not blurred.
            self.assertFalse(os.path.exists(f"{self.result}.mirror"))
            self.download(**arguments)
            [same, _] = (cv2.imread(str(each)) for each in sorted((self.result / "00000").glob("*.png")))
            # Without a blur, the command crops, also between two pixels.
            if mode != "center_crop":
                self.assertLessEqual(numpy.abs(same.astype(int) - plain.astype(int)).max(), 1, mode)
        self.download(url_list=self.list_of(unusable), input_format="jsonl", caption_col=None, bbox_col="boxes",
                      incremental_mode="overwrite")
        self.assertEqual([row["status"] for row in self.table()], ["failed_to_resize"])

    def test_refused_values(self) -> None:
        for name, value, message in [
            ("output_format", "zip", "Sluice supports dummy, files, parquet, tfrecord, webdataset"),
            ("input_format", "xml", "Sluice supports csv"), ("resize_mode", "stretch", "border"),
            ("incremental_mode", "append", "extend"), ("encode_format", "avif", "jpg"),
            ("ignore_ssl_certificate", True, "Sluice checks all certificates"), ("compute_hash", "crc", "sha512"),
            ("verify_hash", ["digest", "md5"], "'sha256'"), ("downscale_interpolation", "cubic", "Sluice supports area"),
            ("upscale_interpolation", "nearest", "Sluice supports bilinear"), ("distributor", "dask", "pyspark"),
            ("url_list", "s3://bucket/list.csv", "local files"), ("output_folder", "s3://bucket/set", "local files"),
            ("save_additional_columns", ["status"], "reserved"), ("user_agent_token", "a b", "letters"),
            ("number_sample_per_shard", 0, "at least 1"),
        ]:
            with self.assertRaisesRegex(ValueError, f"{name}.* is .*{re.escape(message)}"):
                self.download(**{name: value})
        with self.assertRaisesRegex(ValueError, "encode_quality"):
            self.download(encode_format="png")
        with self.assertRaisesRegex(ValueError, "unblurred"):
            self.download(bbox_col="words", disable_all_reencoding=True)
        with self.assertRaisesRegex(ValueError, "no column 'colour', only url, words"):
            self.download(url_col="colour")
        self.assertFalse(os.path.exists(f"{self.result}.mirror"))
        before = self.download()
        with self.assertRaisesRegex(ValueError, "no column"):
            self.download(url_col="colour", incremental_mode="overwrite")
        self.assertEqual(sorted(os.listdir(self.result)), before)
        with self.assertRaises(TypeError):
            self.download(colour="red")

    def test_arguments_without_effect(self) -> None:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.download(processes_count=16, enable_wandb=True, distributor="ray", output_format="webdataset")
        self.assertEqual([str(each.message) for each in caught if each.category is UserWarning],
                         ["these arguments have no effect here: distributor, enable_wandb"])


if __name__ == "__main__":
    unittest.main()
