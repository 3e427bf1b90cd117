// SPDX-License-Identifier: MIT

internal import CZlib
internal import SluiceModel

/// Unpacks gzip, also several of its files behind each other, as `cat a.gz b.gz` makes them.
struct Gunzip: Unpacking {
    private let stream = Stream()
    private(set) var mayEnd = false

    /// The one owner of zlib's state.
    @safe private final class Stream {
        // zlib keeps a pointer to it, so that it must not move.
        let state: UnsafeMutablePointer<z_stream>

        init() {
            unsafe state = .allocate(capacity: 1)
            unsafe state.initialize(to: z_stream())
            let code = unsafe czlib_begin_gunzip(state)
            precondition(code == Z_OK, "zlib is out of memory")
        }

        deinit {
            unsafe inflateEnd(state)
            unsafe state.deallocate()
        }
    }

    mutating func unpack(_ input: inout ArraySlice<UInt8>) throws(Failure) -> [UInt8] {
        if mayEnd {
            guard !input.isEmpty else { return [] }
            _ = unsafe inflateReset(stream.state)
        }
        var (code, rest): (Int32, Int) = (Z_OK, 0)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.step) { output, count in
            unsafe input.withUnsafeBufferPointer { input in
                // zlib does not write to its input; its type is older than const.
                unsafe stream.state.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.state.pointee.avail_in = UInt32(input.count)
                unsafe stream.state.pointee.next_out = output.baseAddress
                unsafe stream.state.pointee.avail_out = UInt32(output.count)
                code = unsafe inflate(stream.state, Z_NO_FLUSH)
                rest = unsafe Int(stream.state.pointee.avail_in)
                count = unsafe output.count - Int(stream.state.pointee.avail_out)
            }
        }
        // Z_BUF_ERROR says no more than that it needs more input.
        guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
            throw Failure(.feedParse, "the gzip file is damaged")
        }
        input = input.suffix(rest)
        mayEnd = code == Z_STREAM_END
        return bytes
    }
}
