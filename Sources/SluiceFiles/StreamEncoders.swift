// SPDX-License-Identifier: MIT

internal import CZlib
internal import CZstd

/// Compresses bytes into one gzip member; a file of concatenated members is a valid gzip file.
@safe package final class GzipEncoder {
    // zlib keeps a pointer to this state, so it must not move.
    private let state: UnsafeMutablePointer<z_stream>

    /// Creates an encoder for one member.
    ///
    /// Without `compressing`, it only frames the bytes, which suits photos.
    package init(compressing: Bool) {
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: z_stream())
        let code = unsafe czlib_init_gzip(state, compressing ? Z_DEFAULT_COMPRESSION : Z_NO_COMPRESSION)
        precondition(code == Z_OK, "zlib is out of memory")
    }

    deinit {
        unsafe deflateEnd(state)
        unsafe state.deallocate()
    }

    /// Adds bytes, and returns the part of the member that is complete.
    package func add(_ bytes: [UInt8]) -> [UInt8] { encode(bytes, flush: Z_NO_FLUSH) }

    /// Ends the member, and returns its last bytes.
    package func finish() -> [UInt8] { encode([], flush: Z_FINISH) }

    private func encode(_ bytes: [UInt8], flush: Int32) -> [UInt8] {
        // An empty array may have no address, which zlib refuses.
        let input = bytes.isEmpty ? [0] : bytes
        var output: [UInt8] = []
        unsafe input.withUnsafeBufferPointer { input in
            // zlib does not write to its input; it only lacks the const.
            unsafe state.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe state.pointee.avail_in = UInt32(bytes.count)
            var isFull = true
            while isFull {
                let piece = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count + 1024) { buffer, count in
                    unsafe state.pointee.next_out = buffer.baseAddress
                    unsafe state.pointee.avail_out = UInt32(buffer.count)
                    _ = unsafe deflate(state, flush)
                    count = unsafe buffer.count - Int(state.pointee.avail_out)
                }
                unsafe isFull = state.pointee.avail_out == 0
                if output.isEmpty { output = piece } else { output += piece }
            }
        }
        return output
    }
}

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
