// SPDX-License-Identifier: MIT

import TestSupport

/// Files of four writers with the content of ``PyarrowFiles``, in many sizes of pages and row groups.
enum ForeignFiles {
    /// Writes 192 files into a folder.
    static func write(into folder: String, rows: Int) throws {
        _ = try PythonPackages.run(PyarrowFiles.table + script, [folder, "\(rows)"])
    }

    private static let script = """

        import fastparquet, pandas, polars
        sizes = [rows // 9, rows // 4, rows]
        flat = table.drop_columns(["tags"])
        for codec, version, has_dictionary, size, page in itertools.product(
                ["none", "snappy", "gzip", "zstd"], ["1.0", "2.0"], [True, False], sizes, [500, 4000, 1 << 20]):
            name = f"pyarrow-{codec}-{version}-{has_dictionary}-{size}-{page}"
            pq.write_table(table, f"{folder}/{name}", compression=codec, data_page_version=version,
                use_dictionary=has_dictionary, row_group_size=size, data_page_size=page)
        codecs = ["uncompressed", "snappy", "gzip", "zstd"]
        for codec, size in itertools.product(codecs, sizes):
            duckdb.sql(f"copy flat to '{folder}/duckdb-{codec}-{size}' (format parquet, compression {codec}, row_group_size {size})")
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
