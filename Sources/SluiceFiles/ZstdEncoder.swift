// SPDX-License-Identifier: MIT

internal import CZstd

/// Compresses blocks into Zstandard frames; a file of concatenated frames is a valid Zstandard file.
@safe package final class ZstdEncoder {
    /// The fastest level: rows of a plan are read once or twice, and pages of Parquet files a few times.
    private static let level: Int32 = 1
    private let context: OpaquePointer

    /// Creates an encoder that is used by one thread at a time.
    package init() {
        guard let context = unsafe ZSTD_createCCtx() else { preconditionFailure("libzstd is out of memory") }
        unsafe self.context = context
    }

    deinit { unsafe ZSTD_freeCCtx(context) }

    /// Returns a frame with the bytes.
    package func frame(_ bytes: [UInt8]) -> [UInt8] {
        let bound = ZSTD_compressBound(bytes.count)
        return unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            let code = unsafe bytes.withUnsafeBytes { input in
                unsafe ZSTD_compressCCtx(
                    context, output.baseAddress, bound, input.baseAddress, input.count, Self.level)
            }
            precondition(ZSTD_isError(code) == 0, "libzstd cannot compress a block")
            count = code
        }
    }
}
