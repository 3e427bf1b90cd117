// SPDX-License-Identifier: MIT

internal import CBrotli
internal import CLibraries
internal import CZlib
internal import CZstd

/// Decompresses pages to the size that their headers state.
@safe final class PageDecoder {
    private let zstd: OpaquePointer

    init() {
        guard let context = unsafe ZSTD_createDCtx() else { preconditionFailure("libzstd is out of memory") }
        unsafe zstd = context
    }

    deinit { unsafe ZSTD_freeDCtx(zstd) }

    /// Whether pages of a codec can be decompressed.
    static func supports(_ codec: PageCodec) -> Bool {
        switch codec {
        case .uncompressed, .snappy, .gzip, .zstd, .lz4, .lz4Raw: true
        case .brotli: clibraries_load(clibraries_brotlidec)
        case .lzo: false
        }
    }

    /// Returns exactly `size` bytes; throws if the input is damaged or has another size.
    func decompress(_ input: ArraySlice<UInt8>, _ codec: PageCodec, size: Int) throws(ParquetError) -> [UInt8] {
        let output: [UInt8]? =
            switch codec {
            case .uncompressed: input.count == size ? Array(input) : nil
            case .snappy: SnappyDecoder.decompress(input, size: size)
            case .zstd: unzstd(input, size)
            case .gzip: Self.gunzip(input, size)
            case .lz4: LZ4Decoder.decompressHadoop(input, size: size)
            case .lz4Raw: LZ4Decoder.decompress(input, size: size)
            case .brotli: Self.unbrotli(input, size)
            case .lzo: nil
            }
        guard let output else { throw .invalid("a page cannot be decompressed") }
        return output
    }

    private func unzstd(_ input: ArraySlice<UInt8>, _ size: Int) -> [UInt8]? {
        let output = unsafe [UInt8](unsafeUninitializedCapacity: size) { output, count in
            let code = unsafe input.withUnsafeBytes { input in
                unsafe ZSTD_decompressDCtx(zstd, output.baseAddress, size, input.baseAddress, input.count)
            }
            count = ZSTD_isError(code) == 0 ? code : 0
        }
        return output.count == size ? output : nil
    }

    private static func unbrotli(_ input: ArraySlice<UInt8>, _ size: Int) -> [UInt8]? {
        let output = unsafe [UInt8](unsafeUninitializedCapacity: size) { output, count in
            var written = size
            let result = unsafe input.withUnsafeBufferPointer { input in
                unsafe BrotliDecoderDecompress(input.count, input.baseAddress, &written, output.baseAddress)
            }
            count = result == BROTLI_DECODER_RESULT_SUCCESS ? written : 0
        }
        return output.count == size ? output : nil
    }

    private static func gunzip(_ input: ArraySlice<UInt8>, _ size: Int) -> [UInt8]? {
        var stream = unsafe z_stream()
        guard unsafe czlib_init_gunzip(&stream) == Z_OK else { return nil }
        defer { unsafe inflateEnd(&stream) }
        var code = Z_OK
        let output = unsafe [UInt8](unsafeUninitializedCapacity: max(size, 1)) { output, count in
            unsafe input.withUnsafeBufferPointer { input in
                // zlib does not write to its input; it only lacks the const.
                unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(size)
                code = unsafe inflate(&stream, Z_FINISH)
                // Some writers compress a page in several members.
                while unsafe code == Z_STREAM_END && stream.avail_in > 0 && stream.avail_out > 0 {
                    guard unsafe inflateReset(&stream) == Z_OK else { break }
                    code = unsafe inflate(&stream, Z_FINISH)
                }
                count = unsafe size - Int(stream.avail_out)
            }
        }
        return code == Z_STREAM_END && output.count == size ? output : nil
    }
}
