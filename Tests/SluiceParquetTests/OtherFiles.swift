// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import TestSupport

@testable import SluiceParquet

/// Files with one required column `a` of texts, whose pages and metadata a test makes up.
enum CraftedFile {
    /// An uncompressed data page of texts.
    static func plainPage(_ texts: [[UInt8]], count: Int? = nil) -> [UInt8] {
        var body: [UInt8] = []
        for text in texts {
            body.appendLittleEndian(UInt64(text.count), count: 4)
            body += text
        }
        let count = count ?? texts.count
        return PageHeader.data(count: count, encoding: .plain, size: body.count, stored: body.count) + body
    }

    /// Writes a file whose row groups all refer to the same pages.
    static func write(
        _ pages: [UInt8], rows: Int, codec: PageCodec = .uncompressed, groups: Int = 1, size: Int? = nil,
        to path: String
    ) throws {
        var footer = CompactWriter()
        footer.structure { file in
            file.int32(1, 2)
            file.list(2, of: .structure, count: 2)
            file.structure { root in
                root.binary(4, "schema".utf8)
                root.int32(5, 1)
            }
            file.structure { column in
                column.int32(1, PhysicalType.byteArray.rawValue)
                column.int32(3, Repetition.required.rawValue)
                column.binary(4, "a".utf8)
            }
            file.int64(3, rows)
            file.list(4, of: .structure, count: groups)
            for _ in 0..<groups {
                file.structure { group in
                    group.list(1, of: .structure, count: 1)
                    group.structure { chunk in
                        chunk.structure(3) { metadata in
                            metadata.int32(4, codec.rawValue)
                            metadata.int64(5, rows)
                            metadata.int64(7, size ?? pages.count)
                            metadata.int64(9, parquetMagic.count)
                        }
                    }
                    group.int64(3, rows)
                }
            }
        }
        var bytes = parquetMagic + pages + footer.bytes
        bytes.appendLittleEndian(UInt64(footer.bytes.count), count: 4)
        try Data(bytes + parquetMagic).write(to: URL(filePath: path))
    }
}

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

/// Files of pyarrow with a known content, and one of fastparquet.
///
/// Those with forty rows are in `Tests/Fuzz/Corpus/parquet`, so that the reader is tested without pyarrow, and fuzzed.
enum PyarrowFiles {
    /// The files with the same rows as ``row(_:)``, and files that are refused.
    static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fuzz/Corpus/parquet").standardized

    /// The names of the files in the repository that can be read.
    static let names = [
        "brotli-delta-1", "brotli-dictionary-2", "gzip-plain-1", "gzip-dictionary-2", "lz4-delta-2",
        "lz4-unframed-1", "none-dictionary-1", "none-plain-2", "snappy-dictionary-1",
        "snappy-plain-2", "zstd-plain-1", "zstd-dictionary-2",
    ]

    /// The fields of each row that can be read.
    static let columns = ["url", "caption", "width", "big", "ratio", "kept", "date", "day", "code", "nothing"]

    /// The expected texts of a row.
    static func row(_ number: Int) -> [String?] {
        let ratio = Double(number) / 4
        let day = Date(timeIntervalSince1970: Double(number * 86_400 * 97 - 30 * 86_400))
        return [
            "https://x.example/\(number).jpg", number % 5 == 0 ? nil : "ä c\(number % 13)",
            number % 3 == 0 ? nil : "\(number)", "\(UInt64.max - UInt64(number))",
            number % 7 == 0 ? nil : number % 4 == 0 ? "\(number / 4)" : "\(ratio)",
            number % 11 == 0 ? nil : number % 2 == 0 ? "true" : "false",
            (day + 34_215).formatted(.iso8601), day.formatted(.iso8601), String(format: "%08d", number), nil,
        ]
    }

    /// Writes files of all kinds that Sluice reads into a folder.
    static func write(into folder: String, rows: Int) throws {
        _ = try PythonPackages.run(table + script, [folder, "\(rows)"])
    }

    /// Makes `table` from the arguments.
    static let table = """
        import sys, datetime, itertools, duckdb, pyarrow as pa, pyarrow.parquet as pq
        folder, rows = sys.argv[1], int(sys.argv[2])
        numbers = range(rows)
        days = [datetime.date(1970, 1, 1) + datetime.timedelta(days=97 * n - 30) for n in numbers]
        times = [datetime.datetime(d.year, d.month, d.day, 9, 30, 15, 250000) for d in days]
        columns = {
            "url": pa.array([f"https://x.example/{n}.jpg" for n in numbers]),
            "caption": pa.array([None if n % 5 == 0 else f"ä c{n % 13}" for n in numbers]),
            "width": pa.array([None if n % 3 == 0 else n for n in numbers], pa.int32()),
            "big": pa.array([2 ** 64 - 1 - n for n in numbers], pa.uint64()),
            "ratio": pa.array([float("nan") if n % 7 == 0 else n / 4 for n in numbers], pa.float32()),
            "kept": pa.array([None if n % 11 == 0 else n % 2 == 0 for n in numbers]),
            "date": pa.array(times, pa.timestamp("us")),
            "day": pa.array(days),
            "code": pa.array([b"%08d" % n for n in numbers], pa.binary(8)),
            "nothing": pa.nulls(rows, pa.string()),
            "tags": pa.array([["a"] * (n % 3) for n in numbers]),
        }
        deltas = {
            "url": "DELTA_BYTE_ARRAY", "caption": "DELTA_LENGTH_BYTE_ARRAY", "width": "DELTA_BINARY_PACKED",
            "big": "DELTA_BINARY_PACKED", "ratio": "BYTE_STREAM_SPLIT", "kept": "RLE", "date": "DELTA_BINARY_PACKED",
            "day": "BYTE_STREAM_SPLIT", "code": "DELTA_BYTE_ARRAY", "nothing": "DELTA_BYTE_ARRAY",
        }
        types = {name: values.type for name, values in columns.items()}
        table = pa.table(columns, schema=pa.schema([pa.field(n, t, nullable=n != "url") for n, t in types.items()]))
        """

    private static let script = """

        def write(name, table, **options):
            pq.write_table(table, f"{folder}/{name}", store_schema=False, data_page_size=4000, **options)
        codecs = ["none", "snappy", "gzip", "zstd", "lz4", "brotli"]
        for codec, version, kind in itertools.product(codecs, ["1", "2"], ["dictionary", "plain", "delta"]):
            write(f"{codec}-{kind}-{version}", table, compression=codec, data_page_version=version + ".0",
                use_dictionary=kind == "dictionary", column_encoding=deltas if kind == "delta" else None,
                row_group_size=max(25, rows // 4))
        write("int96", table, use_deprecated_int96_timestamps=True)
        duckdb.sql(f"copy (from read_parquet('{folder}/zstd-plain-1')) to '{folder}/duckdb' (format parquet)")
        """
}

extension ParquetReader {
    /// Reads all rows of some columns.
    static func rows(of path: String, columns: [String]) throws -> [Row] {
        var reader = try ParquetReader(.reading(path, followsLink: true))
        let fields = columns.compactMap { name in reader.fields.first { $0.name == name } }
        try reader.select(fields)
        var rows: [Row] = []
        while let row = try reader.next() { rows.append(row) }
        return rows
    }
}
