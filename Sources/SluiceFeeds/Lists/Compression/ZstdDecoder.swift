// SPDX-License-Identifier: MIT

internal import CZstd
internal import SluiceModel

/// Decompresses Zstandard data, including several concatenated frames.
struct ZstdDecoder: Decompressing {
    private let context = Context()
    private(set) var isComplete = false

    /// Owns the libzstd context.
    ///
    /// libzstd itself rejects frames with a window above 128 MB.
    @safe private final class Context {
        let pointer: OpaquePointer

        init() {
            guard let pointer = unsafe ZSTD_createDCtx() else { preconditionFailure("libzstd is out of memory") }
            unsafe self.pointer = pointer
        }

        deinit { unsafe ZSTD_freeDCtx(pointer) }
    }

    mutating func decompress(_ input: inout ArraySlice<UInt8>) throws(Failure) -> [UInt8] {
        // After the end of a frame, libzstd would expect another one.
        if isComplete, input.isEmpty { return [] }
        var (code, consumed) = (0, 0)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.maxOutput) { output, count in
            unsafe input.withUnsafeBufferPointer { input in
                var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
                var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
                code = unsafe ZSTD_decompressStream(context.pointer, &target, &source)
                consumed = unsafe source.pos
                count = unsafe target.pos
            }
        }
        guard ZSTD_isError(code) == 0 else { throw Failure(.feedParse, "the Zstandard data is corrupt") }
        input = input.dropFirst(consumed)
        isComplete = code == 0
        return bytes
    }
}
