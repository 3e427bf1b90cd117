// SPDX-License-Identifier: MIT

import TestSupport

/// Files of four writers with the content of ``PyarrowFiles``, in many sizes of pages and row groups.
enum ForeignFiles {
    /// Writes 415 files into a folder.
    static func write(into folder: String, rows: Int) throws {
        _ = try PythonPackages.run(PyarrowFiles.table + script, [folder, "\(rows)"])
    }

    private static let script = """

        import fastparquet, pandas, polars
        sizes = [rows // 9, rows // 4, rows]
        flat = table.drop_columns(["tags"])
        codecs = ["uncompressed", "snappy", "gzip", "zstd", "lz4", "brotli"]
        for codec, version, kind, size, page in itertools.product(
                codecs, ["1.0", "2.0"], ["dictionary", "plain", "delta"], sizes, [500, 4000, 1 << 20]):
            pq.write_table(table, f"{folder}/pyarrow-{codec}-{version}-{kind}-{size}-{page}",
                compression=codec if codec != "uncompressed" else "none", data_page_version=version,
                use_dictionary=kind == "dictionary", column_encoding=deltas if kind == "delta" else None,
                row_group_size=size, data_page_size=page)
        with pq.ParquetWriter(f"{folder}/pyarrow-empty-groups", table.schema) as writer:
            for part in [table.slice(0, 0), table.slice(0, 7), table.slice(0, 0), table.slice(7)]:
                writer.write_table(part)
        for codec, size, version in itertools.product(codecs, sizes, ["v1", "v2"]):
            duckdb.sql(f"copy flat to '{folder}/duckdb-{codec}-{size}-{version}' (format parquet, "
                f"compression {codec}, row_group_size {size}, parquet_version {version})")
        for codec, size, page in itertools.product(codecs, sizes, [1000, None]):
            polars.from_arrow(flat).write_parquet(
                f"{folder}/polars-{codec}-{size}-{page}", compression=codec, row_group_size=size, data_page_size=page)
        # fastparquet has no dates, writes times in seconds as if they were milliseconds, and needs the types of texts.
        types = {pa.int32(): pandas.Int32Dtype(), pa.bool_(): pandas.BooleanDtype()}
        frame = flat.to_pandas(types_mapper=types.get)
        frame["day"] = pandas.to_datetime(frame["day"]).astype("datetime64[us]")
        encodings = {name: "utf8" for name in frame.columns} | {"code": "bytes"}
        for codec, size in itertools.product(codecs, sizes):
            fastparquet.write(f"{folder}/fastparquet-{codec}-{size}", frame, compression=codec.upper(),
                row_group_offsets=size, object_encoding=encodings)
        """
}
