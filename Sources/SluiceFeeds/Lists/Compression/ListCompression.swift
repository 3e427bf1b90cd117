// SPDX-License-Identifier: MIT

internal import CZlib
internal import CZstd
package import SluiceModel

protocol Decompressing {
    /// Decompresses part of `input` and removes that part; returns no bytes if it needs more input.
    mutating func decompress(_ input: inout ArraySlice<UInt8>) throws(Failure) -> [UInt8]
    /// Whether the data is complete if the input ends here.
    var isComplete: Bool { get }
}

extension Decompressing {
    /// The maximum output of one call, in bytes, which bounds memory for highly compressed data.
    static var maxOutput: Int { 256 << 10 }
}

/// A list's compression format, detected from its first bytes.
enum ListCompression: Sendable, Hashable {
    case none, gzip, zstd

    init(sniffing head: some Collection<UInt8>) {
        if head.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if head.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
            self = .zstd
        } else {
            self = .none
        }
    }

    /// Creates a decoder; `nil` for an uncompressed list.
    func makeDecoder() -> (any Decompressing)? {
        switch self {
        case .none: nil
        case .gzip: BoundedDecoder(GzipDecoder())
        case .zstd: BoundedDecoder(ZstdDecoder())
        }
    }
}

/// Refuses data that expand too much: a small file would otherwise occupy its reader for hours.
private struct BoundedDecoder: Decompressing {
    /// Lists shrink to a tenth or a hundredth.
    private static let maxExpansion = 300
    private static let minBombBytes = ListBuffer.maxBytesWithoutRecord

    private var decoder: any Decompressing
    private var (consumed, produced) = (0, 0)

    init(_ decoder: any Decompressing) { self.decoder = decoder }

    var isComplete: Bool { decoder.isComplete }

    mutating func decompress(_ input: inout ArraySlice<UInt8>) throws(Failure) -> [UInt8] {
        let before = input.count
        let bytes = try decoder.decompress(&input)
        consumed += before - input.count
        produced += bytes.count
        guard produced <= Self.minBombBytes || produced / Self.maxExpansion <= consumed else {
            throw Failure(.encodingBomb, "\(consumed) bytes of the list expanded to more than \(produced)")
        }
        return bytes
    }
}

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
