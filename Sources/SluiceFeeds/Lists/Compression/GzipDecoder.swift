// SPDX-License-Identifier: MIT

internal import CZlib
package import SluiceModel

/// Decompresses gzip data, including concatenated files such as the output of `cat a.gz b.gz`.
package struct GzipDecoder: Decompressing {
    private let stream = Stream()
    package private(set) var isComplete = false

    @safe private final class Stream {
        // zlib keeps a pointer to this state, so it must not move.
        let state: UnsafeMutablePointer<z_stream>

        init() {
            unsafe state = .allocate(capacity: 1)
            unsafe state.initialize(to: z_stream())
            let code = unsafe czlib_init_gunzip(state)
            precondition(code == Z_OK, "zlib is out of memory")
        }

        deinit {
            unsafe inflateEnd(state)
            unsafe state.deallocate()
        }
    }

    package init() {}

    package mutating func decompress(_ input: inout ArraySlice<UInt8>) throws(Failure) -> [UInt8] {
        if isComplete {
            guard !input.isEmpty else { return [] }
            _ = unsafe inflateReset(stream.state)
        }
        var (code, rest): (Int32, Int) = (Z_OK, 0)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.maxOutput) { output, count in
            unsafe input.withUnsafeBufferPointer { input in
                // zlib does not write to its input; it only lacks the const.
                unsafe stream.state.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.state.pointee.avail_in = UInt32(input.count)
                unsafe stream.state.pointee.next_out = output.baseAddress
                unsafe stream.state.pointee.avail_out = UInt32(output.count)
                code = unsafe inflate(stream.state, Z_NO_FLUSH)
                rest = unsafe Int(stream.state.pointee.avail_in)
                count = unsafe output.count - Int(stream.state.pointee.avail_out)
            }
        }
        // Z_BUF_ERROR only means that zlib needs more input.
        guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
            throw Failure(.feedParse, "the gzip data is corrupt")
        }
        input = input.suffix(rest)
        isComplete = code == Z_STREAM_END
        return bytes
    }
}
