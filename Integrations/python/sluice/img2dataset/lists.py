# SPDX-License-Identifier: MIT
"""Reads the lists of a dataset."""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import dataclass
from glob import escape, glob
from typing import IO, Any, Dict, Iterator, List, Optional, Sequence, cast

from .choices import check, refusal
from .packages import package

FORMATS = ["txt", "csv", "tsv", "json", "jsonl"]
HASHES = ["md5", "sha256", "sha512"]
RESERVED = {
    "key", "caption", "url", "width", "height", "original_width", "original_height", "status", "error_message", "exif",
    *HASHES,
}


@dataclass(frozen=True)
class Lists:
    """The files of a list, and the columns that the dataset takes from them, by their names in the dataset."""

    files: Sequence[str]
    format: str
    columns: Dict[str, str]

    @staticmethod
    def of(
        url_list: str, input_format: str, url_col: str, caption_col: Optional[str], bbox_col: Optional[str],
        verify_hash: Optional[Sequence[str]], save_additional_columns: Optional[Sequence[str]],
    ) -> Lists:
        """Checks the arguments, and finds the files."""
        check("input_format", input_format, [*FORMATS, *(f"{each}.gz" for each in FORMATS), "parquet"])
        additional = [*(save_additional_columns or []), *([bbox_col] if bbox_col else [])]
        reserved = sorted(RESERVED.intersection(additional))
        if reserved:
            raise refusal("save_additional_columns", additional, f"these names are reserved: {', '.join(reserved)}")
        if input_format.startswith("txt"):
            if additional or verify_hash:
                raise refusal("input_format", input_format, "only other formats have further columns")
            return Lists(_files(url_list, input_format), input_format, {"url": "url"})
        columns = {name: name for name in additional}
        if caption_col is not None:
            columns["caption"] = caption_col
        if verify_hash is not None:
            columns[verify_hash[1]] = verify_hash[0]
        return Lists(_files(url_list, input_format), input_format, {**columns, "url": url_col})

    def shards(self, size: int) -> Iterator[Any]:
        """Reads the lists as tables with at most `size` rows. Each file begins a new table."""
        arrow = package("pyarrow", "img2dataset.download")
        for file in self.files:
            rest: List[Any] = []
            count = 0
            for table in self._tables(file, size):
                rest.append(table)
                count += table.num_rows
                while count >= size:
                    whole = arrow.concat_tables(rest)
                    yield whole.slice(0, size)
                    rest, count = [whole.slice(size)], count - size
            if count:
                yield arrow.concat_tables(rest)

    def _tables(self, file: str, size: int) -> Iterator[Any]:
        arrow = package("pyarrow", "img2dataset.download")
        if self.format == "parquet":
            parquet = package("pyarrow.parquet", "img2dataset.download").ParquetFile(file)
            names = self._found(file, parquet.schema_arrow.names)
            for batch in parquet.iter_batches(batch_size=size, columns=list(dict.fromkeys(names))):
                yield self._selected(file, arrow.Table.from_batches([batch]))
        else:
            with _open(file) as content:
                yield self._selected(file, _table(content, self.format.split(".")[0]))

    def _selected(self, file: str, table: Any) -> Any:
        # A table may have several columns of the same name, so they are selected by position.
        positions = [table.column_names.index(name) for name in self._found(file, table.column_names)]
        return table.select(positions).rename_columns(list(self.columns))

    def _found(self, file: str, names: Sequence[str]) -> List[str]:
        for name in self.columns.values():
            if name not in names:
                raise ValueError(f"cannot read list '{file}': it has no column '{name}', only {', '.join(names)}")
        return list(self.columns.values())


def _files(url_list: str, extension: str) -> List[str]:
    if "://" in url_list:
        raise refusal("url_list", url_list, "Sluice reads local files here; `sluice mirror` also reads lists at addresses")
    if not os.path.isdir(url_list):
        return [os.path.abspath(url_list)]
    files = sorted(glob(f"{escape(os.path.abspath(url_list))}/*.{extension}"))
    if not files:
        raise refusal("url_list", url_list, f"this folder has no file that ends with .{extension}")
    return files


def _open(file: str) -> IO[bytes]:
    return cast(IO[bytes], gzip.open(file)) if file.endswith(".gz") else open(file, "rb")


def _table(content: IO[bytes], kind: str) -> Any:
    arrow = package("pyarrow", "img2dataset.download")
    if kind == "txt":
        lines = (line.strip() for line in content.read().decode(errors="replace").splitlines())
        return arrow.table({"url": arrow.array([line for line in lines if line], arrow.string())})
    if kind == "jsonl":
        return package("pyarrow.json", "img2dataset.download").read_json(content)
    if kind == "json":
        return _records(json.load(content))
    csv = package("pyarrow.csv", "img2dataset.download")
    options = csv.ParseOptions(delimiter="\t" if kind == "tsv" else ",", newlines_in_values=True)
    return csv.read_csv(content, parse_options=options)


def _records(value: Any) -> Any:
    """Reads a table as pandas writes it: a list of records, or an object of columns with lists or indexed values."""
    arrow = package("pyarrow", "img2dataset.download")
    if isinstance(value, list):
        return arrow.Table.from_pylist(value)
    columns = cast(Dict[str, Any], value)
    return arrow.table({name: list(each.values()) if hasattr(each, "values") else each for name, each in columns.items()})
