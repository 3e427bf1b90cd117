// SPDX-License-Identifier: MIT

internal import CZstd
internal import SluiceModel

/// Unpacks Zstandard, also several frames behind each other.
struct Unzstd: Unpacking {
    private let context = Context()
    private(set) var mayEnd = false

    /// The one owner of libzstd's state; a frame that asks for a window above 128 MB is refused by libzstd itself.
    @safe private final class Context {
        let pointer: OpaquePointer

        init() {
            guard let pointer = unsafe ZSTD_createDCtx() else { preconditionFailure("libzstd is out of memory") }
            unsafe self.pointer = pointer
        }

        deinit { unsafe ZSTD_freeDCtx(pointer) }
    }

    mutating func unpack(_ input: inout ArraySlice<UInt8>) throws(Failure) -> [UInt8] {
        // Behind a frame's end libzstd would wait for another.
        if mayEnd, input.isEmpty { return [] }
        var (code, taken) = (0, 0)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.step) { output, count in
            unsafe input.withUnsafeBufferPointer { input in
                var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
                var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
                code = unsafe ZSTD_decompressStream(context.pointer, &target, &source)
                taken = unsafe source.pos
                count = unsafe target.pos
            }
        }
        guard ZSTD_isError(code) == 0 else { throw Failure(.feedParse, "the Zstandard file is damaged") }
        input = input.dropFirst(taken)
        mayEnd = code == 0
        return bytes
    }
}
